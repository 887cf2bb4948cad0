//! Words of a line: whole numbers, keywords, and text that is safe to repeat in a message.

use super::error::NumberError;

/// How much of a foreign text a message repeats, in characters.
const MAX_SHOWN: usize = 60;

/// A whole number from `min` to `max`.
pub(super) fn number(text: &str, min: i128, max: i128) -> Result<i128, NumberError> {
    // `parse` alone accepts a sign.
    let digits = if min < 0 { text.strip_prefix('-').unwrap_or(text) } else { text };
    let digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && (min..=max).contains(value));
    value.ok_or_else(|| NumberError { found: escape(text), min, max })
}

/// What follows `word`, if the text begins with it.
pub(super) fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_ascii_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_whitespace()))
        .then_some(rest)
}

/// What comes before and after the first `word` that stands by itself.
pub(super) fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let space = |letter: Option<char>| letter.is_none_or(|letter| letter.is_ascii_whitespace());
    text.match_indices(word).find_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let alone = space(before.chars().next_back()) && space(after.chars().next());
        alone.then_some((before, after))
    })
}

/// The words of a text, one space between them.
pub(super) fn joined(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// A foreign text for a message: one line, not long, control characters escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars().take(MAX_SHOWN) {
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown + ellipsis(text)
}

/// A foreign text for a message: one line, not long, control characters left out.
pub fn printable(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_control());
    letters.take(MAX_SHOWN).collect::<String>() + ellipsis(text)
}

fn ellipsis(text: &str) -> &'static str {
    if text.chars().count() > MAX_SHOWN { "…" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_text_is_short_and_on_one_line() {
        assert_eq!(escape("e2e4"), "e2e4");
        assert_eq!(escape("a\0b\x1b[2J\r"), "a\\u{0}b\\u{1b}[2J\\r");
        assert_eq!(escape(&"ä".repeat(1000)).chars().count(), 61);
        assert_eq!(printable("a\u{7}b"), "ab");
        assert_eq!(printable(&"x\u{7}".repeat(70)).chars().count(), 61);
    }

    #[test]
    fn numbers_have_bounds_and_no_plus_sign() {
        assert_eq!(number("7", 1, 9), Ok(7));
        assert_eq!(number("-7", -9, 9), Ok(-7));
        assert_eq!(number(&u64::MAX.to_string(), 0, u64::MAX.into()), Ok(u64::MAX.into()));
        for text in ["0", "10", "+7", "-7", "", "-", "7.0", "x", "99999999999999999999999999"] {
            let error = number(text, 1, 9).unwrap_err().to_string();
            assert_eq!(error, format!("`{text}` is not a whole number from 1 to 9"));
        }
        for text in ["--7", "-10", "-"] {
            assert!(number(text, -9, 9).is_err(), "{text}");
        }
    }

    #[test]
    fn keywords_stand_by_themselves() {
        assert_eq!(after_word("  name x", "name"), Some(" x"));
        assert_eq!(after_word("names x", "name"), None);
        assert_eq!(split_at_word("valued value 3", "value"), Some(("valued ", " 3")));
        assert_eq!(split_at_word("valued", "value"), None);
    }
}
