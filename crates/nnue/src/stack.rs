//! Accumulators along the line that a search looks at.

use alloc::vec::Vec;
use core::ops::Deref;

use crate::blocks::BlockI16;
use crate::view::{PSQT, View, ViewMut, ViewSize};
use crate::{Network, Outputs, Workspace};

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
    added: Vec<u32>,
    removed: Vec<u32>,
    workspace: Workspace,
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
    /// The slot that each view was computed for.
    computed: [Option<usize>; 2],
}

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
        Self {
            network,
            inputs,
            plies: alloc::vec![Ply { position: root, computed: [None; 2] }],
            sums,
            cache: alloc::vec![None; cached],
            cache_sums,
            added: Vec::new(),
            removed: Vec::new(),
            workspace,
        }
    }

    /// Begins again at another root. Memory and the refresh cache are kept.
    pub fn reset(&mut self, root: P) {
        self.plies.clear();
        self.plies.push(Ply { position: root, computed: [None; 2] });
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
        self.plies.push(Ply { position, computed: [None; 2] });
    }

    /// Goes back to the position below; stays at the root.
    #[inline]
    pub fn pop(&mut self) {
        if self.plies.len() > 1 {
            self.plies.pop();
        }
    }

    /// The value of the position in centipawns, for the side to move.
    #[inline]
    pub fn evaluate(&mut self) -> i32 {
        let (first, pieces) = self.prepare();
        let views = self.sums.both(self.top(), first);
        self.network.evaluate_views(views, 0, pieces, &mut self.workspace)
    }

    /// All that the network says of the position but the policy.
    pub fn outputs(&mut self) -> Outputs {
        let (first, pieces) = self.prepare();
        let views = self.sums.both(self.top(), first);
        self.network.outputs_of_views(views, 0, pieces, &mut self.workspace)
    }

    /// The policy's logits; see [`Network::policy`].
    pub fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        let (first, _) = self.prepare();
        let views = self.sums.both(self.top(), first);
        self.network.policy_of_views(views, 0, rows, logits, &mut self.workspace);
    }

    fn top(&self) -> usize {
        self.plies.len() - 1
    }

    /// Computes what is missing at the top; gives the view that the network reads first, and the number of pieces.
    #[inline]
    fn prepare(&mut self) -> (usize, usize) {
        let top = self.top();
        let position = &self.plies[top].position;
        let (side, pieces) = (self.inputs.side_to_move(position), self.inputs.pieces(position));
        let views = self.network.architecture().perspectives.count();
        if self.plies[top].computed[views - 1].is_none() {
            self.sums.grow(2 * (top + 1));
            for view in 0..views {
                self.compute(view, pieces);
            }
        }
        (side & (views - 1), pieces)
    }

    /// Fills a view at the top.
    #[inline]
    fn compute(&mut self, view: usize, pieces: usize) {
        let top = self.top();
        let slot = self.inputs.slot(&self.plies[top].position, view);
        let place = 2 * top + view;
        match self.nearest(view, slot, pieces) {
            Source::Ply(ply) => {
                let (parent, child) = self.sums.pair(2 * ply + view, place);
                self.network.update_view(child, parent, &self.added, &self.removed);
            }
            Source::Cache => {
                let (parent, child) =
                    (self.cache_sums.view(2 * slot + view), self.sums.view_mut(place));
                self.network.update_view(child, parent, &self.added, &self.removed);
                self.store(view, slot);
            }
            Source::Nothing => {
                self.network.refresh_view(self.sums.view_mut(place), &self.added);
                self.store(view, slot);
            }
        }
        self.plies[top].computed[view] = Some(slot);
    }

    /// Finds the accumulator that differs least from that of the top, and lists what comes and goes.
    #[inline]
    fn nearest(&mut self, view: usize, slot: usize, pieces: usize) -> Source {
        let (top, below) = self.plies.split_last().expect("there is a root");
        let ancestor = below.iter().rposition(|ply| ply.computed[view] == Some(slot));
        let found = if let Some(ply) = ancestor {
            Some((Source::Ply(ply), &below[ply].position))
        } else {
            let cached = self.cache.get(2 * slot + view).and_then(Option::as_ref);
            cached.map(|position| (Source::Cache, position))
        };
        let Self { added, removed, .. } = self;
        if let Some((source, before)) = found {
            self.inputs.changes(before, &top.position, view, added, removed);
            if added.len() + removed.len() <= pieces {
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

/// The sums of many views in one piece of memory.
#[derive(Clone, Debug)]
struct Sums {
    size: ViewSize,
    /// Blocks from one view to the next; see [`stride`].
    stride: usize,
    values: Vec<BlockI16>,
    fixed: Vec<i64>,
    psqt: Vec<[i32; PSQT]>,
}

/// Two views of a ply lie next to each other. Stores to a child whose address is a little above its parent's
/// modulo 4 KiB would hold up the loads that follow them, so such distances are avoided.
fn stride(blocks: usize) -> usize {
    const PAGE: usize = 4096 / size_of::<BlockI16>();
    let distance = 2 * blocks % PAGE;
    if (1..PAGE / 4).contains(&distance) { blocks + PAGE / 8 } else { blocks }
}

impl Sums {
    fn new(size: ViewSize) -> Self {
        let stride = stride(size.blocks);
        Self { size, stride, values: Vec::new(), fixed: Vec::new(), psqt: Vec::new() }
    }

    /// Makes room for that many views.
    #[inline]
    fn grow(&mut self, views: usize) {
        if self.psqt.len() < views {
            self.values.resize(views * self.stride, BlockI16::ZERO);
            self.fixed.resize(views * self.size.fixed, 0);
            self.psqt.resize(views, [0; PSQT]);
        }
    }

    #[inline]
    fn view(&self, place: usize) -> View<'_> {
        View {
            values: &self.values[place * self.stride..][..self.size.blocks],
            fixed: &self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &self.psqt[place],
        }
    }

    fn view_mut(&mut self, place: usize) -> ViewMut<'_> {
        ViewMut {
            values: &mut self.values[place * self.stride..][..self.size.blocks],
            fixed: &mut self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &mut self.psqt[place],
        }
    }

    /// Both views of a ply, `first` first: to put them in order later would be to wait until they are written.
    #[inline]
    fn both(&self, ply: usize, first: usize) -> [View<'_>; 2] {
        [self.view(2 * ply + first), self.view(2 * ply + 1 - first)]
    }

    /// A view to read and a later one to write.
    #[inline]
    fn pair(&mut self, parent: usize, child: usize) -> (View<'_>, ViewMut<'_>) {
        let Self { size, stride, values, fixed, psqt } = self;
        let (low, high) = values.split_at_mut(child * *stride);
        let (low_fixed, high_fixed) = fixed.split_at_mut(child * size.fixed);
        let (low_psqt, high_psqt) = psqt.split_at_mut(child);
        let parent = View {
            values: &low[parent * *stride..][..size.blocks],
            fixed: &low_fixed[parent * size.fixed..][..size.fixed],
            psqt: &low_psqt[parent],
        };
        let child = ViewMut {
            values: &mut high[..size.blocks],
            fixed: &mut high_fixed[..size.fixed],
            psqt: &mut high_psqt[0],
        };
        (parent, child)
    }

    fn copy_from(&mut self, place: usize, other: &Self, from: usize) {
        let (to, from) = (self.view_mut(place), other.view(from));
        to.values.copy_from_slice(from.values);
        to.fixed.copy_from_slice(from.fixed);
        *to.psqt = *from.psqt;
    }
}
