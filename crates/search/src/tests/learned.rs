//! Learned selectivity with an evaluator that is exact and certain, and with one that is wrong and
//! certain.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use games::connect_four::ConnectFour;
use games::{Game, GameHistory, PolicyForm};
use nnue::{Calibration, CalibrationRanges, ConformalAdjustment};

use super::{Random, random_game};
use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, Linear, NetworkSize, Quantiles};
use crate::learned::ShadowStats;
use crate::limits::{Control, Limits};
use crate::params::{Params, Selectivity};
use crate::score;
use crate::search::{Search, SearchJob, SharedState, Worker};
use crate::time_management::TimeManager;
use crate::transposition_table::TranspositionTable;

/// How many plies from the root the evaluator searches.
const HORIZON: usize = 6;

/// Evaluates by minimax to the horizon, and adds an error.
struct Oracle {
    line: Vec<ConnectFour>,
    known: HashMap<(u64, usize), i32>,
    material: Linear<ConnectFour>,
    calibration: Calibration,
    error: i32,
}

impl Oracle {
    fn new(error: i32) -> Self {
        Self {
            line: vec![ConnectFour::start()],
            known: HashMap::new(),
            material: Linear::material().unwrap(),
            calibration: Calibration::new(
                1,
                CalibrationRanges::default(),
                vec![ConformalAdjustment::IDENTITY],
            )
            .unwrap(),
            error,
        }
    }

    fn minimax(&mut self, position: &ConnectFour, ply: usize) -> i32 {
        if let Some(outcome) = position.outcome() {
            return score::of_outcome(position, outcome, ply);
        }
        if let Some(&known) = self.known.get(&(position.hash(), ply)) {
            return known;
        }
        let value = if ply >= HORIZON {
            self.material.reset(position);
            self.material.evaluate()
        } else {
            let moves = position.legal_moves().into_iter().map(|mv| {
                let mut child = position.clone();
                child.play(mv);
                -self.minimax(&child, ply + 1)
            });
            moves.max().unwrap()
        };
        self.known.insert((position.hash(), ply), value);
        value
    }
}

impl Evaluator<ConnectFour> for Oracle {
    fn reset(&mut self, position: &ConnectFour) {
        self.line = vec![position.clone()];
        self.known.clear();
    }

    fn push(&mut self, position: &ConnectFour) {
        self.line.push(position.clone());
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self) -> i32 {
        let ply = self.line.len() - 1;
        assert!(ply <= HORIZON || self.error != 0, "nothing is searched beyond the horizon");
        let position = self.line[ply].clone();
        let error = if position.hash().is_multiple_of(2) { self.error } else { -self.error };
        score::clamp_evaluation(self.minimax(&position, ply) + error)
    }

    fn quantiles(&mut self, _: NetworkSize) -> Option<Quantiles> {
        Some([self.evaluate(); 5])
    }

    fn calibration(&self, _: NetworkSize) -> Option<&Calibration> {
        Some(&self.calibration)
    }

    fn policy_form(&self) -> Option<PolicyForm> {
        Some(PolicyForm::FromTo)
    }
}

/// Scores of searches of 60 positions, what they should be, and the counts of shadow searches.
fn searches(mode: SearchMode, error: i32) -> (Vec<(i32, i32)>, ShadowStats) {
    let mut random = Random(0x0AC1E);
    let mut counted = ShadowStats::default();
    let scores = (0..60).map(|number| {
        let game: GameHistory<ConnectFour> = random_game(&mut random, number % 24);
        let limits = Limits::to_depth(HORIZON);
        let moves = game.position().legal_moves();
        // No extensions: the evaluator searches to the horizon only.
        let params = Params {
            policy_lmr_offset: 0,
            learned_ordering: Selectivity::Learned,
            learned_reductions: Selectivity::Learned,
            learned_cutoffs: Selectivity::Learned,
            ..Params::default()
        };
        let job = SearchJob {
            history: &game,
            limits: &limits,
            moves: &moves,
            multi_pv: 1,
            table: Some(&TranspositionTable::new(1).unwrap()),
            control: &Control::new(),
            time: TimeManager::new(&limits, &params, Duration::ZERO, Instant::now()),
            shared: &SharedState::new(1),
            selective: true,
            mode,
            sample: None,
        };
        let mut search = Search::new(Oracle::new(error), &params);
        assert!(search.supports_learned());
        search.set_shadow_rate(1);
        search.search(&job, 0, &mut |_| {});
        counted = counted + search.set_shadow_rate(0);
        let expected = Oracle::new(0).minimax(game.position(), 0);
        let clamped = score::clamp_evaluation;
        (clamped(search.root_moves[0].score), clamped(expected))
    });
    (scores.collect(), counted)
}

#[test]
fn an_exact_and_certain_evaluator_finds_the_minimax_value() {
    for mode in [SearchMode::Learned, SearchMode::Seed] {
        let (scores, shadow) = searches(mode, 0);
        for (number, (found, expected)) in scores.into_iter().enumerate() {
            assert_eq!(found, expected, "position {number}, {mode:?}");
        }
        // A shadow search prunes moves itself, so it may be wrong.
        let (cuts, wrong) = (shadow.cutoffs.iter().sum::<u64>(), shadow.wrong.iter().sum::<u64>());
        assert!(cuts > 100 && wrong * 50 < cuts, "{shadow:?}");
    }
}

#[test]
fn shadow_searches_find_an_evaluator_that_is_wrong_and_certain() {
    let (scores, shadow) = searches(SearchMode::Learned, 30);
    assert!(scores.iter().any(|(found, expected)| found != expected));
    let (checked, wrong) = (shadow.checked.iter().sum::<u64>(), shadow.wrong.iter().sum::<u64>());
    assert!(wrong * 20 > checked && checked > 100, "{shadow:?}");
}
