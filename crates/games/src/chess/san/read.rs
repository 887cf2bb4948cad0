//! SAN parser: accepts what we write, common variants (`0-0`, `e8Q`, `Ng1-f3`), and UCI notation.

use cozy_chess::{BitBoard, File, Move, Piece, Rank, Square};

use crate::chess::{Board, Chess};
use crate::{Game, MoveError};

/// Parses a legal move in SAN or UCI notation.
pub(in crate::chess) fn read(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let wanted = Wanted::parse(bare);
    let castling = castling(position.board(), bare);
    let is_move = castling.is_some() || wanted.is_some();
    let found = castling.or_else(|| wanted.map(|wanted| wanted.find(position.board())));
    match found {
        Some(Matches::One(mv)) => Ok(mv),
        Some(Matches::Several) => Err(MoveError::ambiguous(text, position.to_fen())),
        // UCI notation looks like a SAN pawn move with its origin square.
        Some(Matches::Nothing) | None => position.parse_move(bare).map_err(|fault| {
            if is_move { MoveError::illegal(text, position.to_fen()) } else { fault }
        }),
    }
}

enum Matches {
    One(Move),
    Several,
    Nothing,
}

/// Parses castling in any spelling; `None` if the text is not castling.
fn castling(board: &Board, text: &str) -> Option<Matches> {
    let side = board.side_to_move();
    let rights = board.castle_rights(side);
    let rook = match text {
        "O-O" | "0-0" | "o-o" => rights.short,
        "O-O-O" | "0-0-0" | "o-o-o" => rights.long,
        _ => return None,
    };
    let mv = rook.map(|file| Move {
        from: board.king(side),
        to: Square::new(file, Rank::First.relative_to(side)),
        promotion: None,
    });
    Some(mv.filter(|&mv| board.is_legal(mv)).map_or(Matches::Nothing, Matches::One))
}

/// The parts of a move that the text specifies.
struct Wanted {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Wanted {
    fn parse(text: &str) -> Option<Self> {
        let mut letters = text.as_bytes();
        let mut piece = Piece::Pawn;
        if let [first, rest @ ..] = letters
            && let Some(named) = piece_named(*first)
        {
            piece = named;
            letters = rest;
        }
        let mut promotion = None;
        // e8=Q, e8Q, e8(Q), e8/Q
        let inner = letters.strip_suffix(b")").unwrap_or(letters);
        if let [rest @ .., last] = inner
            && let Some(named) = piece_named(*last)
        {
            promotion = Some(named);
            letters = rest.strip_suffix(b"=").or_else(|| rest.strip_suffix(b"(")).unwrap_or(rest);
            letters = letters.strip_suffix(b"/").unwrap_or(letters);
        }
        let [from @ .., file, rank] = letters else { return None };
        let to = Square::new(file_named(*file)?, rank_named(*rank)?);
        let from = from.strip_suffix(b"x").or_else(|| from.strip_suffix(b"-")).unwrap_or(from);
        let (file, rank) = match *from {
            [] => (None, None),
            [file, rank] => (Some(file_named(file)?), Some(rank_named(rank)?)),
            [one] => (file_named(one), rank_named(one)),
            _ => return None,
        };
        // A single letter that is neither a file nor a rank is invalid.
        if from.len() == 1 && file.is_none() && rank.is_none() {
            return None;
        }
        Some(Self { piece, file, rank, to, promotion })
    }

