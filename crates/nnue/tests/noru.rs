//! Networks of `noru`, written by `noru` and evaluated beside it: equal integers.

use nnue::{
    Accumulator, Activation, Dialect, Kernel, Network, NetworkError, NoruShape, read_noru,
    read_noru_headerless,
};
use noru::config::NnueConfig;
use noru::network::{FeatureDelta, NnueWeights, forward};

#[path = "support/random.rs"]
mod random;

use random::Random;

/// Up to `max` features, some of them perhaps twice.
fn features(random: &mut Random, size: usize, max: usize) -> Vec<usize> {
    let count = random.below(max + 1);
    (0..count).map(|_| random.below(size)).collect()
}

/// How large weights are.
#[derive(Clone, Copy, Debug)]
enum Size {
    /// As training leaves them: 8 bits hold those of the layers.
    Usual,
    /// More than 8 bits.
    Large,
    /// Some as usual, some at the ends of the range, so that accumulators saturate.
    Extreme,
}

impl Size {
    fn fill(self, weights: &mut [i16], random: &mut Random) {
        for weight in weights {
            *weight = match self {
                Self::Usual => random.below(2 * 100 + 1) as i16 - 100,
                Self::Large => random.below(2 * 3000 + 1) as i16 - 3000,
                Self::Extreme => match random.below(8) {
                    0 => i16::MAX,
                    1 => i16::MIN,
                    2 => random.next() as i16,
                    _ => random.below(2 * 100 + 1) as i16 - 100,
                },
            };
        }
    }
}

fn random_weights(config: NnueConfig, size: Size, random: &mut Random) -> NnueWeights {
    let mut weights = NnueWeights::zeros(config);
    weights.feature_weights.iter_mut().for_each(|row| size.fill(row, random));
    size.fill(&mut weights.feature_bias, random);
    weights.hidden_weights.iter_mut().for_each(|layer| size.fill(layer, random));
    weights.hidden_biases.iter_mut().for_each(|layer| size.fill(layer, random));
    size.fill(&mut weights.output_weights, random);
    size.fill(std::slice::from_mut(&mut weights.output_bias), random);
    weights
}

fn config(features: usize, width: usize, hidden: &[usize], squared: bool) -> NnueConfig {
    use noru::config::Activation::{CReLU, SCReLU};
    let activation = if squared { SCReLU } else { CReLU };
    NnueConfig::new_owned(features, width, hidden.to_vec(), activation)
}

fn ours(features: &[usize]) -> Vec<u32> {
    features.iter().map(|&feature| feature as u32).collect()
}

/// A thousand positions: every tenth from nothing, the others from the one before. Tells how many different
/// values there were.
fn compare(weights: &NnueWeights, network: &Network, random: &mut Random) -> usize {
    let size = weights.config.feature_size;
    let mut theirs = noru::network::Accumulator::new(&weights.feature_bias);
    let mut views = [Accumulator::new(network), Accumulator::new(network)];
    let mut workspace = network.workspace();
    let mut distinct = std::collections::HashSet::new();
    for position in 0..1000 {
        if position % 10 == 0 {
            let features = [features(random, size, 32), features(random, size, 32)];
            theirs.refresh(weights, &features[0], &features[1]);
            for (view, features) in views.iter_mut().zip(&features) {
                network.refresh(view, &ours(features));
            }
        } else {
            let deltas: [_; 2] =
                std::array::from_fn(|_| (features(random, size, 4), features(random, size, 4)));
            let [stm, nstm] = deltas.each_ref().map(|(added, removed)| {
                FeatureDelta::from_slices(added, removed).expect("few features")
            });
            theirs.update_incremental(weights, &stm, &nstm);
            for (view, (added, removed)) in views.iter_mut().zip(&deltas) {
                let parent = view.clone();
                network.update(&parent, view, &ours(added), &ours(removed));
            }
        }
        let expected = forward(&theirs, weights);
        let found = network.evaluate([&views[0], &views[1]], 0, 32, &mut workspace);
        assert_eq!(found, expected, "position {position}, kernel {}", network.kernel());
        theirs.swap();
        let expected = forward(&theirs, weights);
        let found = network.evaluate([&views[0], &views[1]], 1, 32, &mut workspace);
        assert_eq!(found, expected, "position {position}, other side, {}", network.kernel());
        theirs.swap();
        distinct.insert(expected);
    }
    distinct.len()
}

