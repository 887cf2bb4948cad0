//! Bitboards of chess: [`Board`] updates pieces, hashes and checkers incrementally for the search.
//!
//! `cozy_chess` provides the types, the tables of piece attacks and the check that a setup is
//! legal; the tests compare against it. Make move is our own, because every node of a search then
//! reads the same values: the hash, the correction-history keys, and the checkers. Here one Zobrist
//! key per piece serves all hashes. The kind of the moving piece is computed by arithmetic instead
//! of a search through six bitboards, whose branches are unpredictable.

mod legal;
mod play;

use cozy_chess::{
    BitBoard, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square, get_between_rays,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_rays,
};

use super::en_passant_square;
use super::keys::KEYS;
use super::kinds::Kinds;
use super::sliders::{bishop_moves, rook_moves};

/// A board with side to move, castling rights and clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    /// The rooks that still have castling rights.
    castling: BitBoard,
    /// The enemy pieces that give check to the side to move.
    checkers: BitBoard,
    /// Zobrist hash without en-passant captures.
    hash: u64,
    /// Correction-history keys: the parts of the hash for pawns, for White's other pieces and for
    /// Black's other pieces. The lower 32 bits suffice.
    correction_keys: [u32; 3],
    side: Color,
    /// The file of a pawn that has just made a double step.
    en_passant: Option<File>,
    halfmove_clock: u8,
    fullmove_number: u16,
}

impl Default for Board {
    fn default() -> Self {
        Self::from(&cozy_chess::Board::default())
    }
}

impl From<&cozy_chess::Board> for Board {
    fn from(board: &cozy_chess::Board) -> Self {
        let mut own = Self {
            pieces: [BitBoard::EMPTY; Piece::NUM],
            colors: [BitBoard::EMPTY; Color::NUM],
            castling: BitBoard::EMPTY,
            checkers: board.checkers(),
            hash: 0,
            correction_keys: [0; 3],
            side: board.side_to_move(),
            en_passant: board.en_passant(),
            halfmove_clock: board.halfmove_clock(),
            fullmove_number: board.fullmove_number(),
        };
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    own.toggle(color, piece as usize, square);
                }
            }
            let CastleRights { short, long } = *board.castle_rights(color);
            for rook in [short, long].into_iter().flatten() {
                own.toggle_right(Square::new(rook, Rank::First.relative_to(color)));
            }
        }
        if own.side == Color::Black {
            own.hash ^= KEYS.turn;
        }
        own
    }
}

impl Board {
    /// The pieces of a kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The pieces of a colour.
    #[inline]
    pub fn colors(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    /// The pieces of a kind and a colour.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces(piece) & self.colors(color)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The square of a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Every board has a king of each colour, so the fallback is never used.
        self.colored_pieces(color, Piece::King).next_square().unwrap_or(Square::A1)
    }

    /// The kind of the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.occupied().has(square).then(|| Kinds::of(self).piece_on(square))
    }

    /// The colour of the piece on a square.
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.colors(color).has(square))
    }

    /// The files of the rooks that a king has castling rights with.
    pub fn castle_rights(&self, color: Color) -> CastleRights {
        let king = self.king(color).file();
        let rooks = self.castling & self.colors(color);
        let find = |wanted: fn(File, File) -> bool| {
            rooks.iter().map(Square::file).find(|&rook| wanted(rook, king))
        };
        CastleRights { short: find(|rook, king| rook > king), long: find(|rook, king| rook < king) }
    }

    /// The file on which a pawn has just made a double step.
    #[inline]
    pub fn en_passant(&self) -> Option<File> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move, 100 at most.
    #[inline]
    pub fn halfmove_clock(&self) -> u8 {
        self.halfmove_clock
    }

    /// The number of the move; it increments after Black's move.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> BitBoard {
        self.checkers
    }

    /// The board as a builder of `cozy_chess`.
    pub fn to_builder(&self) -> BoardBuilder {
        let mut builder = BoardBuilder::empty();
        for square in self.occupied() {
            *builder.square_mut(square) = self.piece_on(square).zip(self.color_on(square));
        }
        for color in Color::ALL {
            *builder.castle_rights_mut(color) = self.castle_rights(color);
        }
        builder.side_to_move = self.side;
        builder.en_passant = self.en_passant.map(|file| en_passant_square(file, self.side));
        builder.halfmove_clock = self.halfmove_clock;
        builder.fullmove_number = self.fullmove_number;
        builder
    }

    /// The Zobrist hash without en-passant captures.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The correction-history keys: pawns, White's other pieces, Black's other pieces.
    #[inline]
    pub(super) fn correction_keys(&self) -> [u32; 3] {
        self.correction_keys
    }

    /// The pieces of both sides that attack a square, with `occupied` as the blockers.
    #[inline]
    pub(super) fn attackers(&self, to: Square, occupied: BitBoard) -> BitBoard {
        let queens = self.pieces(Piece::Queen);
        let pawns = get_pawn_attacks(to, Color::White) & self.colors(Color::Black)
            | get_pawn_attacks(to, Color::Black) & self.colors(Color::White);
        pawns & self.pieces(Piece::Pawn)
            | get_knight_moves(to) & self.pieces(Piece::Knight)
            | bishop_moves(to, occupied) & (self.pieces(Piece::Bishop) | queens)
            | rook_moves(to, occupied) & (self.pieces(Piece::Rook) | queens)
            | get_king_moves(to) & self.pieces(Piece::King)
    }

    /// The pieces of the side not to move that attack a square, without its king.
    #[inline]
    fn enemies_attacking(&self, to: Square) -> BitBoard {
        let occupied = self.occupied();
        let queens = self.pieces(Piece::Queen);
        let attackers = get_pawn_attacks(to, self.side) & self.pieces(Piece::Pawn)
            | get_knight_moves(to) & self.pieces(Piece::Knight)
            | bishop_moves(to, occupied) & (self.pieces(Piece::Bishop) | queens)
            | rook_moves(to, occupied) & (self.pieces(Piece::Rook) | queens);
        attackers & self.colors(!self.side)
    }

    /// The pieces that are the only blocker between the king of the side to move and an enemy
    /// slider. Includes enemy pieces.
    #[inline]
    pub(super) fn pinned(&self) -> BitBoard {
        let king = self.king(self.side);
        let queens = self.pieces(Piece::Queen);
        let sliders = get_bishop_rays(king) & (self.pieces(Piece::Bishop) | queens)
            | get_rook_rays(king) & (self.pieces(Piece::Rook) | queens);
        let occupied = self.occupied();
        let mut pinned = BitBoard::EMPTY;
        for slider in sliders & self.colors(!self.side) {
            let between = get_between_rays(slider, king) & occupied;
            if between.0 & between.0.wrapping_sub(1) == 0 {
                pinned |= between;
            }
        }
        pinned
    }
}

#[cfg(test)]
mod tests;
