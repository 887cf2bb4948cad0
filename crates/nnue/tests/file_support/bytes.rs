//! Network files that say what a test wants them to say, checksum included.

use nnue::{Architecture, NetworkFile, QuantisationError};

use super::networks::{Random, integers};

/// Magic, version, length of the header, length of the file.
pub(crate) const PREFIX: usize = 24;
/// Where the sections of [`Parts`] begin: room for any header that a test writes.
const SECTIONS: usize = 2048;

/// Bit by bit: written apart from the crate's own, so that they check each other.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut remainder = u32::MAX;
    for &byte in bytes {
        remainder ^= u32::from(byte);
        for _ in 0..8 {
            remainder = (remainder >> 1) ^ (0xEDB8_8320 * (remainder & 1));
        }
    }
    !remainder
}

/// Sets the last four bytes to the checksum of the others.
pub(crate) fn seal(bytes: &mut [u8]) {
    let end = bytes.len() - 4;
    let checksum = crc32(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

/// A file with every kind of section but a float's.
pub(crate) fn small_file() -> NetworkFile {
    let line = "t (3→2)×2→2→1+3+5+2/3:from-to screlu,crelu buckets=pieces:2";
    let architecture: Architecture = line.parse().unwrap();
    let parameters = integers(&architecture, &mut Random::new(11));
    let error = QuantisationError { positions: 1000, mean: 0.5, max: 3.25 };
    NetworkFile::new(architecture, parameters, "made by a test".into(), Some(error)).unwrap()
}

/// A file taken apart: the text of its header and its sections. The header can be changed without moving
/// the sections.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) header: String,
    pub(crate) sections: Vec<u8>,
}

impl Parts {
    pub(crate) fn of(file: &NetworkFile) -> Self {
        let bytes = file.write();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let text = std::str::from_utf8(&bytes[PREFIX..PREFIX + length]).unwrap();
        let start = (PREFIX + length).next_multiple_of(64);
        let header = text.lines().map(|line| move_section(line, SECTIONS - start) + "\n").collect();
        Self { header, sections: bytes[start..bytes.len() - 4].to_vec() }
    }

    /// The header with one part of it exchanged.
    pub(crate) fn with(&self, old: &str, new: &str) -> Self {
        assert!(self.header.contains(old), "{old} is not in the header");
        Self { header: self.header.replacen(old, new, 1), ..self.clone() }
    }

    /// The file, with a right length and checksum. An extension fills the header up to the sections.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut header = self.header.clone().into_bytes();
        let room = SECTIONS - PREFIX - "x-fill \n".len() - header.len();
        header.extend_from_slice(format!("x-fill {}\n", ".".repeat(room)).as_bytes());
        self.bytes_with(&header)
    }

    /// The file with exactly this header.
    pub(crate) fn bytes_with(&self, header: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x89accrue\n\x02\0\0\0".to_vec();
        let start = (PREFIX + header.len()).next_multiple_of(64);
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&((start + self.sections.len() + 4) as u64).to_le_bytes());
        bytes.extend_from_slice(header);
        bytes.resize(start, 0);
        bytes.extend_from_slice(&self.sections);
        bytes.extend_from_slice(&[0; 4]);
        seal(&mut bytes);
        bytes
    }
}

fn move_section(line: &str, by: usize) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["section", name, kind, offset, length] => {
            let offset = offset.parse::<usize>().unwrap() + by;
            format!("section {name} {kind} {offset} {length}")
        }
        _ => line.into(),
    }
}
