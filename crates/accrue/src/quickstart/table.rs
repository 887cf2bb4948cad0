//! What came of a match.

use arena::tournament::Standings;
use arena::{Estimate, Tally};

/// What came of a match.
pub(super) struct MatchTable {
    pub(super) title: &'static str,
    pub(super) tally: Tally,
    pub(super) estimate: Estimate,
}

impl MatchTable {
    pub(super) fn new(title: &'static str, standings: &Standings) -> Self {
        let tally = standings.tally(0);
        Self { title, estimate: tally.estimate(), tally }
    }

    /// The difference, with its error.
    pub(super) fn elo(&self) -> String {
        let Estimate { elo, elo_error, elo_low, .. } = self.estimate;
        match (elo.is_finite(), elo_error.is_finite()) {
            (true, true) => format!("{elo:+.0} ± {elo_error:.0} Elo"),
            (true, false) => format!("{elo:+.0} Elo, with an error that so few games do not tell"),
            (false, _) if elo > 0.0 => format!("at least {elo_low:+.0} Elo"),
            (false, _) => "nothing was won".to_owned(),
        }
    }

    /// The result in one line.
    pub(super) fn sentence(&self) -> String {
        let (games, points) = (self.tally.games(), self.tally.points());
        let percent = 100.0 * points / games.max(1) as f64;
        format!("{}: {points} of {games} points ({percent:.1} %), {}", self.title, self.elo())
    }

    /// Names and values for a table.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let [losses, one, draws, three, wins] = self.tally.by_quarters().unwrap_or_default();
        let mut rows = vec![
            ("games", self.tally.games().to_string()),
            ("wins – losses – draws", format!("{wins} – {losses} – {draws}")),
        ];
        if one + three > 0 {
            rows.push(("three quarters, one quarter of the point", format!("{three}, {one}")));
        }
        rows.push((
            "points",
            format!("{} ({:.1} %)", self.tally.points(), 100.0 * self.estimate.score),
        ));
        rows.push(("difference", self.elo()));
        rows.push(("likelihood of superiority", format!("{:.1} %", 100.0 * self.estimate.los)));
        rows
    }
}
