//! SPSA on problems with a known optimum, and its determinism.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ::games::Game;
use ::games::Random;
use ::games::chess::Chess;
use search::{Engine, EngineOptions, Params};

use super::*;
use crate::{Openings, Rules, SearchLimits};

fn param(name: &str, start: f64, min: f64, max: f64, step: f64) -> TunedParam {
    TunedParam { name: name.into(), start, min, max, step }
}

/// Parameters of very different ranges, the last with a step below 1.
fn params() -> Vec<TunedParam> {
    vec![
        param("large", 3000.0, 1000.0, 9000.0, 400.0),
        param("middle", 150.0, 30.0, 200.0, 9.0),
        param("small", 3.0, 1.0, 10.0, 0.5),
    ]
}

const BEST: [f64; 3] = [5200.0, 80.0, 6.0];

/// The strength of values: 0 Elo at the optimum, 100 less for each parameter half a range away.
fn strength(values: &[i32]) -> f64 {
    let parts = values.iter().zip(params()).zip(BEST);
    let loss = |((&value, param), best): ((&i32, TunedParam), f64)| {
        let off = (f64::from(value) - best) / ((param.max - param.min) / 2.0);
        100.0 * off * off
    };
    -parts.map(loss).sum::<f64>()
}

/// The result of games whose outcomes are random.
fn meet(trial: &Trial, games: u64) -> f64 {
    let mut random = Random::new(trial.iteration.wrapping_mul(0x9E37_79B9));
    let edge = strength(&trial.first) - strength(&trial.second);
    let score = 1.0 / (1.0 + 10f64.powf(-edge / 400.0));
    let mut result = 0.0;
    for _ in 0..games {
        let unit = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        result += if unit < score { 1.0 } else { -1.0 };
    }
    result
}

fn spsa(iterations: u64, seed: u64) -> Spsa {
    Spsa::new(params(), Gains::default(), iterations, seed).expect("a sound tuning")
}

fn keep_on(_: &Spsa) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_best_values_are_found_in_noise() {
    let mut total = 0.0;
    for seed in 0..8 {
        let mut spsa = spsa(3000, seed);
        tune(&mut spsa, |trial| Some(meet(trial, 32)), keep_on);
        assert_eq!(spsa.progress().iteration, 3000);
        let rounded: Vec<i32> = spsa.progress().values.iter().map(|v| v.round() as i32).collect();
        let start: Vec<i32> = params().iter().map(|param| param.start as i32).collect();
        println!("{rounded:?}: {:.1} instead of {:.1}", strength(&rounded), strength(&start));
        assert!(strength(&rounded) > 0.4 * strength(&start), "seed {seed}: {rounded:?}");
        total += strength(&rounded) / strength(&start) / 8.0;
    }
    // Noise remains, but most of the missing strength must be found.
    assert!(total < 0.05, "{total}");
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let mut whole = spsa(100, 5);
    tune(&mut whole, |trial| Some(meet(trial, 8)), keep_on);
    for stop in [0, 1, 37, 99] {
        let mut first = spsa(100, 5);
        tune(&mut first, |trial| (trial.iteration < stop).then(|| meet(trial, 8)), keep_on);
        assert_eq!(first.progress().iteration, stop);
        let mut second = spsa(100, 5).resume(first.progress().clone()).expect("its own progress");
        tune(&mut second, |trial| Some(meet(trial, 8)), keep_on);
        assert_eq!(second, whole);
    }
}

