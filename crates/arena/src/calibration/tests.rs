//! Tests of calibration with processes whose quantiles are known.

use games::Random;

use super::*;

/// A uniform number between 0 and 1.
fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A normal number, as the sum of twelve uniform ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

/// The quantiles of the standard normal distribution at the levels.
const NORMAL: [f64; LEVELS] = [-1.2816, -0.6745, 0.0, 0.6745, 1.2816];

/// Positions whose target spreads by `spread(depth, pieces, value)` times their own width, and a
/// network that predicts that width, `factor` times too wide, without the effect of depth, pieces
/// and value.
fn samples(count: usize, factor: f64, spread: fn(usize, usize, f64) -> f64) -> Vec<QuantileSample> {
    let mut random = Random::new(7);
    let sample = |_| {
        let (depth, pieces) = ([4, 8, 12][random.below(3)], 2 + random.below(31));
        let (middle, own) = (400.0 * normal(&mut random), 20.0 + 80.0 * uniform(&mut random));
        let target = middle + own * spread(depth, pieces, middle) * normal(&mut random);
        QuantileSample {
            quantiles: NORMAL.map(|at| (middle + factor * own * at).round() as i32),
            target: target.round() as i32,
            depth,
            pieces,
        }
    };
    (0..count).map(sample).collect()
}

fn spread(depth: usize, pieces: usize, value: f64) -> f64 {
    let decided = if value.abs() > 200.0 { 2.0 } else { 1.0 };
    decided * (depth as f64 / 6.0 + pieces as f64 / 64.0)
}

fn farthest(coverage: [f64; LEVELS]) -> f64 {
    let off =
        coverage.iter().zip(QUANTILE_LEVELS).map(|(found, level)| (found - f64::from(level)).abs());
    off.fold(0.0, f64::max)
}

#[test]
fn honest_quantiles_are_covered_and_others_are_not() {
    assert!(farthest(coverage(&samples(40_000, 1.0, |_, _, _| 1.0))) < 0.01);
    assert!(farthest(coverage(&samples(40_000, 0.5, |_, _, _| 1.0))) > 0.1);
}

#[test]
fn corrections_hold_for_other_positions_of_the_kind() {
    let all = samples(120_000, 0.4, spread);
    let (known, new) = all.split_at(60_000);
    let calibration = fit(known, ranges_of(known)).unwrap();
    assert_eq!(calibration.ranges().depths, [4, 8]);
    assert_eq!(calibration.ranges().pieces, [8, 16, 24]);
    let corrected: Vec<QuantileSample> =
        new.iter().map(|sample| sample.calibrated(&calibration)).collect();
    assert!(farthest(coverage(new)) > 0.15);
    assert!(farthest(coverage(&corrected)) < 0.01, "{:?}", coverage(&corrected));
    for depth in [4, 8, 12] {
        for pieces in [5, 12, 20, 30] {
            let near = |sample: &&QuantileSample| {
                sample.depth == depth && sample.pieces.abs_diff(pieces) < 3
            };
            let found = coverage(corrected.iter().filter(near));
            assert!(farthest(found) < 0.03, "{depth} {pieces} {found:?}");
        }
    }
    let blind = nnue::CalibrationRanges { values: vec![], ..ranges_of(known) };
    let blind = fit(known, blind).unwrap();
    for (first, last) in [(0, 50), (51, 200), (201, 9000)] {
        let size =
            |sample: &&QuantileSample| (first..=last).contains(&sample.quantiles[MEDIAN].abs());
        let covered = |calibration: &Calibration| {
            let samples: Vec<_> =
                new.iter().filter(size).map(|sample| sample.calibrated(calibration)).collect();
            farthest(coverage(&samples))
        };
        let off = [covered(&calibration), covered(&blind)];
        assert!(off[0] < 0.025 && off[1] > 0.04, "values {first} to {last}: {off:?}");
    }
    assert!(pinball(&corrected) < pinball(new));
}

#[test]
fn few_positions_take_the_correction_of_their_neighbours() {
    let some: Vec<QuantileSample> = samples(3000, 0.4, spread);
    let mut rare = some.clone();
    rare.extend(some.iter().take(20).map(|sample| QuantileSample { depth: 30, ..*sample }));
    let calibration = fit(&rare, ranges_of(&rare)).unwrap();
    assert_eq!(calibration.conformal(30, 8, 0), calibration.conformal(30, 32, 900));
    let nothing = fit(&[], nnue::CalibrationRanges::default()).unwrap();
    assert_eq!(nothing.conformal(8, 8, 0), &nnue::ConformalAdjustment::IDENTITY);
}

#[test]
fn skill_is_what_widths_know_of_single_positions() {
    let informative = samples(40_000, 1.0, |_, _, _| 1.0);
    let skill = pinball_skill(&informative);
    assert!((0.03..0.3).contains(&skill), "{skill}");
    // The same widths, shuffled, carry no information: worse than one width for all.
    let permuted = shuffled(&informative);
    assert!(pinball_skill(&permuted) < 0.0);
    let widths = |samples: &[QuantileSample]| {
        let mut widths: Vec<_> =
            samples.iter().map(|sample| (sample.depth, sample.width())).collect();
        widths.sort_unstable();
        widths
    };
    assert_eq!(widths(&permuted), widths(&informative));
    assert!(
        permuted.iter().zip(&informative).all(|(a, b)| a.quantiles[MEDIAN] == b.quantiles[MEDIAN])
    );
}

