//! What updates, refreshes and evaluations cost, beside a copy of the same weights and beside noru.
//!
//! `floor` is a `memcpy` of every row of weights that the task reads, and of the accumulators where it
//! evaluates, in the same rounds; `ratio` is the median of the rounds' ratios. `limit` is the best that
//! hand-written code of the same instructions reached on another machine (a Sapphire Rapids virtual machine).

#![expect(clippy::print_stdout, reason = "the table is the result")]

mod noru_beside;
mod stacks;
mod walk;

use bench::floor::Floor;
use bench::lines::{Line, lines_of_games, random_games, random_lines};
use bench::networks::{RandomWeights, random_network};
use bench::{Race, Stopwatch, Timing};
use games::BoardGame;
use games::chess::Chess;
use nnue::{Accumulator, Kernel, Network};
use walk::{Walker, check, steps};

/// The feature set that the networks read.
const SET: &str = "chess.piece-square";

fn main() {
    let set = Chess::feature_set(SET).expect("it is built in");
    let games = lines_of_games(&*set, &random_games(1, 12));
    let hot = random_lines(2, 32, 12);
    let random = random_lines(3, 768, 12);
    let inputs = [("board-like", &games), ("32 hot rows", &hot), ("768 random rows", &random)];
    println!(
        "{:<56} {:<10} {:>8} {:>8} {:>8} {:>6} {:>7}",
        "ns per operation, medians", "kernel", "ours", "best", "floor", "ratio", "limit"
    );
    for width in [256, 512, 1024] {
        let text = format!("{SET} (768→{width})×2→1 screlu");
        let network = random_network(&text, 4).expect("it is move_info soundly");
        for (name, lines) in inputs {
            check(&network, lines);
            updates(&network, width, name, lines, false);
        }
        for (name, lines) in inputs {
            updates(&network, width, name, lines, true);
        }
        refreshes(&network, width, &games);
        evaluations(&network, width, &games);
    }
    stacks::measure();
    noru_beside::measure(&games);
}

/// Prints a row for each kernel; all must agree.
fn print_rows(task: &str, timings: &[Timing], limits: &[(&str, f64)]) {
    let [floor, kernels @ ..] = timings else { return };
    for timing in kernels {
        assert_eq!(timing.check, kernels[0].check, "{task}: {} is wrong", timing.name);
        let limit = limits.iter().find(|(kernel, _)| *kernel == timing.name);
        let limit = limit.map_or(String::new(), |(_, limit)| format!("{limit:.0}"));
        println!(
            "{task:<56} {:<10} {:>8.1} {:>8.1} {:>8.1} {:>6.2} {limit:>7}",
            timing.name,
            timing.nanoseconds(),
            timing.best(),
            floor.nanoseconds(),
            timing.ratio(floor),
        );
    }
}

/// The network by each kernel that this processor has.
fn by_kernel(network: &Network) -> Vec<Network> {
    Kernel::available().into_iter().map(|kernel| network.clone().with_kernel(kernel)).collect()
}

fn updates(network: &Network, width: usize, name: &str, lines: &[Line], evaluate: bool) {
    let operations = steps(lines);
    let networks = by_kernel(network);
    let mut race = Race::default();
    let mut floor = Floor::new(width, 768);
    race.enter("floor", move |watch: &mut Stopwatch| {
        watch.time(operations, || {
            for view in lines.iter().flat_map(|line| &line.steps).flat_map(|step| &step.views) {
                view.added().iter().chain(view.removed()).for_each(|&row| floor.copy(row));
                if evaluate {
                    floor.copy(0);
                }
            }
            0
        })
    });
    for network in &networks {
        let mut walker = Walker::new(network, lines);
        race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
            watch.time(operations, || walker.walk(evaluate))
        });
    }
    let what = if evaluate { "update + evaluate" } else { "update both views" };
    let limits = update_limits(width, name, evaluate);
    print_rows(&format!("(768→{width})×2→1: {what}, {name}"), &race.run(), &limits);
}

