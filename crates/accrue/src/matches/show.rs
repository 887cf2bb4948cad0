//! What is told of a match, in the words of other programs for matches.

use std::io::{self, IsTerminal};

use arena::tournament::{End, Fixture, Journal, Standings};
use arena::{Hypothesis, Played, Standing, report};
use games::Game;
use serde::Serialize;

use super::contest::{Contest, Telling};
use super::pgn_file::pace_text;
use super::summary::Summary;
use crate::output;
use crate::progress::Progress;

/// Tells of a match on standard output.
pub(super) struct Show {
    names: Vec<String>,
    games: u64,
    telling: Telling,
    /// Only where it does not get into the way of the lines.
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

impl Show {
    pub(super) fn new<G: Game>(contest: &Contest<'_, G>) -> Self {
        let tournament = contest.tournament;
        let games = tournament.schedule.games();
        let alone = contest.telling == Telling::Result || !io::stdout().is_terminal();
        let progress = alone.then(|| Progress::new("match", games));
        Self {
            names: tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            games,
            telling: contest.telling,
            progress,
        }
    }

    fn players(&self, fixture: &Fixture) -> [&str; 2] {
        fixture.players.map(|player| self.names[player].as_str())
    }

    pub(super) fn resuming(&self, journal: &Journal) -> anyhow::Result<()> {
        let (games, damaged) = (journal.games(), journal.damaged());
        if self.telling == Telling::Json || games + damaged == 0 {
            return Ok(());
        }
        let lost = match damaged {
            0 => String::new(),
            _ => format!("; {damaged} damaged lines do not count, their games are played again"),
        };
        output::lines([format!("Resuming: {games} games are in the journal{lost}")])
    }

    pub(super) fn resumed(&self) {
        if let Some(progress) = &self.progress {
            progress.step();
        }
    }

    pub(super) fn started(&self, fixture: &Fixture) -> anyhow::Result<()> {
        if self.telling != Telling::Everything {
            return Ok(());
        }
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        output::lines([format!("Started game {number} of {} ({white} vs {black})", self.games)])
    }

    pub(super) fn finished<G: Game>(
        &self,
        contest: &Contest<'_, G>,
        standings: &Standings,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> anyhow::Result<()> {
        if let Some(progress) = &self.progress {
            progress.step();
        }
        if self.telling == Telling::Result {
            return Ok(());
        }
        let ([white, black], number) = (self.players(fixture), fixture.number + 1);
        let (result, reason) = (played.result(), played.reason());
        if self.telling == Telling::Json {
            return output::json(&GameLine {
                kind: "game",
                game: number,
                white,
                black,
                result,
                reason,
                termination: played.termination(),
                plies: played.course.turns().len(),
                opening: played.course.opening().line().position().to_fen(),
            });
        }
        let mut lines = vec![
            format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"),
            self.score(standings, fixture.pairing),
        ];
        if number.is_multiple_of(contest.report_every.max(1)) && number < self.games {
            lines.extend(self.standing(contest, standings)?);
        }
        output::lines(lines)
    }

    /// The line that cutechess prints after each game.
    fn score(&self, standings: &Standings, pairing: usize) -> String {
        let tally = standings.tally(pairing);
        let of = &standings.pairings()[pairing];
        let [first, second] = [of.a, of.b].map(|player| &self.names[player]);
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

    /// All that is known.
    fn standing<G: Game>(
        &self,
        contest: &Contest<'_, G>,
        standings: &Standings,
    ) -> anyhow::Result<Vec<String>> {
        let mut lines = vec![RULE.to_owned()];
        if let ([pairing], true) = (standings.pairings(), contest.anchors.is_empty()) {
            let [first, second] = [pairing.a, pairing.b].map(|player| &self.names[player]);
            let pace = pace_text(&contest.tournament.entrants[pairing.a].pace);
            lines.push(format!("Results of {first} vs {second} ({pace}):"));
            lines.extend(report(&pairing.tally, contest.sprt.as_ref()));
        } else {
            lines.extend(self.table(contest, standings)?);
        }
        lines.push(RULE.to_owned());
        Ok(lines)
    }

    /// Everyone's rating, the best first.
    fn table<G: Game>(
        &self,
        contest: &Contest<'_, G>,
        standings: &Standings,
    ) -> anyhow::Result<Vec<String>> {
        let ratings = standings.ratings(&contest.anchors)?;
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

    pub(super) fn end<G: Game>(
        &self,
        contest: &Contest<'_, G>,
        standings: &Standings,
        end: End,
        verdict: Option<Hypothesis>,
    ) -> anyhow::Result<()> {
        if let Some(progress) = &self.progress {
            progress.finish();
        }
        if self.telling == Telling::Json {
            return output::json(&Summary::new(contest, standings, end, verdict)?);
        }
        let mut lines = self.standing(contest, standings)?;
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
                "Stopped; with --journal, the same command with --resume goes on".to_owned()
            }
            _ => "Finished match".to_owned(),
        });
        output::lines(lines)
    }
}
