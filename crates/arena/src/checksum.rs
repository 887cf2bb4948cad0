//! Checksums: SHA-256 of files and networks, to identify their content.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use games::ToolkitGame;
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

/// A file's name and enough of its checksum to distinguish one content from another. Its folder does
/// not matter.
pub fn file_identity(path: &Path) -> Result<String, ChecksumError> {
    Ok(name_and_checksum(path, &checksum_of_file(path)?))
}

fn name_and_checksum(path: &Path, checksum: &str) -> String {
    named(&path.file_name().unwrap_or_default().to_string_lossy(), checksum)
}

fn named(name: &str, checksum: &str) -> String {
    format!("{name} {}", &checksum[..16])
}

impl NetworkLoader {
    /// The evaluation of an engine as text: the network's name and checksum, and the feature set if
    /// it was stated. Without a network, the default one of the game.
    pub fn evaluation_identity<G: ToolkitGame>(
        &self,
        net: Option<&NetworkSource>,
    ) -> Result<String, ChecksumError> {
        let Some(net) = net else {
            let default = self.built_in().default_of(G::NAME);
            let default =
                default.map(|network| named(network.name, &checksum_of_bytes(network.bytes)));
            return Ok(default.unwrap_or_else(|| "material".to_owned()));
        };
        let network = name_and_checksum(&net.file, &self.checksum(net)?);
        Ok(match &net.features {
            Some(features) => format!("{network} {features}"),
            None => network,
        })
    }

    /// The SHA-256 of a network: of a file, or of the built-in one of that name.
    pub fn checksum(&self, source: &NetworkSource) -> Result<String, ChecksumError> {
        let built_in = source.file.to_str().and_then(|name| self.built_in().named(name));
        match built_in {
            Some(network) => Ok(checksum_of_bytes(network.bytes)),
            None => checksum_of_file(&source.file),
        }
    }
}
