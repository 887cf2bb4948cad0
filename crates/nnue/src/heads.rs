//! Heads: the outputs of a network, with one file per head.
//!
//! A head's file holds its names, its shape, its text in descriptions, its requirements on the
//! other heads, and the decoding of its outputs. To add a head, write its file, add a variant to
//! [`Head`] and follow the compiler: every `match` on heads is in this file and is exhaustive. Its
//! loss is a file of the same name in the trainer.

mod anchored_quantiles;
mod policy;
mod quantiles;
mod value;
mod wdl;

use alloc::format;
use alloc::string::String;

pub use policy::{MAX_POLICY, MoveEncoding, PolicyHead};
pub use quantiles::QUANTILE_LEVELS;
pub use value::ValueOutput;

use anchored_quantiles::AnchoredQuantiles;
use quantiles::Quantiles;
use wdl::Wdl;

pub(crate) use value::centipawns_of;

/// The number of quantiles.
pub(crate) const LEVELS: usize = QUANTILE_LEVELS.len();

/// The maximum number of outputs of all heads that read the last layer.
pub(crate) const MAX_OUTPUTS: usize = 9;

/// A head of a network. All outputs are for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// The evaluation of the position.
    Value(ValueOutput),
    /// Logits of win, draw and loss.
    Wdl,
    /// [`QUANTILE_LEVELS`] of the value: the lowest, then four increments, each through softplus.
    Quantiles,
    /// [`QUANTILE_LEVELS`] anchored at the value, which is their median: the distances between
    /// adjacent quantiles, each through softplus. Requires a value head that is not tanh.
    AnchoredQuantiles,
    /// Logits of moves.
    Policy(PolicyHead),
}

/// The layer that a head reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadInput {
    /// The last hidden layer, or the accumulator if there is none.
    LastLayer,
    /// The activations of the accumulator, bypassing all hidden layers. Such a head has 8-bit
    /// weights and no output buckets, and there is at most one.
    Accumulator,
}

/// The definition of a head, implemented in its file. Deliberately few defaults, so that a head
/// cannot omit something by accident.
trait Definition {
    /// The name in network files, which also names the tensors there.
    fn head_name(&self) -> &'static str;

    /// The name of its tensors in network files of version 1.
    fn tensor_name_v1(&self) -> &'static str {
        self.head_name()
    }

    /// A human-readable label.
    fn label(&self) -> String;

    /// The text in the shape of a description, such as `1` or `64/64`.
    fn shape_text(&self) -> String;

    /// The name with all parameters that are needed to decode it, such as `value:tanh`.
    fn named_text(&self) -> String;

    /// The layer that the head reads.
    fn input(&self) -> HeadInput;

    /// The reason why the head is invalid, alone or together with the other heads of a network.
    fn fault(&self, heads: &[Head]) -> Option<String>;
}

/// The decoded outputs of heads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) value: Option<i32>,
    pub(crate) wdl: Option<[f32; 3]>,
    pub(crate) quantiles: Option<[i32; LEVELS]>,
    /// The raw outputs of anchored quantiles, which need the value.
    pub(crate) anchored: Option<[f32; LEVELS - 1]>,
}

impl Decoded {
    /// Anchors quantiles at the value. Without a value head, derives the value from the median of
    /// the quantiles or from the expected score of win, draw and loss.
    pub(crate) fn finish(&mut self, centipawns: f32) -> i32 {
        if let (Some(value), Some(raw)) = (self.value, self.anchored) {
            self.quantiles = Some(anchored_quantiles::around(value, centipawns, raw));
        }
        let value = self.value.or(self.quantiles.map(|quantiles| quantiles[LEVELS / 2]));
        value.or_else(|| self.wdl.map(|wdl| wdl::centipawns(centipawns, wdl))).unwrap_or(0)
    }
}

impl Head {
    /// The names of all heads.
    pub const NAMES: [&'static str; 5] =
        [value::NAME, wdl::NAME, quantiles::NAME, anchored_quantiles::NAME, policy::NAME];

    fn definition(&self) -> &dyn Definition {
        match self {
            Self::Value(output) => output,
            Self::Wdl => &Wdl,
            Self::Quantiles => &Quantiles,
            Self::AnchoredQuantiles => &AnchoredQuantiles,
            Self::Policy(policy) => policy,
        }
    }

    /// The number of outputs.
    pub const fn outputs(self) -> usize {
        match self {
            Self::Value(_) => value::OUTPUTS,
            Self::Wdl => wdl::OUTPUTS,
            Self::Quantiles => quantiles::OUTPUTS,
            Self::AnchoredQuantiles => anchored_quantiles::OUTPUTS,
            Self::Policy(policy) => policy.outputs(),
        }
    }

    /// The meaning of a value head's output; `None` for other heads.
    pub const fn value_output(self) -> Option<ValueOutput> {
        match self {
            Self::Value(output) => Some(output),
            Self::Wdl | Self::Quantiles | Self::AnchoredQuantiles | Self::Policy(_) => None,
        }
    }

    /// The shape of a policy head; `None` for other heads.
    pub const fn policy(self) -> Option<PolicyHead> {
        match self {
            Self::Policy(policy) => Some(policy),
            Self::Value(_) | Self::Wdl | Self::Quantiles | Self::AnchoredQuantiles => None,
        }
    }

    /// Whether the head outputs quantiles of the value.
    pub const fn has_quantiles(self) -> bool {
        match self {
            Self::Quantiles | Self::AnchoredQuantiles => true,
            Self::Value(_) | Self::Wdl | Self::Policy(_) => false,
        }
    }

    /// The name in network files: `value`, `wdl`, `quantiles`, `anchored-quantiles` or `policy`.
    pub fn name(&self) -> &'static str {
        self.definition().head_name()
    }

