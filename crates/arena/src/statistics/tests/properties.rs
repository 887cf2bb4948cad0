//! Property tests: statements that hold for all counts.

use games::{GameScore, Random};

use crate::statistics::distribution::Distribution;
use crate::{Hypothesis, Model, Sprt, Tally, report};

const MODELS: [Model; 2] = [Model::Logistic, Model::Normalized];

/// A count of any magnitude, often 0.
fn count(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => 0,
        1 => random.below(10) as u64,
        2 => random.below(100_000) as u64,
        _ => random.next_u64() >> random.below(64),
    }
}

/// A tally of pairs with or without quarters, or of single games.
fn tally(random: &mut Random) -> Tally {
    match random.below(3) {
        0 => Tally::from_pentanomial(std::array::from_fn(|_| count(random))),
        1 => Tally::from_games(count(random), count(random), count(random)),
        _ => {
            let mut tally = Tally::new();
            for _ in 0..random.below(30) {
                let (first, second) = (points(random.below(5)), points(random.below(5)));
                tally.add_pair(first, second);
            }
            for _ in 0..random.below(5) {
                tally.add_single(points(random.below(5)));
            }
            tally
        }
    }
}

fn points(quarters: usize) -> GameScore {
    GameScore::quarters(quarters as u8).expect("at most four")
}

/// A random number from `low` to `high`.
fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn sprt(random: &mut Random, model: Model) -> Sprt {
    let max = [5.0, 50.0, 1000.0][random.below(3)];
    let (a, b) = (between(random, -max, max), between(random, -max, max));
    Sprt::new(a.min(b), a.max(b) + 1e-5f64.min(1000.0 - a.max(b)), 0.05, 0.05, model)
        .unwrap_or_else(|_| Sprt::new(-1.0, 1.0, 0.05, 0.05, model).expect("sensible"))
}

#[test]
fn there_is_always_a_number() {
    let mut random = Random::new(1);
    for _ in 0..4000 {
        let tally = tally(&mut random);
        let estimate = tally.estimate();
        let numbers = [
            estimate.score,
            estimate.score_error,
            estimate.elo,
            estimate.elo_error,
            estimate.elo_low,
            estimate.elo_high,
            estimate.normalized,
            estimate.normalized_error,
            estimate.los,
        ];
        assert!(numbers.iter().all(|number| !number.is_nan()), "{tally:?}: {estimate:?}");
        assert!(estimate.elo_low <= estimate.elo && estimate.elo <= estimate.elo_high);
        assert!((0.0..=1.0).contains(&estimate.los) && estimate.score_error >= 0.0);
        for model in MODELS {
            let sprt = sprt(&mut random, model);
            let llr = sprt.llr(&tally);
            assert!(llr.is_finite(), "{tally:?} {sprt:?}: {llr}");
            assert!(report(&tally, Some(&sprt)).iter().all(|line| !line.contains("NaN")));
        }
    }
}

#[test]
fn swapping_sides_and_bounds_negates() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let tally = tally(&mut random);
        for model in MODELS {
            let sprt = sprt(&mut random, model);
            let (elo0, elo1) = sprt.elo();
            let mirrored = Sprt::new(-elo1, -elo0, 0.05, 0.05, model).expect("sensible");
            let (here, there) = (sprt.llr(&tally), mirrored.llr(&tally.swapped()));
            // Rounding errors of the observations add up, more so near a pole.
            let rounding = 1e-6 * here.abs().max(1.0) + 1e-13 * tally.games() as f64;
            assert!((here + there).abs() <= rounding, "{tally:?} {sprt:?}: {here} and {there}");
        }
    }
}

#[test]
fn the_likeliest_distribution_obeys_its_hypothesis() {
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let counts: [u64; 9] =
            std::array::from_fn(|_| random.below(1000) as u64 >> random.below(9));
        let Some(distribution) = Distribution::new(&counts, 2) else { continue };
        let t = between(&mut random, -3.0, 3.0);
        let (mean, deviation) = distribution.moments_at(&distribution.with_t_value(t));
        let found = (mean - 0.5) / deviation;
        assert!((found - t).abs() < 1e-6 * t.abs().max(1.0), "{counts:?}, {t}: {found}");
        let wanted = between(&mut random, 0.01, 0.99);
        let (mean, _) = distribution.moments_at(&distribution.with_mean(wanted));
        assert!((mean - wanted).abs() < 1e-9, "{counts:?}, {wanted}: {mean}");
    }
}

