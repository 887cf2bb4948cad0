//! History index: the place of a move in the history tables.

use games::{Color, MoveInfo, SearchGame};

/// The place of a move in the history tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HistoryIndex {
    /// Origin and destination.
    pub(crate) from_to: u16,
    /// The moving piece and its destination.
    pub(crate) piece_to: u16,
    /// The kind of the captured piece, [`u8::MAX`] if there is none.
    pub(crate) captured: u8,
    /// Whether the origin is attacked (1) and whether the destination is (2); 0 where that is not
    /// known.
    pub(crate) threats: u8,
}

impl HistoryIndex {
    #[inline]
    pub(crate) fn of<G: SearchGame>(move_info: &MoveInfo<G::Move>) -> Self {
        const {
            assert!(2 * G::PIECE_KINDS * G::POLICY.to < u16::MAX as usize);
            assert!(G::POLICY.from * G::POLICY.to <= u16::MAX as usize + 1);
        }
        let index = move_info.index;
        Self {
            from_to: (index.from * G::POLICY.to + index.to) as u16,
            piece_to: (move_info.kind * G::POLICY.to + index.to) as u16,
            captured: move_info.taken.map_or(u8::MAX, |kind| kind as u8),
            threats: 0,
        }
    }

    /// The same where these cells are attacked; see [`SearchGame::attacked_cells`].
    #[inline]
    pub(crate) fn with_threats<G: SearchGame>(self, attacked: u128) -> Self {
        let (from, to) = self.cells::<G>();
        let bit = |cell: usize| (attacked >> (cell % 128)) as u8 & 1;
        Self { threats: bit(from) | bit(to) << 1, ..self }
    }

    /// The number by which later moves refer to this one in continuation history; above 0. It
    /// distinguishes the sides.
    #[inline]
    pub(crate) fn continuation_number<G: SearchGame>(self, side: Color) -> u16 {
        side as u16 * (G::PIECE_KINDS * G::POLICY.to) as u16 + self.piece_to + 1
    }

    /// The origin and the destination.
    #[inline]
    pub(crate) fn cells<G: SearchGame>(self) -> (usize, usize) {
        let number = self.from_to as usize;
        (number / G::POLICY.to, number % G::POLICY.to)
    }

    /// The kind of the moving piece.
    #[inline]
    pub(crate) fn moved_kind<G: SearchGame>(self) -> usize {
        usize::from(self.piece_to) / G::POLICY.to
    }

    /// The kind of the captured piece.
    #[inline]
    pub(crate) fn captured_kind(self) -> Option<usize> {
        (self.captured != u8::MAX).then_some(self.captured.into())
    }
}
