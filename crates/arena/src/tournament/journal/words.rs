//! Escaping: encodes any text as one word of a journal line.

/// The text with spaces, line ends and `=` escaped.
pub(super) fn escape(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'%' | b'=' | b',' | b':' | 0..=32 | 127.. => format!("%{byte:02x}"),
        _ => char::from(byte).to_string(),
    };
    let escaped: String = text.bytes().map(byte).collect();
    // A word must not be empty.
    if escaped.is_empty() { "%".to_owned() } else { escaped }
}

pub(super) fn unescape(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let (digits, tail) = rest.split_first_chunk::<2>()?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive() {
        for text in ["", "a b", "%", "=,:\n\r\t", "né ½", "plain-text_1"] {
            let escaped = escape(text);
            assert!(escaped.bytes().all(|byte| byte.is_ascii_graphic()), "{escaped}");
            assert_eq!(unescape(&escaped).as_deref(), Some(text));
        }
        for wrong in ["%1", "%zz", "%ff"] {
            assert_eq!(unescape(wrong), None);
        }
    }
}
