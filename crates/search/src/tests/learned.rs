//! The learned mode with an evaluator that is always right and sure of it, and with one that lies.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use games::connect_four::ConnectFour;
use games::{Game, Line, PolicyForm};
use nnue::{Calibration, CalibrationRanges, Correction};

use super::{Random, random_line};
use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, Linear, Opinion, Quantiles};
use crate::learned::Shadow;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::score;
use crate::search::{Job, Search, Shared, Worker};
use crate::table::Table;
use crate::time::Timer;

/// How far the evaluator sees from the root.
const HORIZON: usize = 6;

/// Knows the value of minimax to the horizon, and adds an error to it.
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
            calibration: Calibration::new(1, CalibrationRanges::default(), vec![Correction::NONE])
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
        assert!(ply <= HORIZON || self.error != 0, "nothing leads beyond the horizon");
        let position = self.line[ply].clone();
        let error = if position.hash().is_multiple_of(2) { self.error } else { -self.error };
        score::clamp_evaluation(self.minimax(&position, ply) + error)
    }

    fn quantiles(&mut self, _: Opinion) -> Option<Quantiles> {
        Some([self.evaluate(); 5])
    }

    fn calibration(&self, _: Opinion) -> Option<&Calibration> {
        Some(&self.calibration)
    }

    fn policy_form(&self) -> Option<PolicyForm> {
        Some(PolicyForm::FromTo)
    }
}

/// Scores of searches of 60 positions, what they should be, and what was counted.
fn searches(mode: SearchMode, error: i32) -> (Vec<(i32, i32)>, Shadow) {
    let mut random = Random(0x0AC1E);
    let mut counted = Shadow::default();
    let scores = (0..60).map(|number| {
        let line: Line<ConnectFour> = random_line(&mut random, number % 24);
        let limits = Limits::to_depth(HORIZON);
        let moves = line.position().legal_moves();
        // Nothing is extended: the evaluator does not see so far.
        let mut params = Params { learned_free: 0, ..Params::default() };
        for part in ["learned_ordering", "learned_reductions", "learned_cutoffs"] {
            assert!(params.set(part, 1));
        }
        let job = Job {
            line: &line,
            limits: &limits,
            moves: &moves,
            multi_pv: 1,
            table: Some(&Table::new(1).unwrap()),
            control: &Control::new(),
            timer: Timer::new(&limits, &params, Duration::ZERO, Instant::now()),
            shared: &Shared::new(1),
            selective: true,
            mode,
            sample: None,
        };
        let mut search = Search::new(Oracle::new(error), &params);
        assert!(search.can_learn());
        search.set_shadow(1);
        search.search(&job, 0, &mut |_| {});
        counted = counted + search.set_shadow(0);
        let expected = Oracle::new(0).minimax(line.position(), 0);
        let clamped = score::clamp_evaluation;
        (clamped(search.root_moves[0].score), clamped(expected))
    });
    (scores.collect(), counted)
}

#[test]
fn who_is_right_and_sure_finds_the_minimax_value() {
    for mode in [SearchMode::Learned, SearchMode::Seed] {
        let (scores, shadow) = searches(mode, 0);
        for (number, (found, expected)) in scores.into_iter().enumerate() {
            assert_eq!(found, expected, "position {number}, {mode:?}");
        }
        // What checks a cutoff is a search that leaves moves out, so it may be wrong itself.
        let (cuts, wrong) = (shadow.cuts.iter().sum::<u64>(), shadow.wrong.iter().sum::<u64>());
        assert!(cuts > 100 && wrong * 50 < cuts, "{shadow:?}");
    }
}

#[test]
fn shadows_tell_who_is_wrong_and_sure() {
    let (scores, shadow) = searches(SearchMode::Learned, 30);
    assert!(scores.iter().any(|(found, expected)| found != expected));
    let (checked, wrong) = (shadow.checked.iter().sum::<u64>(), shadow.wrong.iter().sum::<u64>());
    assert!(wrong * 20 > checked && checked > 100, "{shadow:?}");
}
