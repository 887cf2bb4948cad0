//! Node context: window, depth and node type (PV, cut or all node) of a node, and what is known of
//! its position before any move is searched.

use games::{Color, SearchGame};

use crate::evaluator::Evaluator;
use crate::history::PreviousMoves;
use crate::learned::QuantileInterval;
use crate::score::INFINITE;
use crate::search::{Search, SearchJob};
use crate::transposition_table::TtEntry;

/// The place of a node in the tree: its window, depth and type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeContext {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// Whether it is a cut node (expected fail high). If not, and not a PV node, it is an all node
    /// (expected fail low).
    pub(crate) cut_node: bool,
    /// Whether it is a PV node.
    pub(crate) pv: bool,
}

/// What is known of a position before its moves are searched.
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct NodeInfo<G: SearchGame> {
    pub(crate) key: u64,
    pub(crate) side: Color,
    pub(crate) in_check: bool,
    /// The transposition-table entry.
    pub(crate) entry: Option<TtEntry>,
    pub(crate) tt_move: Option<G::Move>,
    /// Whether the TT move is noisy (a capture or promotion).
    pub(crate) tt_move_is_noisy: bool,
    /// The score of the entry, with mates counted from the root.
    pub(crate) tt_score: i32,
    /// The evaluator's value; `None` in check.
    pub(crate) raw_eval: Option<i32>,
    /// The static evaluation: the raw one with correction history; −∞ in check.
    pub(crate) static_eval: i32,
    /// The static evaluation, or the TT score where its bound makes it a better estimate.
    pub(crate) estimate: i32,
    /// Where the score of a search of this depth should lie; `None` in check, and where the
    /// quantiles are not evaluated.
    pub(crate) interval: Option<QuantileInterval>,
    /// Whether the static evaluation is better than two plies ago.
    pub(crate) improving: bool,
    /// Whether the position is a PV node, or was one by the transposition table.
    pub(crate) tt_pv: bool,
    pub(crate) previous: PreviousMoves,
    /// The correction of the raw evaluation by correction history.
    pub(crate) correction: i32,
    /// The move that a singular-extension search excludes.
    pub(crate) excluded: Option<G::Move>,
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Probes the transposition table and correction history.
    pub(super) fn probe_node(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        ply: usize,
        pv: bool,
    ) -> NodeInfo<G> {
        let key = self.key();
        let excluded = self.stack[ply].excluded;
        let previous = self.previous_moves(ply);
        let in_check = position.is_check();
        let correction = if in_check { 0 } else { self.correction(position, previous) };
        let entry = job.table.filter(|_| excluded.is_none()).and_then(|table| table.probe(key));
        self.stack[ply + 2].killers = [None; 2];
        self.stack[ply].extensions =
            ply.checked_sub(1).map_or(0, |parent| self.stack[parent].extensions);
        NodeInfo {
            key,
            side: position.side_to_move(),
            in_check,
            tt_score: entry.map_or(0, |entry| entry.score(ply)),
            tt_move: None,
            tt_move_is_noisy: false,
            raw_eval: None,
            static_eval: -INFINITE,
            estimate: -INFINITE,
            interval: None,
            improving: false,
            tt_pv: pv || entry.is_some_and(TtEntry::tt_pv),
            previous,
            correction,
            entry,
            excluded,
        }
    }

    /// Adds the TT move, if it is a legal move of this position; at the root the first root move.
    #[inline(never)]
    pub(super) fn find_tt_move(&self, position: &G, ply: usize, info: &mut NodeInfo<G>) {
        let code = info.entry.and_then(TtEntry::code);
        info.tt_move = if ply == 0 {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            code.and_then(|code| position.move_from_code(code))
        };
        info.tt_move_is_noisy = info.tt_move.is_some_and(|mv| position.is_noisy(mv));
    }
}
