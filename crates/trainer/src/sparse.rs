//! Sparse gradient of a large feature transformer: only for the features of a batch.
//!
//! Every thread keeps the derivatives by its sums. They are summed feature by feature, so that no
//! two threads write to one place and the order of additions is fixed.

use dataset::Batch;
use rayon::prelude::*;

use crate::optimiser::{Step, Update};
use crate::real::Real;
use crate::shape::TILE;
use crate::tensors::{Tile, Tiles, zero_tiles};
use crate::worker::Worker;

/// For each feature the rows of a shard in which it is active.
#[derive(Clone, Debug, Default)]
struct Occurrences {
    /// The end of each feature's rows in `rows`; they start at the end of the previous feature's.
    ends: Vec<u32>,
    rows: Vec<u32>,
}

impl Occurrences {
    fn find(&mut self, inputs: usize, batch: &Batch, order: &[u32]) {
        let perspectives = batch.perspectives;
        self.ends.clear();
        self.ends.resize(inputs, 0);
        for &feature in &batch.features {
            self.ends[feature as usize] += 1;
        }
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        self.rows.resize(batch.features.len(), 0);
        let mut row = 0;
        for &position in order {
            for perspective in 0..perspectives {
                for &feature in batch.row(position as usize, perspective) {
                    let place = &mut self.ends[feature as usize];
                    self.rows[*place as usize] = row;
                    *place += 1;
                }
                row += 1;
            }
        }
    }

    #[inline(always)]
    fn of(&self, feature: usize) -> &[u32] {
        let begin = if feature == 0 { 0 } else { self.ends[feature - 1] };
        &self.rows[begin as usize..self.ends[feature] as usize]
    }
}

/// The gradient of the rows that occur.
#[derive(Debug)]
pub(crate) struct SparseGradient<T> {
    occurrences: Vec<Occurrences>,
    /// The features that occur.
    features: Vec<u32>,
    /// `[tile][place in features]`
    tiles: Tiles<T>,
}

impl<T: Real> SparseGradient<T> {
    pub(crate) fn new() -> Self {
        Self { occurrences: Vec::new(), features: Vec::new(), tiles: zero_tiles(0) }
    }

    /// Sums the gradients of the workers' shards.
    pub(crate) fn collect(&mut self, inputs: usize, workers: &[Worker<T>], shards: &[Batch]) {
        self.occurrences.resize_with(workers.len(), Default::default);
        self.occurrences
            .par_iter_mut()
            .zip(workers)
            .zip(shards)
            .for_each(|((found, worker), batch)| found.find(inputs, batch, &worker.order));
        let occurrences = &self.occurrences;
        let occurs =
            |&feature: &u32| occurrences.iter().any(|shard| !shard.of(feature as usize).is_empty());
        self.features.clear();
        self.features.extend((0..inputs as u32).filter(occurs));
        let count = self.features.len();
        let tiles = workers.first().map_or(0, |worker| worker.gradient.transformer_bias.len());
        self.tiles.resize(tiles * count, [T::ZERO; TILE]);
        let features = &self.features;
        self.tiles.par_chunks_exact_mut(count.max(1)).enumerate().for_each(|(tile, sums)| {
            pulp::Arch::new().dispatch(Collect { tile, features, occurrences, workers, sums });
        });
    }

    /// The gradient as one slice.
    pub(crate) fn values(&self) -> &[T] {
        self.tiles.as_flattened()
    }

    /// Updates the rows that occur.
    pub(crate) fn update(
        &self,
        step: Step<T>,
        inputs: usize,
        weights: &mut [Tile<T>],
        first: &mut [Tile<T>],
        second: &mut [Tile<T>],
    ) {
        // Without second moments there is nothing to iterate; an empty tile stands for each.
        let mut none: Vec<&mut [Tile<T>]> = Vec::new();
        let second: Vec<&mut [Tile<T>]> = if second.is_empty() {
            none.resize_with(weights.len() / inputs, Default::default);
            none
        } else {
            second.chunks_exact_mut(inputs).collect()
        };
        let count = self.features.len().max(1);
        weights
            .par_chunks_exact_mut(inputs)
            .zip(first.par_chunks_exact_mut(inputs))
            .zip(second)
            .zip(self.tiles.par_chunks_exact(count))
            .for_each(|(((weights, first), second), gradient)| {
                let features = &self.features;
                pulp::Arch::new().dispatch(UpdateRows {
                    step,
                    features,
                    weights,
                    gradient,
                    first,
                    second,
                });
            });
    }
}

/// One tile of the gradient.
struct Collect<'a, T> {
    tile: usize,
    features: &'a [u32],
    occurrences: &'a [Occurrences],
    workers: &'a [Worker<T>],
    sums: &'a mut [Tile<T>],
}

impl<T: Real> pulp::NullaryFnOnce for Collect<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (&feature, to) in self.features.iter().zip(self.sums) {
            let mut sum = [T::ZERO; TILE];
            for (shard, worker) in self.occurrences.iter().zip(self.workers) {
                let rows = worker.d_sums.len() / worker.gradient.transformer_bias.len();
                let ds = &worker.d_sums[self.tile * rows..][..rows];
                for &row in shard.of(feature as usize) {
                    let d = &ds[row as usize];
                    for column in 0..TILE {
                        sum[column] += d[column];
                    }
                }
            }
            *to = sum;
        }
    }
}

/// A step of the rows of one tile that occur.
struct UpdateRows<'a, T> {
    step: Step<T>,
    features: &'a [u32],
    weights: &'a mut [Tile<T>],
    gradient: &'a [Tile<T>],
    first: &'a mut [Tile<T>],
    second: &'a mut [Tile<T>],
}

impl<T: Real> pulp::NullaryFnOnce for UpdateRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { step, features, weights, gradient, first, second } = self;
        for (&feature, gradient) in features.iter().zip(gradient) {
            let row = feature as usize;
            let second: &mut [T] =
                if second.is_empty() { &mut [] } else { second[row].as_mut_slice() };
            Update { step, weights: &mut weights[row], gradient, first: &mut first[row], second }
                .call();
        }
    }
}
