//! Static exchange evaluation (SEE), threats and checks.

use cozy_chess::{
    BitBoard, Color, Move, Piece, Square, get_king_moves, get_knight_moves, get_pawn_attacks,
};

use super::kinds::Kinds;
use super::material::{value, value_of_kind};
use super::sliders::{bishop_moves, rook_moves};
use super::{Board, castling};

/// Whether `mv`, a move or capture by a piece of that kind, has an SEE value of at least
/// `threshold`. Ignores pins, but never lets a king capture into an attack.
pub(super) fn gains(
    board: &Board,
    mv: Move,
    kind: usize,
    taken: Option<usize>,
    threshold: i32,
) -> bool {
    // The balance is the margin above the threshold of the side that moved last, if the exchange
    // ends before the next capture.
    let mut balance = taken.map_or(0, value_of_kind) - threshold;
    let mut arrived = kind;
    if let Some(promotion) = mv.promotion {
        balance += value(promotion) - value(Piece::Pawn);
        arrived = promotion as usize;
    }
    if balance < 0 {
        return false;
    }
    balance -= value_of_kind(arrived);
    // A king cannot be recaptured: a legal move, castling included, never leaves it attacked.
    if balance >= 0 || kind == Piece::King as usize {
        return true;
    }
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    if taken == Some(Piece::Pawn as usize) && !board.occupied().has(mv.to) {
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    series(board, board.side_to_move(), mv.to, occupied, balance)
}

/// Whether `side`, which has just moved to a square, keeps its margin if both sides continue to
/// capture there. `balance` is the margin above the threshold if `side` loses the piece that is now
/// on the square; it is negative.
#[inline(always)]
#[expect(clippy::inline_always, reason = "asked for at every other node, and for nothing else")]
fn series(
    board: &Board,
    side: Color,
    square: Square,
    mut occupied: BitBoard,
    mut balance: i32,
) -> bool {
    let mut to_move = !side;
    // A pawn often ends the exchange; test that before searching for other attackers.
    let pawns = board.colored_pieces(to_move, Piece::Pawn) & occupied;
    if -balance > value(Piece::Pawn) && !(get_pawn_attacks(square, side) & pawns).is_empty() {
        return false;
    }
    let mut attackers = board.attackers(square, occupied);
    let queens = board.pieces(Piece::Queen);
    let (diagonal, straight) =
        (board.pieces(Piece::Bishop) | queens, board.pieces(Piece::Rook) | queens);
    loop {
        attackers &= occupied;
        let able = attackers & board.colors(to_move);
        if able.is_empty() {
            break;
        }
        let (piece, from) = cheapest(board, able);
        // A king captures last, and only if it cannot be recaptured, for example by a slider behind
        // its old square.
        if piece == Piece::King {
            let left = occupied ^ from;
            if !(board.attackers(square, left) & left & board.colors(!to_move)).is_empty() {
                break;
            }
        }
        to_move = !to_move;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            break;
        }
        // Removing the piece may uncover a slider behind it (x-ray attack).
        occupied ^= from;
        // A bit mask of kinds: a match on the kind would be an unpredictable branch.
        let is_one_of = |kinds: u32| kinds >> piece as u32 & 1 != 0;
        if is_one_of(1 << Piece::Pawn as u32 | 1 << Piece::Bishop as u32 | 1 << Piece::Queen as u32)
        {
            attackers |= bishop_moves(square, occupied) & diagonal;
        }
        if is_one_of(1 << Piece::Rook as u32 | 1 << Piece::Queen as u32) {
            attackers |= rook_moves(square, occupied) & straight;
        }
    }
    to_move != side
}

/// The pieces of the side to move, of those on `attacked` squares, that the enemy's cheapest
/// attacker captures with a gain of at least `least`.
pub(super) fn threatened(board: &Board, least: i32, attacked: BitBoard) -> BitBoard {
    let side = board.side_to_move();
    let (enemies, occupied) = (board.colors(!side), board.occupied());
    let kinds = Kinds::of(board);
    let is_threatened = |&square: &Square| {
        let attackers = board.attackers(square, occupied) & enemies;
        if attackers.is_empty() {
            return false;
        }
        let (attacker, from) = cheapest(board, attackers);
        let balance = value(kinds.piece_on(square)) - least;
        let rest = balance - value(attacker);
        balance >= 0 && (rest >= 0 || series(board, !side, square, occupied ^ from, rest))
    };
    let mine = (board.colors(side) ^ board.king(side).bitboard()) & attacked;
    mine.into_iter().filter(is_threatened).map(Square::bitboard).fold(BitBoard::EMPTY, |a, b| a | b)
}

