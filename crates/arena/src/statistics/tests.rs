//! Golden values of others, properties that hold for all counts, and matches whose truth is known.

mod golden;
mod properties;
mod rated;
mod simulated;
