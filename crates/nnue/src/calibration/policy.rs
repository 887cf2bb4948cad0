//! By how much what a policy says of moves is corrected, for what the rules say of them at a glance.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{MOST_CORRECTION, is_sound, number};
use crate::NetworkError;

/// The most sorts of moves that are told apart.
const MOST_SORTS: usize = 256;

/// What is done to a policy's outputs. A network sees pieces on cells, not what they attack, so it cannot tell a capture that wins a
/// piece from one that loses one; whoever asks it can, and sorts the moves.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyCorrection {
    /// What the logarithm of a move's odds is multiplied by.
    pub stretch: f32,
    /// What is then added to it, for each sort of moves. Which these are is for whoever asks to say.
    pub shifts: Vec<f32>,
}

impl PolicyCorrection {
    /// The corrected logarithm of the odds of a move of this sort. Sorts that are not known are not shifted.
    #[inline]
    pub fn apply(&self, logit: f32, sort: usize) -> f32 {
        self.stretch * logit + self.shifts.get(sort).copied().unwrap_or(0.0)
    }

    pub(super) fn check(&self) -> Result<(), NetworkError> {
        if self.shifts.len() > MOST_SORTS {
            let expected = format!("at most {MOST_SORTS} sorts of moves");
            return Err(NetworkError::field("calibration policy", self.shifts.len(), expected));
        }
        if !is_sound(self.stretch, &self.shifts) {
            let expected = format!("finite numbers up to {MOST_CORRECTION}, no negative stretch");
            return Err(NetworkError::field("calibration policy", format!("{self:?}"), expected));
        }
        Ok(())
    }

    /// As a part of a line, for the file.
    pub(super) fn print(&self) -> String {
        let numbers = core::iter::once(&self.stretch).chain(&self.shifts);
        numbers.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Reads what [`print`](Self::print) wrote.
    pub(super) fn parse(text: &str) -> Result<Self, NetworkError> {
        let mut words = text.split_whitespace().take(MOST_SORTS + 2);
        let stretch = number(words.next().unwrap_or_default())?;
        let shifts = words.map(number).collect::<Result<_, _>>()?;
        Ok(Self { stretch, shifts })
    }
}
