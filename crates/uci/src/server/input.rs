//! Input of the server: lines of any length and of any bytes, until they end.

use std::io::{self, BufRead};

/// The longest line that is read. 10,000 moves take 50,000 bytes.
pub(super) const MAX_BYTES: usize = 4 << 20;

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
pub(super) fn next(reader: &mut dyn BufRead) -> io::Result<Input> {
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
        if length <= MAX_BYTES {
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
    if length > MAX_BYTES {
        return Ok(Input::TooLong(length));
    }
    Ok(Input::Line(String::from_utf8_lossy(&line).into_owned()))
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
        let mut bytes = vec![b'x'; MAX_BYTES + 1];
        bytes.extend(b"\nisready\n");
        assert_eq!(all(&bytes), [Input::TooLong(MAX_BYTES + 1), line("isready"), Input::End]);
        let inputs = all(&bytes[1..]);
        assert!(matches!(&inputs[0], Input::Line(line) if line.len() == MAX_BYTES));
    }
}
