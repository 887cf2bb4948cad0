//! Search over any [`Game`](games::Game) and any evaluation.
//!
//! So far: [`GameInputs`], through which a network reads the positions of a game. The search itself is still
//! to come.

mod inputs;

pub use inputs::{GameInputs, InputsError};
