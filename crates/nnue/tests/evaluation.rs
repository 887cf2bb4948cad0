//! Networks evaluate as their description says, with every kernel that this processor has.

use nnue::{Accumulator, Architecture, Head, Kernel, Network};
use proptest::prelude::*;

mod support;
use support::{Random, floats, integers, naive_centipawns, naive_outputs, naive_sums};

/// One of every kind of integer network. Widths are seldom whole blocks.
const INTEGER: [&str; 16] = [
    "(768→256)×2→1 screlu",
    "(96→40)×2→1 crelu",
    "(96→64)×2→1 relu",
    "40→65→1 identity",
    "(96→130)×2→1 pairwise",
    "(96→1)×2→1 screlu",
    "(96→256)×2→1 screlu buckets=pieces:8",
    "(96→64)×2→16→1 screlu,crelu",
    "(96→200)×2→16→32→1 pairwise,crelu",
    "(96→48)×2→33→1 crelu buckets=fours:8",
    "100→300→17→9→1 crelu",
    "(96→128)×2→32→1+3+5+64/64 screlu,crelu",
    "(96→64)×2→16→1+3+4 screlu,crelu",
    "(96→64)×2→1+4 screlu/linear buckets=pieces:4",
    "(96→70)×2→1+91/91 crelu scales=254,1,-,64,6,400",
    "(96→512)×2→1 screlu scales=181,9,-,128,6,361",
];

