//! Value decoding: converts the outputs of integer networks to centipawns.

use crate::heads::centipawns_of;
use crate::{Architecture, Head, ValueOutput};

/// Converts the outputs of an integer network to centipawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueReader {
    /// The index of the value output.
    pub(super) output: usize,
    meaning: ValueOutput,
    /// Centipawns of 1.0, and 1.0 as an output.
    centipawns: f32,
    unit: f32,
    /// Centipawns per output unit, in units of 2⁻⁶⁴, rounded up. An output times this, rounded
    /// down, equals the integer quotient without a division: an output has 31 bits and a unit at
    /// most 23, so the rounding error never reaches the next integer.
    rate: u128,
}

impl ValueReader {
    /// `None` for a network without a value head.
    pub(super) fn new(architecture: &Architecture) -> Option<Self> {
        let meaning = architecture.value_output()?;
        let before = architecture.layer_heads().take_while(|head| head.value_output().is_none());
        let (centipawns, unit) = (architecture.scales.centipawns, architecture.output_unit());
        Some(Self {
            output: before.map(Head::outputs).sum(),
            meaning,
            centipawns,
            unit,
            rate: rate(centipawns, unit),
        })
    }

    #[inline(always)]
    pub(super) fn read(&self, raw: i32) -> i32 {
        match self.meaning {
            ValueOutput::Sigmoid | ValueOutput::Linear => {
                let size = (u128::from(raw.unsigned_abs()) * self.rate) >> 64;
                let size = size.min(i32::MAX as u128) as i32;
                // Branch-free, because the sign of the value is unpredictable: all bits of `sign`
                // are 1 for negative values.
                let sign = raw >> 31;
                (size ^ sign) - sign
            }
            ValueOutput::Tanh => {
                let real = (f64::from(raw) / f64::from(self.unit)) as f32;
                centipawns_of(self.meaning, self.centipawns, real)
            }
        }
    }
}

/// centipawns / unit in units of 2⁻⁶⁴: rounded up exactly if both are integers, otherwise to the
/// precision of doubles.
fn rate(centipawns: f32, unit: f32) -> u128 {
    let whole = |x: f32| x >= 1.0 && x % 1.0 == 0.0;
    if whole(centipawns) && whole(unit) {
        return (u128::from(centipawns as u32) << 64).div_ceil(u128::from(unit as u32));
    }
    (f64::from(centipawns) / f64::from(unit) * 18_446_744_073_709_551_616.0) as u128
}
