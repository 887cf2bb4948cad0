//! Bullet's `quantised.bin`: what is read evaluates as engines that use bullet do.

#[path = "file_support/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use networks::Random;
use nnue::{
    Accumulator, Architecture, FileParameters, Network, NetworkError, NetworkFile, read_bullet,
};

const QA: i32 = 255;
const QB: i32 = 64;
const SCALE: i32 = 400;
const FEATURES: usize = 768;

/// The tensors of a random network, in the order of the file.
struct Plain {
    neurons: usize,
    feature_weights: Vec<i16>,
    feature_bias: Vec<i16>,
    output_weights: Vec<i16>,
    output_bias: Vec<i16>,
}

impl Plain {
    fn random(neurons: usize, buckets: usize, random: &mut Random) -> Self {
        let mut many = |count: usize, max| -> Vec<i16> {
            (0..count).map(|_| random.within(max) as i16).collect()
        };
        Self {
            neurons,
            feature_weights: many(FEATURES * neurons, 60),
            feature_bias: many(neurons, 100),
            output_weights: many(buckets * 2 * neurons, 126),
            output_bias: many(buckets, 8000),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let all =
            [&self.feature_weights, &self.feature_bias, &self.output_weights, &self.output_bias];
        all.into_iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// As in engines, with nothing incremental: i32 throughout, division toward zero.
    fn evaluate(&self, squared: bool, own: &[u32], theirs: &[u32], bucket: usize) -> i32 {
        let mut sum = 0i32;
        for (view, active) in [own, theirs].into_iter().enumerate() {
            for neuron in 0..self.neurons {
                let mut value = i32::from(self.feature_bias[neuron]);
                for &feature in active {
                    let place = feature as usize * self.neurons + neuron;
                    value += i32::from(self.feature_weights[place]);
                }
                let clipped = value.clamp(0, QA);
                let activated = if squared { clipped * clipped } else { clipped };
                let place = bucket * 2 * self.neurons + view * self.neurons + neuron;
                sum += activated * i32::from(self.output_weights[place]);
            }
        }
        let sum = if squared { sum / QA } else { sum };
        (sum + i32::from(self.output_bias[bucket])) * SCALE / (QA * QB)
    }
}

fn positions(random: &mut Random) -> [Vec<u32>; 2] {
    let pieces = 2 + random.below(31);
    [(); 2].map(|()| (0..pieces).map(|_| random.below(FEATURES) as u32).collect())
}

fn view(network: &Network, active: &[u32]) -> Accumulator {
    let mut view = Accumulator::new(network);
    network.refresh(&mut view, active);
    view
}

/// 10 networks of each kind, 200 positions each.
fn check_against_oracle(activation: &str, buckets: usize) {
    for seed in 0..10 {
        let mut random = Random::new(seed + 1);
        let neurons = 1 + random.below(130);
        let plain = Plain::random(neurons, buckets, &mut random);
        let suffix = if buckets > 1 { format!(" buckets=pieces:{buckets}") } else { String::new() };
        let line = format!("chess.piece-square (768→{neurons})×2→1 {activation}{suffix}");
        let architecture: Architecture = line.parse().unwrap();
        let file = read_bullet(&plain.bytes(), &architecture).unwrap();
        let network = file.to_network().unwrap();
        // Saved in our own format it is still the same.
        let saved = Network::from_bytes(&file.write()).unwrap();
        let mut workspace = network.workspace();
        let mut values = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let [white, black] = positions(&mut random);
            let side = random.below(2);
            let pieces = white.len();
            let (own, theirs) = if side == 0 { (&white, &black) } else { (&black, &white) };
            // 32 pieces in groups of equal size, as bullet's MaterialCount has them.
            let bucket = if buckets > 1 { (pieces - 2) / 32usize.div_ceil(buckets) } else { 0 };
            let expected = plain.evaluate(activation == "screlu", own, theirs, bucket);
            for network in [&network, &saved] {
                let views = [view(network, &white), view(network, &black)];
                let found = network.evaluate(views.each_ref(), side, pieces, &mut workspace);
                assert_eq!(found, expected, "{line} {white:?} {black:?} {side}");
            }
            values.insert(expected);
        }
        assert!(values.len() > 20, "{line}: {values:?} does not tell much");
    }
}

#[test]
fn screlu_equals_the_oracle() {
    check_against_oracle("screlu", 1);
    check_against_oracle("screlu", 8);
}

#[test]
fn crelu_equals_the_oracle() {
    check_against_oracle("crelu", 1);
    check_against_oracle("crelu", 4);
}

#[test]
fn padding_may_be_anything_but_must_be_exact() {
    let architecture: Architecture = "(768→3)×2→1 screlu".parse().unwrap();
    let exact = Plain::random(3, 1, &mut Random::new(7)).bytes();
    let read = |bytes: &[u8]| read_bullet(bytes, &architecture);
    let plain = read(&exact).unwrap();
    let mut padded = exact.clone();
    while !padded.len().is_multiple_of(64) {
        padded.push(b"bullet"[padded.len() % 6]);
    }
    assert_ne!(padded.len(), exact.len());
    assert_eq!(read(&padded).unwrap(), plain);
    for length in 0..padded.len() + 130 {
        if length == exact.len() || length == padded.len() {
            continue;
        }
        let mut bytes = padded.clone();
        bytes.resize(length, 0);
        let error = read(&bytes).unwrap_err();
        let NetworkError::Length { expected, found, .. } = &error else { panic!("{error}") };
        assert_eq!((*expected, *found), (padded.len() as u64, length as u64));
    }
}

#[test]
fn scales_come_from_the_architecture() {
    let line = "(768→2)×2→1 crelu/linear scales=181,0,-,128,6,350";
    let architecture: Architecture = line.parse().unwrap();
    let bytes = Plain::random(2, 1, &mut Random::new(3)).bytes();
    let file = read_bullet(&bytes, &architecture).unwrap();
    assert_eq!(file.architecture(), &architecture);
    let FileParameters::Integer(parameters) = file.parameters() else { panic!() };
    assert_eq!(parameters.feature_weights.len(), 768 * 2);
    assert_eq!(NetworkFile::read(&file.write()).unwrap().architecture().scales.accumulator, 181);
}

#[test]
fn other_networks_are_refused() {
    for line in [
        "(768→8)×2→16→1 screlu,crelu",
        "(768→8)×2→1+64/64 screlu",
        "(768→8)×2→3 screlu",
        "768→8→1 sigmoid",
    ] {
        let architecture: Architecture = line.parse().unwrap();
        let error = read_bullet(&[0; 64], &architecture).unwrap_err().to_string();
        assert!(error.contains("one value output"), "{error}");
    }
    // The length of the largest network is named, not asked for.
    let largest: Architecture =
        format!("({}→4096)×2→1 screlu buckets=pieces:64", 1 << 17).parse().unwrap();
    let error = read_bullet(&[0; 64], &largest).unwrap_err();
    assert!(matches!(error, NetworkError::Length { found: 64, .. }), "{error}");
}
