//! Every head says the same in training, in floats and in the integers that engines play with; and quantiles that are known
//! are found.

use std::sync::Arc;

use dataset::{Batch, PolicyTarget};
use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{Random, ToolkitGame};
use nnue::{
    Accumulator, AccumulatorStack, Architecture, FloatParameters, Head, Network, Outputs,
    PolicyHead, QUANTILE_LEVELS, Workspace,
};
use search::GameInputs;
use trainer::export::{ErrorBound, ExportOptions, quantise, random_positions};
use trainer::{
    Learner, Losses, Objective, OptimiserKind, OptimiserSettings, PolicyObjective, QuantileForm,
    QuantileObjective, QuantileTarget, StepSettings, ValueLoss, ValueObjective, WdlObjective,
};

/// The games of these tests.
fn games() -> dataset::GameList {
    dataset::GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .with::<games::connect_four::ConnectFour>()
}

const SETTINGS: StepSettings = StepSettings { rate: 1e-2, result_share: 0.0, td_lambda: None };

/// Each head at least once, in networks with and without hidden layers and buckets.
const CHESS: [&str; 3] = [
    "chess.piece-square-mirrored (768→64)×2→16→1+3+5+64/64 screlu,crelu buckets=pieces:4",
    "chess.piece-square (768→64)×2→1+3+4+64/64 screlu",
    "chess.halfka-hm (22528→64)×2→5+64/64 screlu",
];
const HEXCHESS: [&str; 2] = [
    "hexchess.piece-cell (1110→48)×2→16→1+4+91/91 screlu,crelu",
    "hexchess.piece-cell (1110→64)×2→5+91/91 pairwise",
];

/// The networks of `examples/6_uncertainty.toml` and of `nets/`. What a screlu leaves in eight bits before a hidden layer is coarse:
/// they have a bound of their own.
const UNCERTAINTY: [&str; 2] = [
    "chess.halfka-hm (22528→128)×2→32→5+64/64 screlu,crelu",
    "chess.piece-square-mirrored (768→128)×2→32→1+4+64/384 screlu,crelu",
];
const UNCERTAINTY_BOUND: ErrorBound = ErrorBound { mean: 12.0, max: 80.0 };

/// A loss for each head.
fn objective(architecture: &Architecture) -> Objective {
    let has = |wanted: fn(&Head) -> bool| architecture.heads.iter().any(wanted);
    let form = if has(|head| *head == Head::AnchoredQuantiles) {
        QuantileForm::Anchored
    } else {
        QuantileForm::Chain
    };
    let value = ValueObjective { loss: ValueLoss::RawMse, ..ValueObjective::default() };
    let quantiles =
        QuantileObjective { form, target: QuantileTarget::Percentiles, ..Default::default() };
    Objective {
        score_scale: 400.0,
        value: has(|head| matches!(head, Head::Value(_))).then_some(value),
        wdl: has(|head| *head == Head::Wdl).then(WdlObjective::default),
        quantiles: Some(quantiles),
        policy: Some(PolicyObjective::default()),
    }
}

/// Positions of random play, with random things to learn.
fn batch(architecture: &Architecture, positions: usize) -> Batch {
    let mut batch = random_positions(architecture, positions, 10, &games()).unwrap();
    let PolicyHead { from, to, .. } = architecture.policy().unwrap();
    let mut random = Random::new(3);
    batch.scores.fill_with(|| random.below(1200) as f32 - 600.0);
    batch.results.fill_with(|| random.below(3) as f32 / 2.0);
    batch.quantiles = batch.scores.iter().map(|&score| [score; 5]).collect();
    let policy = |_| {
        let (from, to) = (random.below(from) as u16, random.below(to) as u16);
        Some(PolicyTarget { from, to })
    };
    batch.policy = (0..positions).map(policy).collect();
    batch
}

/// A network that has been trained a little, so that its weights are not as they were made.
fn trained(text: &str) -> (Learner, Vec<Batch>) {
    let architecture: Architecture = text.parse().unwrap();
    let settings = OptimiserSettings { kind: OptimiserKind::Adam, ..Default::default() };
    let objective = objective(&architecture);
    let shards = vec![batch(&architecture, 512)];
    let mut learner = Learner::new(architecture, None, objective, settings, 1, 1).unwrap();
    for _ in 0..40 {
        learner.step(&shards, SETTINGS).unwrap();
    }
    (learner, shards)
}

