//! Accumulator stack: the accumulators along the current line of a search.

use alloc::vec::Vec;
use core::ops::Deref;

use crate::transformer::Step;
use crate::{Network, Outputs, Workspace};

mod fill;
mod inputs;
mod sums;

pub use inputs::{FeaturePairs, Inputs};

use sums::Sums;

/// The positions from the root of a search to the current node, with their accumulators.
///
/// Accumulators are updated lazily: [`evaluate`](AccumulatorStack::evaluate) computes them from the
/// nearest ancestor that has them. A node that is never evaluated costs no more than its position.
///
/// `N` is a pointer to the network: `&Network`, `Arc<Network>`.
///
/// ```
/// use nnue::{AccumulatorStack, Inputs, IntegerParameters, Network};
///
/// /// A position: the own features, then the opponent's, and the side to move.
/// type Position = ([Vec<u32>; 2], usize);
/// struct Lists;
///
/// impl Inputs<Position> for Lists {
///     fn side_to_move(&self, position: &Position) -> usize {
///         position.1
///     }
///     fn pieces(&self, position: &Position) -> usize {
///         position.0[0].len()
///     }
///     fn active(&self, position: &Position, perspective: usize, active: &mut Vec<u32>) {
///         active.extend(&position.0[perspective]);
///     }
///     fn changes(
///         &self, before: &Position, after: &Position, perspective: usize,
///         added: &mut Vec<u32>, removed: &mut Vec<u32>,
///     ) {
///         let (old, new) = (&before.0[perspective], &after.0[perspective]);
///         *added = new.iter().filter(|feature| !old.contains(feature)).copied().collect();
///         *removed = old.iter().filter(|feature| !new.contains(feature)).copied().collect();
///     }
/// }
///
/// let architecture = "(18→16)×2→1 screlu".parse()?;
/// let mut weights = (-30..=30).cycle();
/// let parameters =
///     IntegerParameters::generate(&architecture, || weights.next().unwrap(), || 0, || 25, || 0);
/// let network = Network::from_integers(architecture, &parameters)?;
///
/// let mut stack = AccumulatorStack::new(&network, Lists, ([vec![4], vec![13]], 0));
/// let root = stack.evaluate();
/// let child = ([vec![4, 9], vec![13, 0]], 1);
/// stack.push(child.clone());
/// assert_eq!(stack.evaluate(), AccumulatorStack::new(&network, Lists, child).evaluate());
/// stack.pop();
/// assert_eq!(stack.evaluate(), root);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AccumulatorStack<N, P, I> {
    network: N,
    inputs: I,
    plies: Vec<Ply<P>>,
    sums: Sums,
    /// Refresh cache (Finny table): the last position computed in each refresh bucket, by
    /// perspective. `cache_sums` holds the accumulators. Empty if there is only one refresh bucket.
    cache: Vec<Option<P>>,
    cache_sums: Sums,
    /// Buffers for the features added and removed in both perspectives.
    few_added: FeaturePairs,
    few_removed: FeaturePairs,
    /// Buffers for the features added and removed in one perspective.
    added: Vec<u32>,
    removed: Vec<u32>,
    workspace: Workspace,
    /// The number of perspectives that the network reads.
    perspectives: usize,
    /// Whether the output bucket depends on the number of pieces.
    bucketed: bool,
    /// Whether the network updates and evaluates two perspectives in one kernel call.
    steps: bool,
    /// Whether the workspace was last used for the value of the position at the top.
    valued: bool,
}

#[derive(Clone, Debug)]
struct Ply<P> {
    position: P,
    /// The refresh bucket that each perspective was computed for, or [`NONE`].
    computed: [u32; 2],
}

impl<P> Ply<P> {
    #[inline]
    fn new(position: P) -> Self {
        Self { position, computed: [NONE; 2] }
    }

    /// Whether all perspectives are computed: the second is always computed last.
    #[inline(always)]
    fn is_computed(&self) -> bool {
        self.computed[1] != NONE
    }
}

/// No refresh bucket.
const NONE: u32 = u32::MAX;

