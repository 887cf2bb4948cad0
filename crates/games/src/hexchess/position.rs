//! Position of hexchess: bitboards, state and make move.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::moves::Move;
use super::piece::Piece;
use super::zobrist;
use crate::Color;

/// The score of a stalemate for the side that gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stalemate {
    /// Three quarters of the point: Gliński's rule.
    #[default]
    ThreeQuarters,
    /// Half, as in chess.
    Half,
    /// The full point.
    Win,
}

/// Plies without a capture or a pawn move after which the game is drawn. The clock saturates here.
pub(super) const MAX_CLOCK: u8 = 100;

/// A position of Gliński's hexagonal chess.
///
/// Designed to be copied: 128 bytes are eight loads and stores, and any more would turn every copy
/// into a call. So there is no bitboard for the kings, of which each side has one, and nothing that
/// only move generation needs (checks, pins), because most positions of a search tree are leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hexchess {
    /// The cells of each kind of piece but the king.
    pieces: [Bitboard; 5],
    /// The cells of each colour, kings included.
    colors: [Bitboard; 2],
    /// Zobrist hash of pieces and side to move, without en passant.
    key: u64,
    /// The number of the next move; it increments after Black's move.
    number: u16,
    kings: [Cell; 2],
    /// The cell that a pawn skipped in the last move, or [`NONE`].
    passed: Cell,
    /// Plies since the last capture or pawn move.
    clock: u8,
    side: Color,
    stalemate: Stalemate,
}

const _: () = assert!(size_of::<Hexchess>() == 128);

/// No cell. An `Option` would take another byte.
const NONE: Cell = Cell::from_bit(127);

impl Hexchess {
    /// A position without pieces, for construction. It is not playable.
    pub(super) fn empty(side: Color) -> Self {
        Self {
            pieces: [Bitboard::EMPTY; 5],
            colors: [Bitboard::EMPTY; 2],
            key: if side == Color::Black { zobrist::BLACK } else { 0 },
            number: 1,
            kings: [NONE; 2],
            passed: NONE,
            clock: 0,
            side,
            stalemate: Stalemate::default(),
        }
    }

    /// Puts a piece on an empty cell. A second king of a colour overwrites the first, so count
    /// kings first.
    pub(super) fn put(&mut self, piece: Piece, color: Color, cell: Cell) {
        match self.pieces.get_mut(piece as usize) {
            Some(board) => *board |= cell.set(),
            None => self.kings[color as usize] = cell,
        }
        self.colors[color as usize] |= cell.set();
        self.key ^= zobrist::piece(color, piece as usize, cell);
    }

    /// Sets the state other than the pieces and the side to move.
    pub(super) fn set_state(&mut self, passed: Option<Cell>, clock: u8, number: u16) {
        self.passed = passed.unwrap_or(NONE);
        self.clock = clock.min(MAX_CLOCK);
        self.number = number;
    }

    /// The cells of a kind of piece, of both colours.
    #[inline]
    pub(super) fn pieces(&self, piece: Piece) -> Bitboard {
        match self.pieces.get(piece as usize) {
            Some(&board) => board,
            None => self.kings[0].set() | self.kings[1].set(),
        }
    }

    /// The cells of a colour.
    #[inline]
    pub(super) const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// All occupied cells.
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The cells of a kind of piece of one colour.
    #[inline]
    pub(super) fn pieces_of(&self, piece: Piece, color: Color) -> Bitboard {
        self.pieces(piece) & self.color(color)
    }

    /// All kings of a colour: the pieces of no other kind. Only an unvalidated position can have
    /// other than one.
    pub(super) fn kings_of(&self, color: Color) -> Bitboard {
        self.pieces.iter().fold(self.color(color), |left, &pieces| left & !pieces)
    }

    /// The cell of the king of a colour.
    #[inline]
    pub(super) const fn king(&self, color: Color) -> Cell {
        self.kings[color as usize]
    }

    /// The number of a cell from the perspective of the side to move.
    #[inline]
    pub(super) fn seen(&self, cell: Cell) -> usize {
        match self.side() {
            Color::White => cell.number(),
            Color::Black => cell.top_bottom().number(),
        }
    }

    /// The kind of the piece on an occupied cell.
    #[inline]
    pub(super) fn piece_at(&self, cell: Cell) -> Piece {
        let set = cell.set();
        let kind = |piece: Piece| (self.pieces(piece) & set).any();
        // The most frequent first.
        if kind(Piece::Pawn) {
            Piece::Pawn
        } else if kind(Piece::Bishop) {
            Piece::Bishop
        } else if kind(Piece::Knight) {
            Piece::Knight
        } else if kind(Piece::Rook) {
            Piece::Rook
        } else if kind(Piece::Queen) {
            Piece::Queen
        } else {
            Piece::King
        }
    }

