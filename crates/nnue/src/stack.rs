//! Accumulators along the line that a search looks at.

use alloc::vec::Vec;
use core::ops::Deref;

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

    /// The same for both views of positions whose slots are the same in both.
    fn changes_of_both(
        &self,
        before: &P,
        after: &P,
        added: &mut [Vec<u32>; 2],
        removed: &mut [Vec<u32>; 2],
    ) {
        for (view, (added, removed)) in added.iter_mut().zip(removed).enumerate() {
            self.changes(before, after, view, added, removed);
        }
    }
}

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
    /// What comes and goes, view by view.
    added: [Vec<u32>; 2],
    removed: [Vec<u32>; 2],
    workspace: Workspace,
    /// How many views the network reads.
    views: usize,
    /// Whether the number of pieces decides anything.
    bucketed: bool,
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
        cache_sums.grow(cached);
        let mut sums = Sums::new(size);
        sums.grow(2);
        let workspace = network.workspace();
        let architecture = network.architecture();
        let views = architecture.perspectives.count();
        let bucketed = architecture.buckets.count > 1;
        Self {
            network,
            inputs,
            plies: alloc::vec![Ply::new(root)],
            sums,
            cache: alloc::vec![None; cached],
            cache_sums,
            added: Default::default(),
            removed: Default::default(),
            workspace,
            views,
            bucketed,
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
        if ply.computed[views - 1] == NONE {
            self.sums.grow(2 * (top + 1));
            if views == 1 || !self.compute_both() {
                for view in 0..views {
                    self.compute(view);
                }
            }
        }
        (side & (views - 1), pieces)
    }

    /// Fills both views at the top from the same ply, which is what a search mostly can. False if there is no such ply, or
    /// if too much differs.
    ///
    /// A parent without accumulators gets its own first: its other children will ask for them too.
    #[inline]
    fn compute_both(&mut self) -> bool {
        if self.network.quick_update().is_none() {
            return false;
        }
        let top = self.top();
        let slots = self.slots(top);
        let has = |ply: &Ply<P>| ply.computed == slots;
        let Some(known) = self.plies[..top].iter().rposition(has) else { return false };
        if known + 1 < top && self.slots(top - 1) == slots {
            return self.step_both(known, top - 1, slots) && self.step_both(top - 1, top, slots);
        }
        self.step_both(known, top, slots)
    }

    /// The slots of both views at a ply.
    #[inline]
    fn slots(&self, ply: usize) -> [u32; 2] {
        // Where there is only one slot, nothing is cached.
        if self.cache.is_empty() {
            return [0; 2];
        }
        let position = &self.plies[ply].position;
        [0, 1].map(|view| self.inputs.slot(position, view) as u32)
    }

    /// Fills both views of a ply from an earlier one with the same slots. False if too much differs.
    #[inline]
    fn step_both(&mut self, parent: usize, child: usize, slots: [u32; 2]) -> bool {
        let Self { network, inputs, plies, sums, added, removed, .. } = self;
        let Some(quick) = network.quick_update() else { return false };
        let (before, after) = (&plies[parent].position, &plies[child].position);
        inputs.changes_of_both(before, after, added, removed);
        let changes = added[0].len() + removed[0].len();
        if changes > FEW && changes > inputs.pieces(after) {
            return false;
        }
        if !quick.psqt.is_empty() {
            let (parents, children) = sums.psqt_to_update(parent, child);
            for view in 0..2 {
                children[view] =
                    psqt::updated(quick.psqt, &parents[view], &added[view], &removed[view]);
            }
        }
        let (parents, children) = sums.values_to_update(parent, child);
        quick.update_both(children, parents, added, removed);
        plies[child].computed = slots;
        true
    }

    /// Fills a view at the top.
    #[inline]
    fn compute(&mut self, view: usize) {
        let top = self.top();
        let slot = self.inputs.slot(&self.plies[top].position, view);
        let place = 2 * top + view;
        match self.nearest(view, slot) {
            Source::Ply(ply) => {
                let (parent, child) = self.sums.pair(2 * ply + view, place);
                self.network.update_view(child, parent, &self.added[view], &self.removed[view]);
            }
            Source::Cache => {
                let (parent, child) =
                    (self.cache_sums.view(2 * slot + view), self.sums.view_mut(place));
                self.network.update_view(child, parent, &self.added[view], &self.removed[view]);
                self.store(view, slot);
            }
            Source::Nothing => {
                self.network.refresh_view(self.sums.view_mut(place), &self.added[view]);
                self.store(view, slot);
            }
        }
        self.plies[top].computed[view] = slot as u32;
    }

    /// Finds the accumulator that differs least from that of the top, and lists what comes and goes.
    #[inline]
    fn nearest(&mut self, view: usize, slot: usize) -> Source {
        let (top, below) = self.plies.split_last().expect("there is a root");
        let ancestor = below.iter().rposition(|ply| ply.computed[view] == slot as u32);
        let found = if let Some(ply) = ancestor {
            Some((Source::Ply(ply), &below[ply].position))
        } else {
            let cached = self.cache.get(2 * slot + view).and_then(Option::as_ref);
            cached.map(|position| (Source::Cache, position))
        };
        let (added, removed) = (&mut self.added[view], &mut self.removed[view]);
        if let Some((source, before)) = found {
            self.inputs.changes(before, &top.position, view, added, removed);
            let changes = added.len() + removed.len();
            if changes <= FEW || changes <= self.inputs.pieces(&top.position) {
                return source;
            }
        }
        added.clear();
        self.inputs.active(&top.position, view, added);
        Source::Nothing
    }

    /// Puts a view at the top into the cache.
    fn store(&mut self, view: usize, slot: usize) {
        let (top, place) = (self.top(), 2 * slot + view);
        if let Some(cached) = self.cache.get_mut(place) {
            *cached = Some(self.plies[top].position.clone());
            self.cache_sums.copy_from(place, &self.sums, 2 * top + view);
        }
    }
}
