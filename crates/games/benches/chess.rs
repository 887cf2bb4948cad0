//! Chess benchmark: perft of [`Chess`] against cozy-chess, and the cost of feature changes.
//!
//! Perft plays every leaf in both implementations, in alternating rounds, so that both run under
//! the same conditions. The target is a ratio of at most 1.10.
#![expect(clippy::print_stdout, reason = "a bench reports on standard output")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cozy_chess::Board;
use games::chess::Chess;
use games::{BoardGame, Changes, Color, Game, Update, perft};

/// Position, depth and number of leaves, as in `tests/data/chess.perft`.
const PERFT: [(&str, u32, u64); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
];
const ROUNDS: usize = 11;

fn bare_perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += bare_perft(&child, depth - 1);
        }
        false
    });
    nodes
}

fn timed(expected: u64, count: impl FnOnce() -> u64) -> Duration {
    let begin = Instant::now();
    let nodes = count();
    let time = begin.elapsed();
    assert_eq!(nodes, expected);
    time
}

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    values[values.len() / 2]
}

fn bench_perft() {
    for (fen, depth, leaves) in PERFT {
        let position = Chess::from_fen(fen).expect("a position");
        let board = position.board().to_builder().build().expect("a legal board");
        let rounds: Vec<_> = (0..ROUNDS)
            .map(|_| {
                let bare = timed(leaves, || bare_perft(black_box(&board), depth));
                let ours = timed(leaves, || perft(black_box(&position), depth));
                (bare.as_secs_f64(), ours.as_secs_f64())
            })
            .collect();
        let ratio = median(rounds.iter().map(|(bare, ours)| ours / bare).collect());
        let speed = |time: f64| leaves as f64 / time / 1e6;
        let bare = speed(median(rounds.iter().map(|&(bare, _)| bare).collect()));
        let ours = speed(median(rounds.iter().map(|&(_, ours)| ours).collect()));
        println!(
            "perft {depth}: bare {bare:.1} Mn/s, games {ours:.1} Mn/s, time ratio {ratio:.3}  {fen}"
        );
    }
}

/// Every legal move of some positions, each with the position before and after.
fn moves() -> Vec<(Chess, Chess)> {
    let mut pairs = Vec::new();
    for (fen, ..) in PERFT {
        let before = Chess::from_fen(fen).expect("a position");
        before.for_each_move(|mv| {
            let mut after = before.clone();
            after.play(mv);
            pairs.push((before.clone(), after));
        });
    }
    pairs
}

fn bench_changes() {
    let pairs = moves();
    let bucketed = "chess.piece-square-mirrored:0123/4455/6666/6666/7777/7777/7777/7777";
    for name in Chess::feature_set_names().into_iter().chain([bucketed.to_owned()]) {
        let set = Chess::feature_set(&name).expect("a listed set");
        let mut changes = Changes::default();
        let rounds = (0..20 * ROUNDS).map(|_| {
            const REPEATS: usize = 200;
            let begin = Instant::now();
            let mut incremental = 0_usize;
            for _ in 0..REPEATS {
                for (before, after) in black_box(&pairs) {
                    for perspective in Color::BOTH {
                        let update = set.changes(before, after, perspective, &mut changes);
                        incremental += usize::from(update == Update::Changes);
                    }
                }
            }
            let calls = REPEATS * pairs.len() * 2;
            assert!(black_box(incremental) > calls / 2);
            begin.elapsed().as_secs_f64() * 1e9 / calls as f64
        });
        // The fastest round is the least disturbed by other programs.
        let best = rounds.fold(f64::INFINITY, f64::min);
        println!("changes: {best:5.1} ns a view  {name}");
    }
}

fn main() {
    bench_perft();
    bench_changes();
}