    pub(crate) fn tensor_name_v1(&self) -> &'static str {
        self.definition().tensor_name_v1()
    }

    /// A human-readable label, such as `quantiles 10 25 50 75 90 %`.
    pub fn label(&self) -> String {
        self.definition().label()
    }

    pub(crate) fn shape_text(&self) -> String {
        self.definition().shape_text()
    }

    pub(crate) fn named_text(&self) -> String {
        self.definition().named_text()
    }

    /// The layer that the head reads.
    pub fn input(&self) -> HeadInput {
        self.definition().input()
    }

    pub(crate) fn fault(&self, heads: &[Self]) -> Option<String> {
        self.definition().fault(heads)
    }

    /// Parses a head: a number of outputs as in the shape of a network, or a name.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parsers =
            [value::parse, wdl::parse, quantiles::parse, anchored_quantiles::parse, policy::parse];
        parsers.iter().find_map(|parse| parse(text)).unwrap_or_else(|| {
            Err(format!(
                "has head `{text}`; expected value (1), wdl (3), quantiles (5), \
                 anchored-quantiles (4) or a policy such as policy:from-to:64/64 (64/64)"
            ))
        })
    }

    /// Decodes the head's outputs from the front of `raw`, in units of 1.0, and returns the rest.
    #[inline]
    pub(crate) fn decode<'a>(
        self,
        raw: &'a [f32],
        centipawns: f32,
        decoded: &mut Decoded,
    ) -> &'a [f32] {
        match self {
            Self::Value(output) => value::decode(output, raw, centipawns, decoded),
            Self::Wdl => wdl::decode(raw, decoded),
            Self::Quantiles => quantiles::decode(raw, centipawns, decoded),
            Self::AnchoredQuantiles => anchored_quantiles::decode(raw, decoded),
            // The policy reads the accumulator; its outputs are not in `raw`.
            Self::Policy(_) => return raw,
        }
        &raw[self.outputs()..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Head; 8] = [
        Head::Value(ValueOutput::Sigmoid),
        Head::Value(ValueOutput::Tanh),
        Head::Wdl,
        Head::Quantiles,
        Head::AnchoredQuantiles,
        Head::Policy(PolicyHead { from: 64, to: 384, moves: Some(MoveEncoding::PieceTo) }),
        Head::Policy(PolicyHead { from: 128, to: 768, moves: Some(MoveEncoding::PieceToSee) }),
        Head::Policy(PolicyHead { from: 1, to: 7, moves: None }),
    ];

    #[test]
    fn names_parse_back() {
        for head in ALL {
            let text = head.named_text();
            assert_eq!(Head::parse(&text), Ok(head), "{text}");
            assert!(text.split(':').next() == Some(head.name()), "{text}");
            assert!(Head::NAMES.contains(&head.name()));
            let other = Head::parse(&head.shape_text()).unwrap();
            assert_eq!(other.name(), head.name());
        }
        // A name without arguments means the usual head of that name, if there is one.
        assert_eq!(Head::parse("value"), Ok(ALL[0]));
        for (text, word) in [
            ("moves-left", "head `moves-left`"),
            ("2", "expected value (1)"),
            ("value:cosine", "cosine"),
            ("wdl:1", "`wdl:1`"),
            ("quantiles:5", "`quantiles:5`"),
            ("policy", "policy:from-to:64/64"),
            ("policy:to-from:64/64", "to-from"),
            ("policy:from-to:64", "`64`"),
            ("64/x", "`64/x`"),
        ] {
            let fault = Head::parse(text).unwrap_err();
            assert!(fault.contains(word), "{text}: {fault}");
        }
    }

    #[test]
    fn outputs_of_the_last_layer_fit_their_buffer() {
        let widest = Head::Value(ValueOutput::Sigmoid).outputs()
            + Head::Wdl.outputs()
            + Head::Quantiles.outputs().max(Head::AnchoredQuantiles.outputs());
        assert_eq!(widest, MAX_OUTPUTS);
    }
}