/// What a network says of a position given by its features: the outputs and all logits of the policy.
fn ask(
    network: &Network,
    rows: &[Vec<u32>],
    pieces: usize,
    workspace: &mut Workspace,
) -> (Outputs, Vec<f32>) {
    let mut perspectives = [Accumulator::new(network), Accumulator::new(network)];
    for (perspective, row) in perspectives.iter_mut().zip(rows) {
        network.refresh(perspective, row);
    }
    let all: Vec<u16> = match network.architecture().policy() {
        Some(head) => (0..head.outputs() as u16).collect(),
        None => Vec::new(),
    };
    let mut logits = vec![0.0; all.len()];
    network.policy(perspectives.each_ref(), 0, &all, &mut logits, workspace);
    (network.outputs(perspectives.each_ref(), 0, pieces, workspace), logits)
}

fn log_softmax(logits: &[f32], at: usize) -> f64 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&logit| f64::from(logit - max).exp()).sum();
    f64::from(logits[at] - max) - sum.ln()
}

fn head_loss(
    architecture: &Architecture,
    losses: &Losses,
    wanted: fn(&Head) -> bool,
) -> Option<f64> {
    let place = architecture.heads.iter().position(wanted)?;
    let loss = losses.heads[place];
    Some(loss.sum / loss.positions as f64)
}

/// The losses that training reports are those of what the network says.
#[test]
fn training_and_floats_say_the_same() {
    for text in CHESS.into_iter().chain(HEXCHESS) {
        let (mut learner, mut shards) = trained(text);
        let architecture = learner.architecture().clone();
        let network = Network::from_floats(architecture.clone(), &learner.parameters()).unwrap();
        let mut workspace = network.workspace();
        let from = architecture.policy().unwrap().from;
        let (mut policy, mut wdl) = (0.0, 0.0);
        let positions = shards[0].len();
        for at in 0..positions {
            let rows = [0, 1].map(|perspective| shards[0].row(at, perspective).to_vec());
            let pieces = usize::from(shards[0].pieces[at]);
            let (outputs, logits) = ask(&network, &rows, pieces, &mut workspace);
            let best = shards[0].policy[at].unwrap();
            policy -= log_softmax(&logits[..from], best.from.into());
            policy -= log_softmax(&logits[from..], best.to.into());
            if let Some(chances) = outputs.wdl {
                let place = 2 - (2.0 * shards[0].results[at]) as usize;
                wdl -= f64::from(chances[place]).ln();
            }
            // With each target replaced by what the network says, nothing is left but whole centipawns.
            shards[0].scores[at] = outputs.value as f32;
            shards[0].quantiles[at] = outputs.quantiles.unwrap().map(|quantile| quantile as f32);
        }
        let losses = learner.evaluate(&shards, SETTINGS).unwrap();
        let loss = |wanted| head_loss(&architecture, &losses, wanted);
        let centipawn = 1.0 / f64::from(architecture.scales.centipawns);
        if let Some(value) = loss(|head| matches!(head, Head::Value(_))) {
            assert!(value < 1.1 * centipawn * centipawn, "{text}: value {value}");
        }
        let quantiles =
            loss(|head| matches!(head, Head::Quantiles | Head::AnchoredQuantiles)).unwrap();
        assert!(quantiles < 5.0 * centipawn, "{text}: quantiles {quantiles}");
        let mean = policy / positions as f64;
        let found = loss(|head| head.policy().is_some()).unwrap();
        assert!((found - mean).abs() < 1e-4, "{text}: policy {found}, {mean}");
        if let Some(found) = loss(|head| *head == Head::Wdl) {
            let mean = wdl / positions as f64;
            assert!((found - mean).abs() < 1e-4, "{text}: wdl {found}, {mean}");
        }
    }
}

/// How far integers are from floats.
#[derive(Default)]
struct Differences {
    positions: usize,
    /// Of values and quantiles within 1000 centipawns.
    centipawns: Vec<f32>,
    chances: f32,
    logits: f32,
}

impl Differences {
    fn add(&mut self, float: &(Outputs, Vec<f32>), integer: &(Outputs, Vec<f32>)) {
        self.positions += 1;
        let numbers = |outputs: &Outputs| -> Vec<i32> {
            outputs.quantiles.iter().flatten().copied().chain([outputs.value]).collect()
        };
        for (a, b) in numbers(&float.0).into_iter().zip(numbers(&integer.0)) {
            if a.abs() <= 1000 {
                self.centipawns.push(a.abs_diff(b) as f32);
            }
        }
        let chances = |outputs: &Outputs| outputs.wdl.unwrap_or_default();
        for (a, b) in chances(&float.0).into_iter().zip(chances(&integer.0)) {
            self.chances = self.chances.max((a - b).abs());
        }
        for (a, b) in float.1.iter().zip(&integer.1) {
            self.logits = self.logits.max((a - b).abs());
        }
        assert!(integer.0.quantiles.unwrap().is_sorted() && float.0.quantiles.unwrap().is_sorted());
    }
}