#[test]
fn no_other_distribution_with_the_same_t_value_is_likelier() {
    // Three outcomes have one degree of freedom once the t-value is given: scan it.
    let (counts, t) = ([70, 0, 100, 0, 120], 0.05);
    let distribution = Distribution::new(&counts, 1).expect("games");
    let best = -distribution.log_ratio(&[0.0; 3], &distribution.with_t_value(t));
    let mut greatest = f64::MIN;
    for step in 1..200_000 {
        let mean = 0.5 + 0.1 * f64::from(step) / 200_000.0;
        // Wins and draws from the mean and the mean of squares.
        let square = ((mean - 0.5) / t).powi(2) + mean * mean;
        let (draws, wins) = (4.0 * (mean - square), 2.0 * square - mean);
        let losses = 1.0 - draws - wins;
        if draws > 0.0 && wins > 0.0 && losses > 0.0 {
            let log = |share: f64, count: f64| count * (share / (count / 290.0)).ln();
            greatest = greatest.max(log(losses, 70.0) + log(draws, 100.0) + log(wins, 120.0));
        }
    }
    assert!((greatest - -best.abs()).abs() < 1e-5, "{greatest}, not {best}");
}

#[test]
fn a_better_result_is_never_worse_evidence() {
    // In normalised Elo a better result can lower the LLR if it increases the variance; that is
    // intended.
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let sprt = sprt(&mut random, Model::Logistic);
        let mut counts: [u64; 5] = std::array::from_fn(|_| 1 + random.below(100) as u64);
        let before = sprt.llr(&Tally::from_pentanomial(counts));
        let from = random.below(4);
        let to = from + 1 + random.below(4 - from);
        counts[from] -= 1;
        counts[to] += 1;
        let after = sprt.llr(&Tally::from_pentanomial(counts));
        assert!(after >= before - 1e-9, "{counts:?} {sprt:?}: {before} became {after}");
    }
}

#[test]
fn quarters_count() {
    let mut tally = Tally::new();
    let [won, stalemated, drawn] = [GameScore::WIN, points(3), GameScore::DRAW];
    tally.add_pair(stalemated, drawn);
    tally.add_pair(won, stalemated.rest());
    tally.add_pair(won, GameScore::LOSS);
    tally.add_single(stalemated);
    assert_eq!(tally.pairs_by_quarters(), [0, 0, 0, 0, 1, 2, 0, 0, 0]);
    assert_eq!(tally.pentanomial(), None);
    assert_eq!(tally.by_quarters(), Some([1, 1, 1, 2, 2]));
    assert_eq!(tally.won_and_lost(), Some(1));
    assert_eq!((tally.games(), tally.pairs()), (7, 3));
    assert!((tally.points() - 4.25).abs() < 1e-12);
    let text = report(&tally, None).join("\n");
    assert!(text.contains("ThreeQuarters: 2, OneQuarter: 1, Points: 4.25"), "{text}");
    assert!(text.contains("Pairs(0-8 quarters): [0, 0, 0, 0, 1, 2, 0, 0, 0]"), "{text}");
    // As evidence, three quarters also lie between a half and a win.
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, Model::Logistic).expect("sensible");
    let llr = |second: GameScore| {
        let mut tally = Tally::new();
        for _ in 0..50 {
            tally.add_pair(drawn, second);
            tally.add_pair(drawn, won);
            tally.add_pair(drawn, GameScore::LOSS);
        }
        sprt.llr(&tally)
    };
    assert!(llr(drawn) < llr(stalemated) && llr(stalemated) < llr(won));
}

#[test]
fn sums_of_tallies() {
    let mut random = Random::new(5);
    let (mut all, mut left, mut right) = (Tally::new(), Tally::new(), Tally::new());
    for index in 0..100 {
        let (first, second) = (points(random.below(5)), points(random.below(5)));
        all.add_pair(first, second);
        if index % 3 == 0 { &mut left } else { &mut right }.add_pair(first, second);
    }
    left += &right;
    assert_eq!(left, all);
    left += &Tally::from_pentanomial([1, 2, 3, 4, 5]);
    assert_eq!((left.pairs(), left.wins()), (115, None));
}

#[test]
fn one_outcome_only() {
    let won = Tally::from_games(20, 0, 0).estimate();
    assert_eq!((won.elo, won.elo_high), (f64::INFINITY, f64::INFINITY));
    // At a score of 83 %, twenty wins in a row have a probability of 2.5 %.
    assert!((won.elo_low - 277.4).abs() < 0.1, "{}", won.elo_low);
    assert!(won.los > 0.999_999);
    let drawn = Tally::from_games(0, 20, 0).estimate();
    assert!(drawn.elo.abs() < 1e-12 && drawn.elo_error > 20.0 && (drawn.los - 0.5).abs() < 1e-12);
    let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).expect("sensible");
    assert_eq!(sprt.verdict(&Tally::from_games(100_000, 1, 0)), Some(Hypothesis::H1));
}
