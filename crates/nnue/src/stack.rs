//! Accumulators along the line that a search looks at.

use alloc::vec::Vec;
use core::ops::Deref;

use crate::transformer::Step;
use crate::{Network, Outputs, Workspace, psqt};

mod sums;

use sums::Sums;

/// How a network reads positions of type `P`. Views are numbered 0, the first player's, and 1.
///
/// Everything is derived from positions, not from moves: the stack asks for the difference between any two
/// of them, so that captures, castling or null moves are nothing special.
pub trait Inputs<P> {
    /// The view of the side to move.
    fn side_to_move(&self, position: &P) -> usize;

    /// How many pieces are on the board; chooses the output bucket.
    fn pieces(&self, position: &P) -> usize;

    /// How many slots there are; see [`slot`](Inputs::slot).
    fn slots(&self) -> usize {
        1
    }

    /// Which part of the features a view reads, for example its king's bucket. Only positions of the same
    /// slot are compared.
    fn slot(&self, _position: &P, _view: usize) -> usize {
        0
    }

    /// Appends the active features of a view.
    fn active(&self, position: &P, view: usize, active: &mut Vec<u32>);

    /// Replaces `added` and `removed` by the difference between two positions of the same slot.
    fn changes(
        &self,
        before: &P,
        after: &P,
        view: usize,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    );

    /// What comes and goes between two positions, in both views at once: tells how many pairs of features it has put into
    /// `added` and how many into `removed`, view 0 first in each. What lies behind them there means nothing.
    ///
    /// `None` where the slots of a view differ, where more differs than there is room for, and wherever an implementation
    /// does not care: then [`changes`](Inputs::changes) is asked. Searches with two views are quicker with it.
    fn changes_of_both(
        &self,
        _before: &P,
        _after: &P,
        _added: &mut FewFeatures,
        _removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        None
    }
}

/// Room for as many features of both views, view 0 first, as come or go in a move or two.
pub type FewFeatures = [[u32; 2]; 8];

/// Positions from the root of a search to the node it is at, with their accumulators.
///
/// Accumulators are computed when [`evaluate`](AccumulatorStack::evaluate) asks for them, from the nearest
/// ancestor that has them: a node that is never evaluated costs no more than its position.
///
/// `N` is how the network is held: `&Network`, `Arc<Network>`.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<N, P, I> {
    network: N,
    inputs: I,
    plies: Vec<Ply<P>>,
    sums: Sums,
    /// The last position computed in each slot, view by view, whose accumulators `cache_sums` holds. Empty where
    /// there is only one slot.
    cache: Vec<Option<P>>,
    cache_sums: Sums,
    /// What comes and goes in both views.
    few_added: FewFeatures,
    few_removed: FewFeatures,
    /// What comes and goes in one.
    added: Vec<u32>,
    removed: Vec<u32>,
    workspace: Workspace,
    /// How many views the network reads.
    views: usize,
    /// Whether the number of pieces decides anything.
    bucketed: bool,
    /// Whether the network fills two views and values them in one go.
    steps: bool,
    /// Whether the workspace was last used for the value of the position at the top.
    valued: bool,
}

/// The accumulator that changes are applied to.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// That of a ply.
    Ply(usize),
    /// The one that the cache has for the slot.
    Cache,
    /// That of no features at all.
    Nothing,
}

#[derive(Clone, Debug)]
struct Ply<P> {
    position: P,
    /// The slot that each view was computed for, or [`NONE`].
    computed: [u32; 2],
}

impl<P> Ply<P> {
    #[inline]
    fn new(position: P) -> Self {
        Self { position, computed: [NONE; 2] }
    }

    /// Whether it is known to all views: the second comes last.
    #[inline(always)]
    fn is_computed(&self) -> bool {
        self.computed[1] != NONE
    }
}

/// No slot.
const NONE: u32 = u32::MAX;

/// So few features come and go that it is not worth counting the pieces: a refresh would hardly add fewer.
const FEW: usize = 4;

