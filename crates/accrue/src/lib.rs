//! Toolkit library: a program with games of one's own in three lines.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     accrue::Toolkit::new().with_builtin_games().main()
//! }
//! ```
//!
//! `with_game::<G>()` adds a game from any crate; `docs/03-your-own-game.md` goes through one. Every
//! command of the program then works with it. Files: one for each subcommand.

mod bench;
mod calibrate;
mod cli;
mod data;
mod datagen;
mod eval;
mod export;
mod features;
mod fit;
mod games_list;
mod jobs;
mod ladder;
mod looping;
mod matches;
mod net;
mod network;
mod networks;
mod openings;
mod output;
mod perft;
mod position;
mod progress;
mod quickstart;
mod regret;
mod runner;
mod score_model;
mod serve;
mod signals;
mod speed;
mod sprt;
mod toolkit;
mod train;
mod tune;
mod uci;

pub use pipeline::quickstart::Recipe;
pub use toolkit::{GameEntry, Toolkit};

use cli::Answer;
