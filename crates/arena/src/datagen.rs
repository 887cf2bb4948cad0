//! Making training data: an engine plays itself, and what it thought of each position is written down.
//!
//! Every game has a number, and everything about a game follows from the seed and its number. So it does not matter how many
//! threads play: games are written in the order of their numbers, and the file is the same. Nor does it matter how often a
//! run was killed: what is in the file says which game is next.

mod contents;
mod error;
mod file;
mod game;
mod options;
mod records;
mod run;
mod trees;

pub use contents::Contents;
pub use error::DatagenError;
pub use game::generate_openings;
pub use options::{DatagenOptions, Shard};
pub use run::{Datagen, DatagenEvent, DatagenReport, generate};
