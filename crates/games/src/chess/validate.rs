//! Position validation: the one definition of a playable position of chess.
//!
//! It rejects what cannot be played or would make the move generator return nonsense. It does not
//! prove that the position is reachable: two queens beside eight pawns are accepted, and so is a
//! halfmove clock that a double step should have reset.

use cozy_chess::{
    BitBoard, BoardBuilder, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::FenError;

/// Returns the first fault of a position, if it has one.
pub(super) fn validate(builder: &BoardBuilder) -> Result<(), FenError> {
    let placement = Placement::new(builder);
    placement.check_counts()?;
    placement.check_attacks(builder.side_to_move)?;
    for color in Color::ALL {
        placement.check_castling(builder, color)?;
    }
    if let Some(square) = builder.en_passant {
        placement.check_en_passant(square, builder.side_to_move)?;
    }
    if builder.halfmove_clock > 100 {
        return illegal(format!("halfmove clock {}; it ends at 100", builder.halfmove_clock));
    }
    if builder.fullmove_number == 0 {
        return illegal("fullmove number 0; moves are counted from 1");
    }
    Ok(())
}

/// Returns the first fault in the number and placement of pieces. Castling rights are only
/// meaningful after this check.
pub(super) fn validate_counts(builder: &BoardBuilder) -> Result<(), FenError> {
    Placement::new(builder).check_counts()
}

/// The name of a colour, for error messages.
pub(super) fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn illegal(fault: impl Into<String>) -> Result<(), FenError> {
    Err(FenError::illegal(fault))
}

/// The pieces as bitboards. cozy-chess has them too, but only for boards that it accepts.
struct Placement {
    colors: [BitBoard; Color::NUM],
    pieces: [BitBoard; Piece::NUM],
}

impl Placement {
    fn new(builder: &BoardBuilder) -> Self {
        let mut placement =
            Self { colors: [BitBoard::EMPTY; Color::NUM], pieces: [BitBoard::EMPTY; Piece::NUM] };
        for square in Square::ALL {
            if let Some((piece, color)) = builder.square(square) {
                placement.colors[color as usize] |= square.bitboard();
                placement.pieces[piece as usize] |= square.bitboard();
            }
        }
        placement
    }

    fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors[color as usize] & self.pieces[piece as usize]
    }

    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The king. It exists once [`check_counts`](Self::check_counts) has passed.
    fn king(&self, color: Color) -> Square {
        self.of(color, Piece::King).next_square().unwrap_or(Square::A1)
    }

    fn check_counts(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let who = name(color);
            match self.of(color, Piece::King).len() {
                1 => {}
                0 => return illegal(format!("{who} has no king")),
                kings => return illegal(format!("{who} has {kings} kings")),
            }
            let pawns = self.of(color, Piece::Pawn);
            if pawns.len() > 8 {
                return illegal(format!("{who} has {} pawns; at most 8", pawns.len()));
            }
            let all = self.colors[color as usize].len();
            if all > 16 {
                return illegal(format!("{who} has {all} pieces; at most 16"));
            }
            let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
            if let Some(square) = (pawns & ends).next_square() {
                return illegal(format!("{who} has a pawn on {square}, where none can stand"));
            }
        }
        Ok(())
    }

    fn check_attacks(&self, side: Color) -> Result<(), FenError> {
        let king = self.king(side);
        if get_king_moves(king).has(self.king(!side)) {
            return illegal("the kings stand next to each other");
        }
        if !self.checkers(!side).is_empty() {
            let (who, other) = (name(side), name(!side));
            return illegal(format!("{other} is in check although it is {who}'s turn"));
        }
        let checkers = self.checkers(side).len();
        if checkers > 2 {
            return illegal(format!("{checkers} pieces give check; at most 2 can"));
        }
        Ok(())
    }

    /// The pieces that attack the king of `color`, without the other king.
    fn checkers(&self, color: Color) -> BitBoard {
        let king = self.king(color);
        let [_, knights, bishops, rooks, queens, _] = self.pieces;
        let attackers = (get_bishop_moves(king, self.occupied()) & (bishops | queens))
            | (get_rook_moves(king, self.occupied()) & (rooks | queens))
            | (get_knight_moves(king) & knights)
            | (get_pawn_attacks(king, color) & self.pieces[Piece::Pawn as usize]);
        attackers & self.colors[!color as usize]
    }

    fn check_castling(&self, builder: &BoardBuilder, color: Color) -> Result<(), FenError> {
        let rights = builder.castle_rights(color);
        let rank = Rank::First.relative_to(color);
        let king = self.king(color);
        for (rook, side) in [(rights.short, "right"), (rights.long, "left")] {
            let Some(file) = rook else { continue };
            let rook = Square::new(file, rank);
            let beyond = if side == "right" { file > king.file() } else { file < king.file() };
            let in_place = king.rank() == rank && self.of(color, Piece::Rook).has(rook) && beyond;
            if !in_place {
                return illegal(format!(
                    "castling needs {}'s king on its back rank and a rook to the {side} on {rook}",
                    name(color)
                ));
            }
        }
        Ok(())
    }

    /// Whether the previous move can have been a double step over `square`.
    fn check_en_passant(&self, square: Square, side: Color) -> Result<(), FenError> {
        let refuse = |fault: String| illegal(format!("en passant on {square}: {fault}"));
        let rank = Rank::Sixth.relative_to(side);
        if square.rank() != rank {
            let number = rank as usize + 1;
            return refuse(format!("with {} to move it must be on rank {number}", name(side)));
        }
        let pawn = Square::new(square.file(), Rank::Fifth.relative_to(side));
        let source = Square::new(square.file(), Rank::Seventh.relative_to(side));
        if !self.of(!side, Piece::Pawn).has(pawn) {
            return refuse(format!("no {} pawn on {pawn}", name(!side).to_lowercase()));
        }
        for empty in [square, source] {
            if self.occupied().has(empty) {
                return refuse(format!("{empty} is occupied, so no pawn just passed"));
            }
        }
        let king = self.king(side);
        for checker in self.checkers(side) {
            if checker != pawn && !get_between_rays(checker, king).has(source) {
                return refuse(format!("the check from {checker} cannot come from a double step"));
            }
        }
        Ok(())
    }
}
