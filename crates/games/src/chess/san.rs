//! Standard algebraic notation (SAN): writes and reads moves of chess as in PGN.

mod read;

use cozy_chess::{Move, Piece};

use super::Chess;
use crate::{Game, SearchGame};

pub(super) use read::read;

/// Writes a legal move in SAN.
pub(super) fn write(position: &Chess, mv: Move) -> String {
    let board = position.board();
    let mut after = position.clone();
    after.play(mv);
    let suffix = match (after.is_check(), after.has_moves()) {
        (true, false) => "#",
        (true, true) => "+",
        _ => "",
    };
    // Castling is encoded as king takes rook.
    if board.colors(board.side_to_move()).has(mv.to) {
        let castling = if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" };
        return format!("{castling}{suffix}");
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let takes = if position.capture(mv).is_some() { "x" } else { "" };
    let (name, from) = if piece == Piece::Pawn {
        let file = mv.from.file().to_string();
        (String::new(), if takes.is_empty() { String::new() } else { file })
    } else {
        (letter(piece), origin(position, piece, mv))
    };
    let promotion = mv.promotion.map_or_else(String::new, |piece| format!("={}", letter(piece)));
    format!("{name}{from}{takes}{}{promotion}{suffix}", mv.to)
}

fn letter(piece: Piece) -> String {
    char::from(piece).to_ascii_uppercase().to_string()
}

/// The shortest disambiguation of the origin square: nothing, its file, its rank or both.
fn origin(position: &Chess, piece: Piece, mv: Move) -> String {
    let board = position.board();
    let mut rivals = Vec::new();
    position.for_each_move(|other| {
        let same = other.to == mv.to && board.piece_on(other.from) == Some(piece);
        let castles = board.colors(board.side_to_move()).has(other.to);
        if same && !castles && other.from != mv.from {
            rivals.push(other.from);
        }
    });
    let (file, rank) = (mv.from.file(), mv.from.rank());
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != file) {
        file.to_string()
    } else if rivals.iter().all(|rival| rival.rank() != rank) {
        rank.to_string()
    } else {
        mv.from.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_every_kind() {
        for (fen, uci, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
            ("3n3k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8q", "cxd8=Q+"),
            ("4k3/8/8/8/1N3N2/8/8/1N2K3 w - - 0 1", "b4d5", "Nbd5"),
            ("4k3/8/8/8/1N3N2/8/8/1N2K3 w - - 0 1", "b1c3", "Nc3"),
            ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
            ("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
            // The other knight is pinned.
            ("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1", "b1c3", "Nc3"),
        ] {
            let position = Chess::from_fen(fen).unwrap();
            let mv = position.parse_move(uci).unwrap();
            assert_eq!(write(&position, mv), expected, "{fen}");
        }
    }
}
