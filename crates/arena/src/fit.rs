//! Fit of the search: numbers of ordering, reductions and margins from samples of searches.
//!
//! Each rule of the search that is fitted contains the classical one as a special case. A regression
//! says what the samples know about its features; the mean of the rule stays what it is, because the
//! samples do not say how much selectivity pays.

mod margins;
mod ordering;
mod policy;
mod reductions;
mod regression;
mod table;

use search::{Params, SampleKind};
use serde::Serialize;

pub use policy::{PolicyFitError, PolicySamples};
pub use table::{SampleError, SampleTable};

/// One in so many groups of samples is held out.
const HELD_OUT: usize = 5;
/// The precision of the prior on standardised coefficients.
const RIDGE: f64 = 1.0;
/// Fewer samples than this, without those held out, are not fitted.
const MIN_SAMPLES: usize = 200;

/// The fit of one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleFit {
    /// The rule.
    pub rule: &'static str,
    /// The samples that it was fitted on, and those that were held out.
    pub samples: [usize; 2],
    /// The coefficients of the regression: name, value, standard error.
    pub coefficients: Vec<(&'static str, f64, f64)>,
    /// The log-loss of the held-out samples, in nats: of the rule as it is and of the fitted one.
    pub log_loss: [f64; 2],
    /// The numbers of the fitted rule. Empty if it predicts the held-out samples no better.
    pub params: Vec<(&'static str, i32)>,
    /// The reason why nothing was fitted.
    pub reason: Option<String>,
}

impl RuleFit {
    fn none(rule: &'static str, samples: usize, reason: &impl ToString) -> Self {
        Self {
            rule,
            samples: [samples, 0],
            coefficients: Vec::new(),
            log_loss: [f64::NAN; 2],
            params: Vec::new(),
            reason: Some(reason.to_string()),
        }
    }

    /// The same without numbers where the fitted rule predicts no better.
    fn judged(self) -> Self {
        let [before, after] = self.log_loss;
        if after < before {
            return self;
        }
        let reason = Some("it predicts the held-out samples no better".into());
        Self { params: Vec::new(), reason, ..self }
    }
}

/// Fits the rules that the samples are about. `params` are those of the searches that were sampled.
pub fn fit(table: &SampleTable, params: &Params) -> Vec<RuleFit> {
    match table.kind() {
        SampleKind::CutNodes => ordering::fit(table, params),
        SampleKind::LateMoves => vec![reductions::fit(table, params)],
        SampleKind::RfpNodes => vec![margins::fit(table, params)],
    }
}

/// A coefficient as a number of the search, within the range of that number.
fn number(name: &'static str, value: f64) -> (&'static str, i32) {
    let value = value.round() as i32;
    let range = Params::find(name).map_or((value, value), |param| (param.min, param.max));
    (name, value.clamp(range.0, range.1))
}

/// Whether a group of samples is held out.
fn is_held_out(group: usize) -> bool {
    group % HELD_OUT == HELD_OUT - 1
}

#[cfg(test)]
mod tests;
