//! Move picker: returns the moves of a node one by one, in stages, and generates no more of them
//! than are needed.
//!
//! The stages are the TT move, noisy moves that lose nothing by SEE, killer moves and the
//! counter-move, quiet moves, and noisy moves that lose material. A cutoff in one stage makes the
//! generation of the next unnecessary. In a stage the best move is selected when it is due: mostly
//! only the first few are.

mod generate;
mod policy;

use games::{Random, SearchGame};

use super::{MoveScorer, Refutations, ScoredMove};
use crate::see::see_ge;

use policy::PolicyRole;

/// The stages of a picker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    Refutations,
    Quiet,
    BadNoisy,
    /// All moves at once, for the policy.
    GenerateAll,
    All,
    Done,
}

/// Returns the moves of a node one by one. Kept for each ply, so that its lists keep their memory.
#[derive(Clone, Debug)]
pub(crate) struct MovePicker<G: SearchGame> {
    stage: Stage,
    tt_move: Option<G::Move>,
    refutations: Refutations<G::Move>,
    /// The refutations that were returned.
    returned: [Option<G::Move>; 3],
    /// The SEE threshold of noisy moves that come before quiet ones.
    threshold: i32,
    moves: Vec<ScoredMove<G::Move>>,
    bad_noisy: Vec<ScoredMove<G::Move>>,
    next: usize,
    /// Whether quiet moves are left out.
    skip_quiets: bool,
    /// Whether quiet moves that give no check are left out.
    skip_quiets_but_checks: bool,
    policy_role: PolicyRole,
    /// Whether moves were generated whose policy is not known yet.
    awaits_policy: bool,
    /// The logarithm of the sum of exponentials of all scores, if the policy orders alone.
    log_sum: i32,
    /// The random numbers that order quiet moves, where a sample of the node is taken.
    shuffle: Option<Random>,
}

impl<G: SearchGame> Default for MovePicker<G> {
    fn default() -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move: None,
            refutations: Refutations::none(),
            returned: [None; 3],
            threshold: 0,
            moves: Vec::new(),
            bad_noisy: Vec::new(),
            next: 0,
            skip_quiets: false,
            skip_quiets_but_checks: false,
            policy_role: PolicyRole::None,
            awaits_policy: false,
            log_sum: 0,
            shuffle: None,
        }
    }
}

impl<G: SearchGame> MovePicker<G> {
    /// Starts with all moves of a position; `tt_move` must be legal.
    pub(crate) fn start(
        &mut self,
        tt_move: Option<G::Move>,
        refutations: Refutations<G::Move>,
        skip_quiets: bool,
    ) {
        self.stage = Stage::TtMove;
        self.tt_move = tt_move;
        self.refutations = refutations;
        self.threshold = 0;
        self.returned = [None; 3];
        self.skip_quiets = skip_quiets;
        self.skip_quiets_but_checks = false;
        (self.policy_role, self.awaits_policy) = (PolicyRole::None, false);
        self.shuffle = None;
        self.moves.clear();
        self.bad_noisy.clear();
    }

    /// Starts with the noisy moves that gain at least `threshold` by SEE.
    pub(crate) fn start_noisy(&mut self, tt_move: Option<G::Move>, threshold: i32) {
        self.start(tt_move, Refutations::none(), true);
        self.threshold = threshold;
    }

    /// Orders quiet moves at random: what they score is no reason for which of them is found.
    pub(crate) fn shuffle_quiets(&mut self, random: Random) {
        self.shuffle = Some(random);
    }

    #[inline]
    fn shuffle_if_sampled(&mut self) {
        if let Some(random) = &mut self.shuffle {
            for scored in &mut self.moves {
                scored.score = random.below(1 << 14) as i32;
            }
        }
    }

    /// Skips all remaining moves.
    pub(crate) fn skip_rest(&mut self) {
        self.stage = Stage::Done;
    }

    /// Adds quiet checks to noisy moves.
    pub(crate) fn add_quiet_checks(&mut self) {
        (self.skip_quiets, self.skip_quiets_but_checks) = (false, true);
    }

    /// Whether only noisy moves are returned.
    pub(crate) fn is_noisy_only(&self) -> bool {
        self.skip_quiets
    }

