//! Mate scores: forced mates are found, and no shorter ones are claimed.

use games::chess::Chess;
use games::{Game, GameHistory, SearchGame};
use search::{Control, Engine, EngineOptions, Limits, Score};

const MATES: &str = include_str!("data/mates.txt");
/// How many plies deeper than the mate itself the search may have to go, for what it reduces on the
/// way.
const DEPTH_BEYOND: usize = 3;

fn mates() -> impl Iterator<Item = (u32, Chess)> {
    MATES.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (moves, fen) = line.split_once(' ').expect(line);
        (moves.parse().expect(line), Chess::from_fen(fen).expect(line))
    })
}

fn children(position: &Chess) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        child
    })
}

/// Whether the side to move mates within that many moves whatever the other does, by full search.
fn mates_within(position: &Chess, moves: u32) -> bool {
    moves > 0
        && children(position).any(|child| {
            let mated = !child.has_moves() && child.is_check();
            let must_fall =
                || child.has_moves() && children(&child).all(|next| mates_within(&next, moves - 1));
            mated || must_fall()
        })
}

#[test]
fn short_mates_are_as_long_as_said() {
    for (moves, position) in mates().filter(|(moves, _)| *moves <= 2) {
        assert!(mates_within(&position, moves), "{}", position.to_fen());
        assert!(!mates_within(&position, moves - 1), "{} is shorter", position.to_fen());
    }
}

#[test]
fn mates_are_found() {
    let options = EngineOptions { hash_mib: 4, ..EngineOptions::default() };
    let mut engine = Engine::<Chess>::new(options).unwrap();
    let (mut found, mut count) = (0, 0);
    let mut missed = Vec::new();
    for (moves, position) in mates() {
        engine.new_game();
        let depth = 2 * moves as usize + DEPTH_BEYOND;
        let limits = Limits { mate: Some(moves), ..Limits::to_depth(depth) };
        let line = GameHistory::new(position);
        let result = engine.go(&line, &limits, &Control::new(), &mut |_| {});
        count += 1;
        if result.score == Score::Mate(moves as i32) {
            found += 1;
        } else {
            missed.push((moves, line.position().to_fen(), result.score));
        }
        if let Score::Mate(claimed) = result.score {
            assert!(claimed >= moves as i32, "{}: {claimed}", line.position().to_fen());
        }
    }
    assert!(count >= 65 && 100 * found >= 95 * count, "{found} of {count}: {missed:#?}");
    let sacrifices = missed.iter().filter(|(_, fen, _)| fen.starts_with("kbK5/pp6/1P6/8/8/8/8/R7"));
    assert_eq!(sacrifices.count(), 0, "the classic rook sacrifice");
}
