//! Captures and promotions, and the other moves, each told with what a search wants to know of it.
//!
//! `cozy_chess` makes all moves at once. A search mostly needs a part of them, and asks of each which piece it moves,
//! what it takes and whether it gives check: what is known here for all moves of a piece at once.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves, get_rook_rays,
};

use super::material::value;
use super::{Chess, castling, en_passant_square, exchange};
use crate::{Described, PolicyIndex};

/// Moves of one piece.
#[derive(Clone, Copy)]
struct Group {
    piece: Piece,
    from: Square,
    to: BitBoard,
    /// Whether it is castling, or a capture in passing.
    special: bool,
}

/// The moves of all pieces. They are gathered before they are told, so that what is done with a move stands at one place
/// in the program: it is then compiled into the loop, not called.
struct Groups {
    list: [Group; Self::MOST],
    count: usize,
}

impl Groups {
    /// One for each of 16 pieces, and two for castling or for captures in passing.
    const MOST: usize = 18;

    #[inline]
    fn new() -> Self {
        let none =
            Group { piece: Piece::Pawn, from: Square::A1, to: BitBoard::EMPTY, special: false };
        Self { list: [none; Self::MOST], count: 0 }
    }

    #[inline]
    fn push(&mut self, group: Group) {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = group;
            self.count += 1;
        }
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = &Group> {
        self.list.iter().take(self.count)
    }
}

/// Calls `visit` with each legal move that captures or promotes.
#[inline]
pub(super) fn tactical(position: &Chess, mut visit: impl FnMut(Described<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let enemies = board.colors(!side);
    let last = Rank::Eighth.relative_to(side).bitboard();
    // Most pawns neither attack anything nor stand before the last rank.
    let behind = behind(enemies, side);
    let beside = (behind.0 & !File::H.bitboard().0) << 1 | (behind.0 & !File::A.bitboard().0) >> 1;
    let movers = BitBoard(beside) | self::behind(last, side);
    let mut groups = Groups::new();
    generate(board, &Targets { pieces: enemies, pawns: enemies | last, movers }, &mut groups);
    if let Some(file) = board.en_passant() {
        let to = en_passant_square(file, side);
        for from in get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn) {
            if board.is_legal(Move { from, to, promotion: None }) {
                groups.push(Group { piece: Piece::Pawn, from, to: to.bitboard(), special: true });
            }
        }
    }
    for group in groups.iter() {
        for to in group.to {
            let taken = if group.special {
                Some(Piece::Pawn)
            } else if enemies.has(to) {
                kind_on(board, to)
            } else {
                None
            };
            let gain = taken.map_or(0, value);
            let promotes = group.piece == Piece::Pawn && last.has(to);
            let mut promotion = promotes.then_some(Piece::Knight);
            loop {
                let promoted = promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
                visit(Described {
                    mv: Move { from: group.from, to, promotion },
                    index: index(side, group.from, to),
                    kind: group.piece as usize,
                    taken: taken.map(|piece| piece as usize),
                    gain: gain + promoted,
                    check: false,
                });
                promotion = match promotion {
                    Some(Piece::Knight) => Some(Piece::Bishop),
                    Some(Piece::Bishop) => Some(Piece::Rook),
                    Some(Piece::Rook) => Some(Piece::Queen),
                    _ => break,
                };
            }
        }
    }
}