    /// Skips the remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether quiet moves are skipped.
    pub(crate) fn skips_quiets(&self) -> bool {
        self.skip_quiets || self.skip_quiets_but_checks
    }

    /// Skips the remaining quiet moves but for checks.
    pub(crate) fn skip_quiets_but_checks(&mut self) {
        self.skip_quiets_but_checks = true;
        if self.stage == Stage::Quiet {
            self.drop_quiets_but_checks();
        }
    }

    #[inline(never)]
    fn drop_quiets_but_checks(&mut self) {
        let next = self.next;
        let mut number = 0;
        self.moves.retain(|scored| {
            number += 1;
            number <= next || scored.is_quiet_check()
        });
    }

    /// Whether quiet moves are still to be generated.
    pub(crate) fn has_quiets_to_generate(&self) -> bool {
        matches!(self.stage, Stage::GoodNoisy | Stage::Refutations) && !self.skip_quiets_but_checks
    }

    /// Whether the current moves are quiet ones.
    pub(crate) fn is_at_quiet(&self) -> bool {
        self.stage == Stage::Quiet
    }

    /// Whether the current moves are noisy ones that lose material by SEE.
    pub(crate) fn is_at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Whether the current moves are noisy ones that lose nothing by SEE.
    pub(crate) fn is_at_good_noisy(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// The next move.
    ///
    /// A sequence of tests instead of a jump to the stage: branch prediction gets most of them
    /// right.
    #[inline]
    pub(crate) fn next(&mut self, scorer: &MoveScorer<'_, G>) -> Option<ScoredMove<G::Move>> {
        if self.awaits_policy {
            return None;
        }
        if self.stage == Stage::TtMove {
            self.stage =
                if self.is_by_policy() { Stage::GenerateAll } else { Stage::GenerateNoisy };
            if let Some(mv) = self.tt_move {
                return Some(scorer.single(mv));
            }
        }
        if self.stage == Stage::GenerateNoisy {
            self.generate_noisy(scorer);
        }
        if self.stage == Stage::GoodNoisy {
            while let Some(best) = self.select_best() {
                if self.is_good(scorer, &best) {
                    return Some(best);
                }
                self.bad_noisy.push(best);
            }
            (self.stage, self.next) = (Stage::Refutations, 0);
        }
        if self.stage == Stage::Refutations {
            if let Some(refutation) = self.next_refutation(scorer) {
                return Some(refutation);
            }
            self.generate_quiets(scorer);
            if self.awaits_policy {
                return None;
            }
        }
        if self.stage == Stage::Quiet {
            if !self.skip_quiets
                && let Some(best) = self.select_best()
            {
                return Some(best);
            }
            (self.stage, self.next) = (Stage::BadNoisy, 0);
        }
        if self.stage == Stage::BadNoisy {
            let bad = self.bad_noisy.get(self.next).copied();
            self.next += 1;
            return bad;
        }
        self.next_by_policy(scorer)
    }

    /// The next noisy move that gains enough by SEE, after the TT move: what [`next`](Self::next)
    /// returns before any other move, for callers that use no others.
    #[inline]
    pub(crate) fn next_good_noisy(
        &mut self,
        scorer: &MoveScorer<'_, G>,
    ) -> Option<ScoredMove<G::Move>> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateNoisy;
            if let Some(mv) = self.tt_move {
                return Some(scorer.single(mv));
            }
        }
        if self.stage == Stage::GenerateNoisy {
            self.generate_noisy(scorer);
        }
        loop {
            let best = self.select_best()?;
            if self.is_good(scorer, &best) {
                return Some(best);
            }
        }
    }

    /// Whether a noisy move gains enough by SEE.
    #[inline]
    fn is_good(&self, scorer: &MoveScorer<'_, G>, scored: &ScoredMove<G::Move>) -> bool {
        see_ge(scorer.position, scored.indexed(), self.threshold)
    }

    /// Selects the best of the remaining moves of the stage.
    #[inline]
    fn select_best(&mut self) -> Option<ScoredMove<G::Move>> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut best_score = rest.first()?.score;
        for (number, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best_score {
                (best, best_score) = (number, scored.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}
