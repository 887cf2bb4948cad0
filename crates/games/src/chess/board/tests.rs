use cozy_chess::{Move, Piece, Square};

use super::*;
use crate::Random;

/// The same board in `cozy_chess`.
fn cozy(board: &Board) -> cozy_chess::Board {
    board.to_builder().build().expect("a legal board")
}

fn moves_of_cozy(board: &cozy_chess::Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

fn every_move() -> impl Iterator<Item = Move> {
    let promotions = [None].into_iter().chain(Piece::ALL.map(Some));
    let pairs = Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to)));
    pairs.flat_map(move |(from, to)| {
        promotions.clone().map(move |promotion| Move { from, to, promotion })
    })
}

/// Boards of random games from the standard start and Chess960 starts, each with its `cozy_chess`
/// equivalent.
fn random_play(games: u32, mut visit: impl FnMut(&Board, &cozy_chess::Board)) {
    let mut random = Random::new(11);
    for game in 0..games {
        let mut theirs = if game % 2 == 0 {
            cozy_chess::Board::default()
        } else {
            cozy_chess::Board::chess960_startpos(random.below(960) as u32)
        };
        let mut ours = Board::from(&theirs);
        for _ in 0..200 {
            visit(&ours, &theirs);
            let moves = moves_of_cozy(&theirs);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            theirs.play_unchecked(mv);
            ours.play(mv);
        }
    }
}

#[test]
fn it_stays_what_is_set_up_anew() {
    random_play(300, |ours, theirs| {
        assert_eq!(*ours, Board::from(theirs), "{theirs}");
        assert_eq!(cozy(ours), *theirs);
        assert_eq!(ours.checkers(), theirs.checkers(), "{theirs}");
        assert_eq!(ours.pinned(), theirs.pinned(), "{theirs}");
        let passed = theirs.null_move().as_ref().map(Board::from);
        assert_eq!(ours.null_move(), passed, "{theirs}");
    });
}

#[test]
fn the_same_moves_are_legal() {
    random_play(60, |ours, theirs| {
        let mut made = Vec::new();
        super::super::generate::all(ours, |mv| made.push(mv));
        // The order must match too, so that random games stay reproducible.
        assert_eq!(made, moves_of_cozy(theirs), "{theirs}");
    });
    // Tests every encodable move, in fewer positions.
    let mut count = 0;
    random_play(30, |ours, theirs| {
        count += 1;
        if count % 23 == 0 {
            for mv in every_move() {
                assert_eq!(ours.is_legal(mv), theirs.is_legal(mv), "{mv} {theirs}");
            }
        }
    });
}

#[test]
fn aspects_are_parts_of_the_hash() {
    random_play(20, |ours, _| {
        let rights = ours.castling.iter().fold(0, |sum, rook| {
            let color = ours.color_on(rook).expect("a rook stands there");
            sum ^ KEYS.castling[color as usize][rook.file() as usize]
        });
        let turn = if ours.side_to_move() == Color::Black { KEYS.turn } else { 0 };
        let pieces = ours.correction_keys().into_iter().fold(0, |sum, part| sum ^ part);
        assert_eq!(pieces, (ours.hash() ^ rights ^ turn) as u32);
    });
}
