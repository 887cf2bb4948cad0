//! Rules of two-player board games, and the feature sets that networks read them through.
//!
//! - [`Game`] is what search, self-play, training and matches need to know about a game.
//! - [`FeatureSet`] numbers the inputs of a network. Trainer and engine both ask here, so the two can
//!   never disagree about an index.
//! - [`Line`] is a game being played: a position with the history that repetition needs.
//! - [`registry`] finds games and feature sets by name, for programs that learn the name at run time.
//! - [`conformance`] is the suite of properties that every game must pass.
//!
//! Each game is one folder. A new one implements [`Game`], lists its feature sets, adds one line to
//! [`registry`], and calls the conformance suite from a test.

pub mod chess;
pub mod conformance;
pub mod connect_four;
mod error;
mod features;
mod game;
mod geometry;
pub mod hexchess;
mod line;
mod perft;
mod policy;
pub mod registry;

pub use error::{FeatureSetError, FenError, MoveError, SettingError};
pub use features::{
    Changes, FeatureIndex, FeaturePlace, FeatureSet, PackedRows, Perspectives, Update,
    sorted_active,
};
pub use game::{
    Capture, Color, Described, Game, Outcome, Points, PolicyIndex, PolicyShape, Setting,
};
pub use geometry::{BoardGeometry, Cell, CellShape};
pub use line::Line;
pub use perft::{divide, perft};
pub use policy::PolicyForm;
