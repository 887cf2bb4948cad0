//! Move generation of the move picker: noisy moves, killer moves and the counter-move, quiet moves.
//!
//! These run once for many moves that are returned. Inlined into `next` they would cost saved
//! registers and a larger frame for each of them.

use games::{MoveInfo, SearchGame};

use super::policy::PolicyRole;
use super::{MovePicker, MoveScorer, ScoredMove, Stage};
use crate::move_ordering::REFUTATION_SCORE;

/// The moves that were returned before their stage; each generated move is compared with them.
#[derive(Clone, Copy)]
struct ReturnedMoves {
    codes: [u64; 4],
    /// A bit for the last six bits of each code: most moves share them with none.
    mask: u64,
}

impl ReturnedMoves {
    fn new<G: SearchGame>(moves: [Option<G::Move>; 4]) -> Self {
        let bit = |mv: G::Move| 1 << (G::move_code(mv) % 64);
        Self {
            codes: moves.map(|mv| mv.map_or(u64::MAX, |mv| G::move_code(mv).into())),
            mask: moves.into_iter().flatten().fold(0, |mask, mv| mask | bit(mv)),
        }
    }

    #[inline]
    fn contains<G: SearchGame>(&self, mv: G::Move) -> bool {
        let code = u64::from(G::move_code(mv));
        self.mask >> (code % 64) & 1 != 0 && self.codes.contains(&code)
    }
}

impl<G: SearchGame> MovePicker<G> {
    #[inline(never)]
    pub(super) fn generate_all(&mut self, scorer: &MoveScorer<'_, G>) {
        let history = scorer.histories.quiet_history(scorer.side, scorer.previous);
        let moves = &mut self.moves;
        let position = scorer.position;
        position.for_each_noisy(|move_info| moves.push(scorer.by_history(&history, &move_info)));
        position.for_each_quiet(|move_info| moves.push(scorer.by_history(&history, &move_info)));
        (self.stage, self.next) = (Stage::All, 0);
        self.awaits_policy = true;
    }

    #[inline(never)]
    pub(super) fn generate_noisy(&mut self, scorer: &MoveScorer<'_, G>) {
        let Self { moves, tt_move, .. } = self;
        scorer.position.for_each_noisy(|move_info| {
            if Some(move_info.mv) != *tt_move {
                moves.push(scorer.noisy(&move_info));
            }
        });
        (self.stage, self.next) = (Stage::GoodNoisy, 0);
    }

    /// The next legal one of the killer moves and the counter-move: before other quiet moves are
    /// generated, because often one of them cuts.
    #[inline(never)]
    pub(super) fn next_refutation(
        &mut self,
        scorer: &MoveScorer<'_, G>,
    ) -> Option<ScoredMove<G::Move>> {
        while self.next < 3 && !self.skip_quiets {
            let number = self.next;
            self.next += 1;
            let position = scorer.position;
            let legal = match self.refutations.killers.get(number) {
                Some(killer) => killer.filter(|&mv| position.is_legal(mv)),
                None => {
                    self.refutations.counter_move.and_then(|code| position.move_from_code(code))
                }
            };
            let new = legal.filter(|&mv| {
                Some(mv) != self.tt_move
                    && !self.returned.contains(&Some(mv))
                    && !position.is_noisy(mv)
            });
            let Some(mv) = new else { continue };
            self.returned[number] = Some(mv);
            let scored = scorer.single(mv);
            if !self.skip_quiets_but_checks || scored.is_quiet_check() {
                return Some(ScoredMove { score: REFUTATION_SCORE, ..scored });
            }
        }
        None
    }

    #[inline(never)]
    pub(super) fn generate_quiets(&mut self, scorer: &MoveScorer<'_, G>) {
        self.moves.clear();
        (self.stage, self.next) = (Stage::Quiet, 0);
        if self.skip_quiets {
            return;
        }
        let [first, second, third] = self.returned;
        let returned = ReturnedMoves::new::<G>([self.tt_move, first, second, third]);
        let moves = &mut self.moves;
        let history = scorer.histories.quiet_history(scorer.side, scorer.previous);
        let (attacked, weights) = (scorer.attacked, *scorer.weights);
        let add = |move_info: MoveInfo<G::Move>| {
            if !returned.contains::<G>(move_info.mv) {
                moves.push(MoveScorer::<G>::quiet(&history, attacked, &weights, &move_info));
            }
        };
        if self.skip_quiets_but_checks {
            scorer.position.for_each_quiet_check(add);
        } else {
            scorer.position.for_each_quiet(add);
        }
        self.awaits_policy = self.policy_role == PolicyRole::Blended && self.moves.len() > 1;
        self.shuffle_if_sampled();
    }
}
