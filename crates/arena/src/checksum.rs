//! Checksums: SHA-256 of files and networks, to identify their content.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::networks::{NetworkLoader, NetworkSource};

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct ChecksumError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// The SHA-256 of bytes in hexadecimal digits.
pub fn checksum_of_bytes(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The SHA-256 of a file in hexadecimal digits, as `sha256sum` prints it.
///
/// Not a CRC: many files end with their own, and then the CRC of the whole is always the same.
pub fn checksum_of_file(path: &Path) -> Result<String, ChecksumError> {
    let error = |source| ChecksumError { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(error)?;
    let mut sum = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece).map_err(error)? {
            0 => return Ok(format!("{:x}", sum.finalize())),
            read => sum.update(&piece[..read]),
        }
    }
}

impl NetworkLoader {
    /// The SHA-256 of a network: of a file, or of the built-in one of that name.
    pub fn checksum(&self, source: &NetworkSource) -> Result<String, ChecksumError> {
        let built_in = source.file.to_str().and_then(|name| self.built_in().named(name));
        match built_in {
            Some(network) => Ok(checksum_of_bytes(network.bytes)),
            None => checksum_of_file(&source.file),
        }
    }
}
