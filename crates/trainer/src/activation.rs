//! Activation functions and their derivatives.

use nnue::Activation;

use crate::real::Real;

/// Calls `$body` with `$f` and `$slope` bound to an elementwise activation and its derivative, as
/// functions of the sum. The caller handles [`Activation::Pairwise`], which joins two values.
macro_rules! with_activation {
    ($activation:expr, $type:ty, |$f:ident, $slope:ident| $body:expr, $pairwise:expr) => {{
        let (zero, one) = (<$type>::ZERO, <$type>::ONE);
        match $activation {
            nnue::Activation::Identity => {
                let ($f, $slope) = (|x: $type| x, |_: $type| one);
                $body
            }
            nnue::Activation::Relu => {
                let $f = |x: $type| if x > zero { x } else { zero };
                let $slope = |x: $type| if x > zero { one } else { zero };
                $body
            }
            nnue::Activation::Crelu => {
                let $f = |x: $type| x.limit(zero, one);
                let $slope = |x: $type| if x > zero && x < one { one } else { zero };
                $body
            }
            nnue::Activation::Screlu => {
                let $f = |x: $type| {
                    let clipped = x.limit(zero, one);
                    clipped * clipped
                };
                let $slope = |x: $type| if x > zero && x < one { x + x } else { zero };
                $body
            }
            nnue::Activation::Sigmoid => {
                let $f = |x: $type| x.sigmoid();
                let $slope = |x: $type| {
                    let y = x.sigmoid();
                    y * (one - y)
                };
                $body
            }
            nnue::Activation::Tanh => {
                let $f = |x: $type| x.tanh();
                let $slope = |x: $type| {
                    let y = x.tanh();
                    one - y * y
                };
                $body
            }
            nnue::Activation::Pairwise => $pairwise,
        }
    }};
}
pub(crate) use with_activation;

/// `outputs = activation(sums)`, where a row of sums is `width` long.
pub(crate) fn forward<T: Real>(
    activation: Activation,
    width: usize,
    sums: &[T],
    outputs: &mut [T],
) {
    with_activation!(
        activation,
        T,
        |f, _slope| {
            for (output, &sum) in outputs.iter_mut().zip(sums) {
                *output = f(sum);
            }
        },
        for (outputs, sums) in outputs.chunks_exact_mut(width / 2).zip(sums.chunks_exact(width)) {
            let (first, second) = sums.split_at(width / 2);
            for ((output, &a), &b) in outputs.iter_mut().zip(first).zip(second) {
                *output = a.limit(T::ZERO, T::ONE) * b.limit(T::ZERO, T::ONE);
            }
        }
    );
}

/// Turns sums into the derivatives of the loss by them:
/// `sums = derivative of outputs × slope(sums)`.
pub(crate) fn backward<T: Real>(
    activation: Activation,
    width: usize,
    sums: &mut [T],
    d_outputs: &[T],
) {
    with_activation!(
        activation,
        T,
        |_f, slope| {
            for (sum, &d) in sums.iter_mut().zip(d_outputs) {
                *sum = d * slope(*sum);
            }
        },
        for (sums, ds) in sums.chunks_exact_mut(width).zip(d_outputs.chunks_exact(width / 2)) {
            let (first, second) = sums.split_at_mut(width / 2);
            for ((a, b), &d) in first.iter_mut().zip(second).zip(ds) {
                (*a, *b) = pairwise_slopes(*a, *b, d);
            }
        }
    );
}

/// The derivatives of clip(a)·clip(b) by both, times `d`.
#[inline(always)]
pub(crate) fn pairwise_slopes<T: Real>(a: T, b: T, d: T) -> (T, T) {
    let inside = |x: T| if x > T::ZERO && x < T::ONE { d } else { T::ZERO };
    (inside(a) * b.limit(T::ZERO, T::ONE), inside(b) * a.limit(T::ZERO, T::ONE))
}
