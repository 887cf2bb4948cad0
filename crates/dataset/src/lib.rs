//! Training data of board games: records, file formats, and batches for training.
//!
//! - [`Record`] is a position with the results of its search and its game.
//! - [`Writer`] and [`Reader`] are for the native file; [`formats`] reads and writes other formats.
//! - [`Loader`] reads many files in a random order, and a [`Decoder`] turns its records into a
//!   [`Batch`] of features and targets.
//! - [`Filter`], [`shuffle`](shuffle()) and [`RepeatFinder`] are the operations of `accrue data`;
//!   [`RecordStatistics`] counts what is in a file.
//!
//! ```
//! use dataset::{Reader, Record, Writer};
//! use games::{Game, GameScore, chess::Chess};
//!
//! let path = std::env::temp_dir().join(format!("accrue-example-{}.data", std::process::id()));
//! let start = Record::new(Chess::start());
//! let record = Record { score: Some(31), result: Some(GameScore::WIN), ..start };
//! let mut writer = Writer::create(&path, "an example")?;
//! writer.write(&record)?;
//! writer.finish()?;
//!
//! let mut reader = Reader::<Chess>::open(&path)?;
//! assert_eq!(reader.next()?, Some(record));
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/04-data.md` describes the sources of records, `docs/data-file.md` every byte of the file.

mod batch;
mod decoder;
mod error;
mod filter;
pub mod formats;
mod game_list;
mod loader;
mod native;
mod random_play;
mod record;
mod repeats;
mod shuffle;
mod statistics;

pub use batch::{Batch, PolicyTarget};
pub use decoder::{DecodeOptions, Decoder};
pub use error::{Damage, DataError, Fault};
pub use filter::{DropReason, Filter, is_held_out};
pub use game_list::{DataGame, GameList, UnknownGame};
pub use loader::{Chunk, Loader, LoaderOptions, Order, Part, Place};
pub use native::{Counts, FileGrowth, FileInfo, Header, Reader, Writer};
pub use random_play::RandomPlay;
pub use record::{DepthScore, MATE_SCORE, Record};
pub use repeats::{RepeatFinder, Repeats};
pub use shuffle::{ShuffleOptions, shuffle};
pub use statistics::{HistogramBar, RecordStatistics, StatisticsSummary, WinRate};
