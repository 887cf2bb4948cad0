//! Make move: plays a move on the board.

use cozy_chess::{BitBoard, Color, File, Move, Piece, Rank, Square};

use super::Board;
use crate::chess::keys::KEYS;
use crate::chess::kinds::Kinds;
use crate::chess::{castling, en_passant_square};

const PAWN: usize = Piece::Pawn as usize;
const ROOK: usize = Piece::Rook as usize;
const KING: usize = Piece::King as usize;

/// The clock saturates here: the fifty-move rule has ended the game.
const LAST_CLOCK: u8 = 100;

/// The index of a piece's key in [`Board::correction_keys`].
#[inline]
fn correction_key_index(color: Color, kind: usize) -> usize {
    if kind == PAWN { 0 } else { 1 + color as usize }
}

impl Board {
    /// Plays a legal move. Castling is encoded as king takes rook.
    #[inline]
    pub(in crate::chess) fn play(&mut self, mv: Move) {
        let (side, enemy) = (self.side, !self.side);
        let kinds = Kinds::of(self);
        let moved = kinds.on(mv.from);
        let passed = self.en_passant;
        self.tick();
        if self.colors(side).has(mv.to) {
            self.castle(mv);
        } else {
            if self.colors(enemy).has(mv.to) {
                self.toggle(enemy, kinds.on(mv.to), mv.to);
                self.halfmove_clock = 0;
            }
            self.shift(side, moved, mv);
            if moved == PAWN {
                self.finish_pawn(mv, passed);
            }
            let mut left = mv.from.bitboard() | mv.to.bitboard();
            if moved == KING {
                left |= Rank::First.relative_to(side).bitboard();
            }
            self.lose_rights(left);
        }
        self.checkers = self.enemies_attacking(self.king(enemy));
    }

    /// The board after a null move; `None` in check.
    pub(in crate::chess) fn null_move(&self) -> Option<Self> {
        self.checkers.is_empty().then(|| {
            let mut passed = self.clone();
            passed.tick();
            passed
        })
    }

    /// Switches the side to move and advances the clocks.
    #[inline]
    fn tick(&mut self) {
        self.halfmove_clock = (self.halfmove_clock + 1).min(LAST_CLOCK);
        self.fullmove_number = self.fullmove_number.saturating_add(self.side as u16);
        self.en_passant = None;
        self.side = !self.side;
        self.hash ^= KEYS.turn;
    }

    /// Adds or removes a piece on a square.
    #[inline]
    pub(super) fn toggle(&mut self, color: Color, kind: usize, square: Square) {
        self.pieces[kind] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        let key = KEYS.pieces[color as usize][kind][square as usize];
        self.hash ^= key;
        self.correction_keys[correction_key_index(color, kind)] ^= key as u32;
    }

    /// Moves a piece between two squares: equivalent to `toggle` on both, in one operation.
    #[inline]
    fn shift(&mut self, color: Color, kind: usize, mv: Move) {
        let both = mv.from.bitboard() | mv.to.bitboard();
        self.pieces[kind] ^= both;
        self.colors[color as usize] ^= both;
        let keys = &KEYS.pieces[color as usize][kind];
        let key = keys[mv.from as usize] ^ keys[mv.to as usize];
        self.hash ^= key;
        self.correction_keys[correction_key_index(color, kind)] ^= key as u32;
    }

    /// Completes a pawn move: resets the clock, promotes, records a double step and removes a pawn
    /// captured en passant. `passed` is the en-passant file before the move.
    #[inline]
    fn finish_pawn(&mut self, mv: Move, passed: Option<File>) {
        let (enemy, side) = (self.side, !self.side);
        self.halfmove_clock = 0;
        if let Some(promotion) = mv.promotion {
            self.toggle(side, PAWN, mv.to);
            self.toggle(side, promotion as usize, mv.to);
        } else if (mv.from as u8).abs_diff(mv.to as u8) == 16 {
            self.en_passant = Some(mv.to.file());
        } else if passed.is_some_and(|file| mv.to == en_passant_square(file, side)) {
            self.toggle(enemy, PAWN, Square::new(mv.to.file(), mv.from.rank()));
        }
    }

    /// Removes the castling rights of rooks on these squares.
    #[inline]
    fn lose_rights(&mut self, squares: BitBoard) {
        for rook in self.castling & squares {
            self.toggle_right(rook);
        }
    }

    /// Toggles the castling right of a rook on a back rank.
    pub(super) fn toggle_right(&mut self, rook: Square) {
        self.castling ^= rook.bitboard();
        let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        self.hash ^= KEYS.castling[color as usize][rook.file() as usize];
    }

    #[inline(never)]
    fn castle(&mut self, mv: Move) {
        let side = !self.side;
        let rank = Rank::First.relative_to(side);
        self.lose_rights(rank.bitboard());
        let [king, rook] = castling::targets(mv);
        self.toggle(side, KING, mv.from);
        self.toggle(side, ROOK, mv.to);
        self.toggle(side, KING, king);
        self.toggle(side, ROOK, rook);
    }
}
