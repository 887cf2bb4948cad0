//! The crate `noru` at the same task: (768→256)×2→32→1, update both views and evaluate.

use bench::lines::{Line, Step};
use bench::networks::{RandomWeights, random_network};
use bench::{Race, Stopwatch};
use nnue::Network;
use noru::config::{Activation, NnueConfig};
use noru::network::{Accumulator, FeatureDelta, NnueWeights, forward};

use super::by_kernel;
use super::walk::{Walker, steps};

pub(super) fn measure(lines: &[Line]) {
    println!(
        "\n{:<56} {:<10} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "beside noru 2.2.1", "kernel", "ours", "best", "noru", "best", "times"
    );
    for (activation, name) in [(Activation::CReLU, "crelu"), (Activation::SCReLU, "screlu")] {
        let weights = weights(activation);
        let theirs = Network::from_bytes(&weights.save_to_bytes()).expect("noru wrote it");
        let text = format!("(768→256)×2→32→1 {name},crelu");
        let ours = random_network(&text, 8).expect("it is move_info soundly");
        let (theirs, ours) = (by_kernel(&theirs), by_kernel(&ours));
        let operations = steps(lines);
        let mut race = Race::default();
        let mut noru = NoruWalker::new(&weights, lines);
        race.enter("noru", move |watch: &mut Stopwatch| watch.time(operations, || noru.walk()));
        for network in ours.iter().chain(&theirs) {
            let mut walker = Walker::new(network, lines);
            race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
                watch.time(operations, || walker.walk(true))
            });
        }
        let timings = race.run();
        let (noru, rest) = timings.split_first().expect("noru was entered");
        for (place, timing) in rest.iter().enumerate() {
            let native = place < ours.len();
            let format = if native { "our format" } else { "noru's file" };
            let expected = if native { rest[0].check } else { noru.check };
            assert_eq!(timing.check, expected, "{name}, {format}: {} is wrong", timing.name);
            println!(
                "{:<56} {:<10} {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>5.1}×",
                format!("{text}, {format}"),
                timing.name,
                timing.nanoseconds(),
                timing.best(),
                noru.nanoseconds(),
                noru.best(),
                noru.ratio(timing),
            );
        }
    }
}

/// Weights of the size that noru's trainer gives.
fn weights(activation: Activation) -> NnueWeights {
    let config = NnueConfig::new_static(768, 256, &[32], activation);
    let mut random = RandomWeights::new(9);
    let mut weights = NnueWeights::zeros(config);
    for row in &mut weights.feature_weights {
        *row = random.weights(256, 25);
    }
    weights.feature_bias = random.weights(256, 50);
    weights.hidden_weights[0] = random.weights(512 * 32, 40);
    weights.hidden_biases[0] = random.weights(32, 40);
    weights.output_weights = random.weights(32, 300);
    weights
}

/// What [`Walker`] does, in noru's terms.
struct NoruWalker<'a> {
    weights: &'a NnueWeights,
    roots: Vec<Accumulator>,
    /// For each line and step: the mover's view, then the other player's.
    deltas: Vec<Vec<[FeatureDelta; 2]>>,
    accumulator: Accumulator,
}

impl<'a> NoruWalker<'a> {
    fn new(weights: &'a NnueWeights, lines: &[Line]) -> Self {
        let wide = |features: &[u32]| features.iter().map(|&f| f as usize).collect::<Vec<_>>();
        let root = |line: &Line| {
            let mut root = Accumulator::new(&weights.feature_bias);
            root.refresh(weights, &wide(&line.root[0]), &wide(&line.root[1]));
            root
        };
        let delta = |step: &Step| {
            let mover = 1 - step.side_to_move;
            [mover, step.side_to_move].map(|view| {
                let view = &step.views[view];
                FeatureDelta::from_slices(&wide(view.added()), &wide(view.removed()))
                    .expect("a move changes less")
            })
        };
        Self {
            weights,
            roots: lines.iter().map(root).collect(),
            deltas: lines.iter().map(|line| line.steps.iter().map(delta).collect()).collect(),
            accumulator: Accumulator::new(&weights.feature_bias),
        }
    }

    fn walk(&mut self) -> i64 {
        let Self { weights, roots, deltas, accumulator } = self;
        let mut sum = 0;
        for (root, deltas) in roots.iter().zip(deltas) {
            accumulator.clone_from(root);
            for [mover, other] in deltas {
                accumulator.update_incremental(weights, mover, other);
                accumulator.swap();
                sum += i64::from(forward(accumulator, weights));
            }
        }
        sum
    }
}