/// The output layer alone, on accumulators of the games' positions.
fn evaluations(network: &Network, width: usize, lines: &[Line]) {
    const COUNT: usize = 8;
    let networks = by_kernel(network);
    let mut race = Race::default();
    let mut floor = Floor::new(width, 2 * COUNT);
    race.enter("floor", move |watch: &mut Stopwatch| {
        watch.time(COUNT * 100, || {
            for row in 0..200 * COUNT as u32 {
                floor.copy(row % (2 * COUNT as u32));
            }
            0
        })
    });
    for network in &networks {
        let Walker { roots, mut workspace, .. } = Walker::new(network, &lines[..COUNT]);
        race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
            watch.time(COUNT * 100, || {
                let mut sum = 0;
                for turn in 0..100 {
                    for views in &roots {
                        let value =
                            network.evaluate(views.each_ref(), turn % 2, 32, &mut workspace);
                        sum += i64::from(value);
                    }
                }
                sum
            })
        });
    }
    let limits = match width {
        256 => [("avx2", 22.0), ("avx512", 16.0)],
        512 => [("avx2", 45.0), ("avx512", 33.0)],
        _ => [("avx2", 86.0), ("avx512", 61.0)],
    };
    print_rows(&format!("(768→{width})×2→1: evaluate only"), &race.run(), &limits);
}

/// 32 features, one view: the features of the starting position, and as many at random.
fn refreshes(network: &Network, width: usize, games: &[Line]) {
    let mut random = RandomWeights::new(5);
    let start = vec![games[0].root[0].clone()];
    let any = (0..64).map(|_| (0..32).map(|_| random.below(768) as u32).collect()).collect();
    let networks = by_kernel(network);
    for (name, lists) in [("starting position", start), ("768 random rows", any)] {
        let lists: &Vec<Vec<u32>> = &lists;
        let mut race = Race::default();
        let mut floor = Floor::new(width, 768);
        race.enter("floor", move |watch: &mut Stopwatch| {
            watch.time(lists.len(), || {
                lists.iter().flatten().for_each(|&row| floor.copy(row));
                0
            })
        });
        for network in &networks {
            let mut view = Accumulator::new(network);
            let other = view.clone();
            let mut workspace = network.workspace();
            race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
                watch.time(lists.len(), || {
                    for list in lists {
                        network.refresh(&mut view, list);
                    }
                });
                i64::from(network.evaluate([&view, &other], 0, 32, &mut workspace))
            });
        }
        let limits = match (width, name) {
            (256, "starting position") => [("avx512", 70.0)],
            (256, _) => [("avx512", 127.0)],
            (512, "starting position") => [("avx512", 134.0)],
            (512, _) => [("avx512", 278.0)],
            (_, "starting position") => [("avx512", 343.0)],
            _ => [("avx512", 590.0)],
        };
        let task = format!("(768→{width})×2→1: refresh one view, {name}");
        print_rows(&task, &race.run(), &limits);
    }
}

/// The best that is known for updates, with and without an evaluation.
fn update_limits(width: usize, name: &str, evaluate: bool) -> Vec<(&'static str, f64)> {
    let (avx2, avx512) = match (width, name, evaluate) {
        (256, "32 hot rows", false) => (21.0, 13.5),
        (512, "32 hot rows", false) => (39.0, 26.0),
        (1024, "32 hot rows", false) => (119.0, 50.0),
        (256, "768 random rows", false) => (29.0, 21.7),
        (512, "768 random rows", false) => (61.0, 46.0),
        (1024, "768 random rows", false) => (144.0, 123.0),
        (256, "768 random rows", true) => (47.0, 28.0),
        (512, "768 random rows", true) => (105.0, 62.0),
        (1024, "768 random rows", true) => (230.0, 155.0),
        _ => return Vec::new(),
    };
    vec![("avx2", avx2), ("avx512", avx512), ("avx512vnni", avx512)]
}
