//! Late-move reductions (LMR): how much less deep late moves are searched, in 1024ths of a ply.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::move_ordering::ScoredMove;
use crate::node::{NodeContext, NodeInfo};
use crate::params::{Params, Selectivity};
use crate::score::MIN_MATE;
use crate::search::Search;

const DEPTHS: usize = 64;
const MOVES: usize = 64;

/// Base reductions by depth and by the number of moves searched before.
#[derive(Debug)]
pub(crate) struct LmrTable {
    quiet: Vec<[i32; MOVES]>,
    noisy: Vec<[i32; MOVES]>,
    /// Natural logarithms of depths, in 1024ths.
    ln_depth: [i32; DEPTHS],
}

impl LmrTable {
    pub(crate) fn new(params: &Params) -> Self {
        let table = |base: i32, scale: i32| {
            let entry = |depth: usize, count: usize| {
                let product = (depth.max(1) as f64).ln() * (count.max(1) as f64).ln();
                base + (product * f64::from(scale)) as i32
            };
            let row = |depth| std::array::from_fn(|count| entry(depth, count));
            (0..DEPTHS).map(row).collect()
        };
        Self {
            quiet: table(params.lmr_base, params.lmr_scale),
            noisy: table(params.lmr_noisy_base, params.lmr_noisy_scale),
            ln_depth: std::array::from_fn(|depth| ((depth.max(1) as f64).ln() * 1024.0) as i32),
        }
    }

    /// The base reduction of the move after `count` others.
    pub(crate) fn base(&self, noisy: bool, depth: i32, count: usize) -> i32 {
        let table = if noisy { &self.noisy } else { &self.quiet };
        table[depth.clamp(0, DEPTHS as i32 - 1) as usize][count.min(MOVES - 1)]
    }

    /// The reduced depth of the quiet move after `count` others by the base reduction alone, for
    /// pruning rules.
    #[inline]
    pub(crate) fn reduced_depth(&self, depth: i32, count: usize) -> i32 {
        (depth - self.base(false, depth, count) / 1024).max(0)
    }

    /// The natural logarithm of a depth, in 1024ths.
    pub(crate) fn ln_depth(&self, depth: i32) -> i32 {
        self.ln_depth[depth.clamp(0, DEPTHS as i32 - 1) as usize]
    }
}

/// How far the static evaluation is above alpha, up to half of 1024 centipawns either way.
pub(crate) fn eval_above_alpha(context: &NodeContext, static_eval: i32) -> i32 {
    (static_eval - context.alpha).clamp(-512, 512)
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The late-move reduction (LMR) of a move.
    pub(crate) fn late_move_reduction(
        &self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        count: usize,
        gives_check: bool,
    ) -> i32 {
        let params = &self.params;
        let mut reduction = self.lmr.base(scored.is_noisy(), context.depth, count);
        if info.tt_pv {
            reduction -= params.lmr_tt_pv;
        }
        if context.cut_node {
            reduction += params.lmr_cut_node;
        }
        if context.cut_node && info.tt_move.is_none() {
            reduction += params.lmr_no_tt_move;
        }
        if self.stack[context.ply + 1].cutoff_count > 2 {
            reduction += params.lmr_cutoff_count;
        }
        reduction -= info.correction.abs() * params.lmr_correction / 1024;
        if !info.in_check {
            reduction -= eval_above_alpha(context, info.static_eval) * params.lmr_eval / 1024;
        }
        if !info.improving {
            reduction += params.lmr_not_improving;
        }
        if gives_check {
            reduction -= params.lmr_check;
        }
        if info.tt_move_is_noisy && !scored.is_noisy() {
            reduction += params.lmr_tt_noisy;
        }
        if self.stack[context.ply].killers.contains(&Some(scored.mv)) {
            reduction -= params.lmr_killer;
        }
        reduction -= self.history_of(info, scored) * 1024 / params.lmr_history_divisor;
        let both = self.sources.reductions == Selectivity::Both;
        let policy = if both { params.lmr_policy } else { 0 };
        reduction -= i32::from(scored.relative_log_prob) * policy / 1024;
        // Mates often begin with moves that look bad to every rule above.
        if self.wants_mate { reduction / 2 } else { reduction }
    }

    /// Alpha-raise reduction: once a move has raised alpha, a second one seldom does, so the rest of
    /// the moves are searched less deep.
    #[inline]
    pub(crate) fn alpha_raise_reduction(&self, context: &NodeContext, score: i32) -> i32 {
        let depths = 3..self.params.alpha_raise_max_depth;
        let reduces = context.ply > 0 && depths.contains(&context.depth) && score.abs() < MIN_MATE;
        i32::from(reduces)
    }

    /// The history of a move: capture history, or butterfly and continuation history.
    pub(crate) fn history_of(&self, info: &NodeInfo<G>, scored: &ScoredMove<G::Move>) -> i32 {
        if scored.is_noisy() {
            self.histories.capture(info.side, scored.index)
        } else {
            self.histories.quiet(info.side, scored.index, info.previous)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let lmr = LmrTable::new(&Params::default());
        for noisy in [false, true] {
            for depth in 1..80 {
                for count in 1..80 {
                    let base = lmr.base(noisy, depth, count);
                    assert!(base <= lmr.base(noisy, depth + 1, count));
                    assert!(base <= lmr.base(noisy, depth, count + 1));
                }
            }
        }
        assert_eq!(lmr.reduced_depth(1, 60), 1, "ln 1 is 0");
        assert!((3..12).contains(&lmr.reduced_depth(12, 20)));
    }
}
