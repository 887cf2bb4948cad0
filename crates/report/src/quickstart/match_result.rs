//! Match results: games, score, Elo difference with its error, and likelihood of superiority.

use maud::{Markup, html};

use crate::page::facts;

/// The result of a match, for the first of its two players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchResult {
    /// What was played.
    pub title: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games that scored three quarters of a point, in games that have them.
    pub three_quarters: u64,
    /// Games that scored one quarter of a point.
    pub one_quarter: u64,
    /// The Elo difference; infinite if all games were won or lost.
    pub elo: f64,
    /// Half of its confidence interval.
    pub elo_error: f64,
    /// The lower end of its confidence interval.
    pub elo_low: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
}

impl MatchResult {
    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.three_quarters + self.one_quarter
    }

    /// The score: a point for a win, half a point for a draw.
    pub fn score(&self) -> f64 {
        let Self { wins, draws, three_quarters, one_quarter, .. } = *self;
        (4 * wins + 3 * three_quarters + 2 * draws + one_quarter) as f64 / 4.0
    }

    /// The score for each game, from 0 to 1; 0 before the first game.
    pub fn mean_score(&self) -> f64 {
        self.score() / self.games().max(1) as f64
    }

    /// The Elo difference with its error.
    pub fn elo_text(&self) -> String {
        let Self { elo, elo_error, elo_low, .. } = *self;
        match (elo.is_finite(), elo_error.is_finite()) {
            (true, true) => format!("{elo:+.0} ± {elo_error:.0} Elo"),
            (true, false) => format!("{elo:+.0} Elo; too few games for an error"),
            (false, _) if elo > 0.0 => format!("at least {elo_low:+.0} Elo"),
            (false, _) => "no game was won or drawn".to_owned(),
        }
    }

    /// The result in one line.
    pub fn summary(&self) -> String {
        let (title, score, games) = (&self.title, self.score(), self.games());
        let percent = 100.0 * self.mean_score();
        format!("{title}: {score} of {games} points ({percent:.1} %), {}", self.elo_text())
    }

    /// A table, and a bar of wins, draws and losses.
    pub(super) fn markup(&self) -> Markup {
        let Self { wins, draws, losses, three_quarters, one_quarter, .. } = *self;
        let quarters = (three_quarters + one_quarter > 0)
            .then(|| ("¾ – ¼ of a point", format!("{three_quarters} – {one_quarter}")));
        let rows = [
            Some(("games", self.games().to_string())),
            Some(("wins – draws – losses", format!("{wins} – {draws} – {losses}"))),
            quarters,
            Some(("score", format!("{} ({:.1} %)", self.score(), 100.0 * self.mean_score()))),
            Some(("Elo difference", self.elo_text())),
            Some(("likelihood of superiority", format!("{:.1} %", 100.0 * self.los))),
        ];
        html! {
            h3 { (self.title) }
            (self.bar())
            (facts(rows.into_iter().flatten()))
        }
    }

    fn bar(&self) -> Markup {
        let parts = [
            ("green", self.wins + self.three_quarters, "won"),
            ("gray", self.draws, "drawn"),
            ("red", self.losses + self.one_quarter, "lost"),
        ];
        let mut left = 0;
        html! {
            svg class="score" viewBox=(format_args!("0 0 {} 1", self.games().max(1)))
                preserveAspectRatio="none" role="img" aria-label="wins, draws, losses" {
                @for (tone, games, what) in parts {
                    g class=(tone) {
                        rect class="bar" x=(left) width=(games) height="1" {
                            title { (games) " " (what) }
                        }
                    }
                    @let () = left += games;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_whatever_the_games_say() {
        let result = MatchResult {
            title: "match".into(),
            wins: 7,
            draws: 2,
            losses: 1,
            elo: 241.0,
            elo_error: 88.0,
            los: 0.99,
            ..MatchResult::default()
        };
        assert_eq!(result.summary(), "match: 8 of 10 points (80.0 %), +241 ± 88 Elo");
        let text = |elo, elo_error| MatchResult { elo, elo_error, ..result.clone() }.elo_text();
        assert_eq!(text(20.0, f64::INFINITY), "+20 Elo; too few games for an error");
        assert_eq!(text(f64::INFINITY, f64::NAN), "at least +0 Elo");
        assert_eq!(text(f64::NEG_INFINITY, f64::NAN), "no game was won or drawn");
        let quarters = MatchResult { three_quarters: 3, one_quarter: 1, ..result };
        assert_eq!((quarters.games(), quarters.score()), (14, 10.5));
        assert!(quarters.markup().into_string().contains("3 – 1"));
    }
}
