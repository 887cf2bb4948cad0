//! Checkers and pins: attacks on the king of the side to move.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::piece::Piece;
use super::position::Hexchess;
use super::tables::{
    BETWEEN, BISHOP_LINES, BISHOP_RAYS, KING, KNIGHT, PAWN_CAPTURES, ROOK_LINES, ROOK_RAYS,
};
use crate::Color;

/// Checks and pins against the king of the side to move.
pub(super) struct CheckInfo {
    /// The cell of the king.
    pub(super) king: Cell,
    /// The pieces that give check.
    pub(super) checkers: Bitboard,
    /// The pinned pieces, which may only move along the line between their king and the pinning
    /// slider.
    pub(super) pinned: Bitboard,
    /// The target cells of pieces other than the king: all, or those that capture or block the only
    /// checker.
    pub(super) answers: Bitboard,
}

impl CheckInfo {
    /// Computes checks and pins.
    #[inline]
    pub(super) fn of(position: &Hexchess) -> Self {
        let side = position.side();
        let king = position.king(side);
        let own = position.color(side);
        let occupied = position.occupied();
        let mut checkers = position.near_attackers(king, side);
        let mut pinned = Bitboard::EMPTY;
        for sniper in position.snipers(king, side) {
            let between = BETWEEN[king.slot()][sniper.slot()] & occupied;
            if between.is_empty() {
                checkers |= sniper.set();
            } else if !between.many() {
                pinned |= between & own;
            }
        }
        let answers = if checkers.is_empty() {
            Bitboard::BOARD
        } else {
            checkers | BETWEEN[king.slot()][checkers.first().slot()]
        };
        Self { king, checkers, pinned, answers }
    }

    /// The line through the king and a pinned piece.
    #[cold]
    pub(super) fn line_of_pin(&self, pinned: Cell) -> Bitboard {
        let lines = ROOK_LINES.iter().chain(&BISHOP_LINES);
        let mut whole = lines.map(|lines| lines[self.king.slot()].whole());
        whole.find(|line| line.has(pinned)).unwrap_or(Bitboard::EMPTY)
    }

    /// The targets on which the king would not be attacked.
    #[inline]
    pub(super) fn safe_for_king(&self, position: &Hexchess, targets: Bitboard) -> Bitboard {
        let side = position.side();
        let mut safe = targets & !position.near_attacks(!side);
        // The king does not block attacks on the cells behind it.
        let occupied = position.occupied() ^ self.king.set();
        for target in safe {
            if position.is_seen_by_slider(target, side, occupied) {
                safe ^= target.set();
            }
        }
        safe
    }
}

impl Hexchess {
    /// The enemy sliders that would attack a cell of `side` on an empty board.
    #[inline]
    fn snipers(&self, cell: Cell, side: Color) -> Bitboard {
        let queens = self.pieces(Piece::Queen);
        let rooks = ROOK_RAYS[cell.slot()] & (self.pieces(Piece::Rook) | queens);
        let bishops = BISHOP_RAYS[cell.slot()] & (self.pieces(Piece::Bishop) | queens);
        (rooks | bishops) & self.color(!side)
    }

    /// Whether an enemy slider of `side` attacks a cell.
    #[inline]
    fn is_seen_by_slider(&self, cell: Cell, side: Color, occupied: Bitboard) -> bool {
        let mut snipers = self.snipers(cell, side).into_iter();
        snipers.any(|sniper| (BETWEEN[cell.slot()][sniper.slot()] & occupied).is_empty())
    }

    /// The enemy knights and pawns of `side` that attack a cell.
    #[inline]
    fn near_attackers(&self, cell: Cell, side: Color) -> Bitboard {
        let knights = KNIGHT[cell.slot()] & self.pieces(Piece::Knight);
        let pawns = PAWN_CAPTURES[side as usize][cell.slot()] & self.pieces(Piece::Pawn);
        (knights | pawns) & self.color(!side)
    }

    /// The cells that the pawns, knights and king of a side attack.
    #[inline]
    fn near_attacks(&self, side: Color) -> Bitboard {
        let pawns = self.pieces_of(Piece::Pawn, side);
        let mut attacks = KING[self.king(side).slot()]
            | match side {
                Color::White => pawns.step::<-11>() | pawns.step::<12>(),
                Color::Black => pawns.step::<11>() | pawns.step::<-12>(),
            };
        for knight in self.pieces_of(Piece::Knight, side) {
            attacks |= KNIGHT[knight.slot()];
        }
        attacks
    }

    /// The enemy pieces of the side to move that attack a cell, without kings, with `occupied` as
    /// the blockers. A piece counts even if its own cell is not in `occupied`.
    pub(super) fn attackers(&self, cell: Cell, occupied: Bitboard) -> Bitboard {
        let side = self.side();
        let sliders = self
            .snipers(cell, side)
            .into_iter()
            .filter(|sniper| (BETWEEN[cell.slot()][sniper.slot()] & occupied).is_empty());
        sliders.collect::<Bitboard>() | self.near_attackers(cell, side)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub(super) fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.side()), self.occupied())
    }

    /// Whether the king of `side` is attacked, including by the enemy king.
    pub(super) fn is_attacked(&self, side: Color) -> bool {
        let king = self.king(side);
        self.is_seen_by_slider(king, side, self.occupied())
            || self.near_attackers(king, side).any()
            || KING[king.slot()].has(self.king(!side))
    }
}
