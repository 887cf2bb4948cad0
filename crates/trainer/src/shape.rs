//! The sizes of a network's layers, as training needs them.

use nnue::{Activation, Architecture, Head};

/// Columns of the accumulator that are summed together: two cache lines of f32.
pub(crate) const TILE: usize = 32;

/// A layer that is a matrix: hidden, head or policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerShape {
    /// Its name in configuration files and checkpoints.
    pub(crate) name: String,
    pub(crate) inputs: usize,
    /// How many sums it has.
    pub(crate) width: usize,
    /// What it does to them; heads do nothing.
    pub(crate) activation: Activation,
    /// Sets of weights, one of which serves a position.
    pub(crate) buckets: usize,
}

impl LayerShape {
    /// How many values it hands on.
    pub(crate) fn outputs(&self) -> usize {
        nnue::Layer { width: self.width, activation: self.activation }.outputs()
    }
}

/// A network in sizes.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Features, virtual ones included.
    pub(crate) inputs: usize,
    pub(crate) views: usize,
    /// Width of the accumulator.
    pub(crate) width: usize,
    /// Activation of the accumulator.
    pub(crate) activation: Activation,
    /// How many [`TILE`]s the width takes.
    pub(crate) tiles: usize,
    /// Values that one view hands on.
    pub(crate) view_outputs: usize,
    /// Hidden layers, then heads in the architecture's order but for the policy, then the policy.
    pub(crate) layers: Vec<LayerShape>,
    /// How many of `layers` are hidden.
    pub(crate) hidden: usize,
    /// For each head of the architecture its place in `layers`.
    pub(crate) heads: Vec<(Head, usize)>,
    pub(crate) buckets: nnue::Buckets,
}

impl Shape {
    pub(crate) fn new(architecture: &Architecture, factors: usize) -> Self {
        let views = architecture.perspectives.count();
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
        let is_policy = |head: &Head| matches!(head, Head::Policy { .. });
        for &head in architecture.heads.iter().filter(|head| !is_policy(head)) {
            heads.push((head, layers.len()));
            layers.push(head_shape(head, inputs, buckets));
        }
        for &head in architecture.heads.iter().filter(|head| is_policy(head)) {
            heads.push((head, layers.len()));
            layers.push(head_shape(head, architecture.accumulator_outputs(), 1));
        }
        // Losses are reported in the architecture's order.
        heads.sort_by_key(|(head, _)| architecture.heads.iter().position(|other| other == head));
        Self {
            inputs: architecture.inputs + factors,
            views,
            width: accumulator.width,
            activation: accumulator.activation,
            tiles: accumulator.width.div_ceil(TILE),
            view_outputs: accumulator.outputs(),
            layers,
            hidden,
            heads,
            buckets: architecture.buckets,
        }
    }

    /// Values that the accumulator hands on for a position.
    pub(crate) fn outputs(&self) -> usize {
        self.views * self.view_outputs
    }

    /// Names of all layers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(ACCUMULATOR).chain(self.layers.iter().map(|layer| layer.name.as_str()))
    }
}

/// The name of the first layer.
pub(crate) const ACCUMULATOR: &str = "accumulator";

fn head_shape(head: Head, inputs: usize, buckets: usize) -> LayerShape {
    let name = match head {
        Head::Value(_) => "value",
        Head::Wdl => "wdl",
        Head::Quantiles => "quantiles",
        Head::Widths => "widths",
        Head::Policy { .. } => "policy",
    };
    let (name, width) = (name.to_owned(), head.outputs());
    LayerShape { name, inputs, width, activation: Activation::Identity, buckets }
}
