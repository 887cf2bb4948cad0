//! Export: what is proven holds on real positions, what cannot be proven is refused, and integers are near floats.

mod export_support;

use export_support::{STAIRCASE, normal, trained_like};
use games::Random;
use nnue::{
    Architecture, Arithmetic, FileParameters, FloatParameters, IntegerParameters, Network,
    NetworkFile,
};
use trainer::export::{
    ErrorBound, Export, ExportError, ExportOptions, floats_of, measure, quantise, random_positions,
};

/// The games of these tests.
fn games() -> dataset::GameList {
    dataset::GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .with::<games::connect_four::ConnectFour>()
}

fn architecture(text: &str) -> Architecture {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn integers(export: &Export) -> &IntegerParameters {
    match &export.parameters {
        FileParameters::Integer(parameters) => parameters,
        FileParameters::Float(_) => panic!("{} was exported as floats", export.architecture),
    }
}

/// The sum of a neuron for some features, exactly.
fn sum(parameters: &IntegerParameters, features: &[u32], neuron: usize) -> i64 {
    let width = parameters.feature_bias.len();
    let weight = |&f: &u32| i64::from(parameters.feature_weights[f as usize * width + neuron]);
    i64::from(parameters.feature_bias[neuron]) + features.iter().map(weight).sum::<i64>()
}

#[test]
fn integers_are_near_floats_on_every_step_of_the_staircase() {
    for text in STAIRCASE {
        let float = architecture(text);
        let parameters = trained_like(&float, 1);
        let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
        let batch = random_positions(&float, 10_000, 7, &games()).unwrap();
        let file = export.clone().into_file(String::new(), None).unwrap();
        if float.arithmetic() == Arithmetic::Float {
            assert_eq!(file.parameters(), &FileParameters::Float(parameters), "{text}");
            continue;
        }
        let original = Network::from_floats(float, &parameters).unwrap();
        let report = measure(&original, &file.to_network().unwrap(), &[batch]);
        println!("{text}\n  {report:?}\n  {:?}", export.architecture.scales);
        assert_eq!(report.positions, 10_000, "{text}");
        assert!(report.inside.count > 5_000, "{text}: {report:?}");
        report.check(ErrorBound::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        // Values that hardly move would be near whatever the integers do.
        assert!(report.sign_disagreements < 400, "{text}: {report:?}");
        assert_eq!(report.policy.is_some(), text.contains("/64"), "{text}");
        if let Some(policy) = report.policy {
            assert!(policy.agreement > 0.95, "{text}: {policy:?}");
        }
        // What was measured is what the file tells.
        let file = export.into_file(String::new(), Some(&report)).unwrap();
        let read = NetworkFile::read(&file.write()).unwrap();
        let error = read.quantisation_error().unwrap();
        assert_eq!((error.positions, error.mean), (10_000, report.value.mean), "{text}");
    }
}

/// Floats that were made of integers are those integers again.
#[test]
fn integers_come_back_from_their_floats() {
    for text in STAIRCASE {
        let float = architecture(text);
        if float.arithmetic() == Arithmetic::Float {
            continue;
        }
        let export =
            quantise(&float, &trained_like(&float, 3), &ExportOptions::default(), &games())
                .unwrap();
        let floats = floats_of(&export.architecture, integers(&export));
        let again = quantise(&float, &floats, &ExportOptions::default(), &games()).unwrap();
        assert_eq!(again.architecture, export.architecture, "{text}");
        assert!(again.parameters == export.parameters, "{text}");
    }
}

/// The usual scale is kept where it fits.
#[test]
fn trained_weights_keep_the_usual_scale() {
    for text in &STAIRCASE[1..] {
        let float = architecture(text);
        let parameters = trained_like(&float, 2);
        let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
        assert_eq!(export.architecture.scales.accumulator, 255, "{text}");
        assert!(export.layers.iter().all(|layer| layer.clipped == 0), "{text}");
        assert!(export.layers.iter().all(|layer| layer.reach <= layer.limit), "{text}");
    }
}

/// Random weights of all sizes: no position leaves what was proven, and what was proven fits.
#[test]
fn no_position_leaves_the_proven_range() {
    let mut random = Random::new(3);
    for (round, text) in [
        "chess.piece-square (768→24)×2→1 screlu",
        "chess.piece-square-stm 769→24→1 crelu",
        "chess.halfka-hm (22528→8)×2→8→1 crelu,crelu",
        "hexchess.piece-cell-mirrored (1110→24)×2→1 relu",
        "connect_four.cells (84→24)×2→1 pairwise",
    ]
    .into_iter()
    .cycle()
    .take(20)
    .enumerate()
    {
        let float = architecture(text);
        let mut parameters = trained_like(&float, round as u64);
        let size = [0.3, 1.0, 4.0, 12.0][round / 5];
        for weight in &mut parameters.feature_weights {
            *weight = size * normal(&mut random);
        }
        let export = match quantise(&float, &parameters, &ExportOptions::default(), &games()) {
            Ok(export) => export,
            Err(error @ ExportError::Overflow { .. }) => {
                assert!(size > 4.0, "{text} with {size}: {error}");
                continue;
            }
            Err(error) => panic!("{text}: {error}"),
        };
        let reach = export.layers[0].reach;
        assert!(reach <= i64::from(i16::MAX), "{text}: {reach}");
        let batch = random_positions(&float, 100, round as u64, &games()).unwrap();
        for (position, perspective) in
            (0..batch.len()).flat_map(|p| (0..batch.perspectives).map(move |v| (p, v)))
        {
            for neuron in 0..float.accumulator.width {
                let sum = sum(integers(&export), batch.row(position, perspective), neuron);
                assert!(sum.abs() <= reach, "{text}, neuron {neuron}: {sum} beyond {reach}");
            }
        }
    }
}

/// A network of one neuron, all weights 0 but those that `features` name.
fn planted(text: &str, features: &[u32], weight: f32) -> (Architecture, FloatParameters) {
    let float = architecture(text);
    let mut parameters = FloatParameters::generate(&float, || 0.0, || 0.0, || 0.5, || 0.0);
    for &feature in features {
        parameters.feature_weights[feature as usize] = weight;
    }
    (float, parameters)
}

/// Positions that reach the bound exactly: it cannot be any tighter.
#[test]
fn the_bound_is_reached() {
    for text in [
        "chess.piece-square (768→1)×2→1 screlu",
        "chess.halfka-hm (22528→1)×2→1 screlu",
        "hexchess.piece-cell (1110→1)×2→1 screlu",
    ] {
        for sign in [1.0, -1.0] {
            let batch = random_positions(&architecture(text), 1, 5, &games()).unwrap();
            let active = batch.row(0, 0).to_vec();
            let (float, parameters) = planted(text, &active, sign * 3.9);
            let export =
                quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
            let reached = sum(integers(&export), &active, 0);
            assert_eq!(export.layers[0].reach, reached.abs(), "{text}");
        }
    }
}

#[test]
fn a_planted_overflow_is_lowered_or_refused() {
    let text = "chess.piece-square (768→1)×2→1 screlu";
    let batch = random_positions(&architecture(text), 1, 5, &games()).unwrap();
    let active = batch.row(0, 0).to_vec();
    // Just what fits with 255, and just more.
    let fits = i16::MAX / active.len() as i16;
    let (float, parameters) = planted(text, &active, f32::from(fits) / 255.0);
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    assert_eq!(export.architecture.scales.accumulator, 255);

    let (float, parameters) = planted(text, &active, f32::from(fits + 1) / 255.0);
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    let scale = export.architecture.scales.accumulator;
    assert!((250..255).contains(&scale), "{scale}");
    assert!(export.layers[0].reach <= i64::from(i16::MAX));

    let given = ExportOptions { accumulator: Some(255), ..ExportOptions::default() };
    let error = quantise(&float, &parameters, &given, &games()).unwrap_err();
    let bound = active.len() as i64 * i64::from(fits + 1);
    let ExportError::Overflow { layer, neuron: 0, bound: found, limit: 32767, one: 255 } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((layer.as_str(), *found), ("accumulator", bound));

    let (float, parameters) = planted(text, &active, 40.0);
    let error = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap_err();
    assert!(matches!(error, ExportError::Overflow { neuron: 0, .. }), "{error}");
    let (float, parameters) = planted(text, &active[..1], 1e30);
    let error = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap_err();
    assert!(error.to_string().contains("clip the weights of this layer"), "{error}");
}

/// Pieces exclude each other on a cell, and buckets exclude each other: weights that could never meet are no reason
/// to lower the scale.
#[test]
fn features_that_exclude_each_other_are_not_summed() {
    let cell = |square: u32| (0..12).map(move |kind| 64 * kind + square);
    let crowded: Vec<u32> = (0..16).flat_map(cell).collect();
    let (float, parameters) = planted("chess.piece-square (768→1)×2→1 screlu", &crowded, 4.0);
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    assert_eq!(export.layers[0].reach, 16 * 4 * 255);

    let everywhere: Vec<u32> = (0..32).map(|bucket| 704 * bucket + 100).collect();
    let (float, parameters) = planted("chess.halfka-hm (22528→1)×2→1 screlu", &everywhere, 100.0);
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    assert_eq!(export.layers[0].reach, 100 * 255);
}

#[test]
fn heads_that_could_overflow_are_lowered_or_refused() {
    let float = architecture("chess.piece-square (768→256)×2→1 screlu");
    let mut parameters = trained_like(&float, 9);
    parameters.heads[0].weights.fill(2.0);
    let given = ExportOptions { head: Some(64), ..ExportOptions::default() };
    // 512 inputs of up to 255² times 128 is more than 31 bits hold.
    let error = quantise(&float, &parameters, &given, &games()).unwrap_err();
    let ExportError::Overflow { layer, bound, limit, .. } = &error else { panic!("{error}") };
    assert_eq!((layer.as_str(), *limit), ("value", i64::from(i32::MAX)));
    assert!(*bound > *limit && *bound <= 512 * 255 * 255 * 128, "{bound}");
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    assert_eq!(export.architecture.scales.head, 32);
}

#[test]
fn hidden_weights_are_clipped_only_when_asked() {
    let float = architecture("chess.piece-square (768→32)×2→16→1 crelu,crelu");
    let mut parameters = trained_like(&float, 11);
    parameters.hidden[0].weights[5] = 3.0;
    let export = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap();
    assert_eq!(export.architecture.scales.hidden_shifts, [5]);
    assert_eq!(export.layers[1].clipped, 0);
    let given = ExportOptions { hidden_shift: Some(6), ..ExportOptions::default() };
    let export = quantise(&float, &parameters, &given, &games()).unwrap();
    assert_eq!(export.layers[1].clipped, 1);
    let cut = export.layers[1].cut;
    assert!((1.0..1.1).contains(&cut), "{cut}");
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let float = architecture("chess.piece-square (768→8)×2→4→1 crelu,crelu");
    let mut parameters = trained_like(&float, 12);
    parameters.hidden[0].bias[2] = f32::NAN;
    let error = quantise(&float, &parameters, &ExportOptions::default(), &games()).unwrap_err();
    let ExportError::NotFinite { layer, index: 2, .. } = &error else { panic!("{error}") };
    assert_eq!(layer, "hidden.0");
}

#[test]
fn floats_stay_floats_when_asked() {
    let float = architecture("chess.piece-square (768→8)×2→1 screlu");
    let parameters = trained_like(&float, 13);
    let options = ExportOptions { float: true, ..ExportOptions::default() };
    let export = quantise(&float, &parameters, &options, &games()).unwrap();
    assert_eq!(export.parameters, FileParameters::Float(parameters));
    assert_eq!(export.layers, []);
}
