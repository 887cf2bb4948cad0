//! Games between engines: to make training data, and to find out who is stronger.
//!
//! - [`Player`] chooses moves: [`EnginePlayer`] is a search in this process.
//! - [`external`] has other programs as players.
//! - [`play`] is the referee of one game: it keeps the clocks, checks the moves and says how it ended.
//! - [`tournament`] plays many games, on many threads.
//! - [`datagen`] lets an engine play itself and writes down what it thought.
//! - [`tune`](mod@tune) finds better numbers for the search by playing.
//! - [`Opening`] is where a game begins; [`Openings`] are many: random ones, or those of a book.
//! - [`Tally`], [`Sprt`], [`Estimate`] and [`ratings`] say what the results prove.

mod adjudication;
pub mod calibration;
mod course;
pub mod datagen;
mod ending;
pub mod external;
mod openings;
mod pace;
pub mod pgn;
mod play;
mod player;
mod statistics;
pub mod tournament;
pub mod tune;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use course::{Course, Opening, Turn};
pub use ending::result_text;
pub use openings::{Openings, OpeningsError, random_opening};
pub use pace::{Pace, TimeControl};
pub use play::{Ending, Played, Rules, play};
pub use player::{Choice, EnginePlayer, Fault, Player, RandomPlayer, Situation};
pub use statistics::{
    Anchor, Estimate, Hypothesis, Model, Outlook, Pairing, Rating, RatingsError, Sprt, SprtError,
    Standing, Tally, ratings, report,
};
