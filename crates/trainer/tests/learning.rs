//! Networks learn, the same way each time, and what was trained is what engines evaluate.

use dataset::Batch;
use games::Random;
use nnue::{Accumulator, Architecture, Network};
use trainer::export::random_positions;
use trainer::{
    Learner, Objective, OptimiserKind, OptimiserSettings, PolicyObjective, QuantileObjective,
    StepSettings, ValueLoss, ValueObjective, WdlObjective,
};

/// The games of these tests.
fn games() -> dataset::GameList {
    dataset::GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .with::<games::connect_four::ConnectFour>()
}

const SETTINGS: StepSettings = StepSettings { rate: 1e-3, result_share: 0.0, td_lambda: None };

fn architecture(text: &str) -> Architecture {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(loss: ValueLoss) -> Objective {
    let value = Some(ValueObjective { loss, ..ValueObjective::default() });
    Objective { score_scale: 400.0, value, ..Objective::default() }
}

fn learner(text: &str, objective: Objective, threads: usize, kind: OptimiserKind) -> Learner {
    let settings = OptimiserSettings { kind, weight_decay: 0.0, ..OptimiserSettings::default() };
    Learner::new(architecture(text), None, objective, settings, threads, 1).unwrap()
}

/// Positions from random play with random scores and results, in shards.
fn shards(text: &str, positions: usize, threads: usize) -> Vec<Batch> {
    let architecture = architecture(text);
    let mut random = Random::new(3);
    let seeds = 0..threads as u64;
    let mut shards: Vec<Batch> = seeds
        .map(|seed| {
            random_positions(&architecture, positions / threads, seed + 10, &games()).unwrap()
        })
        .collect();
    for shard in &mut shards {
        shard.scores.fill_with(|| random.below(1200) as f32 - 600.0);
        shard.deepest.clone_from(&shard.scores);
        shard.results.fill_with(|| random.below(5) as f32 / 4.0);
    }
    shards
}

fn train(learner: &mut Learner, shards: &[Batch], steps: usize, settings: StepSettings) -> f64 {
    let mut loss = f64::NAN;
    for _ in 0..steps {
        loss = learner.step(shards, settings).unwrap().mean();
    }
    loss
}

fn bytes(learner: &Learner) -> Vec<u32> {
    learner.state().iter().flat_map(|(_, values)| values.iter().map(|x| x.to_bits())).collect()
}

/// Scores that have nothing to do with the positions can still be learnt by heart.
#[test]
fn a_tiny_set_is_learnt_by_heart() {
    let networks = [
        "chess.piece-square (768→64)×2→1 screlu",
        "chess.piece-square-stm 769→32→16→1 relu,relu",
        "hexchess.piece-cell (1110→32)×2→16→1 crelu,screlu buckets=pieces:4",
    ];
    for text in networks {
        let shards = shards(text, 64, 2);
        let mut learner = learner(text, value(ValueLoss::Mse), 2, OptimiserKind::Adam);
        let settings = StepSettings { rate: 3e-3, ..SETTINGS };
        let first = learner.evaluate(&shards, settings).unwrap().mean();
        let last = train(&mut learner, &shards, 600, settings);
        assert!(first > 0.01 && last < 1e-4, "{text}: {first}, then {last}");
    }
}

#[test]
fn every_optimiser_learns() {
    use OptimiserKind::{Adam, Adamw, Radam, Ranger, Sgd};
    let text = "chess.piece-square (768→32)×2→1 crelu";
    let shards = shards(text, 256, 2);
    for kind in [Sgd, Adam, Adamw, Radam, Ranger] {
        let mut learner = learner(text, value(ValueLoss::Bce), 2, kind);
        let rate = if kind == Sgd { 0.3 } else { 3e-3 };
        let settings = StepSettings { rate, ..SETTINGS };
        let first = learner.evaluate(&shards, settings).unwrap().mean();
        train(&mut learner, &shards, 150, settings);
        let last = learner.evaluate(&shards, settings).unwrap().mean();
        // Cross-entropy cannot fall below the entropy of its targets.
        assert!(last < first - 0.02, "{kind:?}: {first}, then {last}");
    }
}

#[test]
fn the_same_seed_and_threads_give_the_same_bytes() {
    for text in [
        "chess.piece-square (768→64)×2→8→1 screlu,crelu buckets=pieces:8",
        "chess.halfka-hm (22528→64)×2→1 screlu",
    ] {
        for sparse in [false, true] {
            let shards = shards(text, 600, 2);
            let run = || {
                let settings = OptimiserSettings {
                    sparse: Some(sparse),
                    clip_norm: 0.01,
                    ..Default::default()
                };
                let objective = value(ValueLoss::Power);
                let mut learner =
                    Learner::new(architecture(text), None, objective, settings, 2, 7).unwrap();
                train(&mut learner, &shards, 5, SETTINGS);
                bytes(&learner)
            };
            assert!(run() == run(), "{text}, sparse {sparse}");
        }
    }
}

#[test]
fn what_was_trained_is_what_is_evaluated() {
    let networks = [
        "chess.piece-square (768→40)×2→1 screlu",
        "chess.piece-square (768→24)×2→12→6→1 pairwise,crelu,screlu buckets=fours:8",
        "chess.piece-square-stm 769→33→5→1 relu,tanh",
        "hexchess.piece-cell (1110→16)×2→1 sigmoid buckets=pieces:2",
    ];
    for text in networks {
        let mut shards = shards(text, 400, 1);
        let mut learner = learner(text, value(ValueLoss::RawMse), 1, OptimiserKind::Adam);
        train(&mut learner, &shards, 20, SETTINGS);
        let network = Network::from_floats(architecture(text), &learner.parameters()).unwrap();
        let mut accumulators = [Accumulator::new(&network), Accumulator::new(&network)];
        let mut workspace = network.workspace();
        let perspectives = shards[0].perspectives;
        for at in 0..shards[0].len() {
            for (perspective, accumulator) in accumulators.iter_mut().take(perspectives).enumerate()
            {
                network.refresh(accumulator, shards[0].row(at, perspective));
            }
            let pieces = usize::from(shards[0].pieces[at]);
            // The side to move's perspective is the first; that is all that its number decides.
            let value = network.evaluate(accumulators.each_ref(), 0, pieces, &mut workspace);
            shards[0].scores[at] = value as f32;
        }
        // With each score replaced by what the network says, nothing is left but whole centipawns.
        let loss = learner.evaluate(&shards, SETTINGS).unwrap().mean();
        let centipawn = 1.0 / f64::from(architecture(text).scales.centipawns);
        assert!(loss < 1.1 * centipawn * centipawn, "{text}: {loss}");
    }
}

/// The first steps of a training that uses everything. A change of this number is a change of what training does.
#[test]
fn two_hundred_steps_end_at_the_golden_loss() {
    let text = "chess.piece-square (768→32)×2→8→1+3+5+64/64 screlu,crelu buckets=pieces:8";
    let mut shards = shards(text, 512, 2);
    let mut random = Random::new(8);
    for shard in &mut shards {
        for _ in 0..shard.len() {
            let (from, to) = (random.below(64) as u16, random.below(64) as u16);
            shard.policy.push(Some(dataset::PolicyTarget { from, to }));
        }
    }
    let objective = Objective {
        wdl: Some(WdlObjective { weight: 0.5, ..WdlObjective::default() }),
        quantiles: Some(QuantileObjective { weight: 0.5, ..QuantileObjective::default() }),
        policy: Some(PolicyObjective { weight: 0.1, ..PolicyObjective::default() }),
        ..value(ValueLoss::Power)
    };
    let mut learner = learner(text, objective, 2, OptimiserKind::Ranger);
    let settings = StepSettings { result_share: 0.3, ..SETTINGS };
    let first = learner.evaluate(&shards, settings).unwrap().mean();
    let last = train(&mut learner, &shards, 200, settings);
    // Matrix products add in the processor's own order: equal to four digits, not to the last.
    for (found, golden) in [(first, GOLDEN.0), (last, GOLDEN.1)] {
        assert!((found - golden).abs() < 1e-3 * golden, "{found}, expected {golden}");
    }
}

/// Before the first step and in the last one.
const GOLDEN: (f64, f64) = (2.820_425, 2.013_692);

#[test]
fn frozen_layers_and_limits_are_kept() {
    let text = "chess.piece-square (768→32)×2→8→1 screlu,crelu";
    let shards = shards(text, 256, 2);
    let mut learner = learner(text, value(ValueLoss::Mse), 2, OptimiserKind::Adamw);
    let before = learner.parameters();
    learner.freeze(&["accumulator".into(), "value".into()]).unwrap();
    learner.set_clips(&[("hidden.0".into(), Some(0.05))]).unwrap();
    train(&mut learner, &shards, 10, StepSettings { rate: 0.05, ..SETTINGS });
    let after = learner.parameters();
    assert_eq!(before.feature_weights, after.feature_weights);
    assert_eq!(before.feature_bias, after.feature_bias);
    assert_eq!(before.heads, after.heads);
    assert_ne!(before.hidden, after.hidden);
    assert!(after.hidden[0].weights.iter().all(|weight| weight.abs() <= 0.05));
    let error = learner.freeze(&["hidden.1".into()]).unwrap_err().to_string();
    assert!(error.contains("hidden.1") && error.contains("hidden.0, value"), "{error}");
}

#[test]
fn values_follow_those_of_later_positions() {
    // A chain of ten positions, each the next one's predecessor, and a won game in the end: with λ = 0 the news
    // travels back one position a step, with λ = 1 it is there at once.
    let text = "connect_four.cells (84→16)×2→1 screlu";
    let mut shards = shards(text, 10, 1);
    shards[0].scores.fill(f32::NAN);
    shards[0].results.fill(f32::NAN);
    shards[0].results[9] = 1.0;
    shards[0].continues.fill(true);
    shards[0].continues[9] = false;
    let mut monte_carlo = shards.clone();
    for (at, result) in monte_carlo[0].results.iter_mut().enumerate() {
        *result = if at % 2 == 1 { 1.0 } else { 0.0 };
    }
    let mut learner = learner(text, value(ValueLoss::Mse), 1, OptimiserKind::Adam);
    let td = |lambda| StepSettings { td_lambda: Some(lambda), ..SETTINGS };
    let plain = StepSettings { result_share: 1.0, ..SETTINGS };
    let whole = learner.evaluate(&monte_carlo, plain).unwrap().mean();
    let found = learner.evaluate(&shards, td(1.0)).unwrap().mean();
    assert!((whole - found).abs() < 1e-9, "λ = 1 is the game's result: {found}, {whole}");
    let settings = StepSettings { rate: 0.01, ..td(0.5) };
    train(&mut learner, &shards, 800, settings);
    let learnt = learner.evaluate(&monte_carlo, plain).unwrap().mean();
    assert!(learnt < 0.02 && whole > 0.1, "{whole}, then {learnt}");
}

#[test]
fn what_the_network_cannot_read_is_refused() {
    let text = "chess.piece-square (768→32)×2→1 screlu";
    let mut learner = learner(text, value(ValueLoss::Mse), 1, OptimiserKind::Adam);
    let before = bytes(&learner);
    let mut batch = shards(text, 8, 1);
    batch[0].features[3] = 768;
    let error = learner.step(&batch, SETTINGS).unwrap_err().to_string();
    assert_eq!(error, "a position has feature 768; the network has features 0 to 767");
    batch[0].features[3] = 0;
    batch[0].scores[0] = f32::INFINITY;
    let mut raw = self::learner(text, value(ValueLoss::RawMse), 1, OptimiserKind::Adam);
    let error = raw.step(&batch, SETTINGS).unwrap_err().to_string();
    assert!(error.starts_with("the loss of step 1 is not a finite number"), "{error}");
    assert!(bytes(&learner) == before && bytes(&raw) == before);
}
