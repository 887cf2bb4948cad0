//! Value decoding: centipawns from the outputs of integer networks.

use crate::heads::centipawns_of;
use crate::{Architecture, Head, ValueOutput};

/// How centipawns are read from the outputs of an integer network.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueReader {
    /// The number of the output.
    pub(super) output: usize,
    meaning: ValueOutput,
    /// Centipawns for 1.0, and 1.0 as an output.
    centipawns: f32,
    unit: f32,
    /// Centipawns for an output of 1, in units of 2⁻⁶⁴, rounded up. An output times this, rounded
    /// down, is the quotient that whole numbers give, without a division: an output has 31 bits and
    /// a unit at most 23, so what is rounded up never carries as far as the next whole number.
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
                // Who is better off is what nobody can predict, so it is no branch: all bits of the
                // sign are 1 below 0.
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

/// centipawns / unit in units of 2⁻⁶⁴: rounded up exactly where both are whole numbers, as nearly
/// as doubles tell otherwise.
fn rate(centipawns: f32, unit: f32) -> u128 {
    let whole = |x: f32| x >= 1.0 && x % 1.0 == 0.0;
    if whole(centipawns) && whole(unit) {
        return (u128::from(centipawns as u32) << 64).div_ceil(u128::from(unit as u32));
    }
    (f64::from(centipawns) / f64::from(unit) * 18_446_744_073_709_551_616.0) as u128
}
