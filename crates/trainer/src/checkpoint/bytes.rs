//! Checkpoint bytes: reading untrusted bytes, and writing bytes with a checksum.

use std::io::{self, Write};

/// Reads from the front of untrusted bytes.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.place
    }

    pub(super) fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], String> {
        if length > self.left() {
            return Err(format!("it ends within: {what}"));
        }
        let taken = &self.bytes[self.place..self.place + length];
        self.place += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], String> {
        let bytes = self.take(N, what)?;
        bytes.try_into().map_err(|_| format!("it ends within: {what}"))
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, String> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, String> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(super) fn f64(&mut self, what: &str) -> Result<f64, String> {
        self.array(what).map(f64::from_le_bytes)
    }

    pub(super) fn text(&mut self, length: usize, what: &str) -> Result<String, String> {
        let bytes = self.take(length, what)?;
        String::from_utf8(bytes.to_vec())
            .map_err(|_| format!("no text where there should be: {what}"))
    }
}

/// The number of floats to convert at once.
const CHUNK: usize = 1 << 14;

/// Writes bytes, and their checksum at the end.
pub(super) struct Checked<'a> {
    writer: &'a mut dyn Write,
    sum: crc32fast::Hasher,
    buffer: Vec<u8>,
}

impl<'a> Checked<'a> {
    pub(super) fn new(writer: &'a mut dyn Write) -> Self {
        Self { writer, sum: crc32fast::Hasher::new(), buffer: Vec::new() }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.writer.write_all(bytes)
    }

    pub(super) fn put_floats(&mut self, values: &[f32]) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        for chunk in values.chunks(CHUNK) {
            buffer.clear();
            buffer.extend(chunk.iter().flat_map(|value| value.to_le_bytes()));
            self.put(&buffer)?;
        }
        self.buffer = buffer;
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        let sum = self.sum.finalize();
        self.writer.write_all(&sum.to_le_bytes())?;
        self.writer.flush()
    }
}
