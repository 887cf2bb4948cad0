//! WDL head: logits of win, draw and loss.

use alloc::format;
use alloc::string::{String, ToString};

use super::{Decoded, Definition, Head, HeadInput};
use crate::math::{exp, ln, round};

pub(super) const NAME: &str = "wdl";
pub(super) const OUTPUTS: usize = 3;

pub(super) struct Wdl;

impl Definition for Wdl {
    fn head_name(&self) -> &'static str {
        NAME
    }

    fn label(&self) -> String {
        "win, draw, loss".into()
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
        Some("") => Some(Ok(Head::Wdl)),
        Some(_) => Some(Err(format!("has head `{text}`; expected `{NAME}` alone"))),
        None => (text == "3").then_some(Ok(Head::Wdl)),
    }
}

#[inline]
pub(super) fn decode(raw: &[f32], decoded: &mut Decoded) {
    decoded.wdl = Some(softmax([raw[0], raw[1], raw[2]]));
}

fn softmax(logits: [f32; OUTPUTS]) -> [f32; OUTPUTS] {
    let max = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| exp(logit - max));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// The logit of the expected score, in centipawns: the evaluation of a network without a value
/// head.
pub(super) fn centipawns(centipawns: f32, [win, draw, _]: [f32; OUTPUTS]) -> i32 {
    let expected = (win + draw / 2.0).clamp(1e-4, 1.0 - 1e-4);
    round(centipawns * ln(expected / (1.0 - expected)))
}
