//! Policy: logits and log-probabilities of the moves of a node, and the late-move reductions that
//! follow from them.

use games::{MoveInfo, PolicyIndex, SearchGame};

use super::move_classes::{move_class, threats};
use crate::evaluator::Evaluator;
use crate::history::HistoryIndex;
use crate::move_ordering::{MoveKind, MovePicker, ScoredMove};
use crate::node::{NodeContext, NodeInfo};
use crate::search::Search;

/// Policy logits of the moves of a node, in 1024ths of a nat.
#[derive(Clone, Debug, Default)]
pub(crate) struct PolicyLogits {
    /// The policy outputs that the moves need.
    rows: Vec<u16>,
    /// The places of the two outputs of each move among the rows.
    pairs: Vec<[u16; 2]>,
    outputs: Vec<f32>,
    logits: Vec<i32>,
    /// The negative log-probability of every move of the node, where the normalisation was needed.
    /// Kept apart from `logits`, which a move picker overwrites with those of its own moves.
    normalised: Option<Vec<(HistoryIndex, i32)>>,
}

impl PolicyLogits {
    /// Forgets the node.
    pub(crate) fn clear(&mut self) {
        self.normalised = None;
    }

    /// The logit of each move that was evaluated.
    pub(crate) fn logits(&self) -> &[i32] {
        &self.logits
    }

    /// Normalises over all moves of the node, which are these.
    fn normalise(&mut self, moves: impl Iterator<Item = HistoryIndex>) {
        let log_sum = log_sum_exp(self.logits.iter().copied());
        let neg_log_probs = self.logits.iter().map(|logit| (log_sum - logit).max(0));
        self.normalised = Some(moves.zip(neg_log_probs).collect());
    }

    /// The negative log-probability of a move.
    fn neg_log_prob(&self, index: HistoryIndex) -> i32 {
        let Some(moves) = &self.normalised else { return 0 };
        let index = HistoryIndex { threats: 0, ..index };
        moves.iter().find(|(known, _)| *known == index).map_or(0, |&(_, neg_log_prob)| neg_log_prob)
    }
}

