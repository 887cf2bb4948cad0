//! Lines from whoever talks to the engine: of any length, of any bytes, until they end.

use std::io::{self, BufRead};

/// The longest line that is read. 10,000 moves take 50,000 bytes.
const MOST_BYTES: usize = 4 << 20;

/// One line, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line without its end. Bytes that are not UTF-8 have become `�`.
    Line(String),
    /// A line that is too long to be kept; its length.
    TooLong(usize),
    /// There is nothing more to read.
    End,
}

/// Reads the next line. Takes no more memory than a line may have.
pub(super) fn next(reader: &mut impl BufRead) -> io::Result<Input> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let bytes = match reader.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            if length == 0 {
                return Ok(Input::End);
            }
            break;
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        length += part.len();
        if length <= MOST_BYTES {
            line.extend_from_slice(part);
        } else {
            line = Vec::new();
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            break;
        }
    }
    if length > MOST_BYTES {
        return Ok(Input::TooLong(length));
    }
    Ok(Input::Line(String::from_utf8_lossy(&line).into_owned()))
}

/// The most bytes of a line.
pub(super) const fn most_bytes() -> usize {
    MOST_BYTES
}

/// What was said, as it can be repeated in an answer: one line, not long, nothing that moves a cursor.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == MOST {
            shown.push('…');
            break;
        }
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<Input> {
        let mut inputs = Vec::new();
        while !matches!(inputs.last(), Some(Input::End)) {
            inputs.push(next(&mut bytes).unwrap());
        }
        inputs
    }

    fn line(text: &str) -> Input {
        Input::Line(text.into())
    }

    #[test]
    fn lines_end_in_three_ways() {
        let expected = [line("uci\r"), line(""), line("quit"), Input::End];
        assert_eq!(all(b"uci\r\n\nquit"), expected);
        assert_eq!(all(b""), [Input::End]);
    }

    #[test]
    fn any_bytes_are_read() {
        assert_eq!(all(b"\xff\x00go\n"), [line("\u{fffd}\0go"), Input::End]);
    }

    #[test]
    fn long_lines_are_counted_and_the_next_is_read() {
        let mut bytes = vec![b'x'; MOST_BYTES + 1];
        bytes.extend(b"\nisready\n");
        assert_eq!(all(&bytes), [Input::TooLong(MOST_BYTES + 1), line("isready"), Input::End]);
        let inputs = all(&bytes[1..]);
        assert!(matches!(&inputs[0], Input::Line(line) if line.len() == MOST_BYTES));
    }

    #[test]
    fn what_is_repeated_is_short_and_on_one_line() {
        assert_eq!(shown("e2e4"), "e2e4");
        assert_eq!(shown("a\0b\x1b[2J\r"), "a\\u{0}b\\u{1b}[2J\\r");
        assert_eq!(shown(&"ä".repeat(1000)).chars().count(), 61);
    }
}
