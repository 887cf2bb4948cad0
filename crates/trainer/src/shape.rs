//! Layer shapes: the sizes of a network in training.

use nnue::{Activation, Architecture, Head};

use crate::heads::trained;

/// Columns of the accumulator that are summed together: two cache lines of f32.
pub(crate) const TILE: usize = 32;

/// A layer that is a matrix: hidden, head or policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerShape {
    /// Its name in configuration files and checkpoints.
    pub(crate) name: String,
    pub(crate) inputs: usize,
    /// The number of its sums.
    pub(crate) width: usize,
    /// The activation; heads have none.
    pub(crate) activation: Activation,
    /// The number of sets of weights, one of which applies to a position.
    pub(crate) buckets: usize,
}

impl LayerShape {
    /// The number of its outputs.
    pub(crate) fn outputs(&self) -> usize {
        nnue::Layer { width: self.width, activation: self.activation }.outputs()
    }
}

/// The sizes of a network.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The number of features, including virtual ones.
    pub(crate) inputs: usize,
    pub(crate) perspectives: usize,
    /// Width of the accumulator.
    pub(crate) width: usize,
    /// Activation of the accumulator.
    pub(crate) activation: Activation,
    /// The number of [`TILE`]s of the width.
    pub(crate) tiles: usize,
    /// The number of activations of one perspective.
    pub(crate) perspective_outputs: usize,
    /// Hidden layers, then heads in the architecture's order but for the policy, then the policy.
    pub(crate) layers: Vec<LayerShape>,
    /// The number of hidden layers in `layers`.
    pub(crate) hidden: usize,
    /// The index in `layers` of each head of the architecture.
    pub(crate) heads: Vec<(Head, usize)>,
    pub(crate) buckets: nnue::Buckets,
}

impl Shape {
    pub(crate) fn new(architecture: &Architecture, factors: usize) -> Self {
        let perspectives = architecture.perspectives.count();
        let accumulator = architecture.accumulator;
        let buckets = architecture.buckets.count;
        let mut layers = Vec::new();
        let mut inputs = architecture.accumulator_outputs();
        for (place, layer) in architecture.hidden.iter().enumerate() {
            let name = format!("hidden.{place}");
            let (width, activation) = (layer.width, layer.activation);
            layers.push(LayerShape { name, inputs, width, activation, buckets });
            inputs = layer.outputs();
        }
        let hidden = layers.len();
        let mut heads = Vec::new();
        for head in architecture.layer_heads() {
            heads.push((head, layers.len()));
            layers.push(head_shape(head, inputs, buckets));
        }
        if let Some(head) = architecture.policy().map(Head::Policy) {
            heads.push((head, layers.len()));
            layers.push(head_shape(head, architecture.accumulator_outputs(), 1));
        }
        // Losses are reported in the architecture's order.
        heads.sort_by_key(|(head, _)| architecture.heads.iter().position(|other| other == head));
        Self {
            inputs: architecture.inputs + factors,
            perspectives,
            width: accumulator.width,
            activation: accumulator.activation,
            tiles: accumulator.width.div_ceil(TILE),
            perspective_outputs: accumulator.outputs(),
            layers,
            hidden,
            heads,
            buckets: architecture.buckets,
        }
    }

    /// The number of activations of the accumulator for a position.
    pub(crate) fn outputs(&self) -> usize {
        self.perspectives * self.perspective_outputs
    }

    /// Names of all layers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(ACCUMULATOR).chain(self.layers.iter().map(|layer| layer.name.as_str()))
    }
}

/// The name of the first layer.
pub(crate) const ACCUMULATOR: &str = "accumulator";

fn head_shape(head: Head, inputs: usize, buckets: usize) -> LayerShape {
    let (name, width) = (trained(head).layer().to_owned(), head.outputs());
    LayerShape { name, inputs, width, activation: Activation::Identity, buckets }
}
