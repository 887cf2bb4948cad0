//! Regret as text or JSON.

use arena::regret::{Comparison, EngineRegret, MeanEstimate, RegretReport};
use serde::Serialize;

use crate::output;

/// A report with its game, for programs.
#[derive(Debug, Serialize)]
struct Document<'a> {
    game: &'a str,
    #[serde(flatten)]
    report: &'a RegretReport,
}

/// Prints a report.
pub(super) fn print(json: bool, game: &str, report: &RegretReport) -> anyhow::Result<()> {
    if json { output::json(&Document { game, report }) } else { output::lines(lines(report)) }
}

/// The report as a table. Expected scores are in percent of a game.
fn lines(report: &RegretReport) -> Vec<String> {
    let RegretReport { positions, engines, comparisons, reference_searches } = report;
    let names = engines.iter().map(|engine| engine.name.chars().count());
    let width = names.max().unwrap_or(0).max(6);
    let pair = 2 * width + 4;
    let mut lines = vec![
        format!("{positions} positions, {reference_searches} new reference searches"),
        String::new(),
        format!("{:pair$}  regret in %         best moves", "engine"),
    ];
    for EngineRegret { name, regret, best_moves } in engines {
        lines.push(format!("{name:pair$}  {:18}  {best_moves}", percent(regret, false)));
    }
    lines.push(String::new());
    lines.push(format!("{:pair$}  difference in %          t  moves differ", "pair"));
    for Comparison { first, second, difference, t, moves_differ } in comparisons {
        let names = format!("{first} vs {second}");
        let t = t.map_or_else(|| "-".to_owned(), |t| format!("{t:+.2}"));
        lines.push(format!(
            "{names:pair$}  {:18}  {t:>6}  {moves_differ}",
            percent(difference, true)
        ));
    }
    lines
}

/// A mean and its standard error in percent.
fn percent(estimate: &MeanEstimate, signed: bool) -> String {
    let mean = estimate.mean * 100.0;
    // A difference of nothing has no sign.
    let mean = if signed && mean != 0.0 { format!("{mean:+.3}") } else { format!("{mean:.3}") };
    match estimate.error {
        Some(error) => format!("{mean} ± {:.3}", error * 100.0),
        None => mean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_table() {
        let estimate = |mean, error| MeanEstimate { mean, error };
        let engine = |name: &str, mean| EngineRegret {
            name: name.to_owned(),
            regret: estimate(mean, Some(0.001)),
            best_moves: 31,
        };
        let comparison = |second: &str, mean, error, t| Comparison {
            first: "new".to_owned(),
            second: second.to_owned(),
            difference: estimate(mean, error),
            t,
            moves_differ: 12,
        };
        let report = RegretReport {
            positions: 60,
            engines: vec![engine("new", 0.0125), engine("old", 0.02), engine("same", 0.0125)],
            comparisons: vec![
                comparison("old", -0.0075, Some(0.0025), Some(-3.0)),
                comparison("same", 0.0, Some(0.0), None),
            ],
            reference_searches: 140,
        };
        let shown = lines(&report).join("\n");
        assert_eq!(
            shown,
            "60 positions, 140 new reference searches\n\
             \n\
             engine            regret in %         best moves\n\
             new               1.250 ± 0.100       31\n\
             old               2.000 ± 0.100       31\n\
             same              1.250 ± 0.100       31\n\
             \n\
             pair              difference in %          t  moves differ\n\
             new vs old        -0.750 ± 0.250       -3.00  12\n\
             new vs same       0.000 ± 0.000            -  12"
        );
    }
}
