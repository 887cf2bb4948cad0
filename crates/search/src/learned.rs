//! Learned selectivity: pruning and reductions by the quantiles and the policy of a network.
//!
//! - A node whose whole quantile interval lies outside the window is cut
//!   ([`quantile_cutoffs`]).
//! - A move is reduced or pruned by its negative log-probability under the policy; the wider the
//!   interval, the less ([`policy`]).
//! - A small network is evaluated first, a large one where the small one's interval decides nothing
//!   ([`quantiles`]).

mod move_classes;
mod policy;
mod quantile_cutoffs;
mod quantiles;

use crate::engine::SearchMode;
use crate::params::{Params, Selectivity};

pub use move_classes::{MOVE_CLASS_SCHEME, MOVE_CLASSES, move_classes};
pub(crate) use policy::{PolicyLogits, log_sum_exp};
pub use quantile_cutoffs::ShadowStats;
pub(crate) use quantiles::QuantileInterval;

/// The source of each part of a search, resolved from mode and parameters before it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources {
    pub(crate) ordering: Selectivity,
    pub(crate) reductions: Selectivity,
    pub(crate) cutoffs: Selectivity,
}

impl Sources {
    pub(crate) fn new(mode: SearchMode, params: &Params) -> Self {
        let all = |source| Self { ordering: source, reductions: source, cutoffs: source };
        match mode {
            // No search begins before `Auto` is resolved.
            SearchMode::Classical | SearchMode::Auto => all(Selectivity::Classical),
            SearchMode::Seed => all(Selectivity::Learned),
            SearchMode::Learned => Self {
                ordering: params.learned_ordering,
                reductions: params.learned_reductions,
                cutoffs: params.learned_cutoffs,
            },
        }
    }
}
