//! Random networks, and a plain reading of the arithmetic to compare with.
#![allow(dead_code, reason = "each test uses its own part")]

use nnue::{Activation, Architecture, FloatParameters, Head, IntegerParameters, ValueOutput};

mod random;

pub(crate) use random::Random;

/// Integer weights; `wild` ones reach the ends of their types.
pub(crate) fn integers(architecture: &Architecture, seed: u64, wild: bool) -> IntegerParameters {
    let (max, most_bias) = if wild { (32_767, i64::from(i32::MAX)) } else { (120, 4000) };
    let [mut feature, mut hidden, mut head, mut bias] = streams(seed);
    IntegerParameters::generate(
        architecture,
        || feature.within(if wild { max } else { 60 }) as i16,
        || hidden.within(127) as i8,
        || head.within(max) as i16,
        || bias.within(most_bias) as i32,
    )
}

/// Float weights of the size that training gives.
pub(crate) fn floats(architecture: &Architecture, seed: u64) -> FloatParameters {
    let weight = |mut random: Random| move || random.within(1000) as f32 / 2000.0;
    let [feature, hidden, head, bias] = streams(seed).map(weight);
    FloatParameters::generate(architecture, feature, hidden, head, bias)
}

/// Four generators that have nothing in common.
fn streams(seed: u64) -> [Random; 4] {
    let mut random = Random(seed);
    core::array::from_fn(|_| Random(random.next()))
}

/// A view's sums, one feature after the other.
pub(crate) fn naive_sums(
    architecture: &Architecture,
    parameters: &IntegerParameters,
    active: &[u32],
) -> Vec<i16> {
    let width = architecture.accumulator.width;
    let mut sums = parameters.feature_bias.clone();
    for &feature in active {
        for (sum, weight) in
            sums.iter_mut().zip(&parameters.feature_weights[feature as usize * width..])
        {
            *sum = sum.wrapping_add(*weight);
        }
    }
    sums
}

fn factors(activation: Activation, limit: i32, sums: &[i16]) -> Vec<i32> {
    let clip = |x: i16| i32::from(x).clamp(0, limit);
    let (first, second) = sums.split_at(sums.len() / 2);
    match activation {
        Activation::Identity => sums.iter().map(|&x| i32::from(x)).collect(),
        Activation::Relu => sums.iter().map(|&x| i32::from(x).max(0)).collect(),
        Activation::Crelu => sums.iter().map(|&x| clip(x)).collect(),
        Activation::Screlu => sums.iter().map(|&x| clip(x) * clip(x)).collect(),
        Activation::Pairwise => {
            first.iter().zip(second).map(|(&a, &b)| clip(a) * clip(b)).collect()
        }
        Activation::Sigmoid | Activation::Tanh => {
            panic!("{} has no integer form", activation.name())
        }
    }
}

fn dot(weights: impl Iterator<Item = i32>, input: &[i32]) -> i32 {
    weights.zip(input).fold(0, |sum, (w, &x)| sum.wrapping_add(w.wrapping_mul(x)))
}

/// The raw outputs of all heads but the policy, and the policy's.
pub(crate) fn naive_outputs(
    architecture: &Architecture,
    parameters: &IntegerParameters,
    views: &[Vec<i16>],
    bucket: usize,
) -> (Vec<i32>, Vec<i32>) {
    let scales = &architecture.scales;
    let limit = i32::from(scales.accumulator);
    let activation = architecture.accumulator.activation;
    let direct: Vec<i32> = views.iter().flat_map(|v| factors(activation, limit, v)).collect();
    let small: Vec<i32> = direct.iter().map(|x| x >> scales.activation_shift).collect();
    let policy = parameters.policy.as_ref().map_or_else(Vec::new, |policy| {
        let rows = policy.weights.chunks_exact(small.len());
        let sums = rows.map(|row| dot(row.iter().map(|&w| w.into()), &small));
        sums.zip(&policy.bias).map(|(sum, &bias)| sum.wrapping_add(bias)).collect()
    });

    let mut current = if architecture.hidden.is_empty() { direct } else { small };
    for (place, layer) in architecture.hidden.iter().enumerate() {
        let weights = &parameters.hidden[place];
        let next = (bucket * layer.width..(bucket + 1) * layer.width).map(|output| {
            let row = &weights.weights[output * current.len()..][..current.len()];
            let sum =
                dot(row.iter().map(|&w| w.into()), &current).wrapping_add(weights.bias[output]);
            let v = (sum >> scales.hidden_shifts[place]).clamp(0, 127);
            if layer.activation == Activation::Screlu { (v * v) >> 7 } else { v }
        });
        current = next.collect();
    }
    let squared = activation.is_product();
    let divisor = if architecture.hidden.is_empty() && squared { limit } else { 1 };
    let mut raw = Vec::new();
    for head in &parameters.heads {
        let outputs = head.bias.len() / architecture.buckets.count;
        for output in bucket * outputs..(bucket + 1) * outputs {
            let row = &head.weights[output * current.len()..][..current.len()];
            let sum = dot(row.iter().map(|&w| w.into()), &current) / divisor;
            raw.push(sum.wrapping_add(head.bias[output]));
        }
    }
    (raw, policy)
}

/// The value head's centipawns, as whole numbers divide.
pub(crate) fn naive_centipawns(architecture: &Architecture, raw: i32) -> i32 {
    let scales = &architecture.scales;
    let first = match architecture.hidden.last() {
        None => i64::from(scales.accumulator),
        Some(layer) => {
            assert_eq!(layer.activation, Activation::Crelu, "has a whole unit");
            127
        }
    };
    assert!(matches!(
        architecture.heads[0],
        Head::Value(ValueOutput::Sigmoid | ValueOutput::Linear)
    ));
    let unit = first * i64::from(scales.head);
    (i64::from(raw) * scales.centipawns as i64 / unit).clamp(i32::MIN.into(), i32::MAX.into())
        as i32
}
