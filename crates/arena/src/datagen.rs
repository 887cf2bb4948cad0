//! Data generation: training records from self-play.
//!
//! Every game has a number, and the seed and the number determine the game. Games are written in
//! the order of their numbers, so the file does not depend on the number of threads. The file also
//! determines the next game, so a run that was killed resumes without a difference.

mod contents;
mod error;
mod file;
mod game;
mod options;
mod records;
mod run;
mod samples;
mod trees;

pub use contents::Contents;
pub use error::DatagenError;
pub use game::generate_openings;
pub use options::{DatagenOptions, Shard};
pub use run::{Datagen, DatagenEvent, DatagenReport, generate};
pub use samples::{Sampling, for_each_sample, sample};
