//! Real numbers of training: f32 to train, f64 to check gradients.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A floating-point number.
pub(crate) trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + AddAssign
    + Div<Output = Self>
    + Mul<Output = Self>
    + MulAssign
    + Neg<Output = Self>
    + Sub<Output = Self>
    + SubAssign
{
    const ZERO: Self;
    const ONE: Self;

    fn from_f32(x: f32) -> Self;
    fn from_f64(x: f64) -> Self;
    fn to_f64(self) -> f64;
    fn abs(self) -> Self;
    fn exp(self) -> Self;
    fn ln_1p(self) -> Self;
    fn powf(self, exponent: Self) -> Self;
    fn sqrt(self) -> Self;
    fn tanh(self) -> Self;

    /// Clamps to `low` to `high`. Written so that compilers generate two instructions.
    #[inline(always)]
    fn limit(self, low: Self, high: Self) -> Self {
        let x = if self > low { self } else { low };
        if x < high { x } else { high }
    }

    /// 1 / (1 + e^−x), without overflow.
    fn sigmoid(self) -> Self {
        if self >= Self::ZERO {
            Self::ONE / (Self::ONE + (-self).exp())
        } else {
            let power = self.exp();
            power / (Self::ONE + power)
        }
    }

    /// ln(1 + e^x), without overflow.
    fn softplus(self) -> Self {
        let max = if self > Self::ZERO { self } else { Self::ZERO };
        max + (-self.abs()).exp().ln_1p()
    }
}

// The macro serves both types, of which one needs no conversion.
#[allow(clippy::cast_lossless)]
mod numbers {
    use super::Real;

    macro_rules! real {
        ($type:ty) => {
            impl Real for $type {
                const ZERO: Self = 0.0;
                const ONE: Self = 1.0;

                #[inline(always)]
                fn from_f32(x: f32) -> Self {
                    x as Self
                }
                #[inline(always)]
                fn from_f64(x: f64) -> Self {
                    x as Self
                }
                #[inline(always)]
                fn to_f64(self) -> f64 {
                    self as f64
                }
                #[inline(always)]
                fn abs(self) -> Self {
                    self.abs()
                }
                fn exp(self) -> Self {
                    self.exp()
                }
                fn ln_1p(self) -> Self {
                    self.ln_1p()
                }
                fn powf(self, exponent: Self) -> Self {
                    self.powf(exponent)
                }
                #[inline(always)]
                fn sqrt(self) -> Self {
                    self.sqrt()
                }
                fn tanh(self) -> Self {
                    self.tanh()
                }
            }
        };
    }

    real!(f32);
    real!(f64);
}