/// The squares that the enemy attacks, including attacks through the pieces of the side to move.
pub(super) fn attacked(board: &Board) -> BitBoard {
    let enemy = !board.side_to_move();
    let (own, occupied) = (board.colors(!enemy), board.occupied());
    let of = |piece: Piece| board.colored_pieces(enemy, piece);
    let mut attacked = get_king_moves(board.king(enemy));
    for pawn in of(Piece::Pawn) {
        attacked |= get_pawn_attacks(pawn, enemy);
    }
    for knight in of(Piece::Knight) {
        attacked |= get_knight_moves(knight);
    }
    let through = |moves: fn(Square, BitBoard) -> BitBoard, from: Square| {
        moves(from, occupied ^ (moves(from, occupied) & own))
    };
    for slider in of(Piece::Bishop) | of(Piece::Queen) {
        attacked |= through(bishop_moves, slider);
    }
    for slider in of(Piece::Rook) | of(Piece::Queen) {
        attacked |= through(rook_moves, slider);
    }
    attacked
}

/// The kind of the cheapest attacker, and one attacker of that kind.
#[inline]
fn cheapest(board: &Board, attackers: BitBoard) -> (Piece, BitBoard) {
    // The loop visits all kinds: which one is present is unpredictable, and a mispredicted branch
    // costs more. For the same reason the attacker is a bitboard, which does not require its
    // square.
    let mut cheapest = (Piece::King, attackers);
    for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn] {
        let pieces = attackers & board.pieces(piece);
        if !pieces.is_empty() {
            cheapest = (piece, pieces);
        }
    }
    let (piece, pieces) = cheapest;
    (piece, BitBoard(pieces.0 & pieces.0.wrapping_neg()))
}

/// Whether a legal move by a piece of that kind gives check.
pub(super) fn gives_check(board: &Board, mv: Move, kind: usize) -> bool {
    let own = board.colors(board.side_to_move());
    if own.has(mv.to) {
        return castling_gives_check(board, mv);
    }
    let mut left = mv.from.bitboard();
    let passes = kind == Piece::Pawn as usize && mv.from.file() != mv.to.file();
    if passes && !board.occupied().has(mv.to) {
        left |= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    let arrived = mv.promotion.map_or(kind, |piece| piece as usize);
    checks_after(board, left, mv.to, arrived, mv.to.bitboard())
}

/// King and rook change places. Only the rook can give a new check.
#[inline(never)]
fn castling_gives_check(board: &Board, mv: Move) -> bool {
    let [king, rook] = castling::targets(mv);
    let left = mv.from.bitboard() | mv.to.bitboard();
    checks_after(board, left, rook, Piece::Rook as usize, king.bitboard() | rook.bitboard())
}

/// Whether the enemy king is attacked after the squares of `left` become empty, those of `entered`
/// become occupied, and a piece of kind `arrived` lands on `to`: by that piece (direct check) or by
/// a slider behind a vacated square (discovered check).
#[inline]
fn checks_after(
    board: &Board,
    left: BitBoard,
    to: Square,
    arrived: usize,
    entered: BitBoard,
) -> bool {
    let side = board.side_to_move();
    let king = board.king(!side);
    let stays = board.colors(side) & !left;
    let occupied = board.occupied() & !left | entered;
    // The target square, if the piece is of one of these kinds (a bit mask).
    let arrives = |kinds: u64| BitBoard((kinds >> arrived & 1) << to as u32);
    let [pawn, knight, bishop, rook, queen] = [1, 2, 4, 8, 16];
    let queens = board.pieces(Piece::Queen);
    let diagonal = (board.pieces(Piece::Bishop) | queens) & stays | arrives(bishop | queen);
    let straight = (board.pieces(Piece::Rook) | queens) & stays | arrives(rook | queen);
    let attackers = bishop_moves(king, occupied) & diagonal
        | rook_moves(king, occupied) & straight
        | get_knight_moves(king) & arrives(knight)
        | get_pawn_attacks(king, !side) & arrives(pawn);
    !attackers.is_empty()
}