    fn find(&self, board: &Board) -> Matches {
        let side = board.side_to_move();
        let files = self.file.map_or(BitBoard::FULL, File::bitboard);
        let ranks = self.rank.map_or(BitBoard::FULL, Rank::bitboard);
        let from = board.colored_pieces(side, self.piece) & files & ranks;
        let mut found = Matches::Nothing;
        // Castling is encoded as king takes rook, but `Kh1` does not mean castling.
        if board.colors(side).has(self.to) {
            return found;
        }
        for from in from {
            let mv = Move { from, to: self.to, promotion: self.promotion };
            if board.is_legal(mv) {
                found = match found {
                    Matches::Nothing => Matches::One(mv),
                    _ => Matches::Several,
                };
            }
        }
        found
    }
}

/// Piece letters are upper case: a `b` is a file.
fn piece_named(letter: u8) -> Option<Piece> {
    Some(match letter {
        b'P' => Piece::Pawn,
        b'N' => Piece::Knight,
        b'B' => Piece::Bishop,
        b'R' => Piece::Rook,
        b'Q' => Piece::Queen,
        b'K' => Piece::King,
        _ => return None,
    })
}

fn file_named(letter: u8) -> Option<File> {
    File::try_index(usize::from(letter.wrapping_sub(b'a')))
}

fn rank_named(letter: u8) -> Option<Rank> {
    Rank::try_index(usize::from(letter.wrapping_sub(b'1')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn uci(fen: &str, san: &str) -> Option<String> {
        let position = Chess::from_fen(fen).expect(fen);
        read(&position, san).ok().map(|mv| position.move_text(mv))
    }

    #[test]
    fn moves_of_every_kind() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const KIWIPETE: &str =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        const KNIGHTS: &str = "4k3/8/8/8/1N3N2/8/8/1N2K3 w - - 0 1";
        const PROMOTE: &str = "3n3k/2P5/8/8/8/8/8/K7 w - - 0 1";
        const PASSING: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        for (fen, san, expected) in [
            (START, "e4", Some("e2e4")),
            (START, "Nf3!?", Some("g1f3")),
            (START, "Pe4", Some("e2e4")),
            (START, "e2e4", Some("e2e4")),
            (START, "e2-e4", Some("e2e4")),
            (START, "Ng1-f3", Some("g1f3")),
            (START, "e5", None),
            (START, "Nf6", None),
            (START, "O-O", None),
            (START, "Kd1", None),
            (START, "--", None),
            (START, "Z0", None),
            (START, "", None),
            (START, "x", None),
            (START, "éé", None),
            (KIWIPETE, "O-O", Some("e1g1")),
            (KIWIPETE, "0-0-0+", Some("e1c1")),
            (KIWIPETE, "Kh1", None),
            (KIWIPETE, "Nxg6", Some("e5g6")),
            (KIWIPETE, "dxe6", Some("d5e6")),
            (KIWIPETE, "Qxf6#", Some("f3f6")),
            (KNIGHTS, "Nd5", None),
            (KNIGHTS, "Nbd5", Some("b4d5")),
            (KNIGHTS, "Nfd5", Some("f4d5")),
            (KNIGHTS, "N1c3", Some("b1c3")),
            (KNIGHTS, "N4a2", Some("b4a2")),
            (KNIGHTS, "Na2", Some("b4a2")),
            (PROMOTE, "c8=Q", Some("c7c8q")),
            (PROMOTE, "c8N", Some("c7c8n")),
            (PROMOTE, "cxd8=R+", Some("c7d8r")),
            (PROMOTE, "cxd8(B)", Some("c7d8b")),
            (PROMOTE, "c8", None),
            (PROMOTE, "c8=K", None),
            (PASSING, "exd6", Some("e5d6")),
        ] {
            assert_eq!(uci(fen, san).as_deref(), expected, "{san} in {fen}");
        }
    }

    /// SAN with full disambiguation: origin square and target square.
    fn long(position: &Chess, mv: Move) -> String {
        let board = position.board();
        if board.colors(board.side_to_move()).has(mv.to) {
            return if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" }.to_owned();
        }
        let piece = board.piece_on(mv.from).expect("a piece moves");
        let letter = char::from(piece).to_ascii_uppercase();
        let promotion = mv.promotion.map(|piece| char::from(piece).to_ascii_uppercase());
        let promotion = promotion.map_or(String::new(), |letter| format!("={letter}"));
        format!("{letter}{}{}{promotion}", mv.from, mv.to)
    }

    #[test]
    fn every_legal_move_is_read_back_along_random_games() {
        let mut random = Random::new(7);
        for game in 0..30 {
            let mut position = Chess::chess960_start(if game % 2 == 0 { 518 } else { game * 31 })
                .expect("below 960");
            for _ in 0..60 {
                let moves = position.legal_moves();
                for &mv in &moves {
                    let text = long(&position, mv);
                    assert_eq!(read(&position, &text), Ok(mv), "{text} in {}", position.to_fen());
                }
                let Some(&mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }
}
