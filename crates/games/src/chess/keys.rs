//! Zobrist keys of chess: one random number for each part of a position that the hash
//! distinguishes.

use cozy_chess::{Color, File, Piece, Square};

/// The Zobrist keys.
pub(super) struct Keys {
    /// A piece of a colour on a square.
    pub(super) pieces: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM],
    /// The right of a colour to castle with the rook on a file.
    pub(super) castling: [[u64; File::NUM]; Color::NUM],
    /// An en-passant capture on a file.
    pub(super) en_passant: [u64; File::NUM],
    /// Black is to move.
    pub(super) turn: u64,
}

pub(super) static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Self {
        let mut random = Random(0);
        let mut keys = Self {
            pieces: [[[0; Square::NUM]; Piece::NUM]; Color::NUM],
            castling: [[0; File::NUM]; Color::NUM],
            en_passant: [0; File::NUM],
            turn: random.next(),
        };
        let mut color = 0;
        while color < Color::NUM {
            let mut piece = 0;
            while piece < Piece::NUM {
                random.fill(&mut keys.pieces[color][piece]);
                piece += 1;
            }
            random.fill(&mut keys.castling[color]);
            color += 1;
        }
        random.fill(&mut keys.en_passant);
        keys
    }
}

/// Splitmix64.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    const fn fill(&mut self, numbers: &mut [u64]) {
        let mut place = 0;
        while place < numbers.len() {
            numbers[place] = self.next();
            place += 1;
        }
    }
}
