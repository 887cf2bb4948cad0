//! Contest output: the lines that other match programs print, or JSON.

use std::io::{self, IsTerminal};

use arena::contest::{Contest, ContestEvent, ContestResult, MatchSummary};
use arena::tournament::{End, Fixture, Standings};
use arena::{Hypothesis, Played, Standing, report};
use games::ToolkitGame;
use serde::Serialize;

use super::contest::{ContestFormat, Verbosity};
use crate::output;
use crate::progress::Progress;

/// Prints a contest on standard output.
pub(super) struct Show<'a, G: ToolkitGame> {
    contest: &'a Contest<G>,
    names: Vec<&'a str>,
    games: u64,
    verbosity: Verbosity,
    /// Only where it does not get in the way of the lines.
    progress: Option<Progress>,
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
    termination: &'static str,
    plies: usize,
    opening: String,
}

const RULE: &str = "--------------------------------------------------";

impl<'a, G: ToolkitGame> Show<'a, G> {
    pub(super) fn new(contest: &'a Contest<G>, verbosity: Verbosity) -> Self {
        let tournament = &contest.tournament;
        let games = tournament.schedule.games();
        let alone = verbosity.format == ContestFormat::Result || !io::stdout().is_terminal();
        let progress = alone.then(|| Progress::new("match", games));
        let names = tournament.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        Self { contest, names, games, verbosity, progress }
    }

    pub(super) fn event(&self, event: &ContestEvent<'_, G>) -> anyhow::Result<()> {
        match event {
            ContestEvent::Opened { games, damaged } => self.opened(*games, *damaged)?,
            ContestEvent::Started(fixture) => self.started(fixture)?,
            ContestEvent::Resumed(..) => self.step(),
            ContestEvent::Finished(fixture, played, standings) => {
                self.step();
                self.finished(standings, fixture, played)?;
            }
        }
        Ok(())
    }

    fn step(&self) {
        if let Some(progress) = &self.progress {
            progress.step();
        }
    }

    fn players(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player])
    }

    fn opened(&self, games: u64, damaged: u64) -> anyhow::Result<()> {
        if self.verbosity.format == ContestFormat::Json || games + damaged == 0 {
            return Ok(());
        }
        let lost = match damaged {
            0 => String::new(),
            _ => format!("; {damaged} damaged lines are ignored, their games are played again"),
        };
        output::lines([format!("Resuming: {games} games are in the journal{lost}")])
    }

    fn started(&self, fixture: &Fixture) -> anyhow::Result<()> {
        if self.verbosity.format != ContestFormat::Everything {
            return Ok(());
        }
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        output::lines([format!("Started game {number} of {} ({white} vs {black})", self.games)])
    }

    fn finished(
        &self,
        standings: &Standings,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> anyhow::Result<()> {
        if self.verbosity.format == ContestFormat::Result {
            return Ok(());
        }
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        let (result, reason) = (played.result(), played.reason());
        if self.verbosity.format == ContestFormat::Json {
            return output::json(&GameLine {
                kind: "game",
                game: number,
                white,
                black,
                result,
                reason,
                termination: played.termination(),
                plies: played.record.played_moves().len(),
                opening: played.record.opening().line().position().to_fen(),
            });
        }
        let mut lines = vec![
            format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"),
            self.score(standings, fixture.pairing),
        ];
        if number.is_multiple_of(self.verbosity.report_every.max(1)) && number < self.games {
            lines.extend(self.standing(standings)?);
        }
        output::lines(lines)
    }

    /// The line that cutechess prints after each game.
    fn score(&self, standings: &Standings, pairing: usize) -> String {
        let tally = standings.tally(pairing);
        let of = &standings.pairings()[pairing];
        let [first, second] = [of.a, of.b].map(|player| self.names[player]);
        let [losses, one, draws, three, wins] = tally.by_quarters().unwrap_or_default();
        let share = tally.points() / tally.games().max(1) as f64;
        let games = tally.games();
        // Quarters are neither won nor drawn nor lost.
        let quarters =
            if one + three > 0 { format!(" (3/4: {three}, 1/4: {one})") } else { String::new() };
        format!(
            "Score of {first} vs {second}: {wins} - {losses} - {draws}  [{share:.3}] {games}{quarters}"
        )
    }

    /// The whole standing.
    fn standing(&self, standings: &Standings) -> anyhow::Result<Vec<String>> {
        let contest = self.contest;
        let mut lines = vec![RULE.to_owned()];
        if let ([pairing], true) = (standings.pairings(), contest.anchors.is_empty()) {
            let [first, second] = [pairing.a, pairing.b].map(|player| self.names[player]);
            let limits = contest.tournament.entrants[pairing.a].limits;
            lines.push(format!("Results of {first} vs {second} ({limits}):"));
            lines.extend(report(&pairing.tally, contest.sprt.as_ref()));
        } else {
            lines.extend(self.table(standings)?);
        }
        lines.push(RULE.to_owned());
        Ok(lines)
    }

    /// The ratings, the best first.
    fn table(&self, standings: &Standings) -> anyhow::Result<Vec<String>> {
        let ratings = standings.ratings(&self.contest.anchors)?;
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
        let mut lines =
            vec![format!("Rank {:width$}       Elo     +/-   Games  Points   Score", "Name")];
        for (rank, player) in (1..).zip(order) {
            let rating = &ratings[player];
            let (games, points) = standings.score(player);
            let percent = 100.0 * points / games.max(1) as f64;
            let note = match rating.standing {
                Standing::Anchor => "  given",
                Standing::Estimated => "",
                Standing::AtLeast => "  or more: nothing was lost",
                Standing::AtMost => "  or less: nothing was won",
                Standing::Apart => "  not comparable",
            };
            lines.push(format!(
                "{rank:4} {:width$} {:9.2} {:7.2} {games:7} {points:7.1} {percent:6.2}%{note}",
                self.names[player], rating.elo, rating.error
            ));
        }
        Ok(lines)
    }

    pub(super) fn end(&self, result: &ContestResult) -> anyhow::Result<()> {
        if let Some(progress) = &self.progress {
            progress.finish();
        }
        if self.verbosity.format == ContestFormat::Json {
            return output::json(&MatchSummary::new(self.contest, result)?);
        }
        let ContestResult { end, standings, verdict } = result;
        let mut lines = self.standing(standings)?;
        for (name, faults) in self.names.iter().zip(standings.faults()) {
            if faults.total() > 0 {
                lines.push(format!(
                    "Losses of {name} by its own fault: {} crashes, {} stalls, {} illegal moves, {} on time",
                    faults.crashes, faults.stalls, faults.illegal, faults.time
                ));
            }
        }
        lines.extend(verdict.map(|verdict| {
            let name = if verdict == Hypothesis::H1 { "H1" } else { "H0" };
            format!("SPRT completed: {name} was accepted")
        }));
        lines.push(match end {
            End::Stopped => {
                "Stopped; with --journal, the same command with --resume continues".to_owned()
            }
            _ => "Finished match".to_owned(),
        });
        output::lines(lines)
    }
}
