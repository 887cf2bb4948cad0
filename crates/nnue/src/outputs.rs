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
    /// From the outputs of all heads but the policy, 1.0 being 1.0. `value` is what the value head says, where that is
    /// known more exactly.
    pub(crate) fn new(
        architecture: &Architecture,
        mut raw: &[f32],
        mut value: Option<i32>,
    ) -> Self {
        let centipawns = architecture.scales.centipawns;
        let (mut wdl, mut quantiles, mut widths) = (None, None, None);
        for head in &architecture.heads {
            match *head {
                Head::Value(output) => {
                    value = value.or_else(|| Some(centipawns_of(output, centipawns, raw[0])));
                }
                Head::Wdl => wdl = Some(softmax([raw[0], raw[1], raw[2]])),
                Head::Quantiles => quantiles = Some(ordered(centipawns, raw)),
                Head::Widths => widths = Some([raw[0], raw[1], raw[2], raw[3]]),
                Head::Policy { .. } => continue,
            }
            raw = &raw[head.outputs()..];
        }
        if let (Some(value), Some(widths)) = (value, widths) {
            quantiles = Some(around(value, centipawns, widths));
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

/// The median, and how far it is from each quantile to the next. Whole numbers are added, so that rounding cannot put one
/// before another.
fn around(median: i32, centipawns: f32, widths: [f32; 4]) -> [i32; QUANTILE_LEVELS.len()] {
    let [outer_low, low, high, outer_high] =
        widths.map(|width| round(softplus(width) * centipawns));
    let (q25, q75) = (median.saturating_sub(low), median.saturating_add(high));
    [q25.saturating_sub(outer_low), q25, median, q75, q75.saturating_add(outer_high)]
}

/// The logit of the expected score, in centipawns.
fn from_wdl(centipawns: f32, [win, draw, _]: [f32; 3]) -> i32 {
    let expected = (win + draw / 2.0).clamp(1e-4, 1.0 - 1e-4);
    round(centipawns * crate::math::ln(expected / (1.0 - expected)))
}
