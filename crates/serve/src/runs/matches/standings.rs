//! Standings of a match, counted as the match itself counts them: in the order of the games, up to
//! the first that is missing or that decides the test.

use arena::contest::{EngineSummary, MatchStatus, PairingSummary, SprtSummary};
use arena::tournament::{JournalReader, Schedule, Shape, Standings};
use arena::{Hypothesis, Sprt};
use report::chart::{Axis, Chart, Point, Series, Tone};
use serde_json::{Value, json};

use super::engine_name;

/// The number of points of the curve of the test.
const CURVE_POINTS: u64 = 300;
/// The largest match whose ratings are computed.
const MAX_ENGINES: usize = 128;

/// The results so far.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) schedule: Option<Schedule>,
    names: Vec<String>,
    /// Games that count.
    pub(super) games: u64,
    pub(super) verdict: Option<Hypothesis>,
    pub(super) engines: Vec<Value>,
    pub(super) pairings: Vec<PairingSummary>,
    pub(super) sprt: Option<SprtSummary>,
    /// The log-likelihood ratio after so many games.
    curve: Vec<(u64, f64)>,
}

impl Counted {
    /// Counts the games of a journal. Without a status, its identity names the engines.
    pub(super) fn new(journal: &JournalReader, status: Option<&MatchStatus>) -> Self {
        let (names, schedule) = match status {
            Some(status) => (status.engines.clone(), status.schedule()),
            None => identified(journal),
        };
        if !(2..=MAX_ENGINES).contains(&names.len()) {
            return Self::default();
        }
        let sprt = status.and_then(|status| status.sprt.as_ref()?.sprt().ok());
        let mut counted = Self { names, schedule: Some(schedule), ..Self::default() };
        let standings = counted.count(journal, sprt.as_ref());
        let anchors = status.map(MatchStatus::known_ratings).unwrap_or_default();
        let engines = EngineSummary::all(&counted.names, &standings, &anchors);
        counted.engines = with_places(&engines.unwrap_or_default());
        counted.pairings = PairingSummary::all(&counted.names, &standings);
        let tally = standings.pairings().first().map(|pairing| &pairing.tally);
        counted.sprt =
            sprt.zip(tally).map(|(sprt, tally)| SprtSummary::new(&sprt, tally, counted.verdict));
        counted
    }

    fn count(&mut self, journal: &JournalReader, sprt: Option<&Sprt>) -> Standings {
        let Some(schedule) = &self.schedule else {
            return Standings::new(&Schedule::new(Shape::RoundRobin, 0, 0), 0);
        };
        let mut standings = Standings::new(schedule, self.names.len());
        let step = (journal.games().len() as u64 / CURVE_POINTS).max(1).next_multiple_of(2);
        while let Some(game) = journal.games().get(&self.games)
            && let Some(fixture) = schedule.fixture(self.games)
        {
            standings.add_result(&fixture, game.white, &game.ending);
            self.games += 1;
            let Some(sprt) = sprt.filter(|_| fixture.is_return()) else { continue };
            let tally = &standings.pairings()[0].tally;
            self.verdict = sprt.verdict(tally);
            if self.verdict.is_some() || self.games.is_multiple_of(step) {
                self.curve.push((self.games, sprt.llr(tally)));
            }
            if self.verdict.is_some() {
                break;
            }
        }
        if let Some(sprt) = sprt {
            let tally = &standings.pairings()[0].tally;
            if self.curve.last().is_none_or(|&(games, _)| games < tally.games()) {
                self.curve.push((tally.games(), sprt.llr(tally)));
            }
        }
        standings
    }

    pub(super) fn name(&self, player: usize) -> String {
        self.names.get(player).cloned().unwrap_or_default()
    }

    /// How far the test is, 0 to 1.
    pub(super) fn test_share(&self) -> Option<f64> {
        let SprtSummary { llr, lower, upper, .. } = *self.sprt.as_ref()?;
        Some(if llr >= 0.0 { llr / upper } else { llr / lower })
    }

    /// The results in a few words.
    pub(super) fn text(&self) -> String {
        let mut parts = Vec::new();
        if let [only] = &self.pairings[..] {
            let PairingSummary { first, second, points, games, elo, elo_error, .. } = only;
            parts.push(format!("{first} {points} of {games} against {second}"));
            match (elo.is_finite() && *games > 0, elo_error.is_finite()) {
                (true, true) => parts.push(format!("{elo:+.0} ± {elo_error:.0} Elo")),
                (true, false) => parts.push(format!("{elo:+.0} Elo")),
                (false, _) => {}
            }
        } else {
            parts.push(format!("{} games of {} engines", self.games, self.names.len()));
        }
        parts.extend(self.sprt.as_ref().map(|sprt| match sprt.accepted {
            Some(accepted) => format!("{accepted} accepted"),
            None => format!("LLR {:.2}", sprt.llr),
        }));
        parts.join(", ")
    }

    /// The log-likelihood ratio between its bounds.
    pub(super) fn llr_chart(&self) -> Option<String> {
        let SprtSummary { lower, upper, .. } = *self.sprt.as_ref()?;
        let last = self.curve.last().map_or(1, |&(games, _)| games.max(1)) as f64;
        let curve = self.curve.iter().map(|&(games, llr)| Point::new(games as f64, llr));
        let bound = |name: &str, tone, value: f64| {
            Series::reference(name, tone, [0.0, last].map(|games| Point::new(games, value)))
        };
        let chart =
            Chart::new("Log-likelihood ratio", Axis::new("games").integers(), Axis::new("LLR"));
        let chart = chart
            .series(bound("H1 is accepted", Tone::Green, upper))
            .series(bound("H0 is accepted", Tone::Red, lower))
            .series(Series::line(
                "LLR",
                Tone::Blue,
                [Point::new(0.0, 0.0)].into_iter().chain(curve),
            ))
            .size(760.0, 320.0);
        Some(chart.picture().inline().into_string())
    }
}

/// The engines as they are sent, with their places.
fn with_places(engines: &[EngineSummary]) -> Vec<Value> {
    let better =
        |engine: &EngineSummary| engines.iter().filter(|other| other.elo > engine.elo).count();
    let engine = |engine: &EngineSummary| {
        let EngineSummary { name, games, points, elo, elo_error, standing, .. } = engine;
        json!({
            "name": name,
            "games": games,
            "points": points,
            "elo": elo,
            "elo_error": elo_error,
            "standing": better(engine) + 1,
            "rating": standing,
        })
    };
    engines.iter().map(engine).collect()
}

/// The engines and pairings of a journal without a status.
fn identified(journal: &JournalReader) -> (Vec<String>, Schedule) {
    let names = (1..=MAX_ENGINES + 1)
        .map_while(|number| journal.value(&format!("engine {number}")).map(engine_name));
    let names: Vec<String> = names.collect();
    let shape = match journal.value("shape") {
        Some("Gauntlet") => Shape::Gauntlet,
        _ => Shape::RoundRobin,
    };
    let schedule = Schedule::new(shape, names.len().min(MAX_ENGINES), u64::from(u32::MAX));
    (names, schedule)
}
