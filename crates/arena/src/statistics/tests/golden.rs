//! Reference values of fastchess and OpenBench.

use crate::{Model, Sprt, Tally, report};

fn llr(tally: &Tally, elo0: f64, elo1: f64, model: Model) -> f64 {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a sensible test").llr(tally)
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
}

#[test]
fn pentanomial_normalised() {
    let first = Tally::from_pentanomial([365, 16618, 36229, 16974, 390]);
    close(llr(&first, 0.0, 2.0, Model::Normalized), 2.25, 0.005);
    let second = Tally::from_pentanomial([379, 10170, 21828, 10640, 343]);
    close(llr(&second, 0.0, 2.0, Model::Normalized), 2.945, 0.0015);
}

#[test]
fn the_line_of_fastchess() {
    let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized).expect("a sensible test");
    let tally = Tally::from_pentanomial([365, 16618, 36229, 16974, 390]);
    assert_eq!(sprt.line(&tally), "LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]");
    assert_eq!(report(&tally, Some(&sprt)).last(), Some(&sprt.line(&tally)));
}

/// Values from the tests of fastchess.
#[test]
fn estimates() {
    for (wins, losses, draws, normalized, error, los) in [
        (76, 89, 123, -20.76, 40.13, 15.53),
        (136, 96, 111, 49.77, 36.77, 99.60),
        (34, 356, 0, -508.44, 34.48, 0.0),
    ] {
        let estimate = Tally::from_games(wins, draws, losses).estimate();
        close(estimate.normalized, normalized, 0.01);
        close(estimate.normalized_error, error, 0.01);
        close(100.0 * estimate.los, los, 0.01);
    }
    let estimate = Tally::from_games(136, 111, 96).estimate();
    close(estimate.elo, 40.70, 0.01);
    close(estimate.elo_error, 30.43, 0.01);

    for (pairs, elo, error, normalized, normalized_error, los) in [
        ([75, 64, 63, 54, 34], -55.58, 27.65, -57.94, 28.28, 0.0),
        ([334, 333, 498, 433, 332], 8.64, 10.33, 9.17, 10.96, 94.95),
    ] {
        let estimate = Tally::from_pentanomial(pairs).estimate();
        close(estimate.elo, elo, 0.01);
        close(estimate.elo_error, error, 0.01);
        close(estimate.normalized, normalized, 0.01);
        close(estimate.normalized_error, normalized_error, 0.01);
        close(100.0 * estimate.los, los, 0.01);
    }
}

#[test]
fn bounds_and_decisions() {
    let sprt = Sprt::new(0.0, 2.0, 0.05, 0.1, Model::Normalized).expect("a sensible test");
    let (lower, upper) = sprt.bounds();
    close(lower, (0.1f64 / 0.95).ln(), 1e-15);
    close(upper, (0.9f64 / 0.05).ln(), 1e-15);
    assert_eq!(sprt.decide(upper), Some(crate::Hypothesis::H1));
    assert_eq!(sprt.decide(lower), Some(crate::Hypothesis::H0));
    assert_eq!(sprt.decide(0.0), None);
    close(sprt.llr(&Tally::new()), 0.0, 0.0);
    close(sprt.fraction(lower / 2.0), -0.5, 1e-15);
}

#[test]
fn absurd_tests_are_refused() {
    let error = |elo0, elo1, alpha, beta| {
        Sprt::new(elo0, elo1, alpha, beta, Model::Logistic).expect_err("absurd").to_string()
    };
    assert!(error(2.0, 0.0, 0.05, 0.05).contains("elo0 is 2 and elo1 is 0"));
    assert!(error(2.0, 2.0, 0.05, 0.05).contains("smaller"));
    assert!(error(f64::NAN, 2.0, 0.05, 0.05).contains("elo0 is NaN"));
    assert!(error(0.0, f64::INFINITY, 0.05, 0.05).contains("elo1 is inf"));
    assert!(error(0.0, 2.0, 0.0, 0.05).contains("alpha is 0"));
    assert!(error(0.0, 2.0, 0.05, 0.7).contains("beta is 0.7"));
}