fn active(architecture: &Architecture, random: &mut Random) -> Vec<u32> {
    let mut features: Vec<u32> =
        (0..random.below(33)).map(|_| random.below(architecture.inputs) as u32).collect();
    features.sort_unstable();
    features.dedup();
    features
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn integer_networks_equal_the_plain_reading(
        which in 0..INTEGER.len(), seed: u64, wild: bool, pieces in 0usize..40, side in 0usize..2,
    ) {
        let architecture: Architecture = INTEGER[which].parse().unwrap();
        let parameters = integers(&architecture, seed, wild);
        let mut random = Random(!seed);
        let lists = [active(&architecture, &mut random), active(&architecture, &mut random)];
        let sums = lists.clone().map(|list| naive_sums(&architecture, &parameters, &list));
        let order: Vec<_> = match architecture.perspectives {
            nnue::Perspectives::One => vec![sums[0].clone()],
            nnue::Perspectives::Two => vec![sums[side].clone(), sums[1 - side].clone()],
        };
        let bucket = architecture.buckets.choose(pieces);
        let (raw, policy) = naive_outputs(&architecture, &parameters, &order, bucket);

        let network = Network::from_integers(architecture.clone(), &parameters).unwrap();
        for kernel in Kernel::available() {
            let network = network.clone().with_kernel(kernel);
            let mut workspace = network.workspace();
            let views = lists.clone().map(|list| {
                let mut accumulator = Accumulator::new(&network);
                network.refresh(&mut accumulator, &list);
                accumulator
            });
            let views = [&views[0], &views[1]];
            let value = network.evaluate(views, side, pieces, &mut workspace);
            prop_assert_eq!(value, naive_centipawns(&architecture, raw[0]), "{}", kernel);
            let outputs = network.outputs(views, side, pieces, &mut workspace);
            prop_assert_eq!(outputs.value, value);
            if let Some(quantiles) = outputs.quantiles {
                prop_assert!(quantiles.is_sorted());
                if architecture.heads.contains(&Head::AnchoredQuantiles) {
                    prop_assert_eq!(quantiles[2], value);
                }
            }
            if let Some(wdl) = outputs.wdl {
                prop_assert!((wdl.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
            // A few rows at a time and all at once take different ways to the same logits.
            for count in [1, 7, policy.len()] {
                let rows: Vec<u16> = (0..policy.len() as u16).rev().take(count).collect();
                let mut logits = vec![0.0; rows.len()];
                network.policy(views, side, &rows, &mut logits, &mut workspace);
                for (&row, &logit) in rows.iter().zip(&logits) {
                    let expected = policy[usize::from(row)] as f32 / architecture.policy_unit();
                    prop_assert!((logit - expected).abs() <= expected.abs() * 1e-6);
                }
            }
        }
    }

    /// By construction, in floats and in integers of any size, in both forms.
    #[test]
    fn quantiles_ascend(seed: u64, wild: bool, centipawns in 0.5f32..5000.0) {
        for heads in ["5", "1+5", "1+4", "4+3+1"] {
            let text = format!("(96→33)×2→{heads} screlu scales=255,9,-,64,6,{centipawns}");
            let architecture: Architecture = text.parse().unwrap();
            let mut large = floats(&architecture, seed);
            for bias in large.heads.iter_mut().flat_map(|head| &mut head.bias) {
                *bias *= if wild { 1e8 } else { 3.0 };
            }
            for network in [
                Network::from_floats(architecture.clone(), &large).unwrap(),
                Network::from_integers(architecture.clone(), &integers(&architecture, seed, wild)).unwrap(),
            ] {
                let mut random = Random(seed);
                let mut workspace = network.workspace();
                for _ in 0..4 {
                    let mut view = Accumulator::new(&network);
                    network.refresh(&mut view, &active(&architecture, &mut random));
                    let outputs = network.outputs([&view, &view], 0, 9, &mut workspace);
                    let quantiles = outputs.quantiles.unwrap();
                    prop_assert!(quantiles.is_sorted(), "{} {:?}", text, quantiles);
                    if architecture.heads.contains(&Head::AnchoredQuantiles) {
                        prop_assert_eq!(quantiles[2], outputs.value);
                    }
                }
            }
        }
    }

    #[test]
    fn updated_equals_refreshed(which in 0..INTEGER.len(), seed: u64) {
        let architecture: Architecture = INTEGER[which].parse().unwrap();
        let network =
            Network::from_integers(architecture.clone(), &integers(&architecture, seed, true));
        check_updates(&network.unwrap(), seed);
    }

    #[test]
    fn float_networks_update_exactly(seed: u64) {
        for text in ["2→4→1 sigmoid", "769→128→64→1 relu/tanh", "(96→31)×2→8→1+3 tanh,sigmoid"] {
            let architecture: Architecture = text.parse().unwrap();
            let network =
                Network::from_floats(architecture.clone(), &floats(&architecture, seed)).unwrap();
            prop_assert!(network.is_float());
            check_updates(&network, seed);
        }
    }
}

/// Adding and removing features by any path ends in the accumulator that a refresh gives.
fn check_updates(network: &Network, seed: u64) {
    let mut random = Random(seed);
    let inputs = network.architecture().inputs;
    for kernel in Kernel::available() {
        let network = network.clone().with_kernel(kernel);
        let mut current = Vec::new();
        let mut accumulator = Accumulator::new(&network);
        for _ in 0..20 {
            let removed: Vec<u32> = (0..random.below(4)).filter_map(|_| current.pop()).collect();
            let added: Vec<u32> =
                (0..random.below(4)).map(|_| random.below(inputs) as u32).collect();
            current.extend(&added);
            let mut child = Accumulator::new(&network);
            network.update(&accumulator, &mut child, &added, &removed);
            let mut fresh = Accumulator::new(&network);
            network.refresh(&mut fresh, &current);
            assert_eq!(child, fresh, "{kernel}");
            accumulator = child;
        }
    }
}

/// The whole of XOR by hand: a float network says what pencil and paper say.
#[test]
fn a_float_network_by_hand() {
    let architecture: Architecture = "2→2→1 relu/linear scales=255,1,-,64,6,100".parse().unwrap();
    // x1 + x2 and x1 + x2 − 1; the output is the first minus twice the second.
    let parameters = nnue::FloatParameters {
        feature_weights: vec![1.0, 1.0, 1.0, 1.0],
        feature_bias: vec![0.0, -1.0],
        hidden: vec![],
        heads: vec![nnue::Weights { weights: vec![1.0, -2.0], bias: vec![0.0] }],
        policy: None,
    };
    let network = Network::from_floats(architecture, &parameters).unwrap();
    let mut workspace = network.workspace();
    let mut accumulator = Accumulator::new(&network);
    for (active, expected) in [(&[][..], 0), (&[0], 100), (&[1], 100), (&[0, 1], 0)] {
        network.refresh(&mut accumulator, active);
        let views = [&accumulator, &accumulator];
        assert_eq!(network.evaluate(views, 0, 0, &mut workspace), expected);
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let architecture: Architecture = "(96→40)×2→8→1 crelu".parse().unwrap();
    let good = integers(&architecture, 1, false);
    let refuse = |change: fn(&mut nnue::IntegerParameters), fragment: &str| {
        let mut parameters = good.clone();
        change(&mut parameters);
        let error = Network::from_integers(architecture.clone(), &parameters).unwrap_err();
        assert!(error.to_string().contains(fragment), "{error}");
    };
    refuse(|p| p.feature_weights.truncate(5), "feature weights");
    refuse(|p| p.feature_bias.push(0), "feature bias");
    refuse(|p| p.hidden.clear(), "hidden layers");
    refuse(|p| p.hidden[0].bias.clear(), "hidden bias");
    refuse(|p| p.heads[0].weights.push(0), "head weights");
    refuse(|p| p.policy = Some(p.hidden[0].clone()), "policy");
    let float: Architecture = "(96→40)×2→8→1 tanh".parse().unwrap();
    let error = Network::from_integers(float.clone(), &integers(&float, 1, false)).unwrap_err();
    assert!(error.to_string().contains("integers can do"), "{error}");
    let mut parameters = floats(&float, 1);
    parameters.feature_weights[3] = f32::NAN;
    assert!(Network::from_floats(float, &parameters).is_err());
}

/// Quantiles around the value: steps of 40, 20, 10 and 30 centipawns away from it.
#[test]
fn widths_by_hand() {
    let architecture: Architecture = "2→2→1+4 relu/linear scales=255,1,-,64,6,100".parse().unwrap();
    let mut parameters =
        nnue::FloatParameters::generate(&architecture, || 0.0, || 0.0, || 0.0, || 0.0);
    parameters.heads[0].bias[0] = -1.5;
    let steps = [0.4_f32, 0.2, 0.1, 0.3];
    // What softplus makes of it is the step.
    parameters.heads[1].bias = steps.map(|step| step.exp_m1().ln()).to_vec();
    let network = Network::from_floats(architecture, &parameters).unwrap();
    let view = Accumulator::new(&network);
    let outputs = network.outputs([&view, &view], 0, 0, &mut network.workspace());
    assert_eq!(outputs.quantiles, Some([-210, -170, -150, -140, -110]));
    assert_eq!(outputs.value, -150);
}
