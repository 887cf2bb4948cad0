//! Training worker: forward pass, losses and backward pass of one thread, in micro-batches.

use std::ops::Range;
use std::time::{Duration, Instant};

use dataset::Batch;
use nnue::HeadInput;

use crate::Objective;
use crate::heads::{Targets, add_losses, trained};
use crate::layers::{
    LayerMemory, Run, activate, affine, differentiate, input_gradient, weight_gradient,
};
use crate::learner::Losses;
use crate::real::Real;
use crate::shape::{Shape, TILE};
use crate::tensors::{Tensors, Tiles, zero_tiles};
use crate::transformer::{Gather, Rows, Scatter};

/// The number of positions of a micro-batch: enough to amortise reading all weights, few enough
/// that their values stay in the second-level cache.
fn micro_batch(shape: &Shape) -> usize {
    (32_768 / (shape.tiles * TILE)).clamp(32, 256)
}

/// The time of each phase of a step, summed over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Summing the rows of active features.
    pub gather: Duration,
    /// Hidden layers and heads, forward and backward.
    pub layers: Duration,
    /// Losses.
    pub loss: Duration,
    /// Gradients of the feature rows.
    pub scatter: Duration,
    /// Reducing gradients and updating weights.
    pub optimiser: Duration,
}

impl std::ops::AddAssign for Phases {
    fn add_assign(&mut self, other: Self) {
        self.gather += other.gather;
        self.layers += other.layers;
        self.loss += other.loss;
        self.scatter += other.scatter;
        self.optimiser += other.optimiser;
    }
}

/// What a backward pass computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backward<'a> {
    /// Nothing: only losses are computed.
    No,
    /// Gradients of all layers that are not frozen. The accumulator is layer 0.
    Yes {
        /// One for each layer.
        frozen: &'a [bool],
    },
}

/// The buffers of a thread.
#[derive(Debug)]
pub(crate) struct Worker<T> {
    arch: pulp::Arch,
    /// Positions of the shard, grouped by bucket.
    pub(crate) order: Vec<u32>,
    spans: Vec<Range<u32>>,
    sums: Tiles<T>,
    /// The activations of the accumulator; after a backward pass, the derivatives by them.
    outputs: Vec<T>,
    memories: Vec<LayerMemory<T>>,
    /// The sum over the shard.
    pub(crate) gradient: Tensors<T>,
    /// Derivatives by the accumulator's sums, `[tile][row]`, rows in the order of `order`; kept
    /// only for a sparse gradient.
    pub(crate) d_sums: Tiles<T>,
    pub(crate) losses: Losses,
    pub(crate) phases: Phases,
}

impl<T: Real> Worker<T> {
    /// `dense`: whether to sum the gradient of the whole transformer here.
    pub(crate) fn new(shape: &Shape, dense: bool) -> Self {
        let gradient =
            if dense { Tensors::zero(shape) } else { Tensors::zero_without_transformer(shape) };
        Self {
            arch: pulp::Arch::new(),
            order: Vec::new(),
            spans: Vec::new(),
            sums: zero_tiles(0),
            outputs: Vec::new(),
            memories: vec![LayerMemory::default(); shape.layers.len()],
            gradient,
            d_sums: zero_tiles(0),
            losses: Losses::default(),
            phases: Phases::default(),
        }
    }

    /// Whether the gradient of the transformer is summed here.
    fn is_dense(&self) -> bool {
        !self.gradient.transformer.is_empty()
    }

    /// The losses and, if requested, the gradients of a shard.
    pub(crate) fn pass(
        &mut self,
        shape: &Shape,
        parameters: &Tensors<T>,
        targets: Targets<'_>,
        batch: &Batch,
        backward: Backward<'_>,
    ) {
        self.begin(shape, batch);
        if backward != Backward::No {
            self.gradient.clear();
            let rows = if self.is_dense() { 0 } else { batch.len() * shape.perspectives };
            self.d_sums.resize(rows * shape.tiles, [T::ZERO; TILE]);
        }
        let order = std::mem::take(&mut self.order);
        for (place, order) in order.chunks(micro_batch(shape)).enumerate() {
            let runs = self.forward(shape, parameters, batch, order);
            let begin = Instant::now();
            add_losses(shape, targets, batch, order, &mut self.memories, &mut self.losses);
            self.phases.loss += begin.elapsed();
            if let Backward::Yes { frozen } = backward {
                self.backward_layers(shape, parameters, targets, &runs, frozen);
                if !frozen[0] {
                    self.backward_transformer(shape, batch, order, place);
                }
            }
        }
        self.order = order;
    }

    /// The outputs of one head for each position, in the order of the batch; `[position][outputs]`.
    pub(crate) fn predict(
        &mut self,
        shape: &Shape,
        parameters: &Tensors<T>,
        batch: &Batch,
        layer: usize,
    ) -> Vec<T> {
        self.begin(shape, batch);
        let width = shape.layers[layer].width;
        let mut outputs = vec![T::ZERO; batch.len() * width];
        let order = std::mem::take(&mut self.order);
        for order in order.chunks(micro_batch(shape)) {
            self.forward(shape, parameters, batch, order);
            let found = self.memories[layer].sums.chunks_exact(width);
            for (&position, found) in order.iter().zip(found) {
                outputs[position as usize * width..][..width].copy_from_slice(found);
            }
        }
        self.order = order;
        outputs
    }

