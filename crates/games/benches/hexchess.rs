//! Hexchess benchmark: perft, and alternative board representations.
//!
//! Run with `cargo bench -p games --bench hexchess`. All candidates run in alternation within one
//! process; figures are medians over the rounds. Node counts and checksums are asserted, so no
//! candidate can be fast and wrong. `docs/log/hexchess-board.md` has the findings.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/hexchess_support/naive.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod naive;
#[path = "hexchess/pair.rs"]
mod pair;
#[path = "hexchess/sliders.rs"]
mod sliders;

use std::hint::black_box;
use std::time::Instant;

use games::hexchess::Hexchess;
use games::{BoardGame, Changes, Color, Game, perft};
use naive::Naive;

/// Positions and their node counts at depths 2, 3 and 4.
const POSITIONS: [(&str, [u64; 3]); 4] = [
    (
        "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1",
        [2586, 137_858, 7_282_418],
    ),
    (
        "b/q1k/2b2/r2n2r/ppp1npppp/4Pp5/11/6R4/3P1B1P3/2P1QB2P2/1P1N2KNRP1 b e5 0 8",
        [5223, 334_717, 25_514_886],
    ),
    ("1/3/rP3/n2k3/9/1P3N3P1/11/5K5/11/1p2p4p1/11 w - 0 1", [1342, 47_145, 1_740_033]),
    ("1/3/5/7/1p1p5/R4p5/10b/4P2k1N1/2pP7/p7P2/1P1K7 w - 0 1", [777, 27_545, 652_515]),
];

const ROUNDS: usize = 7;

fn main() {
    perfts();
    features();
    boards();
}

/// Nanoseconds per unit of work; `work` returns the number of units. Uses the CPU time of the
/// thread if the system provides it, instead of wall-clock time, so that other work on the machine
/// interferes less. CPU time has a resolution of some milliseconds, so a measurement needs many
/// units.
fn time(work: impl FnOnce() -> u64) -> f64 {
    let (start, wall) = (time_run(), Instant::now());
    let units = work();
    let elapsed = match (start, time_run()) {
        (Some(start), Some(end)) => (end - start) as f64,
        _ => wall.elapsed().as_secs_f64() * 1e9,
    };
    elapsed / units as f64
}

/// The CPU time of this thread in nanoseconds, on Linux.
fn time_run() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// A name, and work that returns its number of units.
type Candidate<'a> = (&'a str, Box<dyn FnMut() -> u64 + 'a>);

