//! Rounding of weights to integers, with counts of clipped ones.

/// The integer type of weights.
pub(super) trait Stored: Copy + Into<i64> {
    /// The maximum; the minimum is its negative.
    const MAX: i64;

    /// Converts a value within the limits.
    fn store(value: i64) -> Self;
}

impl Stored for i8 {
    const MAX: i64 = Self::MAX as i64;

    fn store(value: i64) -> Self {
        value as Self
    }
}

impl Stored for i16 {
    const MAX: i64 = Self::MAX as i64;

    fn store(value: i64) -> Self {
        value as Self
    }
}

/// Weights as integers.
#[derive(Clone, Debug)]
pub(super) struct Rounded<T> {
    pub(super) values: Vec<T>,
    /// The number of clipped weights.
    pub(super) clipped: usize,
    /// The maximum change of a weight by clipping.
    pub(super) cut: f32,
}

/// Rounds weights at the scale `one`, clipping those that do not fit.
pub(super) fn round<T: Stored>(weights: &[f32], one: f64) -> Rounded<T> {
    let mut rounded = Rounded { values: Vec::with_capacity(weights.len()), clipped: 0, cut: 0.0 };
    for &weight in weights {
        let exact = nearest(weight, one);
        let fitting = exact.clamp(-T::MAX, T::MAX);
        if fitting != exact {
            rounded.clipped += 1;
            rounded.cut = rounded.cut.max(((exact - fitting).unsigned_abs() as f64 / one) as f32);
        }
        rounded.values.push(T::store(fitting));
    }
    rounded
}

/// The nearest integer to a number at the scale `one`. Like a cast, it saturates at half of the
/// range of `i64`, so that the caller can add to it without overflow.
pub(super) fn nearest(value: f32, one: f64) -> i64 {
    ((f64::from(value) * one).round() as i64).clamp(i64::MIN / 2, i64::MAX / 2)
}

/// The maximum absolute weight.
pub(super) fn largest(weights: &[f32]) -> f32 {
    weights.iter().fold(0.0, |max, weight| weight.abs().max(max))
}

/// The largest power of two, up to `max`, at which weights up to `largest` round to at most
/// `limit`.
pub(super) fn fitting_shift(largest: f64, limit: f64, max: u32) -> u32 {
    (0..=max)
        .rev()
        .find(|&shift| (largest * f64::from(1_u32 << shift)).round() <= limit)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_nearest_and_counts_what_is_clipped() {
        let rounded = round::<i8>(&[0.5, -0.26, 2.0, -3.0, 0.0], 64.0);
        assert_eq!(rounded.values, [32, -17, 127, -127, 0]);
        assert_eq!(rounded.clipped, 2);
        assert!((rounded.cut - 65.0 / 64.0).abs() < 1e-6, "{}", rounded.cut);
    }

    #[test]
    fn absurd_numbers_keep_clear_of_the_ends() {
        assert_eq!(nearest(f32::MAX, 1e9), i64::MAX / 2);
        assert_eq!(nearest(f32::MIN, 1e9), i64::MIN / 2);
    }

    #[test]
    fn the_shift_is_the_largest_that_fits() {
        assert_eq!(fitting_shift(1.98, 127.0, 16), 6);
        assert_eq!(fitting_shift(2.0, 127.0, 16), 5);
        assert_eq!(fitting_shift(0.0, 127.0, 16), 16);
        assert_eq!(fitting_shift(1000.0, 127.0, 16), 0);
    }
}