impl<N, P, I> AccumulatorStack<N, P, I>
where
    N: Deref<Target = Network>,
    P: Clone,
    I: Inputs<P>,
{
    /// A stack with `root` at its bottom.
    pub fn new(network: N, inputs: I, root: P) -> Self {
        let size = network.view_size();
        let slots = inputs.slots();
        let cached = if slots > 1 { 2 * slots } else { 0 };
        let mut cache_sums = Sums::new(size);
        cache_sums.grow(cached / 2);
        let mut sums = Sums::new(size);
        sums.grow(1);
        let workspace = network.workspace();
        let architecture = network.architecture();
        let views = architecture.perspectives.count();
        let bucketed = architecture.buckets.count > 1;
        let steps = network.has_steps();
        Self {
            network,
            inputs,
            plies: alloc::vec![Ply::new(root)],
            sums,
            cache: alloc::vec![None; cached],
            cache_sums,
            few_added: FewFeatures::default(),
            few_removed: FewFeatures::default(),
            added: Vec::new(),
            removed: Vec::new(),
            workspace,
            views,
            bucketed,
            steps,
            valued: false,
        }
    }

    /// Begins again at another root. Memory and the refresh cache are kept.
    pub fn reset(&mut self, root: P) {
        self.valued = false;
        self.plies.clear();
        self.plies.push(Ply::new(root));
    }

    /// The position that the stack is at.
    pub fn position(&self) -> &P {
        &self.plies[self.top()].position
    }

    /// How many positions lie below.
    pub fn height(&self) -> usize {
        self.top()
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Goes on to a position that follows from the one at the top.
    #[inline]
    pub fn push(&mut self, position: P) {
        self.valued = false;
        self.plies.push(Ply::new(position));
    }

    /// Goes back to the position below; stays at the root.
    #[inline]
    pub fn pop(&mut self) {
        self.valued = false;
        if self.plies.len() > 1 {
            self.plies.pop();
        }
    }

    /// The value of the position in centipawns, for the side to move.
    #[inline]
    pub fn evaluate(&mut self) -> i32 {
        match self.step_and_evaluate() {
            Some(value) => value,
            None => self.prepare_and_evaluate(),
        }
    }

    /// The way of almost all evaluations of a search: from the position below, both views and the value at once. `None` where
    /// it does not lead to the value.
    #[inline(always)]
    fn step_and_evaluate(&mut self) -> Option<i32> {
        if !self.steps {
            return None;
        }
        let top = self.top();
        let [.., parent, child] = &*self.plies else { return None };
        if child.is_computed() {
            return None;
        }
        if !parent.is_computed() {
            // The other children will ask for it too.
            self.fill(top - 1);
        }
        let Self { network, inputs, plies, sums, few_added, few_removed, workspace, .. } = self;
        let [.., parent, child] = &mut **plies else { return None };
        let (before, after) = (&parent.position, &child.position);
        let counts = inputs.changes_of_both(before, after, few_added, few_removed)?;
        let (parents, children) = sums.values_to_update(top - 1, top)?;
        let added = few_added.get(..usize::from(counts[0]))?;
        let removed = few_removed.get(..usize::from(counts[1]))?;
        let bucket = if self.bucketed {
            network.architecture().buckets.choose(inputs.pieces(after))
        } else {
            0
        };
        let side = inputs.side_to_move(after);
        let step = Step { children, parents, added, removed };
        let value = network.step_and_evaluate(step, side, bucket, workspace)?;
        child.computed = parent.computed;
        self.valued = true;
        Some(value)
    }

    /// The other ways.
    #[inline(never)]
    fn prepare_and_evaluate(&mut self) -> i32 {
        let (first, pieces) = self.prepare();
        let values = self.sums.values_of_both(self.top(), first);
        if let Some(value) = self.network.evaluate_values(values, pieces, &mut self.workspace) {
            self.valued = true;
            return value;
        }
        let views = self.sums.both(self.top(), first);
        self.network.evaluate_views(views, 0, pieces, &mut self.workspace)
    }

    /// All that the network says of the position but the policy.
    pub fn outputs(&mut self) -> Outputs {
        let (first, pieces) = self.prepare();
        let views = self.sums.both(self.top(), first);
        // After the value of the same position only what the heads add is left to do.
        let again = self.valued;
        self.network.outputs_of_views(views, 0, pieces, &mut self.workspace, again)
    }

    /// The policy's logits; see [`Network::policy`].
    pub fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        let (first, _) = self.prepare();
        let views = self.sums.both(self.top(), first);
        self.valued = false;
        self.network.policy_of_views(views, 0, rows, logits, &mut self.workspace);
    }

    fn top(&self) -> usize {
        self.plies.len() - 1
    }

    /// Computes what is missing at the top; gives the view that the network reads first, and the number of pieces if that matters.
    #[inline]
    fn prepare(&mut self) -> (usize, usize) {
        let top = self.top();
        let ply = &self.plies[top];
        let side = self.inputs.side_to_move(&ply.position);
        let pieces = if self.bucketed { self.inputs.pieces(&ply.position) } else { 0 };
        let views = self.views;
        if !ply.is_computed() {
            if top > 0 && !self.plies[top - 1].is_computed() {
                self.fill(top - 1);
            }
            self.fill(top);
        }
        (side & (views - 1), pieces)
    }

    /// Computes a ply that is not computed.
    #[inline(never)]
    fn fill(&mut self, ply: usize) {
        self.sums.grow(ply + 1);
        if self.views == 2 && self.step(ply).is_some() {
            return;
        }
        for view in 0..self.views {
            self.compute(ply, view);
        }
        // With a single view nobody looks at the other.
        self.plies[ply].computed[1] = self.plies[ply].computed[self.views - 1];
    }

    /// Fills both views of a ply from the nearest below that has them. `None` if that cannot be done at once.
    fn step(&mut self, ply: usize) -> Option<()> {
        let Self { network, inputs, plies, sums, few_added, few_removed, .. } = self;
        let quick = network.quick_update()?;
        let known = plies[..ply].iter().rposition(Ply::is_computed)?;
        let (before, after) = (&plies[known].position, &plies[ply].position);
        let counts = inputs.changes_of_both(before, after, few_added, few_removed)?;
        let added = few_added.get(..usize::from(counts[0]))?;
        let removed = few_removed.get(..usize::from(counts[1]))?;
        if !quick.psqt.is_empty() {
            let (parents, children) = sums.psqt_to_update(known, ply);
            for view in 0..2 {
                let added = added.iter().map(|pair| pair[view]);
                let removed = removed.iter().map(|pair| pair[view]);
                children[view] = psqt::updated(quick.psqt, &parents[view], added, removed);
            }
        }
        let (parents, children) = sums.values_to_update(known, ply)?;
        quick.run(Step { children, parents, added, removed });
        plies[ply].computed = plies[known].computed;
        Some(())
    }

    /// Fills a view of a ply.
    fn compute(&mut self, ply: usize, view: usize) {
        let slot = self.inputs.slot(&self.plies[ply].position, view);
        let place = 2 * ply + view;
        match self.nearest(ply, view, slot) {
            Source::Ply(known) => {
                let (parent, child) = self.sums.pair(2 * known + view, place);
                self.network.update_view(child, parent, &self.added, &self.removed);
            }
            Source::Cache => {
                let (parent, child) =
                    (self.cache_sums.view(2 * slot + view), self.sums.view_mut(place));
                self.network.update_view(child, parent, &self.added, &self.removed);
                self.store(ply, view, slot);
            }
            Source::Nothing => {
                self.network.refresh_view(self.sums.view_mut(place), &self.added);
                self.store(ply, view, slot);
            }
        }
        self.plies[ply].computed[view] = slot as u32;
    }

    /// Finds the accumulator that differs least from that of a ply, and lists what comes and goes.
    fn nearest(&mut self, ply: usize, view: usize, slot: usize) -> Source {
        let (below, above) = self.plies.split_at(ply);
        let position = &above[0].position;
        let ancestor = below.iter().rposition(|ply| ply.computed[view] == slot as u32);
        let found = if let Some(ply) = ancestor {
            Some((Source::Ply(ply), &below[ply].position))
        } else {
            let cached = self.cache.get(2 * slot + view).and_then(Option::as_ref);
            cached.map(|position| (Source::Cache, position))
        };
        let (added, removed) = (&mut self.added, &mut self.removed);
        if let Some((source, before)) = found {
            self.inputs.changes(before, position, view, added, removed);
            let changes = added.len() + removed.len();
            if changes <= FEW || changes <= self.inputs.pieces(position) {
                return source;
            }
        }
        added.clear();
        self.inputs.active(position, view, added);
        Source::Nothing
    }

    /// Puts a view of a ply into the cache.
    fn store(&mut self, ply: usize, view: usize, slot: usize) {
        let place = 2 * slot + view;
        if let Some(cached) = self.cache.get_mut(place) {
            *cached = Some(self.plies[ply].position.clone());
            self.cache_sums.copy_from(place, &self.sums, 2 * ply + view);
        }
    }
}