impl<N, P, I> AccumulatorStack<N, P, I>
where
    N: Deref<Target = Network>,
    P: Clone,
    I: Inputs<P>,
{
    /// A stack with `root` at its bottom.
    pub fn new(network: N, inputs: I, root: P) -> Self {
        let size = network.accumulator_size();
        let refresh_buckets = inputs.refresh_buckets();
        let cached = if refresh_buckets > 1 { 2 * refresh_buckets } else { 0 };
        let mut cache_sums = Sums::new(size);
        cache_sums.grow(cached / 2);
        let mut sums = Sums::new(size);
        sums.grow(1);
        let workspace = network.workspace();
        let architecture = network.architecture();
        let perspectives = architecture.perspectives.count();
        let bucketed = architecture.buckets.count > 1;
        let steps = network.has_steps();
        Self {
            network,
            inputs,
            plies: alloc::vec![Ply::new(root)],
            sums,
            cache: alloc::vec![None; cached],
            cache_sums,
            few_added: FeaturePairs::default(),
            few_removed: FeaturePairs::default(),
            added: Vec::new(),
            removed: Vec::new(),
            workspace,
            perspectives,
            bucketed,
            steps,
            valued: false,
        }
    }

    /// Restarts at another root. Keeps the memory and the refresh cache.
    pub fn reset(&mut self, root: P) {
        self.valued = false;
        self.plies.clear();
        self.plies.push(Ply::new(root));
    }

    /// The position at the top.
    pub fn position(&self) -> &P {
        &self.plies[self.top()].position
    }

    /// The number of positions below the top.
    pub fn height(&self) -> usize {
        self.top()
    }

    /// The inputs.
    pub fn inputs(&self) -> &I {
        &self.inputs
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Pushes a position that follows from the one at the top.
    #[inline]
    pub fn push(&mut self, position: P) {
        self.valued = false;
        self.plies.push(Ply::new(position));
    }

    /// Pops the position at the top; the root is never popped.
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

    /// The fast path of almost all evaluations of a search: updates both perspectives from the
    /// position below and computes the value, in one kernel call. `None` if it does not apply.
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
            // The other children need the parent's accumulators too.
            self.fill(top - 1);
        }
        let Self { network, inputs, plies, sums, few_added, few_removed, workspace, .. } = self;
        let [.., parent, child] = &mut **plies else { return None };
        let (before, after) = (&parent.position, &child.position);
        let counts = inputs.changes_both(before, after, few_added, few_removed)?;
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

    /// The slow path.
    #[inline(never)]
    fn prepare_and_evaluate(&mut self) -> i32 {
        let (first, pieces) = self.prepare();
        let values = self.sums.values_of_both(self.top(), first);
        if let Some(value) = self.network.evaluate_values(values, pieces, &mut self.workspace) {
            self.valued = true;
            return value;
        }
        let perspectives = self.sums.both(self.top(), first);
        self.network.evaluate_accumulators(perspectives, 0, pieces, &mut self.workspace)
    }

    /// All outputs of the network for the position except the policy.
    pub fn outputs(&mut self) -> Outputs {
        let (first, pieces) = self.prepare();
        let perspectives = self.sums.both(self.top(), first);
        // After the value of the same position, only the heads remain to be computed.
        let again = self.valued;
        self.network.outputs_of_accumulators(perspectives, 0, pieces, &mut self.workspace, again)
    }

    /// The policy logits; see [`Network::policy`].
    pub fn policy(&mut self, rows: &[u16], logits: &mut [f32]) {
        let (first, _) = self.prepare();
        let perspectives = self.sums.both(self.top(), first);
        self.valued = false;
        self.network.policy_of_accumulators(perspectives, 0, rows, logits, &mut self.workspace);
    }

    /// The activations of the accumulator, the side to move's perspective first: what the policy
    /// head and the hidden layers of an integer network read. Empty for other networks.
    pub fn activations(&mut self, activations: &mut Vec<u8>) {
        let (first, _) = self.prepare();
        let perspectives = self.sums.both(self.top(), first);
        self.valued = false;
        self.network.activations_of_accumulators(perspectives, activations, &mut self.workspace);
    }

    fn top(&self) -> usize {
        self.plies.len() - 1
    }

    /// Computes missing accumulators at the top. Returns the perspective that the network reads
    /// first, and the number of pieces if it matters.
    #[inline]
    fn prepare(&mut self) -> (usize, usize) {
        let top = self.top();
        let ply = &self.plies[top];
        let side = self.inputs.side_to_move(&ply.position);
        let pieces = if self.bucketed { self.inputs.pieces(&ply.position) } else { 0 };
        let perspectives = self.perspectives;
        if !ply.is_computed() {
            if top > 0 && !self.plies[top - 1].is_computed() {
                self.fill(top - 1);
            }
            self.fill(top);
        }
        (side & (perspectives - 1), pieces)
    }
}
