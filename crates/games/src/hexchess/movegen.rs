//! Move generation of hexchess: generates legal moves directly, without making and unmaking them.

use std::ops::ControlFlow;

use super::attacks;
use super::bitboard::Bitboard;
use super::cell::Cell;
use super::checks::CheckInfo;
use super::moves::Move;
use super::piece::Piece;
use super::position::Hexchess;
use super::tables::{KING, KNIGHT, PAWN_CAPTURES, PAWN_STARTS, PROMOTION, ROOK_LINES};
use crate::Color;

/// Whether to continue.
type Flow = ControlFlow<()>;

/// Calls `visit` with each legal move of a piece on one of the cells of `movers`, until it returns
/// `Break`.
#[inline]
pub(super) fn generate(
    position: &Hexchess,
    movers: Bitboard,
    mut visit: impl FnMut(Move) -> Flow,
) -> Flow {
    let checks = CheckInfo::of(position);
    let own = position.color(position.side());
    if movers.has(checks.king) {
        let targets = KING[checks.king.slot()] & !own;
        let targets = checks.safe_for_king(position, targets);
        each(position, Piece::King, checks.king, targets, &mut visit)?;
    }
    if checks.checkers.many() {
        return Flow::Continue(());
    }
    pieces(position, &checks, movers, &mut visit)?;
    pawns(position, &checks, movers, &mut visit)?;
    en_passant(position, &checks, movers, &mut visit)
}

/// Moves of knights, bishops, rooks and queens.
#[inline]
fn pieces(
    position: &Hexchess,
    checks: &CheckInfo,
    movers: Bitboard,
    visit: &mut impl FnMut(Move) -> Flow,
) -> Flow {
    let own = position.color(position.side());
    let occupied = position.occupied();
    let allowed = checks.answers & !own;
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for from in position.pieces(piece) & own & movers {
            let seen = match piece {
                Piece::Knight => KNIGHT[from.slot()],
                Piece::Bishop => attacks::bishop(from, occupied),
                Piece::Rook => attacks::rook(from, occupied),
                _ => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
            };
            let mut targets = seen & allowed;
            if checks.pinned.has(from) {
                targets &= checks.line_of_pin(from);
            }
            each(position, piece, from, targets, visit)?;
        }
    }
    Flow::Continue(())
}

/// Visits a move of `piece` to each of the targets.
#[inline]
fn each(
    position: &Hexchess,
    piece: Piece,
    from: Cell,
    targets: Bitboard,
    visit: &mut impl FnMut(Move) -> Flow,
) -> Flow {
    let theirs = position.color(!position.side());
    for to in targets & theirs {
        visit(Move::quiet(piece, from, to).taking(position.piece_at(to)))?;
    }
    for to in targets & !theirs {
        visit(Move::quiet(piece, from, to))?;
    }
    Flow::Continue(())
}

/// The steps of a pawn in bits: straight ahead, double, and the two captures.
struct Steps {
    ahead: i32,
    left: i32,
    right: i32,
}

const WHITE: Steps = Steps { ahead: 1, left: -11, right: 12 };
const BLACK: Steps = Steps { ahead: -1, left: 11, right: -12 };

/// All pawn moves except en passant, for all pawns at once.
#[inline]
fn pawns(
    position: &Hexchess,
    checks: &CheckInfo,
    movers: Bitboard,
    visit: &mut impl FnMut(Move) -> Flow,
) -> Flow {
    let side = position.side();
    let free = !position.occupied();
    let theirs = position.color(!side);
    let pawns = position.pieces_of(Piece::Pawn, side) & movers;
    let starts = PAWN_STARTS[side as usize];
    // A pinned pawn may still move along the line of its pin, which is one of the king's rook
    // lines.
    let [file, falling, rising] = ROOK_LINES.each_ref().map(|lines| lines[checks.king.slot()]);
    let along_file = pawns & (!checks.pinned | file.whole());
    let along_falling = pawns & (!checks.pinned | falling.whole());
    let along_rising = pawns & (!checks.pinned | rising.whole());
    let (steps, single, double, left, right);
    match side {
        Color::White => {
            steps = WHITE;
            single = along_file.step::<1>() & free;
            double = ((along_file & starts).step::<1>() & free).step::<1>() & free;
            left = along_falling.step::<-11>();
            right = along_rising.step::<12>();
        }
        Color::Black => {
            steps = BLACK;
            single = along_file.step::<-1>() & free;
            double = ((along_file & starts).step::<-1>() & free).step::<-1>() & free;
            left = along_falling.step::<11>();
            right = along_rising.step::<-12>();
        }
    }
    let last = PROMOTION[side as usize];
    let single = single & checks.answers;
    for to in single & !last {
        visit(Move::push(to.offset(-steps.ahead), to))?;
    }
    for to in double & checks.answers {
        visit(Move::push(to.offset(-2 * steps.ahead), to).double_step())?;
    }
    for to in single & last {
        promotions(Move::push(to.offset(-steps.ahead), to), visit)?;
    }
    for (captures, step) in [(left, steps.left), (right, steps.right)] {
        for to in captures & theirs & checks.answers {
            let mv = Move::push(to.offset(-step), to).taking(position.piece_at(to));
            if last.has(to) {
                promotions(mv, visit)?;
            } else {
                visit(mv)?;
            }
        }
    }
    Flow::Continue(())
}

#[inline]
fn promotions(mv: Move, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
    for piece in Piece::PROMOTIONS {
        visit(mv.promoting(piece))?;
    }
    Flow::Continue(())
}

#[inline]
fn en_passant(
    position: &Hexchess,
    checks: &CheckInfo,
    movers: Bitboard,
    visit: &mut impl FnMut(Move) -> Flow,
) -> Flow {
    let Some(passed) = position.passed() else { return Flow::Continue(()) };
    for from in takers(position, passed) & movers {
        if may_take_in_passing(position, checks.king, from, passed) {
            visit(Move::push(from, passed).en_passant())?;
        }
    }
    Flow::Continue(())
}

/// Whether the pawn that has just stepped twice can be captured en passant.
#[inline]
pub(super) fn can_take_in_passing(position: &Hexchess) -> bool {
    let Some(passed) = position.passed() else { return false };
    let king = position.king(position.side());
    takers(position, passed)
        .into_iter()
        .any(|from| may_take_in_passing(position, king, from, passed))
}

/// The pawns that attack the en-passant cell.
#[inline]
fn takers(position: &Hexchess, passed: Cell) -> Bitboard {
    let side = position.side();
    PAWN_CAPTURES[!side as usize][passed.slot()] & position.pieces_of(Piece::Pawn, side)
}

/// Whether the king is safe after an en-passant capture. Two pieces leave their cells at once, so
/// the precomputed pins and check evasions do not decide it.
#[cold]
fn may_take_in_passing(position: &Hexchess, king: Cell, from: Cell, passed: Cell) -> bool {
    let behind = if position.side() == Color::White { -1 } else { 1 };
    let taken = passed.offset(behind).set();
    let occupied = (position.occupied() ^ from.set() ^ taken) | passed.set();
    (position.attackers(king, occupied) & !taken).is_empty()
}
