//! C API of [`nnue`]. The header begins with an example, and `README.md` has another.
//!
//! `include/accrue_nnue.h` is generated from the comments of this crate; a test compares the two.
//! Every function checks its pointers for null, its features and rows against the network, and that
//! its accumulators belong to one network. An error is a status and a message; panics do not cross
//! the boundary.
//!
//! Functions cannot check that a pointer that is not null points to the right object and that no
//! other thread uses it: that is the contract of every `unsafe` function below.

#![expect(unsafe_code, reason = "C hands over bare pointers and finds functions by their names")]
#![expect(clippy::missing_safety_doc, reason = "the contract is one, and stands above")]

mod accumulator;
mod evaluator;
mod network;
mod pointers;
mod status;

pub use accumulator::{
    AccrueAccumulator, accrue_accumulator_copy, accrue_accumulator_free, accrue_accumulator_new,
    accrue_accumulator_refresh, accrue_accumulator_update,
};
pub use evaluator::{
    AccrueEvaluator, AccrueOutputs, accrue_evaluate, accrue_evaluator_free, accrue_evaluator_new,
    accrue_outputs, accrue_policy,
};
pub use network::{
    AccrueNetwork, accrue_network_architecture, accrue_network_feature_set,
    accrue_network_features, accrue_network_free, accrue_network_from_memory,
    accrue_network_kernel, accrue_network_load, accrue_network_perspectives,
    accrue_network_policy_from, accrue_network_policy_to, accrue_network_width,
};
pub use status::{AccrueStatus, accrue_last_error, accrue_version};
