//! Match summary: the results of a contest for programs that read JSON.

use games::ToolkitGame;
use serde::Serialize;

use super::{Contest, ContestResult};
use crate::statistics::{
    Anchor, Estimate, Hypothesis, Pairing, Rating, RatingsError, Sprt, Standing, Tally,
};
use crate::tournament::{End, FaultCounts, Standings};

/// The results of a contest. In JSON, numbers that are infinite are null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// How it ended: `finished`, `decided` or `stopped`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The game.
    pub game: &'static str,
    /// The players.
    pub engines: Vec<EngineSummary>,
    /// The pairs of players that met.
    pub pairings: Vec<PairingSummary>,
    /// The SPRT, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
}

/// The results of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineSummary {
    /// The name.
    pub name: String,
    /// Games that were played.
    pub games: u64,
    /// The score of these games: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// The rating.
    pub elo: f64,
    /// Its error.
    pub elo_error: f64,
    /// The kind of rating: `estimated`, `anchor`, `at least`, `at most` or `apart`.
    pub standing: &'static str,
    /// Games lost because the program ended.
    pub crashes: u64,
    /// Games lost because no move came.
    pub stalls: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
}

/// The results of two players against each other, for the first of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingSummary {
    /// The name of the first.
    pub first: String,
    /// The name of the second.
    pub second: String,
    /// Games that were played.
    pub games: u64,
    /// The score of these games.
    pub points: f64,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Games with a score of 3/4.
    pub three_quarters: u64,
    /// Games with a score of 1/4.
    pub one_quarter: u64,
    /// Pairs of games by their score: 0, 1/2, 1, 3/2, 2. `None` if there were scores of 1/4 or 3/4.
    pub pentanomial: Option<[u64; 5]>,
    /// The Elo difference.
    pub elo: f64,
    /// Its error.
    pub elo_error: f64,
    /// The normalized Elo difference.
    pub normalized_elo: f64,
    /// Its error.
    pub normalized_elo_error: f64,
    /// The likelihood of superiority.
    pub los: f64,
}

/// The state of the SPRT.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The Elo difference of hypothesis H0.
    pub elo0: f64,
    /// The Elo difference of hypothesis H1.
    pub elo1: f64,
    /// The Elo model.
    pub model: &'static str,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Its lower bound.
    pub lower: f64,
    /// Its upper bound.
    pub upper: f64,
    /// The hypothesis that was accepted.
    pub accepted: Option<&'static str>,
}

impl MatchSummary {
    /// The results of a contest.
    pub fn new<G: ToolkitGame>(
        contest: &Contest<G>,
        result: &ContestResult,
    ) -> Result<Self, RatingsError> {
        let ContestResult { end, standings, verdict } = result;
        let names = contest.tournament.entrants.iter().map(|entrant| entrant.name.clone());
        let names: Vec<String> = names.collect();
        let kind = match *end {
            End::Complete => "finished",
            End::Decided => "decided",
            End::Stopped => "stopped",
        };
        let sprt = contest.sprt.as_ref();
        Ok(Self {
            kind,
            game: G::NAME,
            engines: EngineSummary::all(&names, standings, &contest.anchors)?,
            pairings: PairingSummary::all(&names, standings),
            sprt: sprt.map(|sprt| SprtSummary::new(sprt, &standings.pairings()[0].tally, *verdict)),
        })
    }
}

impl SprtSummary {
    /// The state of a test after these results.
    pub fn new(sprt: &Sprt, tally: &Tally, verdict: Option<Hypothesis>) -> Self {
        let ((elo0, elo1), (lower, upper)) = (sprt.elo(), sprt.bounds());
        let (model, llr) = (sprt.model().name(), sprt.llr(tally));
        Self { elo0, elo1, model, llr, lower, upper, accepted: verdict.map(Hypothesis::name) }
    }
}

impl EngineSummary {
    /// The results of all players. There is a name for each.
    pub fn all(
        names: &[String],
        standings: &Standings,
        anchors: &[Anchor],
    ) -> Result<Vec<Self>, RatingsError> {
        let ratings = standings.ratings(anchors)?;
        let engines = names.iter().zip(&ratings).zip(standings.faults()).enumerate();
        let engine = |(player, ((name, rating), faults)): (usize, ((&String, _), _))| {
            let (rating, faults): (&Rating, &FaultCounts) = (rating, faults);
            let (games, points) = standings.score(player);
            let FaultCounts { crashes, stalls, illegal, time } = *faults;
            Self {
                name: name.clone(),
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
        };
        Ok(engines.map(engine).collect())
    }
}

impl PairingSummary {
    /// The results of all pairings. There is a name for each player.
    pub fn all(names: &[String], standings: &Standings) -> Vec<Self> {
        let name = |player: usize| names.get(player).cloned().unwrap_or_default();
        let pairings = standings.pairings().iter();
        pairings.map(|of| Self::new(of, [name(of.a), name(of.b)])).collect()
    }

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
