//! Games between engines: to make training data, and to find out who is stronger.
//!
//! - [`Player`] chooses moves: [`EnginePlayer`] is a search in this process.
//! - [`play`] is the referee of one game: it keeps the clocks, checks the moves and says how it ended.
//! - [`Opening`] is where a game begins; [`Openings`] are many: random ones, or those of a book.

mod adjudication;
mod course;
mod openings;
mod pace;
mod play;
mod player;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use course::{Course, Opening, Turn};
pub use openings::{Openings, OpeningsError, random_opening};
pub use pace::{Pace, TimeControl};
pub use play::{Ending, Played, Rules, play};
pub use player::{Choice, EnginePlayer, Fault, Player, Situation};
