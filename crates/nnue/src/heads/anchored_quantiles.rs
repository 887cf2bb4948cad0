//! Anchored quantile head: the distances between the quantiles of the value, which is their median.

use alloc::format;
use alloc::string::{String, ToString};

use super::{Decoded, Definition, Head, HeadInput, LEVELS, ValueOutput};
use crate::math::{round, softplus};

pub(super) const NAME: &str = "anchored-quantiles";
pub(super) const OUTPUTS: usize = LEVELS - 1;

pub(super) struct AnchoredQuantiles;

impl Definition for AnchoredQuantiles {
    fn head_name(&self) -> &'static str {
        NAME
    }

    fn tensor_name_v1(&self) -> &'static str {
        "widths"
    }

    fn label(&self) -> String {
        "quantiles 10 25 50 75 90 % around the value".into()
    }

    fn shape_text(&self) -> String {
        OUTPUTS.to_string()
    }

    fn named_text(&self) -> String {
        NAME.into()
    }

    fn input(&self) -> HeadInput {
        HeadInput::LastLayer
    }

    /// The distances require a median in the same unit.
    fn fault(&self, heads: &[Head]) -> Option<String> {
        if heads.contains(&Head::Quantiles) {
            return Some(
                "quantiles twice, by themselves (5) and around the value (4); expected one of them"
                    .into(),
            );
        }
        match heads.iter().find_map(|head| head.value_output()) {
            Some(ValueOutput::Sigmoid | ValueOutput::Linear) => None,
            Some(ValueOutput::Tanh) => {
                Some("quantiles around a value (4) that is tanh; expected sigmoid or linear".into())
            }
            None => Some("quantiles around a value (4), but no value; expected 1+4".into()),
        }
    }
}

pub(super) fn parse(text: &str) -> Option<Result<Head, String>> {
    match text.strip_prefix(NAME) {
        Some("") => Some(Ok(Head::AnchoredQuantiles)),
        Some(_) => Some(Err(format!("has head `{text}`; expected `{NAME}` alone"))),
        None => (text == "4").then_some(Ok(Head::AnchoredQuantiles)),
    }
}

#[inline]
pub(super) fn decode(raw: &[f32], decoded: &mut Decoded) {
    decoded.anchored = Some([raw[0], raw[1], raw[2], raw[3]]);
}

/// The quantiles around a median. The additions are in integers, so that rounding cannot change the
/// order of quantiles.
#[inline]
pub(super) fn around(median: i32, centipawns: f32, raw: [f32; OUTPUTS]) -> [i32; LEVELS] {
    let [outer_low, low, high, outer_high] =
        raw.map(|distance| round(softplus(distance) * centipawns));
    let (q25, q75) = (median.saturating_sub(low), median.saturating_add(high));
    [q25.saturating_sub(outer_low), q25, median, q75, q75.saturating_add(outer_high)]
}
