//! A position, and what playing a move does to it.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::moves::Move;
use super::piece::Piece;
use super::zobrist;
use crate::Color;

/// What stalemate is worth to the side that gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stalemate {
    /// Three quarters of the point: Gliński's rule.
    #[default]
    ThreeQuarters,
    /// Half, as in chess.
    Half,
    /// All of it.
    Win,
}

/// Plies without a capture or a pawn's move after which the game is drawn. The clock stops there.
pub(super) const MOST_CLOCK: u8 = 100;

/// A position of Gliński's hexagonal chess.
///
/// Two colour sets and six piece sets rather than twelve sets: a quiet move changes two of eight. There is
/// nothing in it that only generating moves needs (checks, pins), because most positions of a search tree
/// are leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hexchess {
    /// The cells of each kind of piece, then those of White and those of Black: eight, so that three bits
    /// of a move are an index that needs no check.
    boards: [Bitboard; 8],
    /// The hash of pieces and side to move, without en passant.
    key: u64,
    /// The number of the next move, counted by Black's.
    number: u16,
    /// The cell that a pawn jumped in the last move.
    passed: Option<Cell>,
    /// Plies since the last capture or pawn's move.
    clock: u8,
    side: Color,
    stalemate: Stalemate,
}

/// Where the colours are in `boards`.
const COLORS: usize = 6;

impl Hexchess {
    /// A position without pieces, to be filled. It cannot be played.
    pub(super) fn empty(side: Color) -> Self {
        Self {
            boards: [Bitboard::EMPTY; 8],
            key: if side == Color::Black { zobrist::BLACK } else { 0 },
            number: 1,
            passed: None,
            clock: 0,
            side,
            stalemate: Stalemate::default(),
        }
    }

    /// Puts a piece on an empty cell.
    pub(super) fn put(&mut self, piece: Piece, color: Color, cell: Cell) {
        self.boards[piece as usize] |= cell.set();
        self.boards[COLORS + color as usize] |= cell.set();
        self.key ^= zobrist::PIECES[color as usize][piece as usize][cell.slot()];
    }

    /// Sets what is neither a piece nor the side to move.
    pub(super) fn set_state(&mut self, passed: Option<Cell>, clock: u8, number: u16) {
        self.passed = passed;
        self.clock = clock.min(MOST_CLOCK);
        self.number = number;
    }

    /// The cells of a kind of piece, of both colours.
    #[inline]
    pub(super) const fn pieces(&self, piece: Piece) -> Bitboard {
        self.boards[piece as usize]
    }

    /// The cells of a colour.
    #[inline]
    pub(super) const fn color(&self, color: Color) -> Bitboard {
        self.boards[COLORS + color as usize]
    }

    /// All cells with a piece.
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.boards[COLORS] | self.boards[COLORS + 1]
    }

    /// The cells of a kind of piece of one colour.
    #[inline]
    pub(super) fn pieces_of(&self, piece: Piece, color: Color) -> Bitboard {
        self.pieces(piece) & self.color(color)
    }

    /// Where the king of a colour is.
    #[inline]
    pub(super) fn king(&self, color: Color) -> Cell {
        self.pieces_of(Piece::King, color).first()
    }

    /// The kind of the piece on a cell that has one.
    #[inline]
    pub(super) fn piece_at(&self, cell: Cell) -> Piece {
        let set = cell.set();
        let kind = |piece: Piece| (self.pieces(piece) & set).any();
        // The commonest first.
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

    /// The piece on a cell and its colour.
    pub(super) fn on(&self, cell: Cell) -> Option<(Piece, Color)> {
        let color = Color::BOTH.into_iter().find(|&color| self.color(color).has(cell))?;
        Some((self.piece_at(cell), color))
    }

    /// Who is to move.
    #[inline]
    pub(super) const fn side(&self) -> Color {
        self.side
    }

    /// The cell that a pawn jumped in the last move.
    #[inline]
    pub(super) const fn passed(&self) -> Option<Cell> {
        self.passed
    }

    /// Plies since the last capture or pawn's move, at most [`MOST_CLOCK`].
    #[inline]
    pub(super) const fn clock(&self) -> u8 {
        self.clock
    }

    /// The number of the next move.
    pub(super) const fn number(&self) -> u16 {
        self.number
    }

    /// What stalemate is worth.
    pub(super) const fn stalemate(&self) -> Stalemate {
        self.stalemate
    }

    /// Decides what stalemate is worth.
    pub(super) fn set_stalemate(&mut self, stalemate: Stalemate) {
        self.stalemate = stalemate;
    }

    /// The hash of pieces and side to move, without en passant.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let (us, them) = (self.side as usize, !self.side as usize);
        self.boards[mv.moved()] ^= from.set();
        self.boards[mv.placed()] ^= to.set();
        self.boards[COLORS + us] ^= from.set() | to.set();
        let mut key = self.key ^ zobrist::BLACK;
        key ^= zobrist::PIECES[us][mv.moved()][from.slot()];
        key ^= zobrist::PIECES[us][mv.placed()][to.slot()];

        self.clock = (self.clock + 1).min(MOST_CLOCK);
        if mv.moved() == Piece::Pawn as usize {
            self.clock = 0;
        }
        if mv.is_capture() {
            self.clock = 0;
            let behind = if us == 0 { -1 } else { 1 };
            let cell = if mv.is_en_passant() { to.offset(behind) } else { to };
            self.boards[mv.taken()] ^= cell.set();
            self.boards[COLORS + them] ^= cell.set();
            key ^= zobrist::PIECES[them][mv.taken()][cell.slot()];
        }
        self.key = key;
        let midway = Cell::from_bit(u32::midpoint(from.bit(), to.bit()));
        self.passed = mv.is_double_step().then_some(midway);
        self.number = self.number.saturating_add(us as u16);
        self.side = !self.side;
    }

    /// Passes the turn.
    pub(super) fn pass(&mut self) {
        self.key ^= zobrist::BLACK;
        self.clock = (self.clock + 1).min(MOST_CLOCK);
        self.passed = None;
        self.number = self.number.saturating_add(self.side as u16);
        self.side = !self.side;
    }
}
