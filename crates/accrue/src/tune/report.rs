//! Tuning report: the values and the changed parameter lines as text.

use arena::tune::{TuningReport, TuningRow};

/// The values, and the lines of the parameter table that would change.
pub(super) fn lines(report: &TuningReport) -> Vec<String> {
    let TuningReport { iterations, iterations_done, games, params } = report;
    let mut lines = vec![format!("{iterations_done} of {iterations} iterations, {games} games")];
    let width = params.iter().map(|row| row.name.len()).max().unwrap_or(0);
    lines.push(format!(
        "{:width$} {:>8} {:>10} {:>8} {:>14} {:>8}",
        "name", "start", "value", "tuned", "range", "steps"
    ));
    lines.extend(params.iter().map(|row| {
        let TuningRow { name, start, value, tuned, min, max, step, .. } = row;
        let range = format!("{min}..{max}");
        let moved = (value - start) / step;
        format!("{name:width$} {start:>8} {value:>10.2} {tuned:>8} {range:>14} {moved:>+8.2}")
    }));
    let changed: Vec<_> = params.iter().filter(|row| row.tuned != row.default).collect();
    if changed.is_empty() {
        lines.push("All values are the defaults.".to_owned());
    } else {
        lines.push("For crates/search/src/params.rs:".to_owned());
        lines.extend(changed.into_iter().map(|row| {
            let TuningRow { name, tuned, min, max, .. } = row;
            format!("        {name} = {tuned} in {min}..{max};")
        }));
    }
    lines
}
