//! Duplicate finder: positions that occur more than once, in bounded memory.
//!
//! Positions count as equal if [`Game::hash`](games::Game::hash) is: pieces, side to move and
//! possible moves. Two different positions among n share a hash with a probability of about n² /
//! 2⁶⁵, one in 37 for a thousand million.
//!
//! It takes two passes over the records. The first stores hashes: as many as fit in a set in
//! memory; the others go to temporary files by their leading bits, and each file is then processed
//! on its own. The result is one bit for each record, which the second pass reads.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::formats::FormatError;

/// The maximum number of bytes for each 64-bit number in a set, while it grows.
const BYTES_A_HASH: usize = 32;
/// The number of temporary files.
const FILES: usize = 256;
const BUFFER: usize = 1 << 14;
/// The bytes of a hash and the number of its record.
const ENTRY: u64 = 16;

/// Collects the hashes of records, in order.
pub struct RepeatFinder {
    max: usize,
    scratch: PathBuf,
    seen: HashSet<u64>,
    repeats: Repeats,
    count: u64,
    /// Hashes that do not fit in `seen`, by their leading bits. Empty before it is full.
    spilled: Vec<BufWriter<File>>,
}

/// Which records occurred before.
pub struct Repeats {
    bits: Vec<u64>,
    next: u64,
}

impl RepeatFinder {
    /// Uses about `memory` bytes, plus one bit for each record, and a folder for temporary files.
    pub fn new(memory: usize, scratch: &Path) -> Self {
        let repeats = Repeats { bits: Vec::new(), next: 0 };
        let max = (memory / BYTES_A_HASH).max(1);
        let (seen, spilled) = (HashSet::new(), Vec::new());
        Self { max, scratch: scratch.to_owned(), seen, repeats, count: 0, spilled }
    }

    /// Adds the next record.
    pub fn add(&mut self, hash: u64) -> Result<(), FormatError> {
        let number = self.count;
        self.count += 1;
        if self.seen.contains(&hash) {
            self.repeats.mark(number);
        } else if self.seen.len() < self.max {
            self.seen.insert(hash);
        } else {
            self.spill(hash, number)?;
        }
        Ok(())
    }

    fn spill(&mut self, hash: u64, number: u64) -> Result<(), FormatError> {
        let io = |source| FormatError::write(&self.scratch, source);
        while self.spilled.len() < FILES {
            let file = tempfile::tempfile_in(&self.scratch).map_err(io)?;
            self.spilled.push(BufWriter::with_capacity(BUFFER, file));
        }
        let file = &mut self.spilled[(hash >> 56) as usize];
        file.write_all(&hash.to_le_bytes())
            .and_then(|()| file.write_all(&number.to_le_bytes()))
            .map_err(io)
    }

    /// Finds the duplicates after all records have been added.
    pub fn finish(mut self) -> Result<Repeats, FormatError> {
        self.seen = HashSet::new();
        let scratch = &self.scratch;
        for file in self.spilled {
            let failed = |source| FormatError::write(scratch, source);
            let mut file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            let bytes = file.stream_position().map_err(failed)?;
            file.rewind().map_err(failed)?;
            let mut file = BufReader::with_capacity(BUFFER, file);
            let mut seen = HashSet::new();
            for _ in 0..bytes / ENTRY {
                let [mut hash, mut number] = [[0; 8]; 2];
                file.read_exact(&mut hash)
                    .and_then(|()| file.read_exact(&mut number))
                    .map_err(|source| FormatError::read(scratch, source))?;
                // Entries are in the order of the records, so the first record is kept.
                if !seen.insert(u64::from_le_bytes(hash)) {
                    self.repeats.mark(u64::from_le_bytes(number));
                }
            }
        }
        Ok(self.repeats)
    }
}

impl Repeats {
    fn mark(&mut self, number: u64) {
        let word = (number / 64) as usize;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (number % 64);
    }

    /// Whether the next record, in the order in which they were added, occurred before.
    pub fn next_is_repeat(&mut self) -> bool {
        let word = self.bits.get((self.next / 64) as usize).copied().unwrap_or(0);
        let repeated = word >> (self.next % 64) & 1 == 1;
        self.next += 1;
        repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Random;

    fn check(hashes: &[u64], memory: usize) {
        let mut finder = RepeatFinder::new(memory, &std::env::temp_dir());
        for &hash in hashes {
            finder.add(hash).expect("there is room");
        }
        let mut repeats = finder.finish().expect("there is room");
        let mut seen = HashSet::new();
        for (number, &hash) in hashes.iter().enumerate() {
            assert_eq!(repeats.next_is_repeat(), !seen.insert(hash), "number {number}");
        }
        assert!(!repeats.next_is_repeat());
    }

    #[test]
    fn the_first_one_stays_in_memory_and_through_files() {
        let mut random = Random::new(3);
        let hashes: Vec<u64> = (0..20_000)
            .map(|_| (random.below(6000) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .collect();
        for memory in [0, 1000, 50_000, 1 << 30] {
            check(&hashes, memory);
        }
        check(&[], 0);
        check(&[7; 500], 0);
    }
}
