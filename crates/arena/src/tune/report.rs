//! Tuning report: the tuned values.

use search::Params;
use serde::Serialize;

use super::Spsa;

/// The values of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuningReport {
    /// The number of iterations.
    pub iterations: u64,
    /// Those that are done.
    pub iterations_done: u64,
    /// The number of games that were played.
    pub games: u64,
    /// The parameters.
    pub params: Vec<TuningRow>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuningRow {
    /// The parameter.
    pub name: String,
    /// Its default.
    pub default: i32,
    /// The value at the start of the tuning.
    pub start: f64,
    /// The current value.
    pub value: f64,
    /// The current value rounded for the search.
    pub tuned: i32,
    /// The minimum.
    pub min: i32,
    /// The maximum.
    pub max: i32,
    /// The step of the last iteration.
    pub step: f64,
}

impl TuningReport {
    /// The values of a tuning with so many pairs of games in each iteration.
    pub fn new(spsa: &Spsa, pairs: u64) -> Self {
        let done = spsa.progress().iteration;
        let rows = spsa.params().iter().zip(&spsa.progress().values).map(|(tuned, &value)| {
            let param = Params::LIST.iter().find(|param| param.name == tuned.name);
            let (min, max) = (tuned.min as i32, tuned.max as i32);
            TuningRow {
                name: tuned.name.clone(),
                default: param.map_or(tuned.start.round() as i32, |param| param.default),
                start: tuned.start,
                value,
                tuned: (value.round() as i32).clamp(min, max),
                min,
                max,
                step: tuned.step,
            }
        });
        Self {
            iterations: spsa.iterations(),
            iterations_done: done,
            games: done.saturating_mul(2 * pairs),
            params: rows.collect(),
        }
    }

    /// Whether all iterations are done.
    pub fn is_complete(&self) -> bool {
        self.iterations_done == self.iterations
    }
}
