//! Policy calibration: an inverse temperature for a policy's logits, and a bias per move class.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{MAX_ADJUSTMENT, is_sound, number};
use crate::NetworkError;

/// The maximum number of move classes.
const MAX_CLASSES: usize = 256;
/// The maximum length of a scheme's name.
const MAX_NAME: usize = 64;

/// Calibration of a policy's logits. A network sees pieces on cells, not their attacks, so it
/// cannot distinguish a capture that wins a piece from one that loses one. A search can: it divides
/// moves into classes, and the bias of a class adds that information to the policy.
///
/// ```
/// use nnue::PolicyCalibration;
///
/// let calibration = PolicyCalibration {
///     move_classes: "see-check-threat-1".into(),
///     inverse_temperature: 0.5,
///     class_biases: vec![-3.0, 1.0],
/// };
/// assert_eq!(calibration.apply(2.0, 0), -2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyCalibration {
    /// The name of the scheme that divides moves into classes. The biases are meaningless to a
    /// search with another scheme.
    pub move_classes: String,
    /// The factor of a logit.
    pub inverse_temperature: f32,
    /// The bias that is then added to a logit, by move class.
    pub class_biases: Vec<f32>,
}

impl PolicyCalibration {
    /// The scheme of version 1 files, which do not name it.
    pub const MOVE_CLASSES_V1: &'static str = "see-check-threat-1";

    /// The calibrated logit of a move of this class. Classes without an entry have a bias of 0.
    #[inline]
    pub fn apply(&self, logit: f32, class: usize) -> f32 {
        self.inverse_temperature * logit + self.class_biases.get(class).copied().unwrap_or(0.0)
    }

    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let name = &self.move_classes;
        let fits = (1..=MAX_NAME).contains(&name.len());
        if !fits || name.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            let expected = format!("a name of at most {MAX_NAME} bytes without spaces");
            return Err(NetworkError::field("calibration move classes", name, expected));
        }
        if self.class_biases.len() > MAX_CLASSES {
            let (found, expected) =
                (self.class_biases.len(), format!("at most {MAX_CLASSES} move classes"));
            return Err(NetworkError::field("calibration policy", found, expected));
        }
        if !is_sound(self.inverse_temperature, &self.class_biases) {
            let expected =
                format!("finite numbers up to {MAX_ADJUSTMENT}, no negative temperature");
            return Err(NetworkError::field("calibration policy", format!("{self:?}"), expected));
        }
        Ok(())
    }

    /// Writes the calibration as part of a line of the network file.
    pub(super) fn print(&self) -> String {
        let numbers = core::iter::once(&self.inverse_temperature).chain(&self.class_biases);
        numbers.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Parses the output of [`print`](Self::print).
    pub(super) fn parse(move_classes: &str, text: &str) -> Result<Self, NetworkError> {
        let mut words = text.split_whitespace().take(MAX_CLASSES + 2);
        let inverse_temperature = number(words.next().unwrap_or_default())?;
        let class_biases = words.map(number).collect::<Result<_, _>>()?;
        Ok(Self { move_classes: move_classes.into(), inverse_temperature, class_biases })
    }
}
