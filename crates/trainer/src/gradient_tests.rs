//! Gradient checks: gradients equal finite differences, in f64, for every activation, layer, loss
//! and head.

use dataset::{Batch, PolicyTarget};
use games::Random;
use nnue::{
    Activation, Architecture, BucketRule, Buckets, Description, Head, Layer, Perspectives,
    PolicyHead, Scales, ValueOutput,
};

use crate::core::Core;
use crate::tensors::part_names;
use crate::{
    Objective, OptimiserSettings, PolicyLoss, PolicyObjective, QuantileForm, QuantileObjective,
    QuantileTarget, StepSettings, ValueLoss, ValueObjective, WdlObjective, layout,
};

const INPUTS: usize = 40;
const POLICY: Head = Head::Policy(PolicyHead { from: 9, to: 7, moves: None });

fn layer(width: usize, activation: Activation) -> Layer {
    Layer { width, activation }
}

/// A network of one hidden layer, small enough to try every weight.
fn description() -> Description {
    Description {
        features: "raw:40".into(),
        inputs: INPUTS,
        perspectives: Perspectives::Two,
        accumulator: layer(6, Activation::Tanh),
        hidden: vec![layer(4, Activation::Tanh)],
        buckets: Buckets::NONE,
        heads: vec![Head::Value(ValueOutput::Sigmoid)],
        scales: Scales::usual(Activation::Tanh, 1),
    }
}

fn with_hidden(hidden: &[Layer]) -> Description {
    let scales = Scales::usual(Activation::Tanh, hidden.len());
    Description { hidden: hidden.to_vec(), scales, ..description() }
}

fn objective() -> Objective {
    Objective { score_scale: 350.0, value: Some(ValueObjective::default()), ..Objective::default() }
}

fn batch(perspectives: usize, positions: usize, seed: u64) -> Batch {
    let mut random = Random::new(seed);
    let mut batch = Batch::new(perspectives);
    batch.legal_starts.push(0);
    for _ in 0..positions {
        for _ in 0..perspectives {
            let count = random.below(6);
            let row: Vec<u32> = (0..count).map(|_| random.below(INPUTS) as u32).collect();
            batch.push_row(row);
        }
        // Some positions lack a score, some a result, a few both.
        let score = (random.below(8) != 0).then(|| random.below(1200) as f32 - 600.0);
        let result = (random.below(5) != 0).then(|| random.below(5) as f32 / 4.0);
        batch.push(2 + random.below(31), score, result);
        let mut quantiles = [0.0; 5].map(|_: f32| random.below(1000) as f32 - 500.0);
        quantiles.sort_by(f32::total_cmp);
        batch.quantiles.push(quantiles);
        batch.noisy.push(random.below(3) == 0);
        let moves = 1 + random.below(6);
        let mut any = || PolicyTarget { from: random.below(9) as u16, to: random.below(7) as u16 };
        batch.legal.extend((0..moves).map(|_| any()));
        batch.legal_starts.push(batch.legal.len() as u32);
        let best = random.below(moves);
        let known = random.below(4) != 0;
        batch.best_legal.push(known.then_some(best as u16));
        let first = batch.legal_starts[batch.legal_starts.len() - 2] as usize;
        batch.policy.push(known.then_some(batch.legal[first + best]));
    }
    batch
}

fn core(description: Description, objective: Objective, sparse: bool) -> Core<f64> {
    let architecture = Architecture::new(description).unwrap();
    let settings = OptimiserSettings::default();
    let mut core = Core::new(&architecture, 0, objective, settings, 2, sparse);
    layout::initialise(&core.shape, INPUTS, 5, &mut core.parameters);
    // Wider than usual, so that clipped activations clip in both directions, and nonzero biases.
    let mut random = Random::new(9);
    for part in core.parameters.parts_mut() {
        for weight in part.iter_mut() {
            *weight = *weight * 2.5 + if *weight == 0.0 { 0.0 } else { 0.01 };
        }
    }
    let width = core.shape.width;
    for bias in &mut core.parameters.transformer_bias.as_flattened_mut()[..width] {
        *bias = random.below(1000) as f64 / 1000.0 - 0.2;
    }
    core
}

const SETTINGS: StepSettings = StepSettings { rate: 1e-3, result_share: 0.3, td_lambda: None };

