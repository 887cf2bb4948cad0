//! SPSA (simultaneous perturbation stochastic approximation): tuning of search parameters by
//! self-play.
//!
//! - [`Spsa`] is the method: it chooses the values that play each other, and updates them by the
//!   result.
//! - [`TuningMatch`] plays the games.
//! - [`tune`] runs the two together. A run can be stopped and resumed at any iteration.

mod games;
mod report;
mod spsa;
mod state;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use games::{TuningGames, TuningMatch};
pub use report::{TuningReport, TuningRow};
pub use spsa::{Gains, Spsa, SpsaError, SpsaProgress, Trial, TunedParam};
pub use state::{TuningSettings, TuningState, TuningStateError};

/// Runs the remaining iterations.
///
/// `play` plays the two sets of values of a trial and returns games won minus games lost by the
/// first, or `None` if it was stopped. `done` is called after every iteration, and may break off.
/// An iteration counts as a whole or not at all, so a run that was stopped anywhere continues as if
/// it had not been.
pub fn tune<B>(
    spsa: &mut Spsa,
    mut play: impl FnMut(&Trial) -> Option<f64>,
    mut done: impl FnMut(&Spsa) -> ControlFlow<B>,
) -> Option<B> {
    while let Some(trial) = spsa.trial() {
        let result = play(&trial)?;
        spsa.update(&trial, result);
        if let ControlFlow::Break(reason) = done(spsa) {
            return Some(reason);
        }
    }
    None
}