#[test]
fn equals_noru() {
    let shapes: [(usize, usize, &[usize]); 6] = [
        (768, 128, &[32]),
        (64, 64, &[16, 8]),
        (100, 100, &[33]),
        (40, 7, &[70, 3]),
        (300, 96, &[48, 24, 12]),
        (50, 65, &[17, 65, 5]),
    ];
    let mut random = Random(1);
    for (features, width, hidden) in shapes {
        for squared in [false, true] {
            let mut distinct = 0;
            // Wider layers of extreme weights exceed 32 bits, where noru panics in a debug build.
            for size in [Size::Usual, Size::Large, Size::Extreme] {
                let config = config(features, width, hidden, squared);
                let weights = random_weights(config, size, &mut random);
                let network = read_noru(&weights.save_to_bytes()).expect("a file of noru's own");
                assert_eq!(network.dialect(), Dialect::Noru);
                for kernel in Kernel::available() {
                    eprintln!("{features}→{width}→{hidden:?} squared={squared} {size:?} {kernel}");
                    let network = network.clone().with_kernel(kernel);
                    distinct += compare(&weights, &network, &mut random);
                }
            }
            assert!(distinct > 200, "only {distinct} different values prove little");
        }
    }
}

/// 30000 + 30000 is 32767, from which 30000 is taken, and then 2700: 67 is left, not 27300.
#[test]
fn saturates_and_removes_first() {
    let mut weights = NnueWeights::zeros(config(3, 1, &[1], false));
    weights.feature_weights = vec![vec![30000], vec![30000], vec![-2700]];
    weights.hidden_weights[0][0] = 256;
    weights.output_weights[0] = 16;
    let network = read_noru(&weights.save_to_bytes()).unwrap();
    let mut before = Accumulator::new(&network);
    let mut after = Accumulator::new(&network);
    network.refresh(&mut before, &[0, 1]);
    network.update(&before, &mut after, &[2], &[0]);
    let empty = Accumulator::new(&network);
    assert_eq!(network.evaluate([&after, &empty], 0, 2, &mut network.workspace()), 67);
}

#[test]
fn reads_all_versions() {
    let mut random = Random(2);
    for hidden in [&[16][..], &[16, 8, 4]] {
        let config = config(30, 20, hidden, true);
        let weights = random_weights(config, Size::Usual, &mut random);
        let version3 = weights.save_to_bytes();
        let header = 20 + 4 * hidden.len() + 1 + 4;
        let mut version2 = version3.clone();
        version2.drain(header - 4..header);
        version2[4] = 2;
        let shape = NoruShape {
            features: 30,
            width: 20,
            hidden: hidden.to_vec(),
            activation: Activation::Screlu,
        };
        let headerless = &version3[header..];
        compare(&weights, &read_noru(&version2).unwrap(), &mut random);
        compare(&weights, &read_noru_headerless(headerless, &shape).unwrap(), &mut random);
        assert!(matches!(read_noru(headerless), Err(NetworkError::UnknownFormat(_))));
        let wrong = NoruShape { features: 31, ..shape.clone() };
        assert!(read_noru_headerless(headerless, &wrong).is_err());
        let wrong = NoruShape { hidden: vec![], ..shape.clone() };
        assert!(read_noru_headerless(headerless, &wrong).is_err());
        let wrong = NoruShape { activation: Activation::Tanh, ..shape };
        assert!(read_noru_headerless(headerless, &wrong).is_err());
    }
}

#[test]
fn refuses_dense_inputs() {
    let config = config(10, 8, &[4], false).with_dense_input(3);
    let error = read_noru(&NnueWeights::zeros(config).save_to_bytes()).unwrap_err();
    assert!(error.to_string().contains("dense inputs is 3"), "{error}");
}

#[test]
fn refuses_damaged_files() {
    let weights = random_weights(config(10, 8, &[4, 3], false), Size::Usual, &mut Random(3));
    let file = weights.save_to_bytes();
    for length in 0..file.len() {
        assert!(read_noru(&file[..length]).is_err(), "{length} bytes of {}", file.len());
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(matches!(read_noru(&longer), Err(NetworkError::Length { .. })));
    // Whatever the header says, there is an answer, and soon.
    let mut random = Random(4);
    for _ in 0..20_000 {
        let mut changed = file.clone();
        for _ in 0..=random.below(3) {
            let place = random.below(33);
            changed[place] = random.next() as u8;
        }
        let _ = read_noru(&changed);
    }
}

/// 29 bytes that claim a gigabyte; with a larger claim `noru` asks for 512 GiB. Ours is refused there.
#[test]
fn allocates_nothing_for_what_is_not_there() {
    let claim = |features: u32| {
        let fields = [0x4E4F_5255, 2, features, 4096, 1, 1].into_iter().flat_map(u32::to_le_bytes);
        read_noru(&fields.chain([0; 5]).collect::<Vec<_>>()).unwrap_err()
    };
    let error = claim(1 << 17);
    assert!(matches!(error, NetworkError::Length { expected: 1_073_741_824.., .. }), "{error}");
    let error = claim(1 << 24);
    assert!(matches!(error, NetworkError::Architecture(_)), "{error}");
}