#[test]
fn a_trial_is_balanced_and_within_range() {
    let mut spsa = spsa(2000, 9);
    let mut ups = [0u32; 3];
    let mut sums = [0.0; 3];
    while let Some(trial) = spsa.trial() {
        assert_eq!(spsa.trial().as_ref(), Some(&trial));
        for (index, param) in params().iter().enumerate() {
            let (first, second) = (f64::from(trial.first[index]), f64::from(trial.second[index]));
            for value in [first, second] {
                assert!((param.min..=param.max).contains(&value), "{trial:?}");
            }
            ups[index] += u32::from(trial.signs[index] > 0.0);
            sums[index] += f64::midpoint(first, second) / 2000.0;
        }
        // All games are drawn, so the values stay.
        spsa.update(&trial, 0.0);
    }
    for (index, param) in params().iter().enumerate() {
        assert!(ups[index].abs_diff(1000) < 100, "{ups:?}");
        assert!((sums[index] - param.start).abs() < 0.05, "{sums:?}");
        assert!((spsa.progress().values[index] - param.start).abs() < 1e-12);
    }
}

#[test]
fn values_stay_in_their_range() {
    let mut spsa = spsa(50, 1);
    tune(&mut spsa, |trial| Some(if trial.signs[0] > 0.0 { 1e9 } else { -1e9 }), keep_on);
    assert!((spsa.progress().values[0] - 9000.0).abs() < 1e-9);
}

#[test]
fn unsound_tunings_are_refused() {
    let make = |params, gains| Spsa::new(params, gains, 10, 0).map(|_| ());
    let fine = Gains::default();
    assert_eq!(make(Vec::new(), fine), Err(SpsaError::Empty));
    for bad in [
        param("x", 11.0, 0.0, 10.0, 1.0),
        param("x", f64::NAN, 0.0, 10.0, 1.0),
        param("x", 5.0, 0.0, 10.0, 0.0),
        param("x", 5.0, 0.0, 10.0, 6.0),
        param("x", 5.0, 0.0, f64::INFINITY, 1.0),
    ] {
        assert!(matches!(make(vec![bad], fine), Err(SpsaError::Param(_))));
    }
    let twice = vec![param("x", 5.0, 0.0, 10.0, 1.0); 2];
    assert_eq!(make(twice, fine), Err(SpsaError::Duplicate("x".into())));
    let gains = Gains { rate: f64::NAN, ..fine };
    assert!(matches!(make(params(), gains), Err(SpsaError::Gain { name: "rate", .. })));
    for progress in [
        SpsaProgress { iteration: 11, values: BEST.to_vec() },
        SpsaProgress { iteration: 1, values: vec![5200.0] },
        SpsaProgress { iteration: 1, values: vec![5200.0, 80.0, f64::NAN] },
    ] {
        assert!(matches!(spsa(10, 0).resume(progress), Err(SpsaError::Progress(_))));
    }
}

/// The games of one trial between two sets of values.
fn played(concurrency: usize, trial: u64, sides: [&Params; 2]) -> f64 {
    let nodes = SearchLimits { nodes: Some(200), ..SearchLimits::default() };
    let openings = Openings::start(Chess::start()).with_random_plies(6..=6, 1);
    let games = TuningGames {
        openings: openings.expect("not too many"),
        rules: Rules { limits: [nodes; 2], ..Rules::default() },
        pairs: 4,
    };
    let engine = || {
        let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
        Engine::new(options).expect("a small engine")
    };
    let engines = (0..concurrency).map(|_| [engine(), engine()]).collect();
    let mut arena = TuningMatch::new(games, engines);
    arena.play(trial, sides, &AtomicBool::new(false)).expect("not stopped")
}

#[test]
fn games_do_not_depend_on_concurrency() {
    let (usual, mut strange) = (Params::default(), Params::default());
    assert!(strange.set("lmr_base", 1800) && strange.set("futility_margin", 30));
    for trial in [0, 3] {
        let result = played(1, trial, [&usual, &strange]);
        assert!(result.abs() <= 8.0);
        assert!((played(3, trial, [&usual, &strange]) - result).abs() < 1e-12);
        assert!((played(2, trial, [&strange, &usual]) + result).abs() < 1e-12);
    }
    // Equal engines play both games of a pair alike.
    assert!(played(2, 1, [&usual, &usual]).abs() < 1e-12);
}
