//! Tests of the statistics: reference values, properties of all counts, and simulated matches.

mod golden;
mod properties;
mod rated;
mod simulated;
