//! By what each piece on its square changes the hash of a board, to know the hash after a move before it is played.

use std::sync::LazyLock;

use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Rank, Square};

/// More kinds than there are: a power of two, so that no index needs to be checked.
const KINDS: usize = 8;

/// The part of a hash that belongs to a piece on a square. `cozy_chess` does not tell its numbers: they are what its hashes
/// of small boards differ by. Those of kings all have the same number added (by xor), which goes away when one moves.
struct Keys {
    pieces: [[[u64; Square::NUM]; KINDS]; Color::NUM],
    turn: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(Keys::new);

impl Keys {
    fn new() -> Self {
        let of = |color: Color, piece: Piece, square: Square| {
            if piece == Piece::King {
                king(color, square)
            } else if piece == Piece::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth) {
                0
            } else {
                other(color, piece, square)
            }
        };
        let mut pieces = [[[0; Square::NUM]; KINDS]; Color::NUM];
        for color in Color::ALL {
            for piece in Piece::ALL {
                let keys = Square::ALL.map(|square| of(color, piece, square));
                pieces[color as usize][piece as usize] = keys;
            }
        }
        let [white, black] =
            Color::ALL.map(|side| hash(side, &kings(Color::White, Square::A1, Square::H8)));
        Self { pieces, turn: white ^ black }
    }
}

type Man = (Square, Piece, Color);

/// A king and the enemy's.
fn kings(color: Color, own: Square, enemy: Square) -> [Man; 2] {
    [(own, Piece::King, color), (enemy, Piece::King, !color)]
}

/// The hash of a board with these men. `side` must not be able to take the king.
fn hash(side: Color, men: &[Man]) -> u64 {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = side;
    for &(square, piece, color) in men {
        *builder.square_mut(square) = Some((piece, color));
    }
    builder.build().as_ref().map_or(0, Board::hash)
}

fn king(color: Color, square: Square) -> u64 {
    // The enemy's king stands in a corner that is far away, and counts as if it were always in the same one.
    let [near, far] = [Square::A1, Square::H8];
    let at = |own, enemy| hash(color, &kings(color, own, enemy));
    if square.file() as usize + square.rank() as usize >= 7 {
        at(square, near)
    } else {
        at(square, far) ^ at(Square::D5, far) ^ at(Square::D5, near)
    }
}

fn other(color: Color, piece: Piece, square: Square) -> u64 {
    let in_the_way = matches!(square, Square::A1 | Square::H8);
    let [a, b] = if in_the_way { [Square::H1, Square::A8] } else { [Square::A1, Square::H8] };
    let [first, second] = kings(color, a, b);
    // Whoever does not own the piece is to move, for it may give check.
    hash(!color, &[first, second, (square, piece, color)]) ^ hash(!color, &[first, second])
}

/// The hash after a legal move, unless it castles, loses a right to castle, or has to do with captures in passing.
#[inline]
pub(super) fn likely_hash(board: &Board, mv: Move, kind: usize, taken: Option<usize>) -> u64 {
    let keys = &*KEYS;
    let side = board.side_to_move();
    let [own, theirs] = [side, !side].map(|color| &keys.pieces[color as usize]);
    let arrived = mv.promotion.map_or(kind, |piece| piece as usize);
    let (from, to) = (mv.from as usize, mv.to as usize);
    let hash = board.hash_without_ep() ^ keys.turn;
    let moved = own[kind % KINDS][from] ^ own[arrived % KINDS][to];
    hash ^ moved ^ taken.map_or(0, |taken| theirs[taken % KINDS][to])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::chess::Chess;

    #[test]
    fn most_moves_lead_where_they_are_expected_to() {
        let (mut right, mut all) = (0, 0);
        let mut seed = 1_u64;
        for _ in 0..40 {
            let mut position = Chess::start();
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                for &mv in &moves {
                    let mut child = position.clone();
                    child.play(mv);
                    let (kind, taken) = (position.moved_kind(mv), position.taken_kind(mv));
                    let expected = Some(child.hash()) == position.likely_hash(mv, kind, taken);
                    let rights =
                        |board: &Board| Color::ALL.map(|color| *board.castle_rights(color));
                    let plain = rights(&child.board) == rights(&position.board)
                        && child.board.en_passant().is_none()
                        && !position.is_en_passant(mv);
                    assert!(expected || !plain, "{} {mv}", position.to_fen());
                    (right, all) = (right + usize::from(expected), all + 1);
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(right * 100 > all * 95, "{right} of {all}");
    }
}
