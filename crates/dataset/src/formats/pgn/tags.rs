//! PGN tag pairs: `[Name "value"]`.

/// The name and the value of a tag at the start of the text, and the text after it.
pub(in crate::formats) fn tag_in(text: &str) -> Option<(&str, String, &str)> {
    let inner = text.trim_start().strip_prefix('[')?.trim_start();
    let end = inner.find(|letter: char| letter.is_whitespace() || letter == '"')?;
    let (name, rest) = inner.split_at(end);
    let quoted = rest.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.push(letters.next()?.1),
            '"' => {
                let rest = quoted[at + 1..].trim_start().strip_prefix(']')?;
                return Some((name, value, rest.trim_start()));
            }
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::tag_in;

    #[test]
    fn tags_are_read() {
        assert_eq!(tag_in("[Event \"x\"]"), Some(("Event", "x".to_owned(), "")));
        assert_eq!(
            tag_in(" [ A  \"\\\"q\\\\\" ] [B \"y\"]"),
            Some(("A", "\"q\\".to_owned(), "[B \"y\"]"))
        );
        for broken in ["[Event x]", "[Event \"x]", "[Event]", "[", "[Event \"x\" y]", "[\"x\\"] {
            assert_eq!(tag_in(broken), None, "{broken}");
        }
    }
}
