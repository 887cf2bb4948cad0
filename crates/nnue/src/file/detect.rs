//! File detection: identifies the format of a network file by its first bytes.

use super::MAGIC;
use crate::{Network, NetworkError, NetworkFile, read_noru, read_stockfish};

/// The first bytes of a file of the crate `noru`.
const NORU: [u8; 4] = *b"URON";
/// The first bytes of a file of Stockfish: its version, little-endian.
const STOCKFISH: [u8; 4] = 0x7AF3_2F20_u32.to_le_bytes();

impl Network {
    /// Reads a network file of any self-describing format: accrue's, noru's or Stockfish's.
    ///
    /// Formats that do not describe their content have their own readers, which take the
    /// description as arguments: [`read_bullet`](crate::read_bullet),
    /// [`read_json`](crate::read_json).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if bytes.starts_with(&MAGIC) {
            return NetworkFile::read(bytes)?.to_network();
        }
        if bytes.starts_with(&NORU) {
            return read_noru(bytes);
        }
        if bytes.starts_with(&STOCKFISH) {
            return read_stockfish(bytes);
        }
        Err(NetworkError::UnknownFormat(hint(bytes).into()))
    }
}

/// A hint for the caller about a file of unknown format.
fn hint(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    if bytes.is_empty() {
        "it is empty"
    } else if text.starts_with(b"{") {
        "it looks like JSON; a matrix in JSON is read once its feature set is named"
    } else if MAGIC.starts_with(bytes) || bytes.starts_with(&MAGIC[..7]) {
        "it begins as a network file of accrue but was cut off or changed; fetch it again as binary"
    } else if bytes.starts_with(b"version https://git-lfs") {
        "it is a Git LFS pointer; fetch the file that it stands for"
    } else {
        "it does not begin as those of accrue, noru or Stockfish do; bullet's quantised.bin has no \
         header and is read once its architecture is named"
    }
}