#[test]
fn ranks_correlate_as_they_should() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
    near(spearman(&[1.0, 2.0, 3.0, 9.0], &[10.0, 20.0, 30.0, 31.0]), 1.0);
    near(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, -7.0]), -1.0);
    near(spearman(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 1.0, 2.0]), 0.0);
    // By hand: ranks 1 2 3 4 5 and 2 1 4 3 5, squared differences 4, 1 − 6·4 / (5·24).
    near(spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 4.0, 3.0, 5.0]), 0.8);
}

#[test]
fn policies_are_judged_by_the_place_of_the_best_move() {
    let mut tally = PolicyTally::default();
    tally.add(&[0.0, 2.0, 1.0, -1.0], 1);
    tally.add(&[0.0, 2.0, 1.0, -1.0], 3);
    assert_eq!(tally.positions(), 2);
    assert_eq!(tally.among().map(|share| (2.0 * share) as i32), [1, 1, 2]);
    assert!((tally.mean_rank() - 2.5).abs() < 1e-9);
    let mut even = PolicyTally::default();
    even.add(&[3.0; 8], 5);
    assert!((even.log_loss() - 8f64.ln()).abs() < 1e-9);
    assert_eq!(even.among().map(|share| share as i32), [0, 0, 1]);
}

#[test]
fn groups_that_are_off_are_marked() {
    let honest = samples(40_000, 1.0, |_, _, _| 1.0);
    let groups = Group::all(&honest);
    assert_eq!(groups[..4], [Group::All, Group::Depth(4), Group::Depth(8), Group::Depth(12)]);
    let of = |group: Group, samples: &[QuantileSample]| {
        let members: Vec<QuantileSample> =
            samples.iter().filter(|sample| group.has(sample)).copied().collect();
        Coverage::of(group, members.iter())
    };
    for &group in &groups {
        let coverage = of(group, &honest);
        assert!(!coverage.is_off, "{group} {coverage:?}");
        assert!((coverage.between() - 0.8).abs() < 0.04, "{group} {coverage:?}");
    }
    // Each position is in one group of each kind.
    let total = |kind: fn(&Group) -> bool| -> usize {
        groups.iter().filter(|group| kind(group)).map(|&group| of(group, &honest).count).sum()
    };
    assert_eq!(total(|group| matches!(group, Group::Depth(_))), 40_000);
    assert_eq!(total(|group| matches!(group, Group::Pieces(..))), 40_000);
    assert_eq!(total(|group| matches!(group, Group::Value(..))), 40_000);
    let narrow = samples(40_000, 0.6, |_, _, _| 1.0);
    assert!(groups.iter().filter(|group| group.has(&narrow[0])).all(|&g| of(g, &narrow).is_off));
    assert!(!of(Group::All, &narrow[..999]).is_off, "too few to say so");
    assert!(of(Group::All, &narrow).between() < 0.7);
}

/// Observations whose width and shallow scores are signals of this quality, from 0 to 1.
fn observations(width: f64, shallow: f64) -> Vec<Observation> {
    let mut random = Random::new(3);
    let observation = |number| {
        let spread = 20.0 + 200.0 * uniform(&mut random);
        let target = spread * normal(&mut random);
        let seen = width * spread + (1.0 - width) * 220.0 * uniform(&mut random);
        let near = shallow * target + (1.0 - shallow) * 100.0 * normal(&mut random);
        let score = |depth, score: f64| dataset::DepthScore { depth, score: score as i16 };
        Observation {
            game: number,
            pieces: 20,
            quantiles: NORMAL.map(|at| (at * seen).round() as i32),
            baseline: 0,
            scores: vec![score(1, near), score(8, target)],
        }
    };
    (0..4000).map(observation).collect()
}

#[test]
fn signals_are_compared_on_the_same_positions() {
    let correlations = |all: &[Observation]| {
        let all: Vec<&Observation> = all.iter().collect();
        let signals = Signals::of(&all, None);
        assert_eq!(signals.positions, 4000);
        let names: Vec<_> = signals.correlations.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[..2], ["width q90 − q10", "|depth 1 − static|"]);
        signals.correlations.iter().map(|(_, correlation)| *correlation).collect::<Vec<_>>()
    };
    let informative = correlations(&observations(1.0, 0.0));
    assert!(informative[0] > 0.3 && informative[1].abs() < 0.06, "{informative:?}");
    let guesses = correlations(&observations(0.0, 1.0));
    assert!(guesses[0].abs() < 0.06 && guesses[1] > 0.99, "{guesses:?}");
}

#[test]
fn games_are_halved_the_same_way_each_time() {
    let fitted = (0..10_000).filter(|&game| is_fitted_on(game)).count();
    assert!((4800..5200).contains(&fitted), "{fitted}");
    assert!((0..100).all(|game| is_fitted_on(game) == is_fitted_on(game)));
}
