//! Value head: one output, the evaluation of the position.

use alloc::format;
use alloc::string::{String, ToString};

use super::{Decoded, Definition, Head, HeadInput};
use crate::math::{round, tanh};

pub(super) const NAME: &str = "value";
pub(super) const OUTPUTS: usize = 1;

/// The meaning of a value head's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueOutput {
    /// The logit of the expected score: centipawns are the output × scale.
    Sigmoid,
    /// Centipawns are the output × scale.
    Linear,
    /// Centipawns are tanh(output) × scale.
    Tanh,
}

impl ValueOutput {
    /// The name in descriptions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sigmoid => "sigmoid",
            Self::Linear => "linear",
            Self::Tanh => "tanh",
        }
    }

    /// The meaning of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Sigmoid, Self::Linear, Self::Tanh]
            .into_iter()
            .find(|&output| Self::name(output) == name)
    }
}

impl Definition for ValueOutput {
    fn head_name(&self) -> &'static str {
        NAME
    }

    fn label(&self) -> String {
        format!("value ({})", ValueOutput::name(*self))
    }

    fn shape_text(&self) -> String {
        OUTPUTS.to_string()
    }

    fn named_text(&self) -> String {
        format!("{NAME}:{}", ValueOutput::name(*self))
    }

    fn input(&self) -> HeadInput {
        HeadInput::LastLayer
    }

    fn fault(&self, _heads: &[Head]) -> Option<String> {
        None
    }
}

pub(super) fn parse(text: &str) -> Option<Result<Head, String>> {
    if matches!(text, "1" | NAME) {
        return Some(Ok(Head::Value(ValueOutput::Sigmoid)));
    }
    let output = text.strip_prefix(NAME)?.strip_prefix(':')?;
    let known = ValueOutput::from_name(output).map(Head::Value);
    Some(known.ok_or_else(|| {
        format!("has a value head of output `{output}`; expected sigmoid, linear or tanh")
    }))
}

#[inline]
pub(super) fn decode(output: ValueOutput, raw: &[f32], centipawns: f32, decoded: &mut Decoded) {
    // Integer networks have computed the value exactly.
    if decoded.value.is_none() {
        decoded.value = Some(centipawns_of(output, centipawns, raw[0]));
    }
}

/// The output in centipawns. Truncates, like other engines with this quantisation.
pub(crate) fn centipawns_of(output: ValueOutput, centipawns: f32, raw: f32) -> i32 {
    match output {
        ValueOutput::Sigmoid | ValueOutput::Linear => (raw * centipawns) as i32,
        ValueOutput::Tanh => round(tanh(raw) * centipawns),
    }
}
