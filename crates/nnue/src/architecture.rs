//! What a network is: everything about it but the weights.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

mod check;
mod text;

/// The most features that a network may have.
pub const MOST_FEATURES: usize = 1 << 20;
/// The widest accumulator.
pub const MOST_WIDTH: usize = 4096;
/// The widest hidden layer.
pub const MOST_HIDDEN_WIDTH: usize = 1024;
/// The most weights of the first layer.
pub const MOST_WEIGHTS: usize = 1 << 29;
/// The most hidden layers.
pub const MOST_HIDDEN_LAYERS: usize = 8;
/// The most output buckets.
pub const MOST_BUCKETS: usize = 64;
/// The most outputs of each half of a policy head.
pub const MOST_POLICY: usize = 4096;
/// The largest activation that enters an integer layer.
pub const MOST_ACTIVATION: u32 = 127;
/// What the five outputs of a quantile head estimate.
pub const QUANTILE_LEVELS: [f32; 5] = [0.10, 0.25, 0.50, 0.75, 0.90];

/// What a layer does to its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// x
    Identity,
    /// max(x, 0)
    Relu,
    /// clamp(x, 0, 1)
    Crelu,
    /// clamp(x, 0, 1)²
    Screlu,
    /// 1 / (1 + e^−x)
    Sigmoid,
    /// tanh x
    Tanh,
    /// clamp(x, 0, 1) of the first half of the layer times that of the second: half as many outputs.
    Pairwise,
}

impl Activation {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Identity,
        Self::Relu,
        Self::Crelu,
        Self::Screlu,
        Self::Sigmoid,
        Self::Tanh,
        Self::Pairwise,
    ];

    /// The name in descriptions and configuration files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Relu => "relu",
            Self::Crelu => "crelu",
            Self::Screlu => "screlu",
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Pairwise => "pairwise",
        }
    }

    /// The activation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|activation| activation.name() == name)
    }
}

/// A layer's width and activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// How many sums it has.
    pub width: usize,
    /// What it does to them.
    pub activation: Activation,
}

impl Layer {
    /// How many values it hands on: half of its width for [`Activation::Pairwise`].
    pub const fn outputs(self) -> usize {
        match self.activation {
            Activation::Pairwise => self.width / 2,
            _ => self.width,
        }
    }
}

/// How many views of a position the network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Perspectives {
    /// The first player's view alone.
    One,
    /// Each player's own view, the side to move's first.
    Two,
}

impl Perspectives {
    /// 1 or 2.
    pub const fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// How the number of pieces on the board chooses one of the output buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BucketRule {
    /// One bucket.
    None,
    /// (pieces − 2) / ⌈32 / buckets⌉, as bullet counts.
    Pieces,
    /// (pieces − 1) / 4, as Stockfish counts.
    Fours,
}

impl BucketRule {
    /// The name in descriptions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pieces => "pieces",
            Self::Fours => "fours",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::None, Self::Pieces, Self::Fours].into_iter().find(|rule| rule.name() == name)
    }
}

/// Several sets of hidden layers and heads, one of which evaluates a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buckets {
    /// How a position chooses.
    pub rule: BucketRule,
    /// How many there are.
    pub count: usize,
}

impl Buckets {
    /// A single bucket.
    pub const NONE: Self = Self { rule: BucketRule::None, count: 1 };

    /// The bucket of a position with that many pieces. Any number gives a bucket that exists.
    pub fn choose(self, pieces: usize) -> usize {
        let bucket = match self.rule {
            BucketRule::None => 0,
            BucketRule::Pieces => pieces.saturating_sub(2) / 32usize.div_ceil(self.count),
            BucketRule::Fours => pieces.saturating_sub(1) / 4,
        };
        bucket.min(self.count - 1)
    }
}

/// What the single output of a value head means.
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
        [Self::Sigmoid, Self::Linear, Self::Tanh].into_iter().find(|output| output.name() == name)
    }
}

/// What a network answers. All answers are for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// How good the position is.
    Value(ValueOutput),
    /// Logits of win, draw and loss.
    Wdl,
    /// [`QUANTILE_LEVELS`] of the value: a base, then four steps up, each through softplus.
    Quantiles,
    /// [`QUANTILE_LEVELS`] around the value, which is their median: how far it is from each of them to the next, each
    /// through softplus. Only beside a value that is not tanh.
    Widths,
    /// Scores of the cells that a move leaves and enters, read from the accumulator itself, not from the
    /// hidden layers. `from` is 1 where moves have a single number.
    Policy {
        /// Outputs for the cell that is left.
        from: usize,
        /// Outputs for the cell that is entered.
        to: usize,
    },
}

impl Head {
    /// How many outputs it has.
    pub const fn outputs(self) -> usize {
        match self {
            Self::Value(_) => 1,
            Self::Wdl => 3,
            Self::Quantiles => QUANTILE_LEVELS.len(),
            Self::Widths => QUANTILE_LEVELS.len() - 1,
            Self::Policy { from, to } => from + to,
        }
    }
}

/// What 1.0 is in the integers of each layer. Recorded in every file, never implied.
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    /// 1.0 in the accumulator; also where its activation is clipped.
    pub accumulator: i16,
    /// How far accumulator activations are shifted right to become at most 127, where they enter integer
    /// layers (hidden or policy).
    pub activation_shift: u32,
    /// 1.0 in the weights of a hidden layer is 2 to this power; one number for each layer.
    pub hidden_shifts: Vec<u32>,
    /// 1.0 in the weights of the value, WDL and quantile heads.
    pub head: i16,
    /// 1.0 in the weights of the policy head is 2 to this power.
    pub policy_shift: u32,
    /// Centipawns for an output of 1.0.
    pub centipawns: f32,
}

impl Scales {
    /// The usual scales for a network of this form: 255 and 64 as most engines have, the shift that brings
    /// activations to 127, and 400 centipawns.
    pub fn usual(accumulator: Activation, hidden_layers: usize) -> Self {
        let (limit, activation_shift) = match accumulator {
            Activation::Screlu | Activation::Pairwise => (255, 9),
            _ => (255, 1),
        };
        Self {
            accumulator: limit,
            activation_shift,
            hidden_shifts: alloc::vec![6; hidden_layers],
            head: 64,
            policy_shift: 6,
            centipawns: 400.0,
        }
    }
}

/// Everything about a network but its weights, not yet checked; see [`Architecture::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name of the feature set, for example `chess.piece-square`.
    pub features: String,
    /// How many features it has.
    pub inputs: usize,
    /// How many views there are.
    pub perspectives: Perspectives,
    /// The first layer.
    pub accumulator: Layer,
    /// The layers between accumulator and heads.
    pub hidden: Vec<Layer>,
    /// Sets of hidden layers and heads.
    pub buckets: Buckets,
    /// What the network answers.
    pub heads: Vec<Head>,
    /// The integers of each layer.
    pub scales: Scales,
}

/// Whether a network can be evaluated in integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// i16 accumulators, i8 and i16 weights, i32 sums.
    Integer,
    /// f32 throughout, for activations that have no integer form.
    Float,
}

/// A checked [`Description`]: widths are within limits, heads are distinct, integers fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture(Description);

impl Deref for Architecture {
    type Target = Description;

    fn deref(&self) -> &Description {
        &self.0
    }
}

/// What is wrong with a description of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchitectureError(pub(crate) String);

impl fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ArchitectureError {}
