//! What is written is read back: the same content, the same bytes, the same evaluations.

#[path = "file_support/networks.rs"]
mod networks;

use networks::{Random, answers, file};
use nnue::{
    Activation, Architecture, BucketRule, Buckets, Calibration, CalibrationRanges,
    ConformalAdjustment, Description, FittedParams, Head, Layer, MoveEncoding, Network,
    NetworkFile, Perspectives, PolicyCalibration, PolicyHead, Scales, ScoreModel, ValueOutput,
};
use proptest::prelude::*;

fn activation() -> impl Strategy<Value = Activation> {
    proptest::sample::select(&Activation::ALL[..])
}

fn layer(widest: usize) -> impl Strategy<Value = Layer> {
    (1..=widest / 2, activation()).prop_map(|(half, activation)| {
        // Pairwise layers have an even width; the others odd ones too.
        let width = 2 * half - usize::from(activation != Activation::Pairwise);
        Layer { width, activation }
    })
}

fn heads() -> impl Strategy<Value = Vec<Head>> {
    let value = proptest::sample::select(vec![
        ValueOutput::Sigmoid,
        ValueOutput::Linear,
        ValueOutput::Tanh,
    ]);
    let moves = proptest::option::of(proptest::sample::select(&MoveEncoding::ALL[..]));
    (value, 1..9usize, 1..9usize, moves).prop_flat_map(|(value, from, to, moves)| {
        let policy = Head::Policy(PolicyHead { from, to, moves });
        let all = vec![Head::Value(value), Head::Wdl, Head::Quantiles, policy];
        let some = proptest::sample::subsequence(all, 1..=4).prop_shuffle();
        (some, any::<bool>()).prop_map(move |(mut heads, around)| {
            // Quantiles around the value, where there is a value that they can be around.
            let value = heads.iter().find_map(|head| head.value_output());
            if around && value.is_some_and(|output| output != ValueOutput::Tanh) {
                let anchored =
                    |head| if head == Head::Quantiles { Head::AnchoredQuantiles } else { head };
                heads = heads.into_iter().map(anchored).collect();
            }
            heads
        })
    })
}

fn buckets() -> impl Strategy<Value = Buckets> {
    prop_oneof![
        Just(Buckets::NONE),
        (2..9usize).prop_map(|count| Buckets { rule: BucketRule::Pieces, count }),
        (2..9usize).prop_map(|count| Buckets { rule: BucketRule::Fours, count }),
    ]
}

prop_compose! {
    /// Any architecture whose weights take little memory.
    fn architecture()(
        name in "[a-zé.:x/=,+()-]{1,12}",
        inputs in 1..40usize,
        two in any::<bool>(),
        accumulator in layer(40),
        hidden in proptest::collection::vec(layer(20), 0..4),
        buckets in buckets(),
        heads in heads(),
        usual in any::<bool>(),
        scales in (1..=127i16, 7..12u32, 0..9u32, 1..400i16, 0..9u32, 1f32..1000.0),
    ) -> Architecture {
        let scales = if usual {
            Scales::usual(accumulator.activation, hidden.len())
        } else {
            Scales {
                accumulator: scales.0,
                activation_shift: scales.1,
                hidden_shifts: vec![scales.2; hidden.len()],
                head: scales.3,
                policy_shift: scales.4,
                centipawns: scales.5,
            }
        };
        let features = if name.contains("->") { format!("raw:{inputs}") } else { name };
        let perspectives = if two { Perspectives::Two } else { Perspectives::One };
        Architecture::new(Description {
            features, inputs, perspectives, accumulator, hidden, buckets, heads, scales,
        })
        .unwrap()
    }
}

/// Adjustments with numbers of every length.
fn calibration(seed: u64) -> Calibration {
    let mut random = Random::new(seed);
    let mut number = || random.below(2_000_001) as f32 / 777.0;
    let mut adjustment =
        || ConformalAdjustment { scale: number(), offsets: [(); 5].map(|()| -number()) };
    let adjustments = (0..12).map(|_| adjustment()).collect();
    let ranges = CalibrationRanges { depths: vec![4, 9], pieces: vec![16], values: vec![70] };
    let policy = PolicyCalibration {
        move_classes: format!("scheme-{seed}"),
        inverse_temperature: number(),
        class_biases: vec![number(), -number()],
    };
    let policy = (!seed.is_multiple_of(3)).then_some(policy);
    Calibration::new(seed, ranges, adjustments).unwrap().with_policy(policy).unwrap()
}

fn score_model(seed: u64) -> ScoreModel {
    let mut random = Random::new(seed);
    let mut number = || 0.01 + random.below(2_000_001) as f64 / 777.0;
    let (midpoint, scale) = ([number(), number(), number()], [number(), number()]);
    ScoreModel::new(&midpoint, &scale, 2..=32, seed, seed / 3).unwrap()
}

/// Values of every length and sign.
fn fitted_params(seed: u64) -> FittedParams {
    let mut random = Random::new(seed);
    let count = 1 + random.below(FittedParams::MAX);
    let mut value = || (random.next() as i32) >> random.below(32);
    FittedParams::new((0..count).map(|number| (format!("param_{number}"), value()))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_network_comes_back(
        architecture in architecture(),
        quantised in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let file = file(&architecture, quantised, &mut random);
        let calibrated = file.clone().with_calibration(Some(calibration(seed)));
        prop_assert_eq!(calibrated.is_ok(), architecture.has_quantiles());
        let file = calibrated.unwrap_or(file);
        let file = file.with_score_model((seed % 2 == 0).then(|| score_model(seed)));
        let file = file.with_fitted_params((seed % 5 < 2).then(|| fitted_params(seed)));
        let bytes = file.write();
        let back = NetworkFile::read(&bytes).unwrap();
        prop_assert_eq!(&back, &file);
        prop_assert_eq!(back.write(), bytes.clone());

        let mut positions = random.clone();
        let direct = answers(&file.to_network().unwrap(), &mut random);
        let read = Network::from_bytes(&bytes).unwrap();
        prop_assert_eq!(read.provenance(), file.provenance());
        prop_assert_eq!(read.quantisation_error(), file.quantisation_error());
        prop_assert_eq!(read.calibration(), file.calibration());
        prop_assert_eq!(read.score_model(), file.score_model());
        prop_assert_eq!(read.fitted_params(), file.fitted_params());
        prop_assert_eq!(read.architecture(), &architecture);
        prop_assert_eq!(answers(&read, &mut positions), direct);
    }
}
