//! The crate nnue-rs, given our positions.

use games::chess::Board;
use games::chess::Chess;
use games::chess::cozy_chess::{self, Square};
use nnue_rs::{Accumulator, Color, Network, Piece, PieceKind};

/// A pawn in the units of nnue-rs, which are Stockfish's.
const PAWN: i32 = 361;

/// A value of nnue-rs in centipawns.
pub(super) fn centipawns(value: i32) -> i32 {
    value * 100 / PAWN
}

/// A network.
pub(super) struct Peer(Network);

impl Peer {
    pub(super) fn new(bytes: &[u8]) -> Result<Self, String> {
        Network::from_bytes(bytes).map(Self).map_err(|error| format!("nnue-rs: {error:?}"))
    }

    pub(super) fn empty(&self) -> Accumulator {
        self.0.empty_accumulator()
    }

    pub(super) fn accumulator(&self, position: &Chess) -> Accumulator {
        self.0.accumulator(&View(position.board()))
    }

    pub(super) fn evaluate(&self, position: &Chess) -> i32 {
        self.0.evaluate(&View(position.board()))
    }

    pub(super) fn evaluate_accumulator(&self, position: &Chess, place: &Accumulator) -> i32 {
        self.0.evaluate_accumulator(place, color(position.board().side_to_move()))
    }

    pub(super) fn refresh(&self, position: &Chess, place: &mut Accumulator) {
        self.0.refresh(&View(position.board()), place);
    }

    /// Lets nnue-rs find what has changed.
    pub(super) fn update(
        &self,
        before: &Chess,
        after: &Chess,
        parent: &Accumulator,
        child: &mut Accumulator,
    ) {
        self.0.update(&View(before.board()), &View(after.board()), parent, child);
    }

    /// Tells nnue-rs what has changed.
    pub(super) fn update_changes(
        &self,
        before: &Chess,
        after: &Chess,
        parent: &Accumulator,
        child: &mut Accumulator,
    ) {
        let (before, after) = (before.board(), after.board());
        let mut differ =
            before.colors(cozy_chess::Color::White) ^ after.colors(cozy_chess::Color::White);
        for piece in cozy_chess::Piece::ALL {
            differ |= before.pieces(piece) ^ after.pieces(piece);
        }
        let (mut removed, mut added) = (List::default(), List::default());
        for square in differ {
            removed.push(before, square);
            added.push(after, square);
        }
        let (before, after) = (View(before), View(after));
        self.0.update_changes(&before, &after, removed.pieces(), added.pieces(), parent, child);
    }
}

/// Pieces that a move takes away, or puts down.
struct List {
    pieces: [(u8, Piece); 4],
    count: usize,
}

impl Default for List {
    fn default() -> Self {
        Self { pieces: [(0, Piece::new(Color::White, PieceKind::Pawn)); 4], count: 0 }
    }
}

impl List {
    fn push(&mut self, board: &Board, square: Square) {
        if let Some(piece) = piece_on(board, square) {
            self.pieces[self.count] = (square as u8, piece);
            self.count += 1;
        }
    }

    fn pieces(&self) -> &[(u8, Piece)] {
        &self.pieces[..self.count]
    }
}

/// A board as nnue-rs asks for it.
struct View<'a>(&'a Board);

impl nnue_rs::Board for View<'_> {
    fn side_to_move(&self) -> Color {
        color(self.0.side_to_move())
    }

    fn king_square(&self, color: Color) -> u8 {
        self.0.king(match color {
            Color::White => cozy_chess::Color::White,
            Color::Black => cozy_chess::Color::Black,
        }) as u8
    }

    fn for_each_piece(&self, visit: &mut dyn FnMut(u8, Piece)) {
        for kind in cozy_chess::Piece::ALL {
            for color in cozy_chess::Color::ALL {
                for square in self.0.colored_pieces(color, kind) {
                    visit(square as u8, piece(kind, color));
                }
            }
        }
    }
}

fn piece_on(board: &Board, square: Square) -> Option<Piece> {
    Some(piece(board.piece_on(square)?, board.color_on(square)?))
}

fn piece(kind: cozy_chess::Piece, owner: cozy_chess::Color) -> Piece {
    let kind = match kind {
        cozy_chess::Piece::Pawn => PieceKind::Pawn,
        cozy_chess::Piece::Knight => PieceKind::Knight,
        cozy_chess::Piece::Bishop => PieceKind::Bishop,
        cozy_chess::Piece::Rook => PieceKind::Rook,
        cozy_chess::Piece::Queen => PieceKind::Queen,
        cozy_chess::Piece::King => PieceKind::King,
    };
    Piece::new(color(owner), kind)
}

fn color(color: cozy_chess::Color) -> Color {
    match color {
        cozy_chess::Color::White => Color::White,
        cozy_chess::Color::Black => Color::Black,
    }
}
