//! Policy in the move picker: moves that are ordered by the policy, alone or beside histories.

use games::SearchGame;

use super::{MovePicker, MoveScorer, ScoredMove, Stage};
use crate::learned::log_sum_exp;
use crate::move_ordering::PolicyWeights;

/// The role of the policy in move ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PolicyRole {
    /// Not evaluated.
    None,
    /// Quiet moves are ordered by histories and policy.
    Blended,
    /// All moves are ordered by the policy.
    Alone,
}

impl<G: SearchGame> MovePicker<G> {
    /// Orders all moves but the TT move by the policy.
    pub(crate) fn order_by_policy(&mut self) {
        self.policy_role = PolicyRole::Alone;
    }

    /// Orders quiet moves by histories and policy.
    pub(crate) fn blend_policy(&mut self) {
        self.policy_role = PolicyRole::Blended;
    }

    /// Whether the policy orders quiet moves beside histories.
    pub(crate) fn is_blended(&self) -> bool {
        self.policy_role == PolicyRole::Blended
    }

    /// Whether the policy orders all moves.
    pub(crate) fn is_by_policy(&self) -> bool {
        self.policy_role == PolicyRole::Alone
    }

    /// Whether generated moves wait for their policy: then `next` returned nothing, and continues
    /// after [`set_policy`](Self::set_policy).
    pub(crate) fn awaits_policy(&self) -> bool {
        self.awaits_policy
    }

    /// The moves that wait for their policy; the TT move may be among them, so that its probability
    /// is counted.
    pub(crate) fn generated(&self) -> &[ScoredMove<G::Move>] {
        &self.moves
    }

    /// Sets the policy logits of the [generated](Self::generated) moves, in 1024ths of a nat.
    pub(crate) fn set_policy(&mut self, logits: &[i32], weights: PolicyWeights) {
        self.awaits_policy = false;
        let log_sum = log_sum_exp(logits.iter().copied());
        let uniform = log_sum - (1024.0 * (self.moves.len().max(1) as f32).ln()) as i32;
        for (scored, logit) in self.moves.iter_mut().zip(logits) {
            let relative = (logit - uniform).clamp(-8192, 8192);
            scored.relative_log_prob = relative as i16;
            scored.score = match self.policy_role {
                PolicyRole::Alone => logit + scored.score * weights.history / 1024,
                _ => scored.score + relative * weights.policy / 1024,
            };
        }
        if self.policy_role == PolicyRole::Alone {
            if weights.normalise {
                self.log_sum = log_sum_exp(self.moves.iter().map(|scored| scored.score));
            }
            self.moves.retain(|scored| Some(scored.mv) != self.tt_move);
        }
        self.shuffle_if_sampled();
    }

    /// The negative log-probability of a move that the policy ordered, in 1024ths of a nat; only
    /// with
    /// [`PolicyWeights::normalise`].
    pub(crate) fn neg_log_prob(&self, scored: &ScoredMove<G::Move>) -> i32 {
        (self.log_sum - scored.score).max(0)
    }

    /// The next move, if the policy orders all of them.
    #[inline(never)]
    pub(super) fn next_by_policy(
        &mut self,
        scorer: &MoveScorer<'_, G>,
    ) -> Option<ScoredMove<G::Move>> {
        if self.stage == Stage::GenerateAll {
            self.generate_all(scorer);
            return None;
        }
        if self.stage == Stage::All { self.select_best() } else { None }
    }
}
