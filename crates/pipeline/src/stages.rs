//! Stages: each is a struct with `run`, which carries it out, and `command`, its command line.

mod generate_data;
mod play_match;

pub use generate_data::{DataCounts, DataReport, GenerateData};
pub use play_match::{PlayMatch, Watch};
