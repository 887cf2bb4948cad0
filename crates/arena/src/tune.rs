//! Finding better numbers for the search by playing: simultaneous perturbation, stochastic approximation.
//!
//! - [`Spsa`] is the method: it says which values should meet, and learns from who won.
//! - [`Arena`] lets them meet.
//! - [`tune`] puts the two together, so that it can be stopped and gone on with at any time.

mod games;
mod spsa;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use games::{Arena, Games};
pub use spsa::{Gains, Knob, Progress, Spsa, SpsaError, Trial};

/// Goes on until the last iteration.
///
/// `meet` lets the two sets of values of a trial play and gives the sum of the results of the first: 1 for a game
/// won, -1 for a game lost; or nothing, if it was told to stop. `done` hears of every iteration, and may break off. An
/// iteration counts as a whole or not at all, so a run that was stopped anywhere goes on as if it had not been.
pub fn tune<B>(
    spsa: &mut Spsa,
    mut meet: impl FnMut(&Trial) -> Option<f64>,
    mut done: impl FnMut(&Spsa) -> ControlFlow<B>,
) -> Option<B> {
    while let Some(trial) = spsa.trial() {
        let result = meet(&trial)?;
        spsa.learn(&trial, result);
        if let ControlFlow::Break(reason) = done(spsa) {
            return Some(reason);
        }
    }
    None
}