    /// The kind of the piece on an occupied cell as a number, computed without a branch, because
    /// the kind is unpredictable.
    #[inline]
    pub(super) fn kind_at(&self, cell: Cell) -> usize {
        let mut kind = Piece::King as usize;
        for (number, board) in self.pieces.iter().enumerate() {
            kind -= usize::from(board.has(cell)) * (Piece::King as usize - number);
        }
        kind
    }

    /// The cells whose contents differ between two positions. A king move shows in the sets of its
    /// colour.
    #[inline]
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        let mut changed = (self.colors[0] ^ other.colors[0]) | (self.colors[1] ^ other.colors[1]);
        for (mine, theirs) in self.pieces.iter().zip(&other.pieces) {
            changed |= *mine ^ *theirs;
        }
        changed
    }

    /// The piece on a cell and its colour.
    pub(super) fn on(&self, cell: Cell) -> Option<(Piece, Color)> {
        let color = Color::BOTH.into_iter().find(|&color| self.color(color).has(cell))?;
        Some((self.piece_at(cell), color))
    }

    /// The side to move.
    #[inline]
    pub(super) const fn side(&self) -> Color {
        self.side
    }

    /// The cell that a pawn skipped in the last move.
    #[inline]
    pub(super) fn passed(&self) -> Option<Cell> {
        (self.passed != NONE).then_some(self.passed)
    }

    /// Plies since the last capture or pawn move, at most [`MAX_CLOCK`].
    #[inline]
    pub(super) const fn clock(&self) -> u8 {
        self.clock
    }

    /// The number of the next move.
    pub(super) const fn number(&self) -> u16 {
        self.number
    }

    /// The score of a stalemate.
    pub(super) const fn stalemate(&self) -> Stalemate {
        self.stalemate
    }

    /// Sets the score of a stalemate.
    pub(super) fn set_stalemate(&mut self, stalemate: Stalemate) {
        self.stalemate = stalemate;
    }

    /// The Zobrist hash of pieces and side to move, without en passant.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        let side = self.side;
        let (from, to) = (mv.from().set_from_table(), mv.to().set_from_table());
        self.colors[side as usize] ^= from | to;
        let numbers = &zobrist::PIECES[side as usize];
        self.key ^= zobrist::BLACK ^ numbers[mv.departure()] ^ numbers[mv.arrival()];
        self.passed = NONE;
        self.side = !side;
        // The fifty-move rule keeps games far below the limit of this number.
        self.number = self.number.wrapping_add(side as u16);
        if mv.is_special() {
            return self.make_special(mv, side);
        }
        self.clock = (self.clock + 1).min(MAX_CLOCK);
        match self.pieces.get_mut(mv.moved()) {
            Some(board) => *board ^= from | to,
            None => self.kings[side as usize] = mv.to(),
        }
    }

    /// Completes a capture or a pawn move.
    #[inline]
    fn make_special(&mut self, mv: Move, side: Color) {
        self.clock = 0;
        match self.pieces.get_mut(mv.moved()) {
            Some(board) => *board ^= mv.from().set_from_table(),
            None => self.kings[side as usize] = mv.to(),
        }
        if let Some(board) = self.pieces.get_mut(mv.placed()) {
            *board ^= mv.to().set_from_table();
        }
        if mv.is_double_step() {
            self.passed = Cell::from_bit(u32::midpoint(mv.from().bit(), mv.to().bit()));
        }
        if mv.is_capture() {
            let behind = if side == Color::White { -1 } else { 1 };
            let cell = if mv.is_en_passant() { mv.to().offset(behind) } else { mv.to() };
            if let Some(board) = self.pieces.get_mut(mv.taken()) {
                *board ^= cell.set_from_table();
            }
            self.colors[!side as usize] ^= cell.set_from_table();
            self.key ^= zobrist::piece(!side, mv.taken(), cell);
        }
    }

    /// Makes a null move.
    pub(super) fn pass(&mut self) {
        self.key ^= zobrist::BLACK;
        self.clock = (self.clock + 1).min(MAX_CLOCK);
        self.passed = NONE;
        self.number = self.number.wrapping_add(self.side as u16);
        self.side = !self.side;
    }
}
