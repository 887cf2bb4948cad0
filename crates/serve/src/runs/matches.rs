//! Matches: standings, the sequential test, finished games and games in progress.

mod standings;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arena::contest::{MatchState, MatchStatus, OpeningsReader};
use arena::tournament::{Fixture, JournalReader};
use arena::{EngineSpec, result_text};
use serde_json::{Value, json};

use self::standings::Counted;
use super::files;
use super::rate::Rate;
use super::reader::{RunReader, Scene};
use super::replay::ReplayedGame;
use super::summary::{End, Facts};
use crate::error::ApiError;

/// How much of a journal is read between two readings of the clock.
const PIECE_BYTES: u64 = 4 << 20;
/// How long a look may take.
const LOOK_TIME: Duration = Duration::from_millis(150);
/// How many finished games are listed.
const LISTED: usize = 200;

/// A match.
#[derive(Debug, Default)]
pub(super) struct MatchReader {
    journal: Option<JournalReader>,
    openings: Option<OpeningsReader>,
    status: Option<MatchStatus>,
    /// Why the status cannot be read.
    fault: Option<String>,
    has_more: bool,
    counted: Counted,
    rate: Rate,
    /// Why games ended, by their numbers: found by replaying them.
    reasons: HashMap<u64, String>,
}

impl RunReader for MatchReader {
    fn files(&self, path: &Path) -> Vec<PathBuf> {
        vec![path.to_owned(), MatchStatus::path(path)]
    }

    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String> {
        self.read(scene.path)?;
        let Some(journal) = &self.journal else { return Err("it is empty".to_owned()) };
        self.counted = Counted::new(journal, self.status.as_ref());
        let games = journal.games().len() as u64;
        if !self.has_more {
            self.rate.add(Instant::now(), games);
        }
        let total = self.status.as_ref().map(|status| status.games);
        let state = self.status.as_ref().map(|status| status.state);
        let is_decided = self.counted.verdict.is_some();
        let is_complete = total.is_some_and(|total| self.counted.games >= total);
        Ok(Facts {
            game: journal.value("game").map(str::to_owned),
            text: self.text(),
            progress: self.progress(),
            // A sequential test ends long before its maximum of games; when, nobody knows.
            seconds_left: total
                .filter(|_| self.counted.test_share().is_none())
                .and_then(|total| self.rate.seconds_to(total)),
            end: match state {
                _ if is_decided || is_complete => End::Finished,
                Some(MatchState::Finished | MatchState::Decided) => End::Finished,
                Some(MatchState::Stopped) => End::Stopped,
                Some(MatchState::Playing) | None => End::Open,
            },
            is_partial: self.has_more,
            ..Facts::default()
        })
    }

    fn view(&mut self, scene: &Scene<'_>) -> Value {
        let games = self.listed(scene);
        let live = self.live(scene);
        let counted = &self.counted;
        json!({
            "engines": counted.engines,
            "pairings": counted.pairings,
            "sprt": counted.sprt,
            "llr_chart": counted.llr_chart(),
            "total": self.status.as_ref().map(|status| status.games),
            "live": live,
            "games": games,
        })
    }

    fn as_match(&mut self) -> Option<&mut MatchReader> {
        Some(self)
    }
}

