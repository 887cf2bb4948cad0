//! Castling: the castling field of FEN, and the target squares of king and rook.

use cozy_chess::{BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square};

use super::Board;
use super::validate::name;
use crate::FenError;

const FIELD: &str = "castling";

/// Parses the castling field into `builder`, which already holds the pieces, with one king per
/// side.
///
/// `K` and `Q` mean the outermost rook on that side of the king (X-FEN), which in standard chess is
/// the rook on h1 or a1. `A` to `H` name the rook's file (Shredder-FEN). Lower case means Black.
pub(super) fn parse(field: &str, builder: &mut BoardBuilder) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    for letter in field.chars() {
        let upper = letter.to_ascii_uppercase();
        if !matches!(upper, 'K' | 'Q' | 'A'..='H') {
            let fault = format!("`{letter}` is not one of `KQkq`, `A`–`H`, `a`–`h`, or `-` alone");
            return Err(FenError::field(FIELD, field, fault));
        }
        let color = if letter == upper { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let holds = |file, piece| builder.square(Square::new(file, rank)) == Some((piece, color));
        let refuse = |fault| {
            FenError::illegal(format!("castling right `{letter}`: {} has no {fault}", name(color)))
        };
        let king = File::ALL.into_iter().find(|&file| holds(file, Piece::King));
        let king = king.ok_or_else(|| refuse("king on its back rank"))?;
        let mut rooks = File::ALL.into_iter().filter(|&file| holds(file, Piece::Rook));
        let rook = match upper {
            'K' => rooks.rfind(|&file| file > king),
            'Q' => rooks.find(|&file| file < king),
            file => rooks.find(|&rook| rook as u8 == file as u8 - b'A'),
        };
        let rook = rook.ok_or_else(|| refuse("rook there"))?;
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            let fault = format!("`{letter}` is the second right of that side");
            return Err(FenError::field(FIELD, field, fault));
        }
    }
    Ok(())
}

/// The castling field of a board in X-FEN: `KQkq` if the rook is the outermost one on its side,
/// otherwise the letter of its file.
pub(super) fn write(board: &Board) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let rank = Rank::First.relative_to(color);
        let rooks = board.colored_pieces(color, Piece::Rook) & rank.bitboard();
        let CastleRights { short, long } = board.castle_rights(color);
        let outer = |rook: File, beyond: fn(File, File) -> bool| {
            !rooks.iter().any(|other| beyond(other.file(), rook))
        };
        let rights = [
            ('K', short, short.is_some_and(|rook| outer(rook, |other, rook| other > rook))),
            ('Q', long, long.is_some_and(|rook| outer(rook, |other, rook| other < rook))),
        ];
        for (letter, rook, outermost) in rights {
            let Some(rook) = rook else { continue };
            let letter = if outermost { letter } else { (b'A' + rook as u8) as char };
            text.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Whether every castling right exists in standard chess: king on the e-file, rook in the corner.
pub(super) fn is_standard(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let rights = board.castle_rights(color);
        let none = rights == CastleRights::EMPTY;
        none || board.king(color).file() == File::E
            && rights.short.is_none_or(|rook| rook == File::H)
            && rights.long.is_none_or(|rook| rook == File::A)
    })
}

/// The target squares of king and rook when castling.
pub(super) fn targets(mv: Move) -> [Square; 2] {
    let files = if mv.from.file() < mv.to.file() { [File::G, File::F] } else { [File::C, File::D] };
    files.map(|file| Square::new(file, mv.from.rank()))
}

/// The square that the king lands on in standard castling (g1, c1). Internally, castling is encoded
/// as king takes rook. Returns `None` for all other moves, and for castling that standard chess
/// does not have: its king squares could be mistaken for a king step.
pub(super) fn standard_target(board: &Board, mv: Move) -> Option<Square> {
    let color = board.side_to_move();
    let castles = mv.from == board.king(color) && board.colors(color).has(mv.to);
    let standard = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    (castles && standard).then(|| {
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        Square::new(file, Rank::First.relative_to(color))
    })
}
