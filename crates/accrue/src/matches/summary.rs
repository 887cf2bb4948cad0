//! What `--json` prints at the end.

use arena::tournament::{End, FaultCounts, Standings};
use arena::{Estimate, Hypothesis, Pairing, Standing};
use games::Game;
use serde::Serialize;

use super::contest::Contest;

/// All that is known at the end. Numbers that are infinite are null.
#[derive(Serialize)]
pub(super) struct Summary {
    #[serde(rename = "type")]
    kind: &'static str,
    game: &'static str,
    engines: Vec<EngineSummary>,
    pairings: Vec<PairingSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtSummary>,
}

#[derive(Serialize)]
struct EngineSummary {
    name: String,
    games: u64,
    points: f64,
    elo: f64,
    elo_error: f64,
    standing: &'static str,
    crashes: u64,
    stalls: u64,
    illegal_moves: u64,
    time_losses: u64,
}

#[derive(Serialize)]
struct PairingSummary {
    first: String,
    second: String,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    three_quarters: u64,
    one_quarter: u64,
    /// Null if quarters of a point were made.
    pentanomial: Option<[u64; 5]>,
    elo: f64,
    elo_error: f64,
    normalized_elo: f64,
    normalized_elo_error: f64,
    los: f64,
}

#[derive(Serialize)]
struct SprtSummary {
    elo0: f64,
    elo1: f64,
    model: &'static str,
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<&'static str>,
}

impl Summary {
    pub(super) fn new<G: Game>(
        contest: &Contest<'_, G>,
        standings: &Standings,
        end: End,
        verdict: Option<Hypothesis>,
    ) -> anyhow::Result<Self> {
        let entrants = &contest.tournament.entrants;
        let name = |player: usize| entrants[player].name.clone();
        let ratings = standings.ratings(&contest.anchors)?;
        let engines = ratings.iter().zip(standings.faults()).enumerate();
        let engines = engines.map(|(player, (rating, faults))| {
            let (games, points) = standings.score(player);
            let FaultCounts { crashes, stalls, illegal, time } = *faults;
            EngineSummary {
                name: name(player),
                games,
                points,
                elo: rating.elo,
                elo_error: rating.error,
                standing: match rating.standing {
                    Standing::Anchor => "anchor",
                    Standing::Estimated => "estimated",
                    Standing::AtLeast => "at least",
                    Standing::AtMost => "at most",
                    Standing::Apart => "apart",
                },
                crashes,
                stalls,
                illegal_moves: illegal,
                time_losses: time,
            }
        });
        let pairings = standings.pairings().iter();
        let pairings = pairings.map(|of| PairingSummary::new(of, [name(of.a), name(of.b)]));
        let sprt = contest.sprt.as_ref().map(|sprt| {
            let ((elo0, elo1), (lower, upper)) = (sprt.elo(), sprt.bounds());
            let accepted =
                verdict.map(|verdict| if verdict == Hypothesis::H1 { "H1" } else { "H0" });
            let llr = sprt.llr(&standings.pairings()[0].tally);
            SprtSummary { elo0, elo1, model: sprt.model().name(), llr, lower, upper, accepted }
        });
        let kind = match end {
            End::Complete => "finished",
            End::Decided => "decided",
            End::Stopped => "stopped",
        };
        Ok(Self {
            kind,
            game: G::NAME,
            engines: engines.collect(),
            pairings: pairings.collect(),
            sprt,
        })
    }
}

impl PairingSummary {
    fn new(pairing: &Pairing, [first, second]: [String; 2]) -> Self {
        let tally = &pairing.tally;
        let [losses, one_quarter, draws, three_quarters, wins] =
            tally.by_quarters().unwrap_or_default();
        let Estimate { elo, elo_error, normalized, normalized_error, los, .. } = tally.estimate();
        Self {
            first,
            second,
            games: tally.games(),
            points: tally.points(),
            wins,
            draws,
            losses,
            three_quarters,
            one_quarter,
            pentanomial: tally.pentanomial(),
            elo,
            elo_error,
            normalized_elo: normalized,
            normalized_elo_error: normalized_error,
            los,
        }
    }
}
