#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(
    clippy::inline_always,
    reason = "what a task calls must be compiled into it, with the instructions of its kernel"
)]

extern crate alloc;

mod accumulator;
mod activation;
mod architecture;
mod blocks;
mod bullet;
mod calibration;
mod crc32;
mod cursor;
mod error;
mod file;
mod fitted_params;
mod float;
mod heads;
mod integer;
mod json;
mod kernels;
mod math;
mod network;
mod noru;
mod outputs;
mod parameters;
mod psqt;
mod score_model;
mod score_unit;
mod stack;
mod stockfish;
mod table;
mod transformer;

pub use accumulator::Accumulator;
pub use activation::Activation;
pub use architecture::{
    Architecture, ArchitectureError, Arithmetic, BucketRule, Buckets, Description, Layer,
    MAX_ACTIVATION, MAX_BUCKETS, MAX_FEATURES, MAX_HIDDEN_LAYERS, MAX_HIDDEN_WIDTH, MAX_WEIGHTS,
    MAX_WIDTH, Perspectives, Scales,
};
pub use bullet::read_bullet;
pub use calibration::{Calibration, CalibrationRanges, ConformalAdjustment, PolicyCalibration};
pub use error::NetworkError;
pub use file::{FileParameters, NetworkFile};
pub use fitted_params::FittedParams;
pub use heads::{
    Head, HeadInput, MAX_POLICY, MoveEncoding, PolicyHead, QUANTILE_LEVELS, ValueOutput,
};
pub use json::read_json;
pub use kernels::{Kernel, KernelUnavailable, prefer_large_pages, prefetch};
pub use network::{Dialect, Network, QuantisationError, Workspace};
pub use noru::{NoruShape, read_noru, read_noru_headerless};
pub use outputs::Outputs;
pub use parameters::{FloatParameters, IntegerParameters, Parameters, Weights};
pub use score_model::ScoreModel;
pub use score_unit::ScoreUnit;
pub use stack::{AccumulatorStack, FeaturePairs, Inputs};
pub use stockfish::{StockfishFile, StockfishValue, read_stockfish, write_stockfish};
