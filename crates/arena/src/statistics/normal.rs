//! Normal distribution: the cumulative distribution function.

/// The number of standard deviations around the mean that contain 95 %.
pub(super) const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// The probability of a value below this number of standard deviations from the mean.
pub(super) fn below(deviations: f64) -> f64 {
    let tail = upper_tail(deviations.abs());
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

/// The probability of a value above this non-negative number of standard deviations.
fn upper_tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 4.0 {
        // The series x + x³/3 + x⁵/(3·5) + …
        let (mut term, mut sum) = (x, x);
        for odd in (3..).step_by(2).map(f64::from) {
            term *= x * x / odd;
            sum += term;
            if term <= sum * f64::EPSILON {
                break;
            }
        }
        0.5 - density * sum
    } else {
        // The continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …, from the inside.
        let inner = (1..=60).rev().map(f64::from).fold(x, |rest, step| x + step / rest);
        density / inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_tables() {
        for (deviations, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (DEVIATIONS_95, 0.975),
            (3.9, 0.999_951_903_655_982),
            (-5.0, 2.866_515_718_791_94e-7),
            (f64::NEG_INFINITY, 0.0),
            (f64::INFINITY, 1.0),
        ] {
            let found = below(deviations);
            assert!((found - expected).abs() < 1e-14, "{deviations}: {found}, not {expected}");
        }
        // The series and the continued fraction agree.
        assert!((below(-3.999_999_999) / below(-4.000_000_001) - 1.0).abs() < 1e-7);
    }
}
