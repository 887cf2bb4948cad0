//! Slider attacks: bishop and rook attacks by arithmetic.
//!
//! `cozy_chess` looks them up in a table of 860 KB. A search computes them a handful of times per
//! position, next to a network and histories that compete for the caches. A few more instructions
//! and a table of a few hundred bytes are faster than a cache miss.

use cozy_chess::{BitBoard, Square};

/// The squares of the lines through a square, without that square.
#[derive(Clone, Copy)]
struct Lines {
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

static LINES: [Lines; Square::NUM] = {
    let mut lines = [Lines { file: 0, diagonal: 0, antidiagonal: 0 }; Square::NUM];
    let mut square = 0;
    while square < Square::NUM {
        let line = &mut lines[square];
        let mut other = 0;
        while other < Square::NUM {
            let (file, rank) = (square as i32 % 8, square as i32 / 8);
            let (across, up) = (other as i32 % 8 - file, other as i32 / 8 - rank);
            if other != square {
                let bit = 1 << other;
                if across == 0 {
                    line.file |= bit;
                } else if across == up {
                    line.diagonal |= bit;
                } else if across == -up {
                    line.antidiagonal |= bit;
                }
            }
            other += 1;
        }
        square += 1;
    }
    lines
};

/// Rook attacks on a rank, by the file of the rook and the occupancy of the six inner files.
static RANKS: [[u8; 64]; 8] = {
    let mut ranks = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u8) << 1;
            let mut reach = 0;
            let mut to = file;
            while to < 7 {
                to += 1;
                reach |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            to = file;
            while to > 0 {
                to -= 1;
                reach |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            ranks[file][inner] = reach;
            inner += 1;
        }
        file += 1;
    }
    ranks
};

/// Attacks along a line that has one square on each rank, by the o^(o−2r) trick: subtracting twice
/// the slider's bit from the occupancy borrows from the first blocker beyond it. With reversed
/// ranks, the same subtraction gives the other direction.
#[inline]
fn along(line: u64, bit: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.swap_bytes().wrapping_sub(bit.swap_bytes() << 1);
    (up ^ down.swap_bytes()) & line
}

/// The squares that a bishop attacks, including the first blocker in each direction.
#[inline]
pub(super) fn bishop_moves(from: Square, occupied: BitBoard) -> BitBoard {
    let (lines, bit) = (&LINES[from as usize], from.bitboard().0);
    BitBoard(along(lines.diagonal, bit, occupied.0) | along(lines.antidiagonal, bit, occupied.0))
}

/// The squares that a rook attacks, including the first blocker in each direction.
#[inline]
pub(super) fn rook_moves(from: Square, occupied: BitBoard) -> BitBoard {
    let (lines, bit) = (&LINES[from as usize], from.bitboard().0);
    let start = from as usize / 8 * 8;
    let inner = (occupied.0 >> start >> 1) as usize % 64;
    let rank = u64::from(RANKS[from as usize % 8][inner]) << start;
    BitBoard(along(lines.file, bit, occupied.0) | rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn they_go_where_cozy_chess_lets_them_go() {
        let mut random = Random::new(3);
        for round in 0..2000 {
            // Occupancies range from nearly full to nearly empty.
            let mut bits =
                || (0..4).fold(0_u64, |bits, _| bits << 16 | random.below(1 << 16) as u64);
            let occupied = (0..round % 6).fold(bits(), |occupied, _| occupied & bits());
            let occupied = BitBoard(if round % 7 == 0 { !occupied } else { occupied });
            for from in Square::ALL {
                assert_eq!(
                    bishop_moves(from, occupied),
                    cozy_chess::get_bishop_moves(from, occupied)
                );
                assert_eq!(rook_moves(from, occupied), cozy_chess::get_rook_moves(from, occupied));
            }
        }
    }
}