/// Floats from scratch beside integers as an engine asks them, accumulators kept up to date along random play.
fn compare<G: ToolkitGame>(text: &str, parameters: &FloatParameters) -> Differences {
    let architecture: Architecture = text.parse().unwrap();
    let float = Network::from_floats(architecture.clone(), parameters).unwrap();
    let export = quantise(&architecture, parameters, &ExportOptions::default(), &games()).unwrap();
    let integer = export.into_file(String::new(), None).unwrap().to_network().unwrap();
    let inputs = GameInputs::<G>::new(integer.architecture()).unwrap();
    let set = G::feature_set(&architecture.features).unwrap();
    let mut stack = AccumulatorStack::new(Arc::new(integer), inputs, G::start());
    let (mut workspace, mut random) = (float.workspace(), Random::new(6));
    let all: Vec<u16> =
        architecture.policy().map_or(Vec::new(), |head| (0..head.outputs() as u16).collect());
    let mut differences = Differences::default();
    while differences.positions < 1000 {
        let mut position = stack.position().clone();
        let moves = position.legal_moves();
        match random.pick(&moves) {
            // Now and then a few plies are taken back, as a search does.
            Some(_) if random.below(12) == 0 => (0..random.below(4)).for_each(|_| stack.pop()),
            Some(&mv) => {
                position.play(mv);
                stack.push(position);
            }
            None => stack.reset(G::start()),
        }
        // Most positions of a search are never asked about.
        if random.below(3) == 0 {
            continue;
        }
        let position = stack.position().clone();
        let side = position.side_to_move();
        let rows = [side, !side].map(|color| {
            let mut active = Vec::new();
            set.active(&position, color, &mut active);
            active
        });
        let mut logits = vec![0.0; all.len()];
        stack.policy(&all, &mut logits);
        let engine = (stack.outputs(), logits);
        differences.add(&ask(&float, &rows, position.piece_count(), &mut workspace), &engine);
    }
    differences
}

fn check(text: &str, found: &Differences, ErrorBound { mean, max }: ErrorBound) {
    let count = found.centipawns.len();
    assert!(count > 2000, "{text}: {count}");
    let average = found.centipawns.iter().sum::<f32>() / count as f32;
    let largest = found.centipawns.iter().copied().fold(0.0, f32::max);
    assert!(average <= mean && largest <= max, "{text}: {average} on average, {largest} at most");
    assert!(found.chances < 0.03, "{text}: chances off by {}", found.chances);
    assert!(found.logits < 0.15, "{text}: logits off by {}", found.logits);
}

#[test]
fn floats_and_the_engine_say_the_same_on_a_thousand_positions() {
    for text in CHESS {
        let found = compare::<Chess>(text, &trained(text).0.parameters());
        check(text, &found, ErrorBound::default());
    }
    for text in UNCERTAINTY {
        check(text, &compare::<Chess>(text, &trained(text).0.parameters()), UNCERTAINTY_BOUND);
    }
    for text in HEXCHESS {
        let found = compare::<Hexchess>(text, &trained(text).0.parameters());
        check(text, &found, ErrorBound::default());
    }
}

/// Places of a process of eight kinds: where each lies, and how far it spreads.
const KINDS: [(f64, f64); 8] = [
    (-300.0, 20.0),
    (-120.0, 90.0),
    (-40.0, 200.0),
    (0.0, 40.0),
    (10.0, 150.0),
    (60.0, 30.0),
    (200.0, 120.0),
    (450.0, 60.0),
];

