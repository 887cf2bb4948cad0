//! Static exchange evaluation (SEE), threats, and correction-history keys of hexchess.

use super::attacks;
use super::bitboard::Bitboard;
use super::cell::Cell;
use super::moves::Move;
use super::piece::Piece;
use super::position::Hexchess;
use super::tables::{BISHOP_RAYS, KING, KNIGHT, PAWN_CAPTURES, ROOK_RAYS};
use crate::Color;

/// Whether `mv` has an SEE value of at least `threshold`. Ignores pins, but never lets a king
/// capture into an attack.
pub(super) fn gains(position: &Hexchess, mv: Move, threshold: i32) -> bool {
    let side = position.side();
    let mut occupied = (position.occupied() ^ mv.from().set()) | mv.to().set();
    if mv.is_en_passant() {
        let behind = if side == Color::White { -1 } else { 1 };
        occupied ^= mv.to().offset(behind).set();
    }
    let value = |number: usize| Piece::numbered(number as u32).value();
    let taken = if mv.is_capture() { value(mv.taken()) } else { 0 };
    let promotion = value(mv.placed()) - value(mv.moved());
    // The balance is the margin above the threshold of the side that moved last, if the exchange
    // ends before the next capture.
    let mut balance = taken + promotion - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(mv.placed());
    balance >= 0 || series(position, side, mv.to(), occupied, balance)
}

/// Whether `side`, which has just moved to a cell, keeps its margin if both sides continue to
/// capture there. `balance` is the margin above the threshold if `side` loses the piece that is now
/// on the cell; it is negative.
fn series(
    position: &Hexchess,
    side: Color,
    cell: Cell,
    mut occupied: Bitboard,
    mut balance: i32,
) -> bool {
    let mut to_move = !side;
    loop {
        let mine = attackers(position, cell, occupied) & occupied & position.color(to_move);
        let Some((piece, from)) = cheapest(position, mine) else { break };
        occupied ^= from.set();
        // A king captures last, and only if it cannot be recaptured.
        if piece == Piece::King
            && (attackers(position, cell, occupied) & occupied & position.color(!to_move)).any()
        {
            break;
        }
        to_move = !to_move;
        balance = -balance - 1 - piece.value();
        if balance >= 0 {
            break;
        }
    }
    to_move != side
}

/// The pieces of the side to move, of those on `attacked` cells, that the enemy's cheapest attacker
/// captures with a gain of at least `least`.
pub(super) fn threatened(
    position: &Hexchess,
    least: i32,
    attacked: Bitboard,
) -> impl Iterator<Item = Cell> + '_ {
    let side = position.side();
    let (enemies, occupied) = (position.color(!side), position.occupied());
    let mine = position.color(side) & !position.king(side).set() & attacked;
    mine.into_iter().filter(move |&cell| {
        let attackers = attackers(position, cell, occupied) & enemies;
        let Some((attacker, from)) = cheapest(position, attackers) else { return false };
        let balance = position.piece_at(cell).value() - least;
        let rest = balance - attacker.value();
        balance >= 0 && (rest >= 0 || series(position, !side, cell, occupied ^ from.set(), rest))
    })
}

/// The cells that the enemy attacks, including attacks through the pieces of the side to move.
pub(super) fn attacked(position: &Hexchess) -> Bitboard {
    let enemy = !position.side();
    let (own, occupied) = (position.color(!enemy), position.occupied());
    let of = |piece: Piece| position.pieces_of(piece, enemy);
    let mut attacked = KING[position.king(enemy).slot()];
    for pawn in of(Piece::Pawn) {
        attacked |= PAWN_CAPTURES[enemy as usize][pawn.slot()];
    }
    for knight in of(Piece::Knight) {
        attacked |= KNIGHT[knight.slot()];
    }
    let through = |moves: fn(Cell, Bitboard) -> Bitboard, from: Cell| {
        moves(from, occupied ^ (moves(from, occupied) & own))
    };
    for slider in of(Piece::Bishop) | of(Piece::Queen) {
        attacked |= through(attacks::bishop, slider);
    }
    for slider in of(Piece::Rook) | of(Piece::Queen) {
        attacked |= through(attacks::rook, slider);
    }
    attacked
}

/// The pieces of both sides that attack a cell, with `occupied` as the blockers.
fn attackers(position: &Hexchess, to: Cell, occupied: Bitboard) -> Bitboard {
    let queens = position.pieces(Piece::Queen);
    let [white, black] = Color::BOTH.map(|color| {
        PAWN_CAPTURES[!color as usize][to.slot()] & position.pieces_of(Piece::Pawn, color)
    });
    white
        | black
        | KNIGHT[to.slot()] & position.pieces(Piece::Knight)
        | attacks::bishop(to, occupied) & (position.pieces(Piece::Bishop) | queens)
        | attacks::rook(to, occupied) & (position.pieces(Piece::Rook) | queens)
        | KING[to.slot()] & position.pieces(Piece::King)
}

fn cheapest(position: &Hexchess, attackers: Bitboard) -> Option<(Piece, Cell)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let found = attackers & position.pieces(piece);
        found.any().then(|| (piece, found.first()))
    })
}

/// Whether a legal move gives check.
pub(super) fn gives_check(position: &Hexchess, mv: Move) -> bool {
    let side = position.side();
    let king = position.king(!side);
    let mut occupied = (position.occupied() ^ mv.from().set()) | mv.to().set();
    if mv.is_en_passant() {
        let behind = if side == Color::White { -1 } else { 1 };
        occupied ^= mv.to().offset(behind).set();
    }
    let seen = match Piece::numbered(mv.placed() as u32) {
        Piece::Pawn => PAWN_CAPTURES[side as usize][mv.to().slot()],
        Piece::Knight => KNIGHT[mv.to().slot()],
        Piece::Bishop => attacks::bishop(mv.to(), occupied),
        Piece::Rook => attacks::rook(mv.to(), occupied),
        Piece::Queen => attacks::bishop(mv.to(), occupied) | attacks::rook(mv.to(), occupied),
        Piece::King => Bitboard::EMPTY,
    };
    if seen.has(king) {
        return true;
    }
    let rays = ROOK_RAYS[king.slot()] | BISHOP_RAYS[king.slot()];
    if !rays.has(mv.from()) && !mv.is_en_passant() {
        return false;
    }
    let others = position.color(side) & !mv.from().set();
    let queens = position.pieces(Piece::Queen);
    let uncovered = attacks::rook(king, occupied) & (position.pieces(Piece::Rook) | queens)
        | attacks::bishop(king, occupied) & (position.pieces(Piece::Bishop) | queens);
    (uncovered & others).any()
}

/// Correction-history keys: pawns, White's other pieces, Black's other pieces.
pub(super) fn correction_keys(position: &Hexchess) -> [u64; 3] {
    let mix = |hash: u64, set: Bitboard| {
        let folded = (set.0 >> 64) as u64 ^ (set.0 as u64).rotate_left(37);
        let hash = (hash ^ folded).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^ hash >> 29
    };
    let of = |piece: Piece, color: Color| position.pieces_of(piece, color);
    let others = |color: Color| {
        let kinds = &Piece::ALL[1..];
        kinds.iter().fold(1, |hash, &piece| mix(hash, of(piece, color)))
    };
    let pawns = mix(mix(1, of(Piece::Pawn, Color::White)), of(Piece::Pawn, Color::Black));
    [pawns, others(Color::White), others(Color::Black)]
}
