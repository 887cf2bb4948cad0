//! Training records of board games: what one is, how files hold them, and how they become batches.

mod batch;
mod record;

pub use batch::{Batch, PolicyTarget};
pub use record::{DepthScore, MATE_SCORE, Record};
