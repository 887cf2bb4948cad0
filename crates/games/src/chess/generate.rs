//! Captures and promotions, and the other moves, each told with what a search wants to know of it.
//!
//! `cozy_chess` makes all moves at once. A search mostly needs a part of them, and asks of each which piece it moves,
//! what it takes and whether it gives check: what is known here for all moves of a piece at once.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets,
    get_rook_rays,
};

use super::kinds::Kinds;
use super::material::{value, value_of_kind};
use super::sliders::{bishop_moves, rook_moves};
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

/// One for each of 16 pieces, and two for castling or for captures in passing.
const MOST_GROUPS: usize = 18;

/// The moves of all pieces. They are gathered before they are told, so that what is done with a move stands at one place
/// in the program: it is then compiled into the loop, not called.
type Groups = ArrayVec<Group, MOST_GROUPS>;

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
                add(
                    &mut groups,
                    Group { piece: Piece::Pawn, from, to: to.bitboard(), special: true },
                );
            }
        }
    }
    let kinds = Kinds::of(board);
    for group in &groups {
        for to in group.to {
            let taken = if group.special {
                Some(Piece::Pawn as usize)
            } else {
                enemies.has(to).then(|| kinds.on(to))
            };
            let gain = taken.map_or(0, value_of_kind);
            let promotes = group.piece == Piece::Pawn && last.has(to);
            let mut promotion = promotes.then_some(Piece::Knight);
            loop {
                let promoted = promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
                visit(Described {
                    mv: Move { from: group.from, to, promotion },
                    index: index(side, group.from, to),
                    kind: group.piece as usize,
                    taken,
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
pub(super) fn quiet(position: &Chess, visit: impl FnMut(Described<Move>)) {
    quiet_or_checks::<false>(position, visit);
}

/// Calls `visit` with those that give check.
#[inline]
pub(super) fn quiet_checks(position: &Chess, visit: impl FnMut(Described<Move>)) {
    quiet_or_checks::<true>(position, visit);
}

#[inline]
fn quiet_or_checks<const CHECKS: bool>(position: &Chess, mut visit: impl FnMut(Described<Move>)) {
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
    for group in &groups {
        let checking = checks.squares(group.piece, group.from);
        // Where castling gives check is not known by its squares.
        let wanted = if CHECKS && !group.special { group.to & checking } else { group.to };
        for to in wanted {
            let mv = Move { from: group.from, to, promotion: None };
            let (shown, check) = if group.special {
                let shown = castling::standard_target(board, mv).unwrap_or(to);
                (shown, exchange::gives_check(position, mv))
            } else {
                (to, CHECKS || checking.has(to))
            };
            if CHECKS && !check {
                continue;
            }
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
            add(groups, Group { piece: Piece::King, from, to: to.bitboard(), special: true });
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
        let own = |piece: Piece| board.colored_pieces(side, piece);
        each(board, (Piece::Pawn, own(Piece::Pawn) & targets.movers), groups, |from| {
            let captures = get_pawn_attacks(from, side) & enemies;
            (captures | get_pawn_quiets(from, side, occupied)) & pawns
        });
        each(board, (Piece::Knight, own(Piece::Knight)), groups, |from| {
            get_knight_moves(from) & pieces
        });
        let diagonal = |from| bishop_moves(from, occupied) & pieces;
        let straight = |from| rook_moves(from, occupied) & pieces;
        each(board, (Piece::Bishop, own(Piece::Bishop)), groups, diagonal);
        each(board, (Piece::Rook, own(Piece::Rook)), groups, straight);
        each(board, (Piece::Queen, own(Piece::Queen)), groups, |from| {
            diagonal(from) | straight(from)
        });
    }
    let safe = |to: &Square| is_safe(board, *to, occupied ^ king.bitboard());
    let to: BitBoard = (get_king_moves(king) & targets.pieces).iter().filter(safe).collect();
    if !to.is_empty() {
        add(groups, Group { piece: Piece::King, from: king, to, special: false });
    }
}

/// Adds the moves of pieces of a kind, which stay on their line if they are pinned.
#[inline]
fn each(
    board: &Board,
    (piece, movers): (Piece, BitBoard),
    groups: &mut Groups,
    reach: impl Fn(Square) -> BitBoard,
) {
    let pinned = board.pinned();
    for from in movers {
        let mut to = reach(from);
        if pinned.has(from) {
            to &= get_line_rays(board.king(board.side_to_move()), from);
        }
        if !to.is_empty() {
            add(groups, Group { piece, from, to, special: false });
        }
    }
}

/// Adds a group. There is room for all that a position can have.
#[inline]
fn add(groups: &mut Groups, group: Group) {
    let added = groups.try_push(group);
    debug_assert!(added.is_ok(), "too many groups");
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
        || (bishop_moves(square, occupied) & diagonal).is_empty())
        && ((get_rook_rays(square) & straight).is_empty()
            || (rook_moves(square, occupied) & straight).is_empty())
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
        let (diagonal, straight) = (bishop_moves(king, occupied), rook_moves(king, occupied));
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