impl MatchReader {
    /// Reads what was appended, for a limited time.
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let text = |error: arena::tournament::JournalError| error.to_string();
        if self.journal.is_none() {
            self.journal = Some(JournalReader::open(path).map_err(text)?);
            self.openings = Some(OpeningsReader::new(path));
        }
        (self.status, self.fault) = match read_status(path) {
            Ok(status) => (status, None),
            Err(fault) => (None, Some(fault)),
        };
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let (start, before) = (Instant::now(), journal.games().len());
        self.has_more = true;
        while self.has_more && start.elapsed() < LOOK_TIME {
            match journal.read_on(PIECE_BYTES) {
                Ok(has_more) => self.has_more = has_more,
                Err(error) => {
                    // Another match may take its place: the next look begins anew.
                    self.journal = None;
                    return Err(error.to_string());
                }
            }
        }
        if journal.games().len() < before {
            self.reasons.clear();
            self.openings = Some(OpeningsReader::new(path));
        }
        Ok(())
    }

    fn text(&self) -> String {
        let damaged = self.journal.as_ref().map_or(0, JournalReader::damaged);
        let damage = (damaged > 0).then(|| format!("{damaged} lines of the journal are damaged"));
        let fault = self.fault.as_ref().map(|fault| format!("its status cannot be read: {fault}"));
        let parts = [Some(self.counted.text()), damage, fault];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn progress(&self) -> Option<f64> {
        let total = self.status.as_ref()?.games.max(1);
        let share = self.counted.games as f64 / total as f64;
        Some(self.counted.test_share().map_or(share, |test| test.max(share)))
    }

    /// The names of White and Black.
    fn names(&self, fixture: &Fixture) -> [String; 2] {
        fixture.players.map(|player| self.counted.name(player))
    }

    /// The newest games.
    fn listed(&mut self, scene: &Scene<'_>) -> Vec<Value> {
        let Some(journal) = &self.journal else { return Vec::new() };
        let numbers = journal.games().keys().rev().take(LISTED);
        let numbers: Vec<u64> = numbers.copied().collect();
        for &number in &numbers {
            if !self.reasons.contains_key(&number)
                && let Ok(game) = self.replay_in(scene, number)
            {
                self.reasons.insert(number, game.reason);
            }
        }
        let Some(journal) = &self.journal else { return Vec::new() };
        let row = |&number: &u64| {
            let game = journal.games().get(&number)?;
            let [white, black] = self.names(&self.counted.schedule.as_ref()?.fixture(number)?);
            Some(json!({
                "number": number.saturating_add(1),
                "white": white,
                "black": black,
                "result": result_text(game.white),
                "reason": self.reasons.get(&number).map_or("", String::as_str),
                "plies": game.plies,
            }))
        };
        numbers.iter().filter_map(row).collect()
    }

    /// The games in progress.
    fn live(&self, scene: &Scene<'_>) -> Vec<Value> {
        let Some(status) = &self.status else { return Vec::new() };
        if status.state != MatchState::Playing {
            return Vec::new();
        }
        let Ok(game) = scene.app.game(&status.game) else { return Vec::new() };
        let boards = status.live.iter().take(MAX_BOARDS).filter_map(|live| {
            let board = game.live_board(live, &status.rules).ok()?;
            let mut value = serde_json::to_value(board).ok()?;
            let [white, black] = live.players.map(|player| self.counted.name(player));
            value["number"] = json!(live.number.saturating_add(1));
            value["white"] = json!(white);
            value["black"] = json!(black);
            Some(value)
        });
        boards.collect()
    }

    /// The finished game of that number, from 1.
    pub(super) fn game(&mut self, scene: &Scene<'_>, number: u64) -> Result<Value, ApiError> {
        let missing =
            || ApiError::not_found("no_such_game", format!("the journal has no game {number}"));
        let index = number.checked_sub(1).ok_or_else(missing)?;
        let schedule = self.counted.schedule.as_ref().ok_or_else(missing)?;
        let fixture = schedule.fixture(index).ok_or_else(missing)?;
        if self.journal.as_ref().is_none_or(|journal| !journal.games().contains_key(&index)) {
            return Err(missing());
        }
        let unreadable = |fault: String| {
            let message = format!("game {number} cannot be replayed: {fault}");
            ApiError::bad_request("unreadable_game", message)
        };
        let game = self.replay_in(scene, index).map_err(unreadable)?;
        let [white, black] = self.names(&fixture);
        let mut value =
            serde_json::to_value(game).map_err(|error| unreadable(error.to_string()))?;
        value["white"] = json!(white);
        value["black"] = json!(black);
        Ok(value)
    }

    /// Replays a game from its opening.
    fn replay_in(&mut self, scene: &Scene<'_>, number: u64) -> Result<ReplayedGame, String> {
        let old = "an older program played the match and did not write its openings";
        let (Some(journal), Some(openings), Some(status), Some(schedule)) =
            (&self.journal, &mut self.openings, &self.status, &self.counted.schedule)
        else {
            return Err(self.fault.clone().unwrap_or_else(|| old.to_owned()));
        };
        let fixture = schedule.fixture(number).ok_or("the match has no such game")?;
        if openings.get(fixture.opening).is_none() && files::is_file(openings.path()) {
            let start = Instant::now();
            while openings.read_on(PIECE_BYTES).map_err(|error| error.to_string())?
                && start.elapsed() < LOOK_TIME
            {}
        }
        let opening = openings.get(fixture.opening).ok_or(old)?;
        let game = scene.app.game(&status.game).map_err(|error| error.message)?;
        game.replay(journal, number, opening, &status.rules)
    }
}

/// How many boards are shown.
const MAX_BOARDS: usize = 64;

fn read_status(journal: &Path) -> Result<Option<MatchStatus>, String> {
    if !files::is_file(&MatchStatus::path(journal)) {
        return Ok(None);
    }
    MatchStatus::read(journal).map_err(|error| error.to_string())
}

/// The name of an engine, by its text in the identity of a match.
fn engine_name(text: &str) -> String {
    let name = match text.parse::<EngineSpec>() {
        Ok(spec) => spec.name,
        Err(_) => text.to_owned(),
    };
    name.chars().take(80).collect()
}