/// Runs all candidates in alternation, prints the median of each, and returns the medians.
fn compare(unit: &str, candidates: &mut [Candidate<'_>]) -> Vec<f64> {
    let mut figures = vec![Vec::new(); candidates.len()];
    for _ in 0..ROUNDS {
        for ((_, work), figures) in candidates.iter_mut().zip(&mut figures) {
            figures.push(time(work));
        }
    }
    let medians: Vec<_> = figures.into_iter().map(median).collect();
    for ((name, _), ns) in candidates.iter().zip(&medians) {
        println!("{name:<44} {ns:>9.2} ns per {unit}  {:>8.2} M/s", 1e3 / ns);
    }
    medians
}

fn position(fen: &str) -> Hexchess {
    Hexchess::from_fen(fen).expect("a position")
}

/// Perft of the other implementation, which plays every leaf.
fn other_perft(position: &hexchess::Hexchess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for san in position.current_moves() {
        let mut child = position.clone();
        child.apply_move_unsafe(&san).expect("its own move");
        nodes += other_perft(&child, depth - 1);
    }
    nodes
}

fn perfts() {
    println!("perft, every leaf played");
    // The tree of the last position contains b1b3, after which the other implementation loses en
    // passant.
    let positions = &POSITIONS[..3];
    let ours: Vec<_> = positions.iter().map(|(fen, counts)| (position(fen), *counts)).collect();
    let others: Vec<_> = positions
        .iter()
        .map(|(fen, counts)| (hexchess::Hexchess::parse(fen).expect("a position"), *counts))
        .collect();
    let naive: Vec<_> =
        positions.iter().map(|(fen, counts)| (Naive::from_fen(fen), *counts)).collect();
    let medians = compare(
        "node",
        &mut [
            (
                "ours, three positions at depth 3",
                Box::new(|| {
                    let count = |(position, counts): &(Hexchess, [u64; 3])| {
                        let nodes = perft(black_box(position), 3);
                        assert_eq!(nodes, counts[1]);
                        nodes
                    };
                    (0..40).map(|_| ours.iter().map(count).sum::<u64>()).sum()
                }),
            ),
            (
                "crate hexchess 2.5.1, the same",
                Box::new(|| {
                    let count = |(position, counts): &(hexchess::Hexchess, [u64; 3])| {
                        let nodes = other_perft(black_box(position), 3);
                        assert_eq!(nodes, counts[1]);
                        nodes
                    };
                    (0..4).map(|_| others.iter().map(count).sum::<u64>()).sum()
                }),
            ),
            (
                "array of cells (test oracle), depth 2",
                Box::new(|| {
                    let counts = naive.iter().map(|(position, counts)| {
                        let nodes = black_box(position).perft(2);
                        assert_eq!(nodes, counts[0]);
                        nodes
                    });
                    counts.sum()
                }),
            ),
            (
                "ours, start at depth 4",
                Box::new(|| {
                    let (position, counts) = &ours[0];
                    assert_eq!(perft(black_box(position), 4), counts[2]);
                    counts[2]
                }),
            ),
        ],
    );
    println!("ours is {:.1} times as fast as the crate\n", medians[1] / medians[0]);
}

fn features() {
    println!("the difference between the features of two positions");
    let set = Hexchess::feature_set("hexchess.piece-cell").expect("a feature set");
    let mut pairs = Vec::new();
    for (fen, _) in POSITIONS {
        let before = position(fen);
        before.for_each_move(|mv| {
            let mut after = before;
            after.play(mv);
            pairs.push((before, after));
        });
    }
    let mut changes = Changes::default();
    compare(
        "call",
        &mut [(
            "changes, one move apart",
            Box::new(|| {
                for _ in 0..10_000 {
                    for (before, after) in &pairs {
                        set.changes(before, after, Color::White, &mut changes);
                        black_box(&changes);
                    }
                }
                10_000 * pairs.len() as u64
            }),
        )],
    );
    println!();
}

/// Cells and occupancies as they occur in games of random moves.
fn samples() -> Vec<(u32, u128)> {
    let mut state = 1_u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut samples = Vec::new();
    let mut game = Hexchess::start();
    while samples.len() < 4096 {
        let moves = game.legal_moves();
        if moves.is_empty() || game.outcome_by_rule().is_some() {
            game = Hexchess::start();
            continue;
        }
        game.play(moves[random() % moves.len()]);
        let taken = (0..91).filter(|&cell| game.piece_on(cell).is_some());
        let occupied = taken.fold(0, |set, cell| set | 1 << sliders::BITS[cell]);
        samples.push((sliders::BITS[random() % 91], occupied));
    }
    samples
}

/// The number of passes over the samples in a round.
const REPEATS: u64 = 1000;

/// Sums the results of all samples and checks the sum.
fn add_up<S>(samples: &[S], expected: u64, sum: impl Fn(&S) -> u64) -> u64 {
    for _ in 0..REPEATS {
        assert_eq!(black_box(samples).iter().map(&sum).sum::<u64>(), expected);
    }
    REPEATS * samples.len() as u64
}

fn boards() {
    println!("what a queen sees, and walking through it");
    let samples = samples();
    let tables = sliders::Tables::new();
    let pairs = pair::Tables::new();
    let dense: Vec<_> = samples.iter().map(|&(cell, set)| pair::Sample::new(cell, set)).collect();
    let expected = samples.iter().map(|&(cell, set)| walk(sliders::walked(cell, set))).sum::<u64>();
    let seen = samples.iter().map(|&(cell, set)| fold(sliders::walked(cell, set)));
    let folded = seen.fold(0, u64::wrapping_add);
    compare(
        "queen",
        &mut [
            (
                "u128: first blocker on each ray",
                Box::new(|| add_up(&samples, expected, |&(c, o)| walk(tables.by_rays(c, o)))),
            ),
            (
                "u128: the same, walked half by half",
                Box::new(|| {
                    add_up(&samples, expected, |&(c, o)| walk_halves(tables.by_rays(c, o)))
                }),
            ),
            (
                "u128: difference on each line",
                Box::new(|| add_up(&samples, expected, |&(c, o)| walk(tables.by_difference(c, o)))),
            ),
            (
                "u128: multiplication on each line",
                Box::new(|| {
                    add_up(&samples, expected, |&(c, o)| walk(tables.by_multiplication(c, o)))
                }),
            ),
            (
                "u128: bishop by one multiplication",
                Box::new(|| {
                    add_up(&samples, expected, |&(c, o)| {
                        walk(tables.by_bishop_multiplication(c, o))
                    })
                }),
            ),
            (
                "(u64, u32): first blocker on each ray",
                Box::new(|| add_up(&dense, expected, |sample| pair::walk(pairs.by_rays(sample)))),
            ),
        ],
    );
    println!("the same without the walk");
    let sum = |see: &dyn Fn() -> u64| {
        for _ in 0..REPEATS {
            assert_eq!(see(), folded);
        }
        REPEATS * samples.len() as u64
    };
    compare(
        "queen",
        &mut [
            ("u128: rays", Box::new(|| sum(&|| fold_all(&samples, |c, o| tables.by_rays(c, o))))),
            (
                "u128: differences",
                Box::new(|| sum(&|| fold_all(&samples, |c, o| tables.by_difference(c, o)))),
            ),
            (
                "u128: multiplications",
                Box::new(|| sum(&|| fold_all(&samples, |c, o| tables.by_multiplication(c, o)))),
            ),
            (
                "u128: bishop by one multiplication",
                Box::new(|| {
                    sum(&|| fold_all(&samples, |c, o| tables.by_bishop_multiplication(c, o)))
                }),
            ),
        ],
    );
    println!("tables for multiplication: {} KiB", tables.multiplication_bytes() / 1024);
}

fn fold_all(samples: &[(u32, u128)], see: impl Fn(u32, u128) -> u128) -> u64 {
    samples.iter().fold(0, |sum, &(cell, occupied)| sum.wrapping_add(fold(see(cell, occupied))))
}

/// A value that depends on both halves of a set.
#[inline]
fn fold(set: u128) -> u64 {
    (set as u64).wrapping_add(3_u64.wrapping_mul((set >> 64) as u64))
}

/// The sum of the bit indices of a set, visited one by one.
#[inline]
fn walk(mut set: u128) -> u64 {
    let mut sum = 0;
    while set != 0 {
        sum += u64::from(set.trailing_zeros());
        set &= set - 1;
    }
    sum
}

/// The same, first for the lower half and then for the upper, as the game iterates over sets.
#[inline]
fn walk_halves(set: u128) -> u64 {
    let (mut half, mut upper, mut base) = (set as u64, (set >> 64) as u64, 0);
    let mut sum = 0;
    loop {
        while half != 0 {
            sum += base + u64::from(half.trailing_zeros());
            half &= half - 1;
        }
        if upper == 0 {
            return sum;
        }
        (half, upper, base) = (upper, 0, 64);
    }
}
