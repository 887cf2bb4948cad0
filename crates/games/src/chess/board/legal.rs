//! Legality test: whether a single pseudo-legal move is legal.

use cozy_chess::{
    BitBoard, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_rays,
};

use super::Board;
use crate::chess::kinds::Kinds;
use crate::chess::sliders::{bishop_moves, rook_moves};
use crate::chess::{castling, en_passant_square};

impl Board {
    /// Whether a move is legal. Accepts any move, for example one from the transposition table.
    pub fn is_legal(&self, mv: Move) -> bool {
        let side = self.side;
        let own = self.colors(side);
        if !own.has(mv.from) {
            return false;
        }
        let piece = Kinds::of(self).piece_on(mv.from);
        if own.has(mv.to) {
            let castles = piece == Piece::King && self.castling.has(mv.to);
            return castles && mv.promotion.is_none() && self.can_castle(mv.to);
        }
        let promotes = piece == Piece::Pawn && mv.to.rank() == Rank::Eighth.relative_to(side);
        let becomes_right = match mv.promotion {
            None => !promotes,
            Some(promotion) => promotes && !matches!(promotion, Piece::Pawn | Piece::King),
        };
        let victims = self.colors(!self.side) | self.passed_square();
        becomes_right
            && self.reach(piece, mv.from, victims).has(mv.to)
            && self.leaves_king_safe(piece, mv)
    }

    /// The squares that a piece reaches, including those of the first blockers. Pawns capture only
    /// on `victims`.
    #[inline]
    pub(in crate::chess) fn reach(
        &self,
        piece: Piece,
        from: Square,
        victims: BitBoard,
    ) -> BitBoard {
        let occupied = self.occupied();
        match piece {
            Piece::Pawn => {
                get_pawn_attacks(from, self.side) & victims
                    | get_pawn_quiets(from, self.side, occupied)
            }
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => bishop_moves(from, occupied),
            Piece::Rook => rook_moves(from, occupied),
            Piece::Queen => bishop_moves(from, occupied) | rook_moves(from, occupied),
            Piece::King => get_king_moves(from),
        }
    }

    /// Whether the king is not attacked after a move. Does not handle castling.
    #[inline]
    pub(in crate::chess) fn leaves_king_safe(&self, piece: Piece, mv: Move) -> bool {
        let mut taken = mv.to.bitboard();
        if piece == Piece::Pawn && self.passed_square() == taken {
            taken = Square::new(mv.to.file(), mv.from.rank()).bitboard();
        } else if self.is_free(piece, mv.from) {
            return true;
        }
        let king = if piece == Piece::King { mv.to } else { self.king(self.side) };
        let occupied = (self.occupied() ^ mv.from.bitboard()) & !taken | mv.to.bitboard();
        (self.attackers(king, occupied) & self.colors(!self.side) & !taken).is_empty()
    }

    /// Whether a piece is certainly not pinned and needs no evasion: the side is not in check, and
    /// the piece is not on a line with its king.
    #[inline]
    fn is_free(&self, piece: Piece, from: Square) -> bool {
        let king = self.king(self.side);
        let lines = get_bishop_rays(king) | get_rook_rays(king);
        piece != Piece::King && self.checkers.is_empty() && !lines.has(from)
    }

    /// The target square of an en-passant capture by the side to move.
    #[inline]
    fn passed_square(&self) -> BitBoard {
        let passed = self.en_passant.map(|file| en_passant_square(file, self.side).bitboard());
        passed.unwrap_or(BitBoard::EMPTY)
    }

    /// Whether the king can legally castle with a rook that has castling rights.
    pub(in crate::chess) fn can_castle(&self, rook: Square) -> bool {
        let king = self.king(self.side);
        let [king_to, rook_to] = castling::targets(Move { from: king, to: rook, promotion: None });
        let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
        let way = get_between_rays(king, king_to) | king_to.bitboard();
        let empty = way | get_between_rays(king, rook) | rook_to.bitboard();
        // The rook may have blocked an attack on the king's target square.
        let after = others | rook_to.bitboard();
        let before = others | rook.bitboard();
        let enemies = self.colors(!self.side);
        let is_safe = |square: Square, occupied: BitBoard| {
            (self.attackers(square, occupied) & enemies).is_empty()
        };
        self.checkers.is_empty()
            && (others & empty).is_empty()
            && way.iter().all(|square| is_safe(square, before))
            && is_safe(king_to, after)
    }

    /// The rooks that the side to move has castling rights with.
    #[inline]
    pub(in crate::chess) fn castling_rooks(&self) -> BitBoard {
        self.castling & self.colors(self.side)
    }
}