/// Compares the gradient of every weight with finite differences of the loss.
fn check(name: &str, description: Description, objective: Objective) {
    let perspectives = description.perspectives.count();
    let shards = [batch(perspectives, 90, 1), batch(perspectives, 61, 2)];
    let mut core = core(description, objective, false);
    let loss = |core: &mut Core<f64>| core.pass(&shards, SETTINGS, false).unwrap().mean();
    core.pass(&shards, SETTINGS, true).unwrap();
    core.reduce(&shards);
    let gradient = core.gradient().clone();
    let names = part_names(&core.shape);
    let step = 1e-6;
    let mut moving = 0;
    for (part, values) in gradient.parts().into_iter().enumerate() {
        for (place, &found) in values.iter().enumerate() {
            let old = core.parameters.parts()[part][place];
            if part == 0 && old == 0.0 {
                // Beyond the width.
                assert!(found == 0.0);
                continue;
            }
            let mut at = |x: f64| {
                core.parameters.parts_mut()[part][place] = x;
                loss(&mut core)
            };
            let expected = (at(old + step) - at(old - step)) / (2.0 * step);
            at(old);
            let error = (expected - found).abs();
            let what = format!("{name}: {} number {place}", names[part]);
            assert!(error < 1e-7 + 1e-5 * expected.abs(), "{what}: {found}, expected {expected}");
            moving += usize::from(found != 0.0);
        }
        if part > 1 {
            assert!(values.iter().any(|&x| x != 0.0), "{name}: {} has no gradient", names[part]);
        }
    }
    assert!(moving > 100, "{name}: only {moving} weights have a gradient");
}

#[test]
fn of_every_activation_of_the_accumulator() {
    for activation in Activation::ALL {
        for perspectives in [Perspectives::One, Perspectives::Two] {
            let accumulator = layer(38, activation);
            let description = Description { accumulator, perspectives, ..with_hidden(&[]) };
            check(&format!("{activation:?} {perspectives:?}"), description, objective());
        }
    }
}

#[test]
fn of_every_activation_of_hidden_layers() {
    for activation in Activation::ALL {
        let hidden = [layer(8, activation), layer(6, activation)];
        check(&format!("{activation:?}"), with_hidden(&hidden), objective());
    }
}

#[test]
fn of_output_buckets() {
    let buckets = Buckets { rule: BucketRule::Pieces, count: 4 };
    check("buckets", Description { buckets, ..description() }, objective());
}

#[test]
fn of_every_loss_of_the_value() {
    let losses = [ValueLoss::Bce, ValueLoss::Mse, ValueLoss::Power, ValueLoss::RawMse];
    for output in [ValueOutput::Sigmoid, ValueOutput::Linear, ValueOutput::Tanh] {
        for loss in losses.into_iter().chain([ValueLoss::TanhMse]) {
            let value = Some(ValueObjective { loss, ..ValueObjective::default() });
            let heads = vec![Head::Value(output)];
            let objective = Objective { value, ..objective() };
            check(
                &format!("{output:?} {loss:?}"),
                Description { heads, ..description() },
                objective,
            );
        }
    }
}

#[test]
fn of_the_value_of_quiet_positions() {
    let quiet = |quiet| {
        let value = Some(ValueObjective { quiet, ..ValueObjective::default() });
        Objective { value, ..objective() }
    };
    check("quiet", description(), quiet(true));
    // A position that is not quiet has no weight, whatever its score.
    let mut shards = [batch(2, 90, 1), batch(2, 61, 2)];
    let losses = |quiet_only, shards: &[Batch]| {
        let mut core = core(description(), quiet(quiet_only), false);
        core.pass(shards, SETTINGS, false).unwrap()
    };
    let (before, all) = (losses(true, &shards), losses(false, &shards));
    assert!(before.heads[0].positions < all.heads[0].positions);
    for shard in &mut shards {
        for (score, _) in shard.scores.iter_mut().zip(&shard.noisy).filter(|(_, noisy)| **noisy) {
            *score += 500.0;
        }
    }
    assert_eq!(losses(true, &shards), before);
    assert_ne!(losses(false, &shards), all);
}

#[test]
fn of_win_draw_and_loss() {
    let wdl = Some(WdlObjective { weight: 0.7, ..WdlObjective::default() });
    let heads = vec![Head::Wdl];
    let objective = Objective { value: None, wdl, ..objective() };
    check("wdl", Description { heads, ..description() }, objective);
}

#[test]
fn of_quantiles() {
    use QuantileTarget::{Deepest, Percentiles, Score};
    for target in [Deepest, Score, Percentiles] {
        let quantiles = Some(QuantileObjective { target, clip: 450.0, ..Default::default() });
        let heads = vec![Head::Quantiles];
        let objective = Objective { value: None, quantiles, ..objective() };
        check(&format!("{target:?}"), Description { heads, ..description() }, objective);
    }
}

/// Quantiles anchored at the value, with or without a gradient to it.
fn anchored(target: QuantileTarget, pull_value: bool) -> QuantileObjective {
    let form = QuantileForm::Anchored;
    QuantileObjective { form, target, pull_value, weight: 0.8, ..Default::default() }
}

