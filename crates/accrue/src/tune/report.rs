//! What a tuning found.

use arena::tune::Spsa;
use search::Params;
use serde::Serialize;

use crate::output;

/// The result, also with `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    iterations: u64,
    iterations_done: u64,
    games: u64,
    params: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    default: i32,
    start: f64,
    value: f64,
    /// The value as a search takes it.
    tuned: i32,
    least: i32,
    most: i32,
    step: f64,
}

impl Report {
    pub(super) fn new(spsa: &Spsa, pairs: u64) -> Self {
        let done = spsa.progress().iteration;
        let rows = spsa.knobs().iter().zip(&spsa.progress().values).map(|(knob, &value)| {
            let param = Params::LIST.iter().find(|param| param.name == knob.name);
            let (least, most) = (knob.least as i32, knob.most as i32);
            Row {
                name: knob.name.clone(),
                default: param.map_or(knob.start.round() as i32, |param| param.default),
                start: knob.start,
                value,
                tuned: (value.round() as i32).clamp(least, most),
                least,
                most,
                step: knob.step,
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
    pub(super) fn is_complete(&self) -> bool {
        self.iterations_done == self.iterations
    }

    /// Prints it.
    pub(super) fn tell(&self, json: bool) -> anyhow::Result<()> {
        if json {
            return output::json(self);
        }
        let Self { iterations, iterations_done, games, params } = self;
        let mut lines =
            vec![format!("{iterations_done} of {iterations} iterations, {games} games")];
        let width = params.iter().map(|row| row.name.len()).max().unwrap_or(0);
        lines.push(format!(
            "{:width$} {:>8} {:>10} {:>8} {:>14} {:>8}",
            "name", "start", "value", "tuned", "range", "steps"
        ));
        lines.extend(params.iter().map(|row| {
            let Row { name, start, value, tuned, least, most, step, .. } = row;
            let range = format!("{least}..{most}");
            let moved = (value - start) / step;
            format!("{name:width$} {start:>8} {value:>10.2} {tuned:>8} {range:>14} {moved:>+8.2}")
        }));
        let changed: Vec<_> = params.iter().filter(|row| row.tuned != row.default).collect();
        if changed.is_empty() {
            lines.push("No value is other than it was.".to_owned());
        } else {
            lines.push("For crates/search/src/params.rs:".to_owned());
            lines.extend(changed.into_iter().map(|row| {
                let Row { name, tuned, least, most, .. } = row;
                format!("    {name} = {tuned} in {least}..{most};")
            }));
        }
        output::lines(lines)
    }
}