/// Calls `visit` with each legal move that neither captures nor promotes.
#[inline]
pub(super) fn quiet(position: &Chess, mut visit: impl FnMut(Described<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let last = Rank::Eighth.relative_to(side).bitboard();
    let empty = !board.occupied();
    let pawns = empty & !last;
    let mut groups = Groups::new();
    generate(board, &Targets { pieces: empty, pawns, movers: behind(pawns, side) }, &mut groups);
    if board.checkers().is_empty() {
        castling(board, &mut groups);
    }
    let checks = Checks::of(board);
    for group in groups.iter() {
        let checking = checks.squares(group.piece, group.from);
        for to in group.to {
            let mv = Move { from: group.from, to, promotion: None };
            let (shown, check) = if group.special {
                let shown = castling::standard_target(board, mv).unwrap_or(to);
                (shown, exchange::gives_check(position, mv))
            } else {
                (to, checking.has(to))
            };
            visit(Described {
                mv,
                index: index(side, group.from, shown),
                kind: group.piece as usize,
                taken: None,
                gain: 0,
                check,
            });
        }
    }
}

/// Adds castling, where it is legal.
#[inline]
fn castling(board: &Board, groups: &mut Groups) {
    let side = board.side_to_move();
    let (from, rights) = (board.king(side), board.castle_rights(side));
    for rook in [rights.short, rights.long].into_iter().flatten() {
        let to = Square::new(rook, Rank::First.relative_to(side));
        if board.is_legal(Move { from, to, promotion: None }) {
            groups.push(Group { piece: Piece::King, from, to: to.bitboard(), special: true });
        }
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "a handful of instructions for each move")]
fn index(side: Color, from: Square, to: Square) -> PolicyIndex {
    // Ranks are turned round for Black.
    let flip = 56 * side as usize;
    PolicyIndex { from: from as usize ^ flip, to: to as usize ^ flip }
}

/// The piece on an occupied square. Arithmetic, because the kind of piece is what a branch predictor cannot know.
#[inline]
pub(super) fn kind_on(board: &Board, square: Square) -> Option<Piece> {
    let has = |piece: Piece| usize::from(board.pieces(piece).has(square));
    let kind = has(Piece::Knight)
        + 2 * has(Piece::Bishop)
        + 3 * has(Piece::Rook)
        + 4 * has(Piece::Queen)
        + 5 * has(Piece::King);
    Piece::ALL.get(kind).copied()
}

/// The squares that moves may enter.
struct Targets {
    pieces: BitBoard,
    pawns: BitBoard,
    /// The squares from which pawns may get there.
    movers: BitBoard,
}

/// The squares from which a pawn steps to one of `squares`.
#[inline]
fn behind(squares: BitBoard, side: Color) -> BitBoard {
    BitBoard(if side == Color::White { squares.0 >> 8 } else { squares.0 << 8 })
}

/// Whether a pawn can step forward that neither a pin nor a check hinders: a legal move that is quickly seen.
#[inline]
pub(super) fn has_free_step(board: &Board) -> bool {
    let side = board.side_to_move();
    let pawns = board.colored_pieces(side, Piece::Pawn) & !board.pinned();
    board.checkers().is_empty() && !(behind(!board.occupied(), side) & pawns).is_empty()
}

/// Adds the moves that enter `targets`, but for castling and captures in passing.
#[inline]
fn generate(board: &Board, targets: &Targets, groups: &mut Groups) {
    let side = board.side_to_move();
    let occupied = board.occupied();
    let king = board.king(side);
    let checkers = board.checkers();
    // Against two checkers only the king can move.
    if checkers.0 & checkers.0.wrapping_sub(1) == 0 {
        let answers = checkers
            .next_square()
            .map_or(BitBoard::FULL, |checker| get_between_rays(checker, king) | checkers);
        let (pieces, pawns) = (targets.pieces & answers, targets.pawns & answers);
        let enemies = board.colors(!side);
        let diagonal = |from| get_bishop_moves(from, occupied) & pieces;
        let straight = |from| get_rook_moves(from, occupied) & pieces;
        let all = BitBoard::FULL;
        each(board, (Piece::Pawn, targets.movers), groups, |from| {
            let captures = get_pawn_attacks(from, side) & enemies;
            (captures | get_pawn_quiets(from, side, occupied)) & pawns
        });
        each(board, (Piece::Knight, all), groups, |from| get_knight_moves(from) & pieces);
        each(board, (Piece::Bishop, all), groups, diagonal);
        each(board, (Piece::Rook, all), groups, straight);
        each(board, (Piece::Queen, all), groups, |from| diagonal(from) | straight(from));
    }
    let safe = |to: &Square| is_safe(board, *to, occupied ^ king.bitboard());
    let to: BitBoard = (get_king_moves(king) & targets.pieces).iter().filter(safe).collect();
    if !to.is_empty() {
        groups.push(Group { piece: Piece::King, from: king, to, special: false });
    }
}

/// Adds the moves of the pieces of a kind on some squares, which stay on their line if they are pinned.
#[inline]
fn each(
    board: &Board,
    (piece, movers): (Piece, BitBoard),
    groups: &mut Groups,
    reach: impl Fn(Square) -> BitBoard,
) {
    let side = board.side_to_move();
    let pinned = board.pinned();
    for from in board.colored_pieces(side, piece) & movers {
        let mut to = reach(from);
        if pinned.has(from) {
            to &= get_line_rays(board.king(side), from);
        }
        if !to.is_empty() {
            groups.push(Group { piece, from, to, special: false });
        }
    }
}

/// Whether the king of the side to move would not be attacked on a square.
#[inline]
fn is_safe(board: &Board, square: Square, occupied: BitBoard) -> bool {
    let side = board.side_to_move();
    let enemies = board.colors(!side);
    let queens = board.pieces(Piece::Queen);
    let steps = get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_pawn_attacks(square, side) & board.pieces(Piece::Pawn);
    if !(steps & enemies).is_empty() {
        return false;
    }
    // Mostly no slider stands on any of the rays.
    let diagonal = (board.pieces(Piece::Bishop) | queens) & enemies;
    let straight = (board.pieces(Piece::Rook) | queens) & enemies;
    ((get_bishop_rays(square) & diagonal).is_empty()
        || (get_bishop_moves(square, occupied) & diagonal).is_empty())
        && ((get_rook_rays(square) & straight).is_empty()
            || (get_rook_moves(square, occupied) & straight).is_empty())
}

/// From where the enemy's king can be checked.
struct Checks {
    king: Square,
    /// The squares from which a piece of each kind attacks it.
    direct: [BitBoard; Piece::NUM],
    /// Own pieces that bar the way of an own slider.
    barring: BitBoard,
}

impl Checks {
    #[inline]
    fn of(board: &Board) -> Self {
        let side = board.side_to_move();
        let (own, occupied) = (board.colors(side), board.occupied());
        let king = board.king(!side);
        let (diagonal, straight) =
            (get_bishop_moves(king, occupied), get_rook_moves(king, occupied));
        let queens = board.pieces(Piece::Queen);
        let behind = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens)
            | get_rook_rays(king) & (board.pieces(Piece::Rook) | queens);
        let mut barring = BitBoard::EMPTY;
        for slider in behind & own {
            let between = get_between_rays(slider, king) & occupied;
            if between.0 & between.0.wrapping_sub(1) == 0 {
                barring |= between & own;
            }
        }
        let pawns = get_pawn_attacks(king, !side);
        let knights = get_knight_moves(king);
        let all = diagonal | straight;
        let direct = [pawns, knights, diagonal, straight, all, BitBoard::EMPTY];
        Self { king, direct, barring }
    }

    /// Where a piece gives check by going there. That it left its square uncovers no check of its own: standing there
    /// it would have given that check already.
    #[inline]
    fn squares(&self, piece: Piece, from: Square) -> BitBoard {
        let mut squares = self.direct[piece as usize];
        if self.barring.has(from) {
            squares |= !get_line_rays(self.king, from);
        }
        squares
    }
}
