//! Search stack: what a thread stores for each ply of the current line, and its steps along it.

use games::{Color, SearchGame};

use super::{Search, SearchJob};
use crate::evaluator::Evaluator;
use crate::history::{HistoryIndex, PreviousMoves};
use crate::learned::PolicyLogits;
use crate::move_ordering::{MovePicker, ScoredMove};
use crate::sampling::OrderingFeatures;

/// How many plies back the farthest of [`PreviousMoves`] is.
pub(super) const PLIES_BEFORE_ROOT: usize = 6;

/// What is stored for a ply of the current line.
pub(crate) struct StackEntry<G: SearchGame> {
    /// The static evaluation, with correction history. `None` in check.
    pub(crate) static_eval: Option<i32>,
    /// The move that a singular-extension search excludes.
    pub(crate) excluded: Option<G::Move>,
    /// Killer moves: quiet moves that failed high in sibling nodes.
    pub(crate) killers: [Option<G::Move>; 2],
    /// `None` while it is in use. In a box, because it is taken out and put back at every node.
    pub(crate) picker: Option<Box<MovePicker<G>>>,
    /// Moves that were searched without a fail high.
    pub(crate) searched: Vec<ScoredMove<G::Move>>,
    pub(crate) pv: Vec<G::Move>,
    /// How often this line was extended by a double, or learned, extension.
    pub(crate) extensions: i32,
    /// The policy of the node.
    pub(crate) policy: PolicyLogits,
    /// The move that is being searched, if it is quiet.
    pub(crate) quiet_move: Option<HistoryIndex>,
    /// Its number, from 1.
    pub(crate) move_number: usize,
    /// Its late-move reduction, in 1024ths of a ply; 0 in a search of full depth.
    pub(crate) reduction: i32,
    /// The quiet moves that were searched so far, where the node is a sample of cut nodes.
    pub(crate) sampled_moves: Option<Vec<(G::Move, OrderingFeatures)>>,
    /// How many nodes of this ply failed high since the ply before the parent was entered.
    pub(crate) cutoff_count: u32,
}

impl<G: SearchGame> Default for StackEntry<G> {
    fn default() -> Self {
        Self {
            static_eval: None,
            excluded: None,
            killers: [None; 2],
            picker: None,
            searched: Vec::new(),
            pv: Vec::new(),
            extensions: 0,
            policy: PolicyLogits::default(),
            quiet_move: None,
            move_number: 0,
            reduction: 0,
            sampled_moves: None,
            cutoff_count: 0,
        }
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Steps to a child of the current node.
    #[inline]
    pub(crate) fn enter(&mut self, job: &SearchJob<'_, G>, child: &G) {
        let key = child.hash();
        if let Some(table) = job.table {
            table.prefetch(key);
        }
        self.keys.push(key);
    }

    /// Pushes the current position to the evaluator, unless it is there already. Must be done
    /// before the evaluator is called and before any move is played; a TT cutoff needs neither.
    #[inline]
    pub(crate) fn push_evaluator(&mut self, position: &G) {
        if self.evaluator_len < self.keys.len() {
            self.evaluator_len += 1;
            self.evaluator.push(position);
        }
        debug_assert_eq!(self.evaluator_len, self.keys.len(), "a position was left out");
    }

    /// Steps back to the parent.
    #[inline]
    pub(crate) fn leave(&mut self) {
        if self.evaluator_len == self.keys.len() {
            self.evaluator_len -= 1;
            self.evaluator.pop();
        }
        self.keys.pop();
    }

    /// The hash key of the current position.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or(0)
    }

    /// The moves that led to a ply, for continuation and correction history.
    #[inline]
    pub(crate) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let moves = &self.played[ply..][..PLIES_BEFORE_ROOT];
        [1, 2, 4, 6].map(|back| moves[PLIES_BEFORE_ROOT - back])
    }

    /// Records the move that a side plays at a ply.
    #[inline]
    pub(crate) fn set_played(&mut self, ply: usize, side: Color, scored: &ScoredMove<G::Move>) {
        self.played[PLIES_BEFORE_ROOT + ply] = scored.index.continuation_number::<G>(side);
        self.stack[ply].quiet_move = (!scored.is_noisy()).then_some(scored.index);
    }

    /// Records a null move at a ply.
    #[inline]
    pub(crate) fn set_null_move(&mut self, ply: usize) {
        self.played[PLIES_BEFORE_ROOT + ply] = 0;
        self.stack[ply].quiet_move = None;
    }

    /// The quiet move that led to a ply.
    #[inline]
    pub(crate) fn prior_quiet(&self, ply: usize) -> Option<HistoryIndex> {
        ply.checked_sub(1).and_then(|parent| self.stack[parent].quiet_move)
    }

    /// Puts a move before the principal variation (PV) of the next ply.
    pub(crate) fn extend_pv(&mut self, mv: G::Move, ply: usize) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0].pv);
    }
}
