#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(
    clippy::inline_always,
    reason = "what a task calls must be compiled into it, with the instructions of its kernel"
)]

extern crate alloc;

mod architecture;
mod blocks;
mod bullet;
mod calibration;
mod crc32;
mod cursor;
mod error;
mod file;
mod float;
mod integer;
mod json;
mod kernels;
mod math;
mod network;
mod noru;
mod outputs;
mod parameters;
mod psqt;
mod stack;
mod stockfish;
mod table;
mod transformer;
mod view;

pub use architecture::{
    Activation, Architecture, ArchitectureError, Arithmetic, BucketRule, Buckets, Description,
    Head, Layer, MOST_ACTIVATION, MOST_BUCKETS, MOST_FEATURES, MOST_HIDDEN_LAYERS,
    MOST_HIDDEN_WIDTH, MOST_POLICY, MOST_WEIGHTS, MOST_WIDTH, Perspectives, QUANTILE_LEVELS,
    Scales, ValueOutput,
};
pub use bullet::read_bullet;
pub use calibration::{Calibration, CalibrationRanges, Correction, PolicyCorrection};
pub use error::NetworkError;
pub use file::{FileParameters, NetworkFile};
pub use json::read_json;
pub use kernels::{Kernel, KernelUnavailable, prefer_large_pages, prefetch};
pub use network::{Dialect, Network, QuantisationError, Workspace};
pub use noru::{NoruShape, read_noru, read_noru_headerless};
pub use outputs::Outputs;
pub use parameters::{FloatParameters, IntegerParameters, Parameters, Weights};
pub use stack::{AccumulatorStack, FewFeatures, Inputs};
pub use stockfish::{StockfishFile, StockfishValue, read_stockfish, write_stockfish};
pub use view::Accumulator;
