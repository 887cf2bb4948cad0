//! Byte cursor: reads numbers from untrusted bytes.

use alloc::string::String;
use alloc::vec::Vec;

use crate::NetworkError;

/// The unread bytes. Allocations never exceed the bytes that are present.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The unread bytes.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `count` bytes. `what` names them in errors.
    pub(crate) fn take(&mut self, what: &str, count: usize) -> Result<&'a [u8], NetworkError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.wrong_length(what, count as u64));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], NetworkError> {
        let Some((&taken, rest)) = self.rest.split_first_chunk() else {
            return Err(self.wrong_length(what, N as u64));
        };
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self, what: &str) -> Result<u8, NetworkError> {
        self.array(what).map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, NetworkError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn i8s(&mut self, what: &str, count: usize) -> Result<Vec<i8>, NetworkError> {
        Ok(self.take(what, count)?.iter().map(|&byte| byte.cast_signed()).collect())
    }

    pub(crate) fn i16s(&mut self, what: &str, count: usize) -> Result<Vec<i16>, NetworkError> {
        let (values, _) = self.take(what, count.saturating_mul(2))?.as_chunks();
        Ok(values.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
    }

    pub(crate) fn i32s(&mut self, what: &str, count: usize) -> Result<Vec<i32>, NetworkError> {
        let (values, _) = self.take(what, count.saturating_mul(4))?.as_chunks();
        Ok(values.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
    }

    /// Returns an error unless exactly `expected` bytes are left. `what` names them in errors.
    pub(crate) fn check_rest(&self, what: &str, expected: u64) -> Result<(), NetworkError> {
        if self.rest.len() as u64 == expected {
            return Ok(());
        }
        Err(self.wrong_length(what, expected))
    }

    fn wrong_length(&self, what: &str, expected: u64) -> NetworkError {
        let found = self.rest.len() as u64;
        NetworkError::Length { what: String::from(what), expected, found }
    }
}
