//! Move generation: noisy and quiet moves, each as a [`MoveInfo`].
//!
//! `cozy_chess` generates all moves at once. A search mostly needs only some of them, and for each
//! move it needs the moving piece, the captured piece and whether the move gives check. This module
//! computes these once for all moves of a piece.

mod checks;
mod maker;

use cozy_chess::{Color, Move, Piece, Rank, Square, get_bishop_rays, get_rook_rays};

use super::kinds::Kinds;
use super::material::{value, value_of_kind};
use super::{Board, Chess, castling, see};
use crate::{MoveInfo, PolicyIndex};
use checks::Checks;
use maker::{Groups, Maker, behind};

/// Computes the [`MoveInfo`] of one move.
#[inline]
pub(super) fn move_info(board: &Board, mv: Move) -> MoveInfo<Move> {
    let side = board.side_to_move();
    let kinds = Kinds::of(board);
    let kind = kinds.on(mv.from);
    let taken = taken_kind(board, kinds, mv);
    let shown = castling::standard_target(board, mv).unwrap_or(mv.to);
    let promoted = mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let quiet = taken.is_none() && mv.promotion.is_none();
    MoveInfo {
        mv,
        index: index(side, mv.from, shown),
        kind,
        taken,
        gain: taken.map_or(0, value_of_kind) + promoted,
        check: quiet && see::gives_check(board, mv, kind),
    }
}

/// The kind of the piece that a legal move captures.
#[inline]
pub(super) fn taken_kind(board: &Board, kinds: Kinds, mv: Move) -> Option<usize> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return Some(kinds.on(mv.to));
    }
    // A pawn that changes its file captures a piece; if the target is empty, it is en passant.
    let pawn = Piece::Pawn as usize;
    (mv.from.file() != mv.to.file() && kinds.on(mv.from) == pawn).then_some(pawn)
}

/// Calls `visit` with each legal move that captures or promotes.
#[inline]
pub(super) fn noisy(position: &Chess, mut visit: impl FnMut(MoveInfo<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let enemies = board.colors(!side);
    let last = Rank::Eighth.relative_to(side).bitboard();
    let mut maker = Maker::new(board);
    maker.captures(enemies, maker.pinned);
    if !(behind(last, side) & board.colored_pieces(side, Piece::Pawn)).is_empty() {
        maker.pushes(last, maker.pinned);
    }
    maker.passing();
    maker.pieces(enemies);
    let kinds = Kinds::of(board);
    for group in &maker.groups {
        for to in group.to {
            let from = group.from(to);
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
                visit(MoveInfo {
                    mv: Move { from, to, promotion },
                    index: index(side, from, to),
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
pub(super) fn quiet(position: &Chess, visit: impl FnMut(MoveInfo<Move>)) {
    quiet_or_checks::<false>(position, visit);
}

/// Calls `visit` with each legal quiet move that gives check.
#[inline]
pub(super) fn quiet_checks(position: &Chess, visit: impl FnMut(MoveInfo<Move>)) {
    quiet_or_checks::<true>(position, visit);
}

#[inline]
fn quiet_or_checks<const CHECKS: bool>(position: &Chess, mut visit: impl FnMut(MoveInfo<Move>)) {
    let board = &position.board;
    let side = board.side_to_move();
    let last = Rank::Eighth.relative_to(side).bitboard();
    let empty = !board.occupied();
    let checks = Checks::of(board);
    let mut maker = Maker::new(board);
    // Pawns that may give a discovered check are generated one by one.
    maker.pushes(empty & !last, maker.pinned | checks.barring);
    maker.pieces(empty);
    maker.castling();
    for group in &maker.groups {
        let checking = checks.squares(group);
        // Whether castling gives check cannot be read off its target square.
        let wanted = if CHECKS && !group.special { group.to & checking } else { group.to };
        for to in wanted {
            let mv = Move { from: group.from(to), to, promotion: None };
            let (shown, check) = if group.special {
                let shown = castling::standard_target(board, mv).unwrap_or(to);
                (shown, see::gives_check(board, mv, Piece::King as usize))
            } else {
                (to, CHECKS || checking.has(to))
            };
            if CHECKS && !check {
                continue;
            }
            visit(MoveInfo {
                mv,
                index: index(side, mv.from, shown),
                kind: group.piece as usize,
                taken: None,
                gain: 0,
                check,
            });
        }
    }
}

/// Calls `visit` with each legal move.
pub(super) fn all(board: &Board, mut visit: impl FnMut(Move)) {
    let last = Rank::Eighth.relative_to(board.side_to_move()).bitboard();
    for group in all_groups(board) {
        for to in group.to {
            let from = group.from(to);
            if group.piece == Piece::Pawn && last.has(to) {
                for promotion in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                    visit(Move { from, to, promotion: Some(promotion) });
                }
            } else {
                visit(Move { from, to, promotion: None });
            }
        }
    }
}

/// Whether there is any legal move.
pub(super) fn has_any(board: &Board) -> bool {
    !all_groups(board).is_empty()
}

/// The moves of all pieces, in the order of `cozy_chess`, which keeps random choices reproducible.
fn all_groups(board: &Board) -> Groups {
    let side = board.side_to_move();
    let (own, enemies) = (board.colors(side), board.colors(!side));
    let mut maker = Maker::new(board);
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let movers = board.colored_pieces(side, piece);
        for movers in [movers & !maker.pinned, movers & maker.pinned] {
            maker.each(piece, movers, |from| board.reach(piece, from, enemies) & !own);
        }
        if piece == Piece::Pawn {
            maker.passing();
        }
    }
    maker.king(!own, true);
    maker.groups
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "a handful of instructions for each move")]
fn index(side: Color, from: Square, to: Square) -> PolicyIndex {
    // Ranks are flipped for Black.
    let flip = 56 * side as usize;
    PolicyIndex { from: from as usize ^ flip, to: to as usize ^ flip }
}

/// Whether a pawn that is neither pinned nor in need of an evasion can step forward. A quick test
/// that proves a legal move exists.
#[inline]
pub(super) fn has_free_step(board: &Board) -> bool {
    let side = board.side_to_move();
    // Only a piece on a line with its king can be pinned.
    let king = board.king(side);
    let lines = get_bishop_rays(king) | get_rook_rays(king);
    let pawns = board.colored_pieces(side, Piece::Pawn) & !lines;
    board.checkers().is_empty() && !(behind(!board.occupied(), side) & pawns).is_empty()
}
