//! PGN movetext: words and comments, line by line.

use std::mem;

/// The maximum length of a comment. The rest is cut; scores come first.
const MAX_COMMENT: usize = 4096;

/// A piece of movetext outside variations.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A move, its number, a result, an annotation.
    Word(&'a str),
    /// The text in braces or after a semicolon.
    Comment(String),
    /// A closing brace or parenthesis without an opening one.
    Stray(char),
}

/// The state that carries over from line to line.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// The text of an open comment.
    comment: Option<String>,
    /// The number of open variations.
    variations: u32,
}

impl Scanner {
    /// What is open, if anything.
    pub(super) fn open(&self) -> Option<&'static str> {
        if self.comment.is_some() {
            Some("a comment")
        } else {
            (self.variations > 0).then_some("a variation")
        }
    }

    /// Removes the next token from the front of a line. Returns `None` at its end.
    pub(super) fn next<'a>(&mut self, rest: &mut &'a str) -> Option<Token<'a>> {
        loop {
            if self.comment.is_some() {
                if let Some(text) = self.close_comment(rest)? {
                    return Some(Token::Comment(text));
                }
                continue;
            }
            *rest = rest.trim_start();
            let first = rest.chars().next()?;
            let after = &rest[first.len_utf8()..];
            match first {
                '{' => {
                    self.comment = Some(String::new());
                    *rest = after;
                }
                ';' => {
                    let text = mem::take(rest)[1..].trim().to_owned();
                    if self.variations == 0 {
                        return Some(Token::Comment(text));
                    }
                }
                '(' => {
                    self.variations = self.variations.saturating_add(1);
                    *rest = after;
                }
                ')' if self.variations > 0 => {
                    self.variations -= 1;
                    *rest = after;
                }
                ')' | '}' => {
                    *rest = after;
                    return Some(Token::Stray(first));
                }
                _ => {
                    let word = take_word(rest);
                    if self.variations == 0 {
                        return Some(Token::Word(word));
                    }
                }
            }
        }
    }

    /// Continues an open comment. The outer `None` is the end of the line, the inner one the end of
    /// a comment within a variation.
    #[expect(clippy::option_option, reason = "one for the line, one for the comment")]
    fn close_comment(&mut self, rest: &mut &str) -> Option<Option<String>> {
        let end = rest.find('}');
        let text = &rest[..end.unwrap_or(rest.len())];
        let held = self.comment.get_or_insert_default();
        if held.len() + text.len() <= MAX_COMMENT {
            held.push_str(text);
            held.push(' ');
        }
        let Some(end) = end else {
            *rest = "";
            return None;
        };
        *rest = &rest[end + 1..];
        let text = self.comment.take().unwrap_or_default();
        Some((self.variations == 0).then_some(text))
    }
}

/// Up to the next space, bracket, comment or numeric annotation.
fn take_word<'a>(rest: &mut &'a str) -> &'a str {
    let ends = |(at, letter): &(usize, char)| {
        *at > 0 && (letter.is_whitespace() || "{}();$".contains(*letter))
    };
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    let (word, after) = rest.split_at(end);
    *rest = after;
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_and_comments_are_told_apart() {
        let mut scanner = Scanner::default();
        let mut all = Vec::new();
        for mut line in [
            "1.e4{+0.31/12 0.05s}e5$1 (1...c5 {a ) in a comment} (2. Nf3) 2. c3)",
            "2. Nf3 {two",
            "lines} Nc6; to the end ( { }",
            "3. Bb5 ) }",
        ] {
            while let Some(token) = scanner.next(&mut line) {
                all.push(match token {
                    Token::Word(word) => word.to_owned(),
                    Token::Comment(text) => format!("<{}>", text.trim()),
                    Token::Stray(letter) => format!("stray {letter}"),
                });
            }
        }
        let expected = [
            "1.e4",
            "<+0.31/12 0.05s>",
            "e5",
            "$1",
            "2.",
            "Nf3",
            "<two lines>",
            "Nc6",
            "<to the end ( { }>",
            "3.",
            "Bb5",
            "stray )",
            "stray }",
        ];
        assert_eq!(all, expected);
        assert_eq!(scanner.open(), None);
    }

    #[test]
    fn what_is_left_open_is_named() {
        for (mut line, open) in
            [("e4 {", "a comment"), ("e4 ( d4", "a variation"), ("( {", "a comment")]
        {
            let mut scanner = Scanner::default();
            while scanner.next(&mut line).is_some() {}
            assert_eq!(scanner.open(), Some(open));
        }
    }

    #[test]
    fn a_comment_without_end_stays_small() {
        let mut scanner = Scanner::default();
        assert_eq!(scanner.next(&mut "{"), None);
        for _ in 0..100_000 {
            assert_eq!(scanner.next(&mut "0123456789"), None);
        }
        assert!(scanner.comment.is_some_and(|text| text.len() <= MAX_COMMENT + 1));
    }
}
