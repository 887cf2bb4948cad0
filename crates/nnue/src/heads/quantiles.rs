//! Quantile head: five quantiles of the value, as the lowest and four increments.

use alloc::format;
use alloc::string::{String, ToString};

use super::{Decoded, Definition, Head, HeadInput};
use crate::math::{round, softplus};

/// The levels of the five quantiles.
pub const QUANTILE_LEVELS: [f32; 5] = [0.10, 0.25, 0.50, 0.75, 0.90];

pub(super) const NAME: &str = "quantiles";
pub(super) const OUTPUTS: usize = QUANTILE_LEVELS.len();

pub(super) struct Quantiles;

impl Definition for Quantiles {
    fn head_name(&self) -> &'static str {
        NAME
    }

    fn label(&self) -> String {
        "quantiles 10 25 50 75 90 %".into()
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

    fn fault(&self, _heads: &[Head]) -> Option<String> {
        None
    }
}

pub(super) fn parse(text: &str) -> Option<Result<Head, String>> {
    match text.strip_prefix(NAME) {
        Some("") => Some(Ok(Head::Quantiles)),
        Some(_) => Some(Err(format!("has head `{text}`; expected `{NAME}` alone"))),
        None => (text == "5").then_some(Ok(Head::Quantiles)),
    }
}

/// Decodes the lowest quantile and four non-negative increments.
#[inline]
pub(super) fn decode(raw: &[f32], centipawns: f32, decoded: &mut Decoded) {
    let mut level = raw[0];
    decoded.quantiles = Some(core::array::from_fn(|place| {
        if place > 0 {
            level += softplus(raw[place]);
        }
        round(level * centipawns)
    }));
}