#[test]
fn of_quantiles_around_the_value() {
    use QuantileTarget::{Deepest, Percentiles, Score};
    for target in [Deepest, Score, Percentiles] {
        for (output, value) in
            [(ValueOutput::Sigmoid, objective().value), (ValueOutput::Linear, None)]
        {
            let heads = vec![Head::AnchoredQuantiles, Head::Value(output)];
            let objective =
                Objective { value, quantiles: Some(anchored(target, true)), ..objective() };
            let name = format!("{target:?} {output:?}");
            check(&name, Description { heads, ..description() }, objective);
        }
    }
}

#[test]
fn widths_leave_the_value_alone_unless_they_may_pull_it() {
    let heads = vec![Head::Value(ValueOutput::Sigmoid), Head::AnchoredQuantiles];
    let description = Description { heads, ..description() };
    let gradient = |quantiles: Option<QuantileObjective>| {
        let shards = [batch(2, 90, 1), batch(2, 61, 2)];
        let mut core = core(description.clone(), Objective { quantiles, ..objective() }, false);
        core.pass(&shards, SETTINGS, true).unwrap();
        core.reduce(&shards);
        core.gradient().clone()
    };
    let [none, kept, pulled] = [
        gradient(None),
        gradient(Some(anchored(QuantileTarget::Score, false))),
        gradient(Some(anchored(QuantileTarget::Score, true))),
    ];
    let (value, widths) = (1, 2);
    assert_eq!(none.layers[value], kept.layers[value]);
    assert_ne!(none.layers[value], pulled.layers[value]);
    assert_eq!(kept.layers[widths], pulled.layers[widths]);
    assert!(none.layers[widths].weights.iter().all(|&x| x == 0.0));
    // The layers below still learn from the widths.
    assert_ne!(none.transformer, kept.transformer);
}

#[test]
fn of_the_policy() {
    for loss in [PolicyLoss::FromTo, PolicyLoss::Legal] {
        let policy = Some(PolicyObjective { loss, ..PolicyObjective::default() });
        let heads = vec![POLICY];
        let objective = Objective { value: None, policy, ..objective() };
        check(&format!("{loss:?}"), Description { heads, ..with_hidden(&[]) }, objective);
    }
}

/// All heads at once, in another order, with buckets and different weights.
fn everything() -> (Description, Objective) {
    let heads = vec![Head::Quantiles, POLICY, Head::Wdl, Head::Value(ValueOutput::Sigmoid)];
    let buckets = Buckets { rule: BucketRule::Fours, count: 8 };
    let value = Some(ValueObjective { weight: 2.0, ..ValueObjective::default() });
    let wdl = Some(WdlObjective { weight: 0.5, ..WdlObjective::default() });
    let objective = Objective {
        value,
        wdl,
        quantiles: Some(QuantileObjective::default()),
        policy: Some(PolicyObjective { weight: 0.25, ..PolicyObjective::default() }),
        ..objective()
    };
    (Description { heads, buckets, ..description() }, objective)
}

#[test]
fn of_all_heads_together() {
    let (description, objective) = everything();
    check("all heads", description, objective);
}

#[test]
fn a_stopped_gradient_reaches_the_head_alone() {
    let (description, mut objective) = everything();
    let gradient = |objective: Objective| {
        let shards = [batch(2, 90, 1), batch(2, 61, 2)];
        let mut core = core(description.clone(), objective, false);
        core.pass(&shards, SETTINGS, true).unwrap();
        core.reduce(&shards);
        core.gradient().clone()
    };
    let whole = gradient(objective.clone());
    objective.policy.as_mut().unwrap().stop_gradient = true;
    let stopped = gradient(objective.clone());
    objective.policy = None;
    let without = gradient(objective);
    assert_eq!(whole.layers.last(), stopped.layers.last());
    assert_eq!(without.transformer, stopped.transformer);
    assert_ne!(whole.transformer, stopped.transformer);
    assert!(without.layers.last().unwrap().weights.iter().all(|&x| x == 0.0));
}

#[test]
fn sparse_and_dense_steps_of_one_batch_are_equal_where_features_occur() {
    let (description, objective) = everything();
    let shards = [batch(2, 300, 1), batch(2, 261, 2)];
    let mut dense = core(description.clone(), objective.clone(), false);
    let mut sparse = core(description, objective, true);
    for _ in 0..3 {
        let expected = dense.step(&shards, SETTINGS).unwrap();
        assert_eq!(sparse.step(&shards, SETTINGS).unwrap(), expected);
    }
    let pairs = dense.parameters.parts().into_iter().zip(sparse.parameters.parts());
    for (dense, sparse) in pairs {
        for (dense, sparse) in dense.iter().zip(sparse) {
            // Other summation orders, divided by their own roots.
            assert!((dense - sparse).abs() < 1e-9, "{dense} {sparse}");
        }
    }
}
