//! What is told of a match, in the words of other programs for matches.

use arena::Played;
use arena::tournament::{Fixture, Tournament};
use games::{Color, Game};
use serde::Serialize;

use crate::output;
use crate::progress::Progress;

/// Tells of a match on standard output.
pub(super) struct Show {
    names: Vec<String>,
    games: u64,
    json: bool,
    progress: Progress,
    /// Quarters of points by pairing, as the first of it sees them: losses first.
    scores: Vec<[u64; 5]>,
    pairings: Vec<[usize; 2]>,
}

/// A game, with `--json`.
#[derive(Serialize)]
struct GameLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    game: u64,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    reason: String,
    plies: usize,
    opening: String,
}

impl Show {
    pub(super) fn new<G: Game>(tournament: &Tournament<G>, json: bool) -> Self {
        let pairings = tournament.schedule.pairings().to_vec();
        let games = tournament.schedule.games();
        Self {
            names: tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            games,
            json,
            progress: Progress::new("match", games),
            scores: vec![[0; 5]; pairings.len()],
            pairings,
        }
    }

    fn players(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player].as_str())
    }

    pub(super) fn started(&self, fixture: &Fixture) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        output::lines([format!("Started game {number} of {} ({white} vs {black})", self.games)])
    }

    pub(super) fn finished<G: Game>(
        &mut self,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> anyhow::Result<()> {
        let first = if fixture.is_return() { Color::Black } else { Color::White };
        let quarters = played.outcome.points(first).as_quarters();
        self.scores[fixture.pairing][usize::from(quarters)] += 1;
        self.progress.step();
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        let (result, reason) = (played.result(), played.reason());
        if self.json {
            return output::json(&GameLine {
                kind: "game",
                game: number,
                white,
                black,
                result,
                reason,
                plies: played.course.turns().len(),
                opening: played.course.opening().line().position().to_fen(),
            });
        }
        output::lines([
            format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"),
            self.score(fixture.pairing),
        ])
    }

    fn score(&self, pairing: usize) -> String {
        let [first, second] = self.pairings[pairing].map(|player| &self.names[player]);
        let [losses, quarter, draws, three, wins] = self.scores[pairing];
        let games = losses + quarter + draws + three + wins;
        let points = (quarter + 2 * draws + 3 * three + 4 * wins) as f64 / 4.0;
        let share = points / games.max(1) as f64;
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {games}")
    }

    pub(super) fn end(&self) {
        self.progress.finish();
    }
}
