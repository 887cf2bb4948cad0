//! Packed positions: [`PackedGame`], the form of a position in data files.

use crate::Game;

/// A game whose positions can be written to data files.
///
/// ```
/// use games::{Game, PackedGame, chess::Chess};
///
/// let position = Chess::start();
/// let mut bytes = Vec::new();
/// position.pack(0, &mut bytes);
/// assert!(bytes.len() < position.to_fen().len());
///
/// let mut rest = bytes.as_slice();
/// assert_eq!(Chess::unpack(0, &mut rest), Some(position));
/// assert!(rest.is_empty());
/// ```
pub trait PackedGame: Game {
    /// Appends the position in a compact form. The default is the FEN preceded by its length.
    ///
    /// `ply` is the number of moves before the position. The reader has it too, so a move number
    /// that follows from it need not be stored. [`unpack`](PackedGame::unpack) with the same `ply`
    /// returns an equal position.
    fn pack(&self, _ply: u16, bytes: &mut Vec<u8>) {
        let fen = self.to_fen();
        bytes.extend((fen.len() as u16).to_le_bytes());
        bytes.extend(fen.as_bytes());
    }

    /// Reads a position written by [`pack`](PackedGame::pack) from the front of `bytes` and leaves
    /// the rest. The bytes are untrusted: returns `None` unless they are a playable position.
    fn unpack(_ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (fen, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        let position = Self::from_fen(std::str::from_utf8(fen).ok()?).ok()?;
        *bytes = rest;
        Some(position)
    }
}
