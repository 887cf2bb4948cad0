//! Uncertainty signals: how well the width of the quantiles predicts the error of the median,
//! compared with signals that need no quantiles.

use nnue::Calibration;

use super::{MEDIAN, Observation, spearman};

/// Depths of shallow searches whose distance from the static evaluation is compared with the width.
const SHALLOW: [u8; 2] = [1, 4];

/// Spearman's correlation of each signal with |deep score − median|, on the same positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    /// The number of positions with all signals.
    pub positions: usize,
    /// The name and the correlation of each signal.
    pub correlations: Vec<(String, f64)>,
}

impl Signals {
    /// The correlations of observations whose deepest score is the target. Shallow searches are
    /// included if most observations have them.
    pub fn of(observations: &[&Observation], calibration: Option<&Calibration>) -> Self {
        let (chosen, shallow) = choose(observations);
        let samples: Vec<_> = chosen
            .iter()
            .filter_map(|seen| seen.scores.last().map(|&deepest| seen.sample(deepest)))
            .map(|sample| calibration.map_or(sample, |calibration| sample.calibrated(calibration)))
            .collect();
        let errors: Vec<f64> = samples.iter().map(|sample| sample.error().into()).collect();
        let widths: Vec<f64> = samples.iter().map(|sample| sample.width().into()).collect();
        let mut correlations = vec![("width q90 − q10".to_owned(), spearman(&widths, &errors))];
        let mut add = |name: String, signal: &dyn Fn(&Observation) -> i32| {
            let values: Vec<f64> = chosen.iter().map(|seen| signal(seen).abs().into()).collect();
            correlations.push((name, spearman(&values, &errors)));
        };
        for depth in shallow {
            let found = |seen: &Observation| seen.at_depth(depth).unwrap_or_default();
            let away = |seen: &Observation| found(seen) - seen.quantiles[MEDIAN];
            add(format!("|depth {depth} − static|"), &away);
        }
        add("|simple evaluation − static|".to_owned(), &|seen| {
            seen.baseline - seen.quantiles[MEDIAN]
        });
        add("|static|".to_owned(), &|seen| seen.quantiles[MEDIAN]);
        Self { positions: chosen.len(), correlations }
    }
}

/// The observations with all signals, and the shallow depths among these.
fn choose<'a>(observations: &[&'a Observation]) -> (Vec<&'a Observation>, Vec<u8>) {
    let has = |seen: &Observation, depth: u8| {
        let deepest = seen.scores.last().map_or(0, |found| found.depth);
        deepest > depth && seen.at_depth(depth).is_some()
    };
    let is_common = |&depth: &u8| {
        2 * observations.iter().filter(|seen| has(seen, depth)).count() > observations.len()
    };
    let shallow: Vec<u8> = SHALLOW.into_iter().filter(is_common).collect();
    let mut chosen = observations.to_vec();
    chosen.retain(|seen| shallow.iter().all(|&depth| has(seen, depth)));
    (chosen, shallow)
}
