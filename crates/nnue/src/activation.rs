//! Activation functions: the nonlinearity of a layer, and which of them have an integer form.

use crate::MAX_ACTIVATION;
use crate::kernels::{Factor, Squash};

/// The activation function of a layer.
///
/// ```
/// use nnue::Activation;
///
/// assert_eq!(Activation::from_name("screlu"), Some(Activation::Screlu));
/// assert!(Activation::Pairwise.is_pairwise());
/// ```
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
    /// clamp(x, 0, 1) of the first half of the layer times that of the second: half as many
    /// outputs.
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

    /// Whether it multiplies the two halves of a layer, which halves the number of outputs.
    pub const fn is_pairwise(self) -> bool {
        match self {
            Self::Pairwise => true,
            Self::Identity
            | Self::Relu
            | Self::Crelu
            | Self::Screlu
            | Self::Sigmoid
            | Self::Tanh => false,
        }
    }

    /// Whether it is a product of two clipped sums, so that its unit in integers is the square of
    /// the scale.
    pub const fn is_product(self) -> bool {
        match self {
            Self::Screlu | Self::Pairwise => true,
            Self::Identity | Self::Relu | Self::Crelu | Self::Sigmoid | Self::Tanh => false,
        }
    }

    /// The integer form that turns an accumulator into the inputs of an integer layer; `None` if
    /// there is none.
    pub(crate) const fn squash(self) -> Option<Squash> {
        match self {
            Self::Crelu => Some(Squash::Crelu),
            Self::Screlu => Some(Squash::Screlu),
            Self::Pairwise => Some(Squash::Pairwise),
            Self::Identity | Self::Relu | Self::Sigmoid | Self::Tanh => None,
        }
    }

    /// The integer form that multiplies an accumulator with head weights; `None` if there is none.
    pub(crate) const fn factor(self) -> Option<Factor> {
        match self {
            Self::Identity => Some(Factor::Identity),
            Self::Relu => Some(Factor::Relu),
            Self::Crelu => Some(Factor::Crelu),
            Self::Screlu => Some(Factor::Screlu),
            Self::Pairwise => Some(Factor::Pairwise),
            Self::Sigmoid | Self::Tanh => None,
        }
    }

    /// The integer form for a hidden layer, and the value of 1.0 in its result; `None` if there is
    /// none.
    pub(crate) const fn hidden_squash(self) -> Option<(Squash, f32)> {
        const ONE: f32 = MAX_ACTIVATION as f32;
        match self {
            Self::Crelu => Some((Squash::Crelu, ONE)),
            // Squares are shifted right by the 7 bits of an activation.
            Self::Screlu => Some((Squash::Screlu, ONE * ONE / 128.0)),
            Self::Identity | Self::Relu | Self::Sigmoid | Self::Tanh | Self::Pairwise => None,
        }
    }
}
