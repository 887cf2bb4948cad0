//! Engine matches: self-play for training data, and tournaments that measure strength.
//!
//! - [`Player`] chooses moves: [`EnginePlayer`] is a search in this process.
//! - [`ExternalPlayer`] is an external engine, by UCI.
//! - [`networks`] loads networks and makes engines that play with them.
//! - [`play`] is the referee of one game: it runs the clocks, checks the moves and returns the
//!   outcome.
//! - [`EngineSpec`] is an engine as text; [`contest`] plays a match with journal, PGN and SPRT.
//! - [`tournament`] plays many games, on many threads.
//! - [`datagen`] writes training data: positions of self-play with the scores of their searches.
//! - [`tune`](mod@tune) tunes search parameters by self-play.
//! - [`Opening`] is the start of a game; [`Openings`] is a list of them: random ones, or a book.
//! - [`regret`] compares the moves that engines choose by a reference search.
//! - [`Tally`], [`Sprt`], [`Estimate`] and [`ratings`] are the statistics of the results.
//!
//! ```
//! use arena::{Model, Sprt, Tally};
//!
//! // Pairs of games by their points: 0, ½, 1, 1½, 2.
//! let tally = Tally::from_pentanomial([365, 16618, 36229, 16974, 390]);
//! assert_eq!(tally.games(), 141_152);
//! let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized)?;
//! assert_eq!(format!("{:.2}", sprt.llr(&tally)), "2.25");
//! assert_eq!(sprt.verdict(&tally), None); // not decided yet
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/08-matches.md` is about matches, `docs/04-data.md` about data generation.

mod adjudication;
pub mod calibration;
mod checksum;
pub mod contest;
pub mod datagen;
mod ending;
mod engine_spec;
mod external;
pub mod fit;
mod game_record;
pub mod ladder;
mod memory;
pub mod networks;
mod openings;
pub mod pgn;
mod play;
mod player;
pub mod regret;
mod search_limits;
mod statistics;
mod time_control;
pub mod tournament;
pub mod tune;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use checksum::{ChecksumError, checksum_of_bytes, checksum_of_file, file_identity};
pub use ending::result_text;
pub use engine_spec::{EngineSpec, EngineSpecError, EngineSpecFault, PlayerSpec, SearchSpec};
pub use external::ExternalPlayer;
pub use game_record::{GameRecord, Opening, PlayedMove};
pub use memory::{TableMemoryError, check_table_memory};
pub use openings::{Openings, OpeningsError, random_opening};
pub use play::{Ending, Played, Rules, play};
pub use player::{ChosenMove, EnginePlayer, MoveRequest, Player, PlayerFault, RandomPlayer};
pub use search_limits::{SearchLimits, TimeControl};
pub use statistics::{
    Anchor, Estimate, Hypothesis, Model, Outlook, Pairing, Rating, RatingsError, Sprt, SprtError,
    Standing, Tally, ratings, report,
};
pub use time_control::TimeControlError;