/// The logarithm of the sum of exponentials (log-sum-exp), all in 1024ths of a nat, to a sixteenth
/// of a nat: exponentials are powers of two with straight lines between them, for most nodes
/// compute it over all moves.
pub(crate) fn log_sum_exp(logits: impl Iterator<Item = i32> + Clone) -> i32 {
    /// What a 1024th of a nat adds to the bits of a number: 2²³ ÷ (1024 · ln 2).
    const STEP: i32 = 11_818;
    const ONE: i32 = 127 << 23;
    let Some(max) = logits.clone().max() else { return 0 };
    let exp = |logit: i32| {
        let below = logit.saturating_sub(max).max(-16 * 1024);
        f32::from_bits((ONE + below * STEP) as u32)
    };
    let sum: f32 = logits.map(exp).sum();
    max + (sum.ln() * 1024.0) as i32
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Evaluates the policy logits of moves at a ply, which must be that of the evaluator's
    /// position; with `class_biases`, scaled and biased by move class, if the network file has such
    /// biases.
    pub(crate) fn policy_logits(
        &mut self,
        position: &G,
        ply: usize,
        moves: impl Iterator<Item = (G::Move, HistoryIndex, MoveKind)> + Clone,
        class_biases: bool,
    ) {
        let PolicyLogits { rows, pairs, outputs, logits, .. } = &mut self.stack[ply].policy;
        rows.clear();
        pairs.clear();
        let form = self.evaluator.policy_form();
        if let Some(form) = form {
            let mirror = self.evaluator.policy_mirror(position);
            let numbering = form.numbering_with(position, mirror);
            let origins = form.shape::<G>().from;
            let mut from_row = 0;
            for (mv, history, _) in moves.clone() {
                let (from, to) = history.cells::<G>();
                let (kind, taken) = (history.moved_kind::<G>(), history.captured_kind());
                let index = numbering.index_by_kind(mv, PolicyIndex { from, to }, kind, taken);
                // The moves of a piece come one after the other: their origin is evaluated once.
                if rows.get(from_row) != Some(&(index.from as u16)) {
                    from_row = rows.len();
                    rows.push(index.from as u16);
                }
                pairs.push([from_row as u16, rows.len() as u16]);
                rows.push((origins + index.to) as u16);
            }
        } else {
            pairs.extend(moves.clone().map(|_| [0; 2]));
            rows.push(0);
        }
        outputs.clear();
        outputs.resize(rows.len(), 0.0);
        if form.is_some() {
            self.evaluator.policy(rows, outputs);
        }
        logits.clear();
        let logit = |pair: &[u16; 2]| outputs[usize::from(pair[0])] + outputs[usize::from(pair[1])];
        let to_integer = |logit: f32| (logit * 1024.0) as i32;
        let calibration = self.evaluator.policy_calibration().filter(|_| class_biases);
        let Some(calibration) = calibration else {
            logits.extend(pairs.iter().map(|pair| to_integer(logit(pair))));
            return;
        };
        let threats = threats(position);
        logits.extend(pairs.iter().zip(moves).map(|(pair, mv)| {
            let class = move_class(position, mv, threats);
            to_integer(calibration.apply(logit(pair), class))
        }));
    }

    /// The negative log-probability of a move, in 1024ths of a nat.
    pub(crate) fn neg_log_prob(
        &mut self,
        position: &G,
        ply: usize,
        picker: &MovePicker<G>,
        scored: &ScoredMove<G::Move>,
    ) -> i32 {
        if picker.is_by_policy() {
            return picker.neg_log_prob(scored);
        }
        if self.stack[ply].policy.normalised.is_none() {
            let mut moves = Vec::new();
            let mut add = |move_info: &MoveInfo<G::Move>| {
                let index = HistoryIndex::of::<G>(move_info);
                moves.push((move_info.mv, index, MoveKind::of(move_info)));
            };
            position.for_each_noisy(|move_info| add(&move_info));
            position.for_each_quiet(|move_info| add(&move_info));
            self.policy_logits(position, ply, moves.iter().copied(), true);
            self.stack[ply].policy.normalise(moves.iter().map(|&(_, index, _)| index));
        }
        self.stack[ply].policy.neg_log_prob(scored.index)
    }

    /// The learned late-move reduction (LMR) of a move by its negative log-probability, in 1024ths
    /// of a ply; negative for a move that is nearly forced.
    pub(crate) fn learned_reduction(
        &self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        neg_log_prob: i32,
    ) -> i32 {
        let params = &self.params;
        let scale = self.lmr.ln_depth(context.depth) * params.policy_lmr_scale / 1024;
        let mut reduction = neg_log_prob * scale / 1024 - params.policy_lmr_offset;
        if context.cut_node {
            reduction += params.policy_lmr_cut_node;
        }
        if let Some(interval) = info.interval {
            let wider = (interval.width - params.quantile_usual_width) * params.quantile_lmr_width
                / params.quantile_usual_width;
            reduction -= wider.clamp(-params.quantile_lmr_width, params.quantile_lmr_width);
            if interval.upper < context.alpha {
                reduction += params.quantile_lmr_fail_low;
            }
        }
        // A ply less on the PV, but no extension for being there.
        if context.pv { (reduction - 1024).max(reduction.min(0)) } else { reduction }
    }
}

#[cfg(test)]
mod tests {
    use games::Random;

    use super::log_sum_exp;

    #[test]
    fn sums_are_right_to_a_sixteenth() {
        let mut random = Random::new(8);
        for count in [1, 2, 3, 30, 200] {
            let logits: Vec<i32> = (0..count).map(|_| random.below(20_000) as i32 - 9000).collect();
            let exact = logits.iter().map(|&logit| (f64::from(logit) / 1024.0).exp()).sum::<f64>();
            let found = f64::from(log_sum_exp(logits.iter().copied())) / 1024.0;
            assert!((found - exact.ln()).abs() < 0.062, "{count}: {found} {}", exact.ln());
        }
        assert_eq!(log_sum_exp([].into_iter()), 0);
        assert_eq!(log_sum_exp([i32::MIN, 5].into_iter()), 5);
    }
}
