//! Sampling: nodes and moves of a search with what is known of them before and what a search of full
//! depth finds, from which `accrue fit` learns ordering, reductions and margins.
//!
//! - Cut nodes: quiet moves of the node are searched in a random order until one fails high, so that
//!   which of them is found first depends on none of their features.
//! - Late moves: a move is searched again without reduction in the null window.
//! - RFP nodes: a node that reverse futility pruning may cut is searched.

use games::{Random, SearchGame};

use crate::evaluator::Evaluator;
use crate::history::HistoryParts;
use crate::lmr::eval_above_alpha;
use crate::move_ordering::ScoredMove;
use crate::named::named_enum;
use crate::node::{NodeContext, NodeInfo};
use crate::search::Search;

named_enum! {
    "a kind of samples";
    /// What is sampled in a search.
    pub enum SampleKind {
        /// Nodes in which a quiet move fails high.
        CutNodes = "cut-nodes",
        /// Moves that late-move reductions reduce.
        LateMoves = "late-moves",
        /// Nodes that reverse futility pruning may cut.
        RfpNodes = "rfp-nodes",
    }
}

/// What is known of a quiet move when it is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderingFeatures {
    /// Butterfly and threat history, and continuation histories one, two, four and six plies back.
    pub histories: HistoryParts,
    /// Whether it gives check.
    pub check: bool,
    /// The policy's log-probability above that of the average move, in 1024ths of a nat; `None` where
    /// the policy is not evaluated.
    pub policy: Option<i32>,
}

/// A node in which a quiet move fails high after others did not.
#[derive(Clone, Debug)]
pub struct CutNodeSample<G: SearchGame> {
    /// The position.
    pub position: G,
    /// The depth.
    pub depth: i32,
    /// The quiet moves that were searched. The last one fails high.
    pub moves: Vec<(G::Move, OrderingFeatures)>,
}

/// A move that late-move reductions reduce, and whether it fails high without reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct LateMoveSample {
    /// The depth of the node.
    pub depth: i32,
    /// The number of the move, from 1.
    pub number: usize,
    /// Whether it is a capture or promotion.
    pub noisy: bool,
    /// Whether the node is or was a PV node.
    pub tt_pv: bool,
    /// Whether it is a cut node.
    pub cut_node: bool,
    /// Whether it has a TT move.
    pub tt_move: bool,
    /// Whether this is noisy.
    pub tt_noisy: bool,
    /// Whether more than two children of its children failed high.
    pub cutoffs: bool,
    /// Whether the static evaluation is better than two plies ago.
    pub improving: bool,
    /// Whether the move gives check.
    pub check: bool,
    /// Whether it is a killer move.
    pub killer: bool,
    /// The size of the correction of the static evaluation, in normalised centipawns.
    pub correction: i32,
    /// How far the static evaluation is above alpha, at most 512 either way; 0 in check.
    pub eval: i32,
    /// The history of the move.
    pub history: i32,
    /// The policy's log-probability above that of the average move, in 1024ths of a nat; 0 without
    /// policy.
    pub policy: i32,
    /// The reduction by the rules of the search, in 1024ths of a ply.
    pub reduction: i32,
    /// The nodes of the search without reduction.
    pub nodes: u64,
    /// Whether it fails high.
    pub fails_high: bool,
}

/// A node that is above beta by its static evaluation, and whether it fails high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RfpNodeSample {
    /// The depth.
    pub depth: i32,
    /// How far the estimate of its score is above beta, in normalised centipawns.
    pub surplus: i32,
    /// Whether the static evaluation is better than two plies ago.
    pub improving: bool,
    /// The size of the correction of the static evaluation.
    pub correction: i32,
    /// The margin by the rules of the search.
    pub margin: i32,
    /// Whether it fails high.
    pub fails_high: bool,
}

/// A sample of a search.
#[derive(Clone, Debug)]
pub enum SearchSample<G: SearchGame> {
    /// A cut node.
    CutNode(CutNodeSample<G>),
    /// A late move.
    LateMove(LateMoveSample),
    /// A node that reverse futility pruning may cut.
    RfpNode(RfpNodeSample),
}

/// Takes samples of a thread's searches.
pub(crate) struct Sampler<G: SearchGame> {
    kind: Option<SampleKind>,
    /// One in so many is taken.
    every: u64,
    seen: u64,
    /// Whether a search of full depth runs, in which none is taken.
    verifies: bool,
    samples: Vec<SearchSample<G>>,
}

impl<G: SearchGame> Sampler<G> {
    /// Takes one in `every` samples of a kind, none without one.
    pub(crate) fn new(kind: Option<SampleKind>, every: u64) -> Self {
        Self { kind, every: every.max(1), seen: 0, verifies: false, samples: Vec::new() }
    }

    /// Whether samples of this kind are taken.
    #[inline]
    pub(crate) fn takes(&self, kind: SampleKind) -> bool {
        self.kind == Some(kind)
    }

    /// Whether a sample of this kind is to be taken now.
    #[inline]
    pub(crate) fn is_due(&mut self, kind: SampleKind) -> bool {
        self.takes(kind) && self.count()
    }

    #[cold]
    fn count(&mut self) -> bool {
        if self.verifies {
            return false;
        }
        self.seen += 1;
        self.seen.is_multiple_of(self.every)
    }

    /// Random numbers for the sample that is due.
    pub(crate) fn random(&self) -> Random {
        Random::new(self.seen)
    }

    pub(crate) fn add(&mut self, sample: SearchSample<G>) {
        self.samples.push(sample);
    }

    /// Starts or ends a search of full depth.
    pub(crate) fn set_verifies(&mut self, verifies: bool) {
        self.verifies = verifies;
    }

    /// The samples since the last call.
    pub(crate) fn take(&mut self) -> Vec<SearchSample<G>> {
        std::mem::take(&mut self.samples)
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// What is known of a quiet move before it is searched.
    pub(crate) fn ordering_features(
        &self,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        policy: bool,
    ) -> OrderingFeatures {
        OrderingFeatures {
            histories: self.histories.quiet_parts(info.side, scored.index, info.previous),
            check: scored.is_quiet_check(),
            policy: policy.then_some(scored.relative_log_prob.into()),
        }
    }

    /// What is known of a late move, before it is searched without reduction.
    pub(crate) fn late_move_sample(
        &self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        number: usize,
        check: bool,
    ) -> LateMoveSample {
        let eval = if info.in_check { 0 } else { eval_above_alpha(context, info.static_eval) };
        LateMoveSample {
            depth: context.depth,
            number,
            noisy: scored.is_noisy(),
            tt_pv: info.tt_pv,
            cut_node: context.cut_node,
            tt_move: info.tt_move.is_some(),
            tt_noisy: info.tt_move_is_noisy,
            cutoffs: self.stack[context.ply + 1].cutoff_count > 2,
            improving: info.improving,
            check,
            killer: self.stack[context.ply].killers.contains(&Some(scored.mv)),
            correction: info.correction.abs(),
            eval,
            history: self.history_of(info, scored),
            policy: scored.relative_log_prob.into(),
            reduction: self.late_move_reduction(context, info, scored, number, check),
            nodes: 0,
            fails_high: false,
        }
    }
}
