//! Simulated matches: the error rates of the SPRT and the coverage of error bars.

use games::{GameScore, Random};

use crate::statistics::{NORMALISED_ELO, elo_of};
use crate::{Hypothesis, Model, Sprt, Tally};

/// Two engines. Openings favour a side by up to `bias`, which makes the games of a pair dependent.
#[derive(Clone, Copy)]
struct Engines {
    edge: f64,
    draws: f64,
    bias: f64,
}

impl Engines {
    /// The probabilities of a loss, a draw and a win for the side that the opening favours by
    /// `favour`.
    fn chances(self, favour: f64) -> [f64; 3] {
        let lean = self.edge + favour;
        [(1.0 - self.draws) / 2.0 - lean, self.draws, (1.0 - self.draws) / 2.0 + lean]
    }

    fn game(self, favour: f64, random: &mut Random) -> GameScore {
        let [loss, draw, _] = self.chances(favour);
        let drawn = unit(random);
        match drawn {
            _ if drawn < loss => GameScore::LOSS,
            _ if drawn < loss + draw => GameScore::DRAW,
            _ => GameScore::WIN,
        }
    }

    fn pair(self, random: &mut Random) -> (GameScore, GameScore) {
        let favour = if random.below(2) == 0 { self.bias } else { -self.bias };
        (self.game(favour, random), self.game(-favour, random))
    }

    /// The true score, and the true standard deviation of a game as pairs show it.
    fn truth(self) -> (f64, f64) {
        // The mean does not depend on the opening: the favours cancel in a pair.
        let score = 0.5 + self.edge;
        let variance = |favour: f64| {
            let [_, draw, win] = self.chances(favour);
            let mean = win + draw / 2.0;
            win + draw / 4.0 - mean * mean
        };
        // The variance of the mean of a pair does not depend on the opening; that of a game is
        // twice as large.
        (score, f64::midpoint(variance(self.bias), variance(-self.bias)).sqrt())
    }

    fn elo(self, model: Model) -> f64 {
        let (score, deviation) = self.truth();
        match model {
            Model::Logistic => elo_of(score),
            Model::Normalized => NORMALISED_ELO * (score - 0.5) / deviation,
        }
    }
}

fn unit(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Engines with this Elo difference.
fn engines(elo: f64, model: Model) -> Engines {
    let mut engines = Engines { edge: 0.0, draws: 0.4, bias: 0.15 };
    let (mut low, mut high) = (-0.1, 0.1);
    for _ in 0..60 {
        engines.edge = f64::midpoint(low, high);
        if engines.elo(model) < elo { low = engines.edge } else { high = engines.edge }
    }
    engines
}

/// The share of `runs` tests that accept H1, with a decision every `every` pairs, and their mean
/// number of games.
fn accepted(engines: Engines, sprt: &Sprt, runs: u64) -> (f64, f64) {
    let (mut accepted, mut games) = (0, 0);
    for seed in 0..runs {
        let mut random = Random::new(seed);
        let mut tally = Tally::new();
        let verdict = loop {
            for _ in 0..8 {
                let (first, second) = engines.pair(&mut random);
                tally.add_pair(first, second);
            }
            if let Some(verdict) = sprt.verdict(&tally) {
                break verdict;
            }
        };
        accepted += u64::from(verdict == Hypothesis::H1);
        games += tally.games();
    }
    (accepted as f64 / runs as f64, games as f64 / runs as f64)
}

#[test]
fn tests_err_as_often_as_they_may() {
    const RUNS: u64 = 600;
    // Three standard deviations of a share of 5 %.
    let slack = 3.0 * (0.05f64 * 0.95 / RUNS as f64).sqrt();
    for model in [Model::Logistic, Model::Normalized] {
        let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05, model).expect("sensible");
        let (wrong, games) = accepted(engines(0.0, model), &sprt, RUNS);
        // The predicted length. The last pairs overshoot the bound, so tests take slightly longer.
        let promised = sprt.outlook(0.0, engines(0.0, model).truth().1);
        println!("{model}: promised {:.3}, {:.0} games", promised.pass, promised.games);
        assert!((promised.pass - 0.05).abs() < 1e-9, "{model}: {promised:?}");
        assert!((0.9..1.25).contains(&(games / promised.games)), "{model}: {games}, {promised:?}");
        println!("{model}: false positives {wrong:.3}, {games:.0} games");
        assert!(wrong <= 0.05 + slack, "{model}: {wrong}");
        // Much less would mean that the test wastes games.
        assert!(wrong >= 0.01, "{model}: {wrong}");
        let (right, games) = accepted(engines(40.0, model), &sprt, RUNS);
        println!("{model}: false negatives {:.3}, {games:.0} games", 1.0 - right);
        assert!(1.0 - right <= 0.05 + slack, "{model}: {right}");
        assert!(1.0 - right >= 0.01, "{model}: {right}");
    }
}

#[test]
fn error_bars_cover_the_truth() {
    const RUNS: u64 = 1000;
    let engines = engines(25.0, Model::Logistic);
    let (mut elo, mut normalized, mut superior) = (0, 0, 0.0);
    for seed in 0..RUNS {
        let mut random = Random::new(1_000_000 + seed);
        let mut tally = Tally::new();
        for _ in 0..200 {
            let (first, second) = engines.pair(&mut random);
            tally.add_pair(first, second);
        }
        let estimate = tally.estimate();
        let truth = engines.elo(Model::Logistic);
        elo += u64::from(estimate.elo_low <= truth && truth <= estimate.elo_high);
        let off = (estimate.normalized - engines.elo(Model::Normalized)).abs();
        normalized += u64::from(off <= estimate.normalized_error);
        superior += estimate.los / RUNS as f64;
    }
    let slack = 3.0 * (0.05f64 * 0.95 / RUNS as f64).sqrt();
    for covered in [elo, normalized] {
        let share = covered as f64 / RUNS as f64;
        println!("covered {share:.3}");
        assert!((share - 0.95).abs() <= slack, "{share}");
    }
    assert!(superior > 0.8, "{superior}");
}

#[test]
fn pairs_see_through_unbalanced_openings() {
    // The same games, with and without pairing: pairs cancel the effect of openings.
    let engines = Engines { edge: 0.02, draws: 0.3, bias: 0.3 };
    let mut random = Random::new(7);
    let (mut paired, mut single) = (Tally::new(), Tally::new());
    for _ in 0..2000 {
        let (first, second) = engines.pair(&mut random);
        paired.add_pair(first, second);
        single.add_single(first);
        single.add_single(second);
    }
    let (paired, single) = (paired.estimate(), single.estimate());
    assert!((paired.elo - single.elo).abs() < 1e-9);
    assert!(paired.elo_error < 0.85 * single.elo_error, "{paired:?} {single:?}");
}