    fn begin(&mut self, shape: &Shape, batch: &Batch) {
        self.losses = Losses::default();
        self.phases = Phases::default();
        self.order.clear();
        self.order.extend(0..batch.len() as u32);
        if shape.buckets.count > 1 {
            let bucket = |&at: &u32| shape.buckets.choose(batch.pieces[at as usize].into());
            self.order.sort_by_key(bucket);
        }
    }

    fn forward(
        &mut self,
        shape: &Shape,
        parameters: &Tensors<T>,
        batch: &Batch,
        order: &[u32],
    ) -> Vec<Run> {
        let begin = Instant::now();
        self.sums.resize(order.len() * shape.perspectives * shape.tiles, [T::ZERO; TILE]);
        self.outputs.resize(order.len() * shape.outputs(), T::ZERO);
        self.arch.dispatch(Gather {
            shape,
            parameters,
            rows: Rows::new(batch, order, &mut self.spans),
            sums: &mut self.sums,
            outputs: &mut self.outputs,
        });
        let gathered = Instant::now();
        self.phases.gather += gathered - begin;
        let runs = runs(shape, batch, order);
        for (place, layer) in shape.layers.iter().enumerate() {
            let is_head = place >= shape.hidden;
            let (before, memory) = self.memories.split_at_mut(place);
            let memory = &mut memory[0];
            memory.prepare(layer, is_head, order.len());
            let inputs = inputs_of(shape, place, &self.outputs, before);
            affine(layer, &parameters.layers[place], &runs, inputs, &mut memory.sums);
            if !is_head {
                activate(layer, memory);
            }
        }
        self.phases.layers += gathered.elapsed();
        runs
    }

    /// Propagates the derivatives by the heads' outputs to those by the accumulator's.
    fn backward_layers(
        &mut self,
        shape: &Shape,
        parameters: &Tensors<T>,
        targets: Targets<'_>,
        runs: &[Run],
        frozen: &[bool],
    ) {
        let begin = Instant::now();
        for (place, layer) in shape.layers.iter().enumerate().rev() {
            let is_head = place >= shape.hidden;
            let (before, memory) = self.memories.split_at_mut(place);
            let memory = &mut memory[0];
            if !is_head {
                differentiate(layer, memory);
            }
            let d_sums = memory.d_sums(is_head);
            if !frozen[place + 1] {
                let inputs = inputs_of(shape, place, &self.outputs, before);
                weight_gradient(layer, runs, inputs, d_sums, &mut self.gradient.layers[place]);
            }
            if let Some(below) = input_layer(shape, place)
                && !stops(shape, targets.objective, place)
            {
                let weights = &parameters.layers[place];
                input_gradient(layer, weights, runs, d_sums, &mut before[below].d_outputs, true);
            }
        }
        // The accumulator's outputs are no longer needed: their derivatives replace them.
        let mut reached = false;
        for (place, layer) in shape.layers.iter().enumerate().rev() {
            if input_layer(shape, place).is_none() && !stops(shape, targets.objective, place) {
                let (weights, outputs) = (&parameters.layers[place], &mut self.outputs);
                let d_sums = self.memories[place].d_sums(place >= shape.hidden);
                input_gradient(layer, weights, runs, d_sums, outputs, reached);
                reached = true;
            }
        }
        if !reached {
            self.outputs.fill(T::ZERO);
        }
        self.phases.layers += begin.elapsed();
    }

    fn backward_transformer(&mut self, shape: &Shape, batch: &Batch, order: &[u32], place: usize) {
        let begin = Instant::now();
        self.arch.dispatch(Scatter {
            shape,
            rows: Rows::new(batch, order, &mut self.spans),
            sums: &mut self.sums,
            d_outputs: &self.outputs,
            bias: &mut self.gradient.transformer_bias,
            dense: &mut self.gradient.transformer,
        });
        if !self.is_dense() {
            let (all, rows) = (batch.len() * shape.perspectives, order.len() * shape.perspectives);
            let first = place * micro_batch(shape) * shape.perspectives;
            for (tile, sums) in self.sums.chunks_exact(rows).enumerate() {
                self.d_sums[tile * all + first..][..rows].copy_from_slice(sums);
            }
        }
        self.phases.scatter += begin.elapsed();
    }
}

/// Whether a layer is a head whose gradient stops at its own weights.
fn stops(shape: &Shape, objective: &Objective, place: usize) -> bool {
    let mut heads = shape.heads.iter();
    heads.any(|&(head, at)| at == place && trained(head).stops_gradient(objective))
}

/// The hidden layer that a layer reads; `None` for the accumulator.
fn input_layer(shape: &Shape, place: usize) -> Option<usize> {
    let head = shape.heads.iter().find(|(_, at)| *at == place);
    match head.map(|(head, _)| head.input()) {
        Some(HeadInput::Accumulator) => None,
        Some(HeadInput::LastLayer) | None => place.min(shape.hidden).checked_sub(1),
    }
}

fn inputs_of<'a, T>(
    shape: &Shape,
    place: usize,
    accumulator: &'a [T],
    before: &'a [LayerMemory<T>],
) -> &'a [T] {
    input_layer(shape, place).map_or(accumulator, |below| &before[below].outputs)
}

/// Runs of positions of one bucket each, in order.
fn runs(shape: &Shape, batch: &Batch, order: &[u32]) -> Vec<Run> {
    let bucket = |at: u32| shape.buckets.choose(batch.pieces[at as usize].into());
    let mut runs: Vec<Run> = Vec::new();
    for (place, &position) in order.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.bucket == bucket(position) => run.positions.end = place + 1,
            _ => runs.push(Run { bucket: bucket(position), positions: place..place + 1 }),
        }
    }
    runs
}
