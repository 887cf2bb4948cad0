//! Lazy updates: computes the accumulators of a ply from the nearest source.

use core::ops::Deref;

use super::{AccumulatorStack, Inputs, Ply};
use crate::transformer::Step;
use crate::{Network, psqt};

/// The accumulator that changes are applied to.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The accumulator of a ply.
    Ply(usize),
    /// The accumulator of the refresh bucket in the refresh cache (Finny table).
    Cache,
    /// The accumulator without active features: a full refresh.
    Nothing,
}

/// With at most this many changed features, counting the pieces does not pay off: a refresh would
/// hardly add fewer.
const FEW: usize = 4;

impl<N, P, I> AccumulatorStack<N, P, I>
where
    N: Deref<Target = Network>,
    P: Clone,
    I: Inputs<P>,
{
    /// Computes the accumulators of a ply that has none.
    #[inline(never)]
    pub(super) fn fill(&mut self, ply: usize) {
        self.sums.grow(ply + 1);
        if self.perspectives == 2 && self.step(ply).is_some() {
            return;
        }
        for perspective in 0..self.perspectives {
            self.compute(ply, perspective);
        }
        // With a single perspective the other is never read.
        self.plies[ply].computed[1] = self.plies[ply].computed[self.perspectives - 1];
    }

    /// Updates both perspectives of a ply from the nearest ply below that has them. `None` if that
    /// is not possible in one step.
    fn step(&mut self, ply: usize) -> Option<()> {
        let Self { network, inputs, plies, sums, few_added, few_removed, .. } = self;
        let quick = network.quick_update()?;
        let known = plies[..ply].iter().rposition(Ply::is_computed)?;
        let (before, after) = (&plies[known].position, &plies[ply].position);
        let counts = inputs.changes_both(before, after, few_added, few_removed)?;
        let added = few_added.get(..usize::from(counts[0]))?;
        let removed = few_removed.get(..usize::from(counts[1]))?;
        if !quick.psqt.is_empty() {
            let (parents, children) = sums.psqt_to_update(known, ply);
            for perspective in 0..2 {
                let added = added.iter().map(|pair| pair[perspective]);
                let removed = removed.iter().map(|pair| pair[perspective]);
                children[perspective] =
                    psqt::updated(quick.psqt, &parents[perspective], added, removed);
            }
        }
        let (parents, children) = sums.values_to_update(known, ply)?;
        quick.run(Step { children, parents, added, removed });
        plies[ply].computed = plies[known].computed;
        Some(())
    }

    /// Computes one perspective of a ply.
    fn compute(&mut self, ply: usize, perspective: usize) {
        let refresh_bucket = self.inputs.refresh_bucket(&self.plies[ply].position, perspective);
        let place = 2 * ply + perspective;
        match self.nearest(ply, perspective, refresh_bucket) {
            Source::Ply(known) => {
                let (parent, child) = self.sums.pair(2 * known + perspective, place);
                self.network.update_accumulator(child, parent, &self.added, &self.removed);
            }
            Source::Cache => {
                let (parent, child) = (
                    self.cache_sums.accumulator(2 * refresh_bucket + perspective),
                    self.sums.accumulator_mut(place),
                );
                self.network.update_accumulator(child, parent, &self.added, &self.removed);
                self.store(ply, perspective, refresh_bucket);
            }
            Source::Nothing => {
                self.network.refresh_accumulator(self.sums.accumulator_mut(place), &self.added);
                self.store(ply, perspective, refresh_bucket);
            }
        }
        self.plies[ply].computed[perspective] = refresh_bucket as u32;
    }

    /// Finds the source accumulator with the fewest changes, and lists the features added and
    /// removed.
    fn nearest(&mut self, ply: usize, perspective: usize, refresh_bucket: usize) -> Source {
        let (below, above) = self.plies.split_at(ply);
        let position = &above[0].position;
        let ancestor =
            below.iter().rposition(|ply| ply.computed[perspective] == refresh_bucket as u32);
        let found = if let Some(ply) = ancestor {
            Some((Source::Ply(ply), &below[ply].position))
        } else {
            let cached = self.cache.get(2 * refresh_bucket + perspective).and_then(Option::as_ref);
            cached.map(|position| (Source::Cache, position))
        };
        let (added, removed) = (&mut self.added, &mut self.removed);
        if let Some((source, before)) = found {
            self.inputs.changes(before, position, perspective, added, removed);
            let changes = added.len() + removed.len();
            if changes <= FEW || changes <= self.inputs.pieces(position) {
                return source;
            }
        }
        added.clear();
        self.inputs.active(position, perspective, added);
        Source::Nothing
    }

    /// Stores a perspective of a ply in the refresh cache.
    fn store(&mut self, ply: usize, perspective: usize, refresh_bucket: usize) {
        let place = 2 * refresh_bucket + perspective;
        if let Some(cached) = self.cache.get_mut(place) {
            *cached = Some(self.plies[ply].position.clone());
            self.cache_sums.copy_from(place, &self.sums, 2 * ply + perspective);
        }
    }
}