/// Trains on scores whose shares below are known, and gives for each kind and level the share that really lies below what the
/// network says.
fn recovered(
    text: &str,
    objective: Objective,
    below: fn(f64) -> f64,
    inverse: fn(f64) -> f64,
) -> Vec<[f64; QUANTILE_LEVELS.len()]> {
    const EACH: usize = 400;
    const STEPS: u32 = 1500;
    let mut batch = Batch::new(1);
    for (kind, (middle, spread)) in KINDS.into_iter().enumerate() {
        for place in 0..EACH {
            batch.push_row([kind as u32]);
            let score = middle + spread * inverse((place as f64 + 0.5) / EACH as f64);
            batch.push(2, Some(score as f32), None);
        }
    }
    let settings =
        OptimiserSettings { kind: OptimiserKind::Adam, weight_decay: 0.0, ..Default::default() };
    let architecture: Architecture = text.parse().unwrap();
    let mut learner = Learner::new(architecture.clone(), None, objective, settings, 1, 1).unwrap();
    for step in 0..STEPS {
        let left = 1.0 - f64::from(step) / f64::from(STEPS);
        let rate = (0.02 * left * left).max(1e-5) as f32;
        let settings = StepSettings { rate, ..SETTINGS };
        learner.step(std::slice::from_ref(&batch), settings).unwrap();
    }
    let network = Network::from_floats(architecture, &learner.parameters()).unwrap();
    let mut workspace = network.workspace();
    let of_kind = |(kind, (middle, spread)): (usize, (f64, f64))| {
        let rows = [vec![kind as u32]];
        let (outputs, _) = ask(&network, &rows, 2, &mut workspace);
        outputs.quantiles.unwrap().map(|quantile| below((f64::from(quantile) - middle) / spread))
    };
    KINDS.into_iter().enumerate().map(of_kind).collect()
}

fn assert_recovered(name: &str, found: &[[f64; QUANTILE_LEVELS.len()]]) {
    for (kind, shares) in found.iter().enumerate() {
        for (share, level) in shares.iter().zip(QUANTILE_LEVELS) {
            let off = (share - f64::from(level)).abs();
            // A centipawn is a point of the narrowest kind.
            let rounding = 0.3 / KINDS[kind].1;
            assert!(off < 0.01 + rounding, "{name}, kind {kind}: {share:.4} at level {level}");
        }
    }
    for (place, level) in QUANTILE_LEVELS.into_iter().enumerate() {
        let mean = found.iter().map(|shares| shares[place]).sum::<f64>() / found.len() as f64;
        assert!((mean - f64::from(level)).abs() < 0.01, "{name}: {mean} at level {level}");
    }
}

fn quantiles(form: QuantileForm) -> QuantileObjective {
    QuantileObjective { form, target: QuantileTarget::Score, ..Default::default() }
}

/// Waiting times: far to one side, so that the steps differ.
#[test]
fn a_lopsided_process_is_recovered_within_a_point() {
    let objective = Objective {
        score_scale: 400.0,
        quantiles: Some(quantiles(QuantileForm::Chain)),
        ..Default::default()
    };
    let found = recovered(
        "8→24→5 tanh",
        objective,
        |x| if x < 0.0 { 0.0 } else { 1.0 - (-x).exp() },
        |share| -(1.0 - share).ln(),
    );
    assert_recovered("chain", &found);
}

/// The value is the mean, which is the median where both sides are alike.
#[test]
fn an_even_process_is_recovered_around_the_value() {
    let value = ValueObjective { loss: ValueLoss::RawMse, ..ValueObjective::default() };
    let objective = Objective {
        score_scale: 400.0,
        value: Some(value),
        quantiles: Some(quantiles(QuantileForm::Anchored)),
        ..Default::default()
    };
    let found = recovered(
        "8→24→1+4 tanh/linear",
        objective,
        |x| 1.0 / (1.0 + (-x).exp()),
        |share| (share / (1.0 - share)).ln(),
    );
    assert_recovered("anchored", &found);
}

#[test]
fn quantiles_around_a_value_that_nobody_trains_are_refused() {
    let architecture: Architecture = "8→4→1+4 tanh".parse().unwrap();
    let refused = |value: Option<ValueObjective>, quantiles: QuantileObjective| {
        let objective = Objective {
            score_scale: 400.0,
            value,
            quantiles: Some(quantiles),
            ..Objective::default()
        };
        let settings = OptimiserSettings::default();
        let learner = Learner::new(architecture.clone(), None, objective, settings, 1, 1);
        learner.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let anchored = quantiles(QuantileForm::Anchored);
    let pulling = QuantileObjective { pull_value: true, ..anchored };
    assert!(refused(None, anchored).contains("nothing trains the value"));
    assert_eq!(refused(None, pulling), "");
    assert_eq!(refused(Some(ValueObjective::default()), anchored), "");
    let both = QuantileObjective { stop_gradient: true, ..pulling };
    assert!(refused(None, both).contains("stop_gradient"));
    let chain = quantiles(QuantileForm::Chain);
    assert!(refused(Some(ValueObjective::default()), chain).contains("`anchored`"));
}
