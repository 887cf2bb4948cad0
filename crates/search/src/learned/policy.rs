//! What a network says of moves, and what a move costs because of it.

use games::{Game, PolicyForm};

use super::sorts::{dangers, sort};
use crate::evaluator::{Evaluator, Opinion};
use crate::history;
use crate::node::{Facts, Place};
use crate::ordering::Sort;
use crate::search::Search;

/// What the network says of the moves of a position, in 1024ths of a nat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    rows: Vec<u16>,
    /// Where among the rows those of each move are.
    pairs: Vec<[u16; 2]>,
    real: Vec<f32>,
    logits: Vec<i32>,
    /// Which moves these are of and the logarithm of the sum of their odds, where somebody asked for it.
    total: Option<(Vec<history::Place>, i32)>,
}

impl Policy {
    /// Forgets the position.
    pub(crate) fn clear(&mut self) {
        self.total = None;
    }

    /// The logarithm of the odds of each move that was asked for.
    pub(crate) fn logits(&self) -> &[i32] {
        &self.logits
    }

    pub(crate) fn is_totalled(&self) -> bool {
        self.total.is_some()
    }

    /// Adds up the odds of all moves, which are these.
    pub(crate) fn total(&mut self, places: Vec<history::Place>) {
        self.total = Some((places, log_sum(self.logits.iter().copied())));
    }

    /// How surprised it would be if a move were best.
    pub(crate) fn surprise(&self, place: history::Place) -> i32 {
        let Some((places, total)) = &self.total else { return 0 };
        let number = places.iter().position(|&known| known == place);
        number.map_or(0, |number| (total - self.logits[number]).max(0))
    }
}

/// The logarithm of a sum of odds, all in 1024ths of a nat, to a sixteenth of a nat: odds are powers of two with straight lines
/// between them, for it is taken of all moves at most nodes.
pub(crate) fn log_sum(scores: impl Iterator<Item = i32> + Clone) -> i32 {
    /// What a 1024th of a nat adds to the bits of a number: 2²³ ÷ (1024 · ln 2).
    const STEP: i32 = 11_818;
    const ONE: i32 = 127 << 23;
    let Some(most) = scores.clone().max() else { return 0 };
    let odds = |score: i32| {
        let below = score.saturating_sub(most).max(-16 * 1024);
        f32::from_bits((ONE + below * STEP) as u32)
    };
    let sum: f32 = scores.map(odds).sum();
    most + (sum.ln() * 1024.0) as i32
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Asks what the network says of moves at a ply, which must be the one that the evaluator is at; `corrected` by what their sorts are
    /// worth, if that was measured.
    pub(crate) fn ask_policy(
        &mut self,
        position: &G,
        ply: usize,
        moves: impl Iterator<Item = (G::Move, history::Place, Sort)> + Clone,
        corrected: bool,
    ) {
        let Policy { rows, pairs, real, logits, .. } = &mut self.plies[ply].policy;
        let form = self.evaluator.policy_form();
        rows.clear();
        pairs.clear();
        let mut leaves = 0;
        for (_, place, _) in moves.clone() {
            let (from, to) = place.cells::<G>();
            let to = if form == Some(PolicyForm::PieceTo) { place.piece_to.into() } else { to };
            // The moves of a piece come one after the other: the cell that they leave is asked for once.
            if rows.get(leaves) != Some(&(from as u16)) {
                leaves = rows.len();
                rows.push(from as u16);
            }
            pairs.push([leaves as u16, rows.len() as u16]);
            rows.push((G::POLICY.from + to) as u16);
        }
        real.clear();
        real.resize(rows.len(), 0.0);
        if form.is_some() {
            self.evaluator.policy(rows, real);
        }
        logits.clear();
        let odds = |pair: &[u16; 2]| real[usize::from(pair[0])] + real[usize::from(pair[1])];
        let whole = |logit: f32| (logit * 1024.0) as i32;
        let calibration = self.evaluator.calibration(Opinion::First);
        let correction = calibration.filter(|_| corrected);
        let Some(correction) = correction.and_then(|calibration| calibration.policy()) else {
            logits.extend(pairs.iter().map(|pair| whole(odds(pair))));
            return;
        };
        let dangers = dangers(position);
        logits.extend(pairs.iter().zip(moves).map(|(pair, mv)| {
            let sort = sort(position, mv, dangers);
            whole(correction.apply(odds(pair), sort))
        }));
    }

    /// What a move costs beyond its ply, in 1024ths of a ply, by how surprised the policy would be if it were best.
    pub(crate) fn cost(&self, place: &Place, facts: &Facts<G>, surprise: i32) -> i32 {
        let params = &self.params;
        let spend = self.reductions.logarithm(place.depth) * params.learned_spend / 1024;
        let mut cost = surprise * spend / 1024 - params.learned_free;
        if place.cut {
            cost += params.learned_expected;
        }
        if let Some(fan) = facts.fan {
            let wider =
                (fan.width - params.learned_usual) * params.learned_width / params.learned_usual;
            cost -= wider.clamp(-params.learned_width, params.learned_width);
            if fan.high < place.alpha {
                cost += params.learned_hopeless;
            }
        }
        // A ply more on main lines, but nothing is extended for being on one.
        if place.pv { (cost - 1024).max(cost.min(0)) } else { cost }
    }
}

#[cfg(test)]
mod tests {
    use games::conformance::Random;

    use super::log_sum;

    #[test]
    fn sums_are_right_to_a_sixteenth() {
        let mut random = Random::new(8);
        for count in [1, 2, 3, 30, 200] {
            let scores: Vec<i32> = (0..count).map(|_| random.below(20_000) as i32 - 9000).collect();
            let exact = scores.iter().map(|&score| (f64::from(score) / 1024.0).exp()).sum::<f64>();
            let found = f64::from(log_sum(scores.iter().copied())) / 1024.0;
            assert!((found - exact.ln()).abs() < 0.062, "{count}: {found} {}", exact.ln());
        }
        assert_eq!(log_sum([].into_iter()), 0);
        assert_eq!(log_sum([i32::MIN, 5].into_iter()), 5);
    }
}
