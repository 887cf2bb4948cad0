//! Math functions for heads, without the standard library and bit-identical on every machine.

/// 1 / k!, the coefficients of e^x.
const EXPONENTIAL: [f64; 11] = {
    let mut list = [1.0; 11];
    let mut k = 1;
    while k < list.len() {
        list[k] = list[k - 1] / k as f64;
        k += 1;
    }
    list
};

/// 1 / (2k + 1), the coefficients of artanh(x) / x in x².
const ARTANH: [f64; 10] = {
    let mut list = [1.0; 10];
    let mut k = 0;
    while k < list.len() {
        list[k] = 1.0 / (2 * k + 1) as f64;
        k += 1;
    }
    list
};

/// Evaluates a polynomial, constant term first. The order of operations is fixed, so that the
/// result is bit-identical everywhere.
#[inline]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = 0.0;
    for coefficient in coefficients.iter().rev() {
        sum = sum * x + coefficient;
    }
    sum
}

/// e to the power of `x`, to about 1 in 10⁷. Saturates at 0 and at the largest float.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    exp_f64(f64::from(x.clamp(-104.0, 88.7))) as f32
}

/// e to the power of `x`, to about 1 in 10¹². `x` is between −700 and 700.
#[inline]
pub(crate) fn exp_f64(x: f64) -> f64 {
    // e^x = 2^n · e^r with |r| ≤ ln 2 / 2.
    let scaled = x * core::f64::consts::LOG2_E;
    let n = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i64;
    let r = x - n as f64 * core::f64::consts::LN_2;
    // Up to r^10: the relative error is below 1e-12.
    let power = f64::from_bits(((1023 + n) as u64) << 52);
    polynomial(&EXPONENTIAL, r) * power
}

/// The natural logarithm of a positive finite number.
#[inline]
pub(crate) fn ln(x: f32) -> f32 {
    let x = f64::from(x);
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2 artanh((m − 1) / (m + 1)), |t| ≤ 1/3: the truncation error is below 1e-10.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    (2.0 * t * polynomial(&ARTANH, t * t) + exponent as f64 * core::f64::consts::LN_2) as f32
}

/// 1 / (1 + e^−x)
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// tanh x
pub(crate) fn tanh(x: f32) -> f32 {
    if x.abs() < 1e-3 {
        return x - x * x * x / 3.0;
    }
    let e = exp(2.0 * x.clamp(-20.0, 20.0));
    (e - 1.0) / (e + 1.0)
}

/// ln(1 + e^x), which is never negative.
pub(crate) fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { ln(1.0 + exp(x)) }
}

/// Rounds to the nearest integer, half away from zero; saturates.
pub(crate) fn round(x: f32) -> i32 {
    (x + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        for i in -4000..4000 {
            let x = i as f32 / 50.0;
            let close = |ours: f32, std: f32| (ours - std).abs() <= 3e-7 * std.abs() + 1e-9;
            assert!(close(exp(x), x.exp()), "exp {x}: {} {}", exp(x), x.exp());
            assert!((tanh(x) - x.tanh()).abs() < 3e-7, "tanh {x}");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 2e-7, "sigmoid {x}");
            let exact = f64::from(x).exp().ln_1p() as f32;
            assert!((softplus(x) - exact).abs() < 4e-6 * exact.max(0.1), "softplus {x}");
            if x > 0.0 {
                assert!(close(ln(x), x.ln()) || (ln(x) - x.ln()).abs() < 1e-7, "ln {x}");
            }
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-44);
        assert!(exp(1e9).is_finite());
    }
}
