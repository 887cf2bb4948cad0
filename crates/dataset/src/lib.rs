//! Training records of board games: what one is, how files hold them, and how they become batches.

mod batch;
mod decoder;
mod error;
mod filter;
pub mod formats;
mod loader;
mod native;
mod record;
mod repeats;
mod shuffle;

pub use batch::{Batch, PolicyTarget};
pub use decoder::{DecodeOptions, Decoder, decoder};
pub use error::{Damage, DataError, Fault};
pub use filter::{DropReason, Filter, is_held_out};
pub use loader::{Chunk, Loader, LoaderOptions, Order, Part, Place};
pub use native::{Counts, FileInfo, Header, Reader, Writer};
pub use record::{DepthScore, MATE_SCORE, Record};
pub use repeats::{RepeatFinder, Repeats};
pub use shuffle::{ShuffleOptions, shuffle};
