//! Piece kinds: the kind of the piece on a square, by arithmetic.

use cozy_chess::{BitBoard, Piece, Square};

use super::Board;

/// The kinds of all pieces on a board, P N B R Q K from 0, as three bit planes. The lookup is
/// branch-free, because the kind of a piece is unpredictable.
#[derive(Clone, Copy)]
pub(super) struct Kinds([BitBoard; 3]);

impl Kinds {
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let of = |piece: Piece| board.pieces(piece);
        let (rooks, kings) = (of(Piece::Rook), of(Piece::King));
        Self([
            of(Piece::Knight) | rooks | kings,
            of(Piece::Bishop) | rooks,
            of(Piece::Queen) | kings,
        ])
    }

    /// The three bit planes.
    #[inline]
    pub(super) fn bits(self) -> [u64; 3] {
        self.0.map(|set| set.0)
    }

    /// The kind of the piece on a square, 0 if it is empty.
    #[inline]
    pub(super) fn on(&self, square: Square) -> usize {
        let [first, second, third] = self.0.map(|set| (set.0 >> square as u32) as usize & 1);
        first + 2 * second + 4 * third
    }

    /// The piece on an occupied square; a pawn if it is empty.
    #[inline]
    pub(super) fn piece_on(&self, square: Square) -> Piece {
        Piece::ALL.get(self.on(square)).copied().unwrap_or(Piece::Pawn)
    }
}
