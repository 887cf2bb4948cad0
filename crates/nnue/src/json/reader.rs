//! JSON reader: a strict single-pass parser for files of matrices, with limited nesting depth.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::NetworkError;

/// The maximum nesting depth of a skipped member.
const MAX_DEPTH: usize = 64;

/// A parser over a text.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    place: usize,
}

/// Rows of numbers of equal length. A plain list is one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<f64>,
}

impl Matrix {
    pub(super) fn check(
        &self,
        name: &'static str,
        rows: usize,
        columns: usize,
    ) -> Result<(), NetworkError> {
        if (self.rows, self.columns) == (rows, columns) {
            return Ok(());
        }
        let found = format!("{}×{} numbers", self.rows, self.columns);
        Err(NetworkError::field(name, found, format!("{rows}×{columns} to go with ft.weight")))
    }

    /// The values in column order.
    pub(super) fn transposed(&self) -> Vec<f64> {
        let column = |column| self.values.iter().skip(column).step_by(self.columns);
        (0..self.columns).flat_map(column).copied().collect()
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a [u8]) -> Result<Self, NetworkError> {
        let text = str::from_utf8(text);
        let text = text.map_err(|error| NetworkError::field("JSON", error, "text in UTF-8"))?;
        Ok(Self { text, place: 0 })
    }

    /// Calls `member` for each member of an object; it must consume the value.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &'a str) -> Result<(), NetworkError>,
    ) -> Result<(), NetworkError> {
        self.expect(b'{')?;
        if self.next_is(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            member(self, key)?;
            if self.next_is(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Calls `element` for each element of an array; it must consume the value.
    fn array(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), NetworkError>,
    ) -> Result<(), NetworkError> {
        self.expect(b'[')?;
        if self.next_is(b']') {
            return Ok(());
        }
        loop {
            element(self)?;
            if self.next_is(b']') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Parses an array of numbers, or an array of such arrays.
    pub(super) fn matrix(&mut self, name: &'static str) -> Result<Matrix, NetworkError> {
        let mut matrix = Matrix::default();
        let mut plain = 0;
        self.array(|reader| {
            if reader.peek() != Some(b'[') {
                plain += 1;
                return reader.number().map(|number| matrix.values.push(number));
            }
            let before = matrix.values.len();
            reader.array(|reader| reader.number().map(|number| matrix.values.push(number)))?;
            let columns = matrix.values.len() - before;
            if matrix.rows > 0 && columns != matrix.columns {
                let expected = format!("{} numbers as in the first", matrix.columns);
                let found = format!("with {columns} numbers in row {}", matrix.rows);
                return Err(NetworkError::field(name, found, expected));
            }
            matrix.columns = columns;
            matrix.rows += 1;
            Ok(())
        })?;
        match (plain, matrix.rows) {
            (1.., 0) => {
                matrix.rows = 1;
                matrix.columns = plain;
                Ok(matrix)
            }
            (0, 1..) => Ok(matrix),
            (0, 0) => Err(NetworkError::field(name, "empty", "numbers")),
            _ => Err(NetworkError::field(name, "numbers and rows mixed", "one or the other")),
        }
    }

    /// Skips a value of any type.
    pub(super) fn skip(&mut self) -> Result<(), NetworkError> {
        self.skip_within(MAX_DEPTH)
    }

    fn skip_within(&mut self, depth: usize) -> Result<(), NetworkError> {
        if depth == 0 {
            return Err(self.fault(&format!("at most {MAX_DEPTH} levels")));
        }
        match self.peek() {
            Some(b'{') => self.object(|reader, _| reader.skip_within(depth - 1)),
            Some(b'[') => self.array(|reader| reader.skip_within(depth - 1)),
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            _ => {
                let words = ["true", "false", "null"];
                let word = words.iter().find(|word| self.rest().starts_with(word.as_bytes()));
                let word = word.ok_or_else(|| self.fault("a value"))?;
                self.place += word.len();
                Ok(())
            }
        }
    }

    /// Checks that only white space is left.
    pub(super) fn finish(&mut self) -> Result<(), NetworkError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("the end")),
        }
    }

    /// Parses a string and returns it as written, including escapes: none of our keys contains any.
    fn string(&mut self) -> Result<&'a str, NetworkError> {
        self.expect(b'"')?;
        let start = self.place;
        loop {
            match self.take() {
                Some(b'"') => return Ok(&self.text[start..self.place - 1]),
                Some(b'\\') => self.escape()?,
                Some(0x20..) => {}
                _ => return Err(self.fault("the rest of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NetworkError> {
        let digits = match self.take() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 0,
            Some(b'u') => 4,
            _ => return Err(self.fault("an escape such as \\n")),
        };
        for _ in 0..digits {
            if !self.take().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                return Err(self.fault("four hexadecimal digits"));
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<f64, NetworkError> {
        self.peek();
        let start = self.place;
        self.accept(b"-");
        // A digit must not follow a leading zero; the caller reports it in place of a comma.
        if !self.accept(b"0") && self.digits() == 0 {
            return Err(self.fault("a number"));
        }
        if self.accept(b".") && self.digits() == 0 {
            return Err(self.fault("digits after the point"));
        }
        if self.accept(b"eE") {
            self.accept(b"+-");
            if self.digits() == 0 {
                return Err(self.fault("digits of an exponent"));
            }
        }
        let number: f64 =
            self.text[start..self.place].parse().map_err(|_| self.fault("a number"))?;
        if number.is_finite() { Ok(number) } else { Err(self.fault("a number below 10^308")) }
    }

    fn digits(&mut self) -> usize {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.place += count;
        count
    }

    /// Consumes the next byte if it is one of these. Does not skip white space.
    fn accept(&mut self, any: &[u8]) -> bool {
        let found = self.rest().first().is_some_and(|byte| any.contains(byte));
        self.place += usize::from(found);
        found
    }

    /// Consumes the next byte.
    fn take(&mut self) -> Option<u8> {
        let byte = self.rest().first().copied();
        self.place += usize::from(byte.is_some());
        byte
    }

    /// Skips white space and returns the next byte without consuming it.
    fn peek(&mut self) -> Option<u8> {
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.place += self.rest().iter().take_while(|byte| space(byte)).count();
        self.rest().first().copied()
    }

    fn next_is(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.place += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), NetworkError> {
        if self.next_is(byte) { Ok(()) } else { Err(self.fault(&format!("`{}`", byte as char))) }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.place..]
    }

    /// Creates an error about the next bytes.
    fn fault(&self, expected: &str) -> NetworkError {
        let bytes = self.rest();
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(12)]);
        let found = match bytes {
            [] => format!("at an end after {} bytes", self.place),
            _ => format!("`{start}` at byte {}", self.place),
        };
        NetworkError::field("JSON", found, expected)
    }
}
