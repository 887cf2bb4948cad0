//! Architecture: the complete description of a network without its weights.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::{Activation, Head};

mod check;
mod text;

/// The maximum number of features of a network.
pub const MAX_FEATURES: usize = 1 << 20;
/// The maximum width of an accumulator.
pub const MAX_WIDTH: usize = 4096;
/// The maximum width of a hidden layer.
pub const MAX_HIDDEN_WIDTH: usize = 1024;
/// The maximum number of weights of the first layer.
pub const MAX_WEIGHTS: usize = 1 << 29;
/// The maximum number of hidden layers.
pub const MAX_HIDDEN_LAYERS: usize = 8;
/// The maximum number of output buckets.
pub const MAX_BUCKETS: usize = 64;
/// The largest activation that enters an integer layer.
pub const MAX_ACTIVATION: u32 = 127;

/// A layer's width and activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// The number of sums.
    pub width: usize,
    /// The function applied to the sums.
    pub activation: Activation,
}

impl Layer {
    /// The number of outputs: half of the width for [`Activation::Pairwise`].
    pub const fn outputs(self) -> usize {
        if self.activation.is_pairwise() { self.width / 2 } else { self.width }
    }
}

/// The number of perspectives that the network reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Perspectives {
    /// Only the first player's perspective.
    One,
    /// Each player's own perspective, the side to move's first.
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

/// How the number of pieces on the board selects an output bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BucketRule {
    /// One bucket.
    None,
    /// (pieces − 2) / ⌈32 / buckets⌉, as in bullet.
    Pieces,
    /// (pieces − 1) / 4, as in Stockfish.
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

/// Output buckets: several sets of hidden layers and heads, one of which evaluates a position.
///
/// ```
/// use nnue::{BucketRule, Buckets};
///
/// let buckets = Buckets { rule: BucketRule::Pieces, count: 8 };
/// assert_eq!((buckets.choose(2), buckets.choose(32)), (0, 7));
/// assert_eq!(Buckets::NONE.choose(32), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buckets {
    /// The rule that selects a bucket.
    pub rule: BucketRule,
    /// The number of buckets.
    pub count: usize,
}

impl Buckets {
    /// A single bucket.
    pub const NONE: Self = Self { rule: BucketRule::None, count: 1 };

    /// The bucket of a position with that many pieces. Every number maps to an existing bucket.
    pub fn choose(self, pieces: usize) -> usize {
        let bucket = match self.rule {
            BucketRule::None => 0,
            BucketRule::Pieces => pieces.saturating_sub(2) / 32usize.div_ceil(self.count),
            BucketRule::Fours => pieces.saturating_sub(1) / 4,
        };
        bucket.min(self.count - 1)
    }
}

/// Quantisation scales: the value of 1.0 in the integers of each layer. Recorded in every file,
/// never implied.
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    /// 1.0 in the accumulator. Its activation is clipped here.
    pub accumulator: i16,
    /// The right shift that brings accumulator activations to at most 127 before they enter integer
    /// layers (hidden or policy).
    pub activation_shift: u32,
    /// 1.0 in the weights of a hidden layer is 2 to this power. One entry per layer.
    pub hidden_shifts: Vec<u32>,
    /// 1.0 in the weights of the value, WDL and quantile heads.
    pub head: i16,
    /// 1.0 in the weights of the policy head is 2 to this power.
    pub policy_shift: u32,
    /// Centipawns for an output of 1.0.
    pub centipawns: f32,
}

impl Scales {
    /// The usual scales for a network of this form: 255 and 64 as in most engines, the shift that
    /// brings activations to 127, and 400 centipawns.
    pub fn usual(accumulator: Activation, hidden_layers: usize) -> Self {
        Self {
            accumulator: 255,
            activation_shift: if accumulator.is_product() { 9 } else { 1 },
            hidden_shifts: alloc::vec![6; hidden_layers],
            head: 64,
            policy_shift: 6,
            centipawns: 400.0,
        }
    }
}

/// The complete description of a network without its weights, not yet checked; see
/// [`Architecture::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name of the feature set, for example `chess.piece-square`.
    pub features: String,
    /// The number of features.
    pub inputs: usize,
    /// The number of perspectives.
    pub perspectives: Perspectives,
    /// The first layer.
    pub accumulator: Layer,
    /// The layers between accumulator and heads.
    pub hidden: Vec<Layer>,
    /// The output buckets.
    pub buckets: Buckets,
    /// The heads of the network.
    pub heads: Vec<Head>,
    /// The quantisation scales.
    pub scales: Scales,
}

/// The arithmetic that evaluates a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// i16 accumulators, i8 and i16 weights, i32 sums.
    Integer,
    /// f32 throughout, for activations that have no integer form.
    Float,
}

/// A checked [`Description`]: widths are within limits, heads are distinct, integers do not
/// overflow.
///
/// ```
/// use nnue::{Activation, Architecture, Arithmetic};
///
/// let line = "chess.piece-square (768→256)×2→1 screlu";
/// let architecture: Architecture = line.parse()?;
/// assert_eq!((architecture.inputs, architecture.accumulator.width), (768, 256));
/// assert_eq!(architecture.accumulator.activation, Activation::Screlu);
/// assert_eq!(architecture.arithmetic(), Arithmetic::Integer);
/// assert_eq!(architecture.to_string(), line);
///
/// assert!("chess.piece-square (768→0)×2→1 screlu".parse::<Architecture>().is_err());
/// # Ok::<(), nnue::ArchitectureError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture(Description);

impl Deref for Architecture {
    type Target = Description;

    fn deref(&self) -> &Description {
        &self.0
    }
}

/// The fault of a network description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchitectureError(pub(crate) String);

impl fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ArchitectureError {}
