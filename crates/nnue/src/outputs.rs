//! From the numbers that come out of a network to what they mean.

use crate::math::{exp, round, softplus, tanh};
use crate::{Architecture, Head, QUANTILE_LEVELS, ValueOutput};

/// What a network says about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outputs {
    /// Centipawns: the value head's; without one the median of the quantiles, or what the chances of winning
    /// and losing amount to.
    pub value: i32,
    /// The chances of a win, a draw and a loss.
    pub wdl: Option<[f32; 3]>,
    /// Centipawns at [`QUANTILE_LEVELS`], ascending.
    pub quantiles: Option<[i32; QUANTILE_LEVELS.len()]>,
}

impl Outputs {
    /// From the outputs of all heads but the policy, 1.0 being 1.0.
    pub(crate) fn new(architecture: &Architecture, mut raw: &[f32]) -> Self {
        let centipawns = architecture.scales.centipawns;
        let (mut value, mut wdl, mut quantiles) = (None, None, None);
        for head in &architecture.heads {
            match *head {
                Head::Value(output) => value = Some(centipawns_of(output, centipawns, raw[0])),
                Head::Wdl => wdl = Some(softmax([raw[0], raw[1], raw[2]])),
                Head::Quantiles => quantiles = Some(ordered(centipawns, raw)),
                Head::Policy { .. } => continue,
            }
            raw = &raw[head.outputs()..];
        }
        let value = value.or(quantiles.map(|q| q[q.len() / 2]));
        let value = value.or_else(|| wdl.map(|wdl| from_wdl(centipawns, wdl))).unwrap_or(0);
        Self { value, wdl, quantiles }
    }
}

/// The value head's output in centipawns. Truncates as the engines do that quantise this way.
pub(crate) fn centipawns_of(output: ValueOutput, centipawns: f32, raw: f32) -> i32 {
    match output {
        ValueOutput::Sigmoid | ValueOutput::Linear => (raw * centipawns) as i32,
        ValueOutput::Tanh => round(tanh(raw) * centipawns),
    }
}

fn softmax(logits: [f32; 3]) -> [f32; 3] {
    let most = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| exp(logit - most));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// A base and four steps, none of which goes down.
fn ordered(centipawns: f32, raw: &[f32]) -> [i32; QUANTILE_LEVELS.len()] {
    let mut level = raw[0];
    core::array::from_fn(|place| {
        if place > 0 {
            level += softplus(raw[place]);
        }
        round(level * centipawns)
    })
}

/// The logit of the expected score, in centipawns.
fn from_wdl(centipawns: f32, [win, draw, _]: [f32; 3]) -> i32 {
    let expected = (win + draw / 2.0).clamp(1e-4, 1.0 - 1e-4);
    round(centipawns * crate::math::ln(expected / (1.0 - expected)))
}
