//! Parameters: weights as files and exporters store them, row by row, without padding.

use alloc::vec::Vec;

use crate::{Architecture, NetworkError};

/// The weights of a network, with the element types `W` for the transformer, `H` for hidden layers
/// and policy, `O` for heads and `B` for all biases after the transformer.
///
/// Orders, with the last index varying fastest: transformer `[feature][neuron]`; hidden layer
/// `[bucket][output][input]`; head `[bucket][output][input]`; policy `[output][input]`. If both
/// perspectives enter a layer, the side to move's values come first.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters<W, H, O, B> {
    /// `[inputs][width]`
    pub feature_weights: Vec<W>,
    /// `[width]`
    pub feature_bias: Vec<W>,
    /// One entry per hidden layer.
    pub hidden: Vec<Weights<H, B>>,
    /// One entry per head except the policy, in the architecture's order.
    pub heads: Vec<Weights<O, B>>,
    /// The policy head, if there is one.
    pub policy: Option<Weights<H, B>>,
}

/// A weight matrix and its bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights<W, B> {
    /// See [`Parameters`] for the order.
    pub weights: Vec<W>,
    /// `[bucket][output]`
    pub bias: Vec<B>,
}

/// Weights of a network that is evaluated in integers.
pub type IntegerParameters = Parameters<i16, i8, i16, i32>;

/// Weights of a network that is evaluated in floats.
pub type FloatParameters = Parameters<f32, f32, f32, f32>;

/// The number of weights and biases of a layer, over all buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) weights: usize,
    pub(crate) bias: usize,
}

impl Count {
    fn generate<W, B>(
        self,
        weight: &mut impl FnMut() -> W,
        bias: &mut impl FnMut() -> B,
    ) -> Weights<W, B> {
        Weights { weights: many(self.weights, weight), bias: many(self.bias, bias) }
    }
}

fn many<T>(count: usize, make: &mut impl FnMut() -> T) -> Vec<T> {
    core::iter::repeat_with(make).take(count).collect()
}

/// The number of parameters of each part of an architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) feature_weights: usize,
    pub(crate) feature_bias: usize,
    pub(crate) hidden: Vec<Count>,
    pub(crate) heads: Vec<Count>,
    pub(crate) policy: Option<Count>,
}

impl Counts {
    pub(crate) fn of(architecture: &Architecture) -> Self {
        let buckets = architecture.buckets.count;
        let mut inputs = architecture.accumulator_outputs();
        let mut hidden = Vec::new();
        for layer in &architecture.hidden {
            hidden.push(Count {
                weights: buckets * layer.width * inputs,
                bias: buckets * layer.width,
            });
            inputs = layer.outputs();
        }
        let heads = architecture.layer_heads().map(|head| Count {
            weights: buckets * head.outputs() * inputs,
            bias: buckets * head.outputs(),
        });
        let policy = architecture.policy().map(|policy| Count {
            weights: policy.outputs() * architecture.accumulator_outputs(),
            bias: policy.outputs(),
        });
        Self {
            feature_weights: architecture.inputs * architecture.accumulator.width,
            feature_bias: architecture.accumulator.width,
            hidden,
            heads: heads.collect(),
            policy,
        }
    }
}

impl Counts {
    pub(crate) fn total(&self) -> usize {
        let layers = self.hidden.iter().chain(&self.heads).chain(&self.policy);
        let layers: usize = layers.map(|count| count.weights + count.bias).sum();
        self.feature_weights + self.feature_bias + layers
    }
}

impl<W, H, O, B> Parameters<W, H, O, B> {
    /// Generates all parameters of an architecture, each by a call: transformer weights and biases,
    /// weights of hidden layers and policy, weights of heads, all other biases.
    pub fn generate(
        architecture: &Architecture,
        mut feature: impl FnMut() -> W,
        mut hidden: impl FnMut() -> H,
        mut head: impl FnMut() -> O,
        mut bias: impl FnMut() -> B,
    ) -> Self {
        let counts = Counts::of(architecture);
        Self {
            feature_weights: many(counts.feature_weights, &mut feature),
            feature_bias: many(counts.feature_bias, &mut feature),
            hidden: counts.hidden.iter().map(|c| c.generate(&mut hidden, &mut bias)).collect(),
            heads: counts.heads.iter().map(|c| c.generate(&mut head, &mut bias)).collect(),
            policy: counts.policy.map(|count| count.generate(&mut hidden, &mut bias)),
        }
    }

    /// Checks that the numbers of parameters match the architecture.
    pub fn check(&self, architecture: &Architecture) -> Result<(), NetworkError> {
        let counts = Counts::of(architecture);
        let check = NetworkError::check_count;
        check("feature weights", self.feature_weights.len(), counts.feature_weights)?;
        check("feature bias", self.feature_bias.len(), counts.feature_bias)?;
        check("list of hidden layers", self.hidden.len(), counts.hidden.len())?;
        for (layer, count) in self.hidden.iter().zip(&counts.hidden) {
            layer.check("hidden weights", "hidden bias", *count)?;
        }
        check("list of heads", self.heads.len(), counts.heads.len())?;
        for (head, count) in self.heads.iter().zip(&counts.heads) {
            head.check("head weights", "head bias", *count)?;
        }
        match (&self.policy, counts.policy) {
            (Some(policy), Some(count)) => policy.check("policy weights", "policy bias", count),
            (None, None) => Ok(()),
            (found, _) => {
                let found = if found.is_some() { "present" } else { "missing" };
                Err(NetworkError::field("policy", found, "what the architecture says"))
            }
        }
    }
}

impl<W, B> Weights<W, B> {
    fn check(
        &self,
        weights: &'static str,
        bias: &'static str,
        count: Count,
    ) -> Result<(), NetworkError> {
        NetworkError::check_count(weights, self.weights.len(), count.weights)?;
        NetworkError::check_count(bias, self.bias.len(), count.bias)
    }
}
