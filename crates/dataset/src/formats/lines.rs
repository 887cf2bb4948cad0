//! Line reader: the lines of a text file, with a maximum length.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use super::FormatError;

/// The maximum length of a line. PGN may have a whole game on one.
const MAX_BYTES: usize = 1 << 20;

/// A line without its end, or what is wrong with it.
pub(super) type Line<'a> = Result<&'a str, String>;

/// Reads lines and counts them.
pub(super) struct Lines<R> {
    input: R,
    path: PathBuf,
    buffer: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, path: &Path) -> Self {
        Self { input, path: path.to_owned(), buffer: Vec::new(), number: 0, bytes: 0 }
    }

    /// The number of the last line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The number of bytes that have been read.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, FormatError> {
        Ok(self.next_bytes()?.map(|line| {
            std::str::from_utf8(line?).map_err(|fault| {
                format!("not UTF-8 from byte {} of the line on", fault.valid_up_to() + 1)
            })
        }))
    }

    /// The next line, in any encoding.
    pub(super) fn next_bytes(&mut self) -> Result<Option<Result<&[u8], String>>, FormatError> {
        self.buffer.clear();
        let mut bounded = self.input.by_ref().take(MAX_BYTES as u64 + 1);
        let read = bounded.read_until(b'\n', &mut self.buffer);
        self.bytes += read.map_err(|source| FormatError::read(&self.path, source))? as u64;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if self.buffer.len() > MAX_BYTES && self.buffer.last() != Some(&b'\n') {
            self.skip_rest()?;
            return Ok(Some(Err(format!("longer than {MAX_BYTES} bytes"))));
        }
        while let [.., b'\n' | b'\r'] = self.buffer[..] {
            self.buffer.pop();
        }
        // Some editors write a byte order mark before the first line.
        Ok(Some(Ok(match self.buffer.strip_prefix(b"\xEF\xBB\xBF") {
            Some(text) if self.number == 1 => text,
            _ => &self.buffer,
        })))
    }

    /// Skips to the end of a line that is too long.
    fn skip_rest(&mut self) -> Result<(), FormatError> {
        loop {
            let held =
                self.input.fill_buf().map_err(|source| FormatError::read(&self.path, source))?;
            let end = held.iter().position(|&byte| byte == b'\n');
            let skipped = end.map_or(held.len(), |end| end + 1);
            self.input.consume(skipped);
            self.bytes += skipped as u64;
            if end.is_some() || skipped == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut lines = Lines::new(bytes, Path::new("test"));
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("memory can be read") {
            all.push(line.map(str::to_owned));
        }
        assert_eq!(lines.bytes(), bytes.len() as u64);
        assert_eq!(lines.number(), all.len() as u64);
        all
    }

    #[test]
    fn ends_of_lines_are_taken_off() {
        let read = all(b"\xEF\xBB\xBFa\r\n\nb\n c");
        assert_eq!(read, ["a", "", "b", " c"].map(|text| Ok(text.to_owned())));
        assert!(all(b"").is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_only() {
        let mut bytes = vec![b'x'; 3 * MAX_BYTES];
        bytes.extend(b"\nnext\n");
        let read = all(&bytes);
        assert!(read[0].as_ref().is_err_and(|fault| fault.contains("longer than 1048576")));
        assert_eq!(read[1], Ok("next".to_owned()));
        // The longest accepted line, with and without a line end.
        for end in ["", "\n"] {
            let mut bytes = vec![b'x'; MAX_BYTES];
            bytes.extend(end.bytes());
            assert_eq!(all(&bytes)[0].as_ref().map(String::len), Ok(MAX_BYTES));
        }
    }

    #[test]
    fn what_is_not_text_is_named() {
        let read = all(b"ab\xFFc\n\0\n");
        assert!(read[0].as_ref().is_err_and(|fault| fault.contains("byte 3")), "{read:?}");
        assert_eq!(read[1], Ok("\0".to_owned()));
    }
}
