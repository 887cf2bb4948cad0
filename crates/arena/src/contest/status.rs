//! Match status: what a match is and which games it is playing, in files beside its journal.
//!
//! `NAME.status.json` is replaced as a whole, at most twice a second. `NAME.openings.jsonl` has one
//! line for each opening, without which the games of a journal cannot be replayed. Both are for
//! those who watch: a match does not read them, and does not fail if they cannot be written.

mod openings;
mod writer;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use games::ToolkitGame;
use serde::{Deserialize, Serialize};

pub(super) use openings::OpeningsWriter;
pub use openings::{OpeningLine, OpeningsReader};
pub(super) use writer::StatusWriter;

use super::{Contest, Rules};
use crate::statistics::{Anchor, Hypothesis, Model, Sprt, SprtError};
use crate::tournament::{End, LiveGame, Schedule, Shape};

/// The status of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchStatus {
    /// The format of the file: [`MatchStatus::FORMAT`].
    pub format: String,
    /// The game.
    pub game: String,
    /// Settings of the game, by name and value.
    pub rules: Rules,
    /// The names of the engines.
    pub engines: Vec<String>,
    /// Whether the first engine meets all others; else everyone meets everyone.
    pub gauntlet: bool,
    /// The number of games of all pairings.
    pub games: u64,
    /// The hypotheses of the SPRT.
    pub sprt: Option<SprtSettings>,
    /// Engines whose rating is known: their indices and ratings.
    pub anchors: Vec<(usize, f64)>,
    /// Whether it is being played, and if not, how it ended.
    pub state: MatchState,
    /// The hypothesis that the SPRT accepted: `H0` or `H1`.
    pub accepted: Option<String>,
    /// The games in progress.
    pub live: Vec<LiveGame>,
}

/// Whether a match is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// It is being played, or its process was killed.
    Playing,
    /// All games were played.
    Finished,
    /// The SPRT decided.
    Decided,
    /// It was stopped.
    Stopped,
}

/// The hypotheses and risks of an SPRT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSettings {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 holds.
    pub beta: f64,
    /// The Elo model, by name.
    pub model: String,
}

/// The largest status that is read.
const MAX_BYTES: u64 = 4 << 20;
/// The maximum numbers of a status that is read.
const MAX_ENGINES: usize = 128;
const MAX_LIVE: usize = 1024;
const MAX_MOVES: usize = 10_000;
const MAX_RULES: usize = 64;

impl MatchStatus {
    /// The format that is written and read.
    pub const FORMAT: &str = "accrue match status 1";

    /// The file of the status of the match with this journal.
    pub fn path(journal: &Path) -> PathBuf {
        beside(journal, ".status.json")
    }

    /// The status of a contest before its first game.
    pub(super) fn new<G: ToolkitGame>(contest: &Contest<G>) -> Self {
        let tournament = &contest.tournament;
        // A gauntlet of two is the same as a round robin.
        let players = tournament.entrants.len();
        let gauntlet =
            players > 2 && tournament.schedule.pairings().iter().all(|&[first, _]| first == 0);
        Self {
            format: Self::FORMAT.to_owned(),
            game: G::NAME.to_owned(),
            rules: contest.rules.clone(),
            engines: tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            gauntlet,
            games: tournament.schedule.games(),
            sprt: contest.sprt.as_ref().map(SprtSettings::new),
            anchors: contest.anchors.iter().map(|anchor| (anchor.player, anchor.elo)).collect(),
            state: MatchState::Playing,
            accepted: None,
            live: Vec::new(),
        }
    }

    /// The status at the end.
    pub(super) fn ended(mut self, end: End, verdict: Option<Hypothesis>) -> Self {
        self.state = match end {
            End::Complete => MatchState::Finished,
            End::Decided => MatchState::Decided,
            End::Stopped => MatchState::Stopped,
        };
        self.accepted = verdict.map(|verdict| verdict.name().to_owned());
        self
    }

    /// Reads the status of the match with this journal; `None` if there is no such file.
    ///
    /// All numbers are checked, but not whether moves are legal.
    pub fn read(journal: &Path) -> io::Result<Option<Self>> {
        let file = match File::open(Self::path(journal)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        let invalid = |fault: String| io::Error::new(io::ErrorKind::InvalidData, fault);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(invalid(format!("it is larger than {MAX_BYTES} bytes")));
        }
        let status: Self =
            serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
        status.check().map_err(invalid)?;
        Ok(Some(status))
    }

    fn check(&self) -> Result<(), String> {
        if self.format != Self::FORMAT {
            let found: String = self.format.chars().take(60).collect();
            return Err(format!("its format is `{found}`; expected `{}`", Self::FORMAT));
        }
        let engines = self.engines.len();
        if !(2..=MAX_ENGINES).contains(&engines) {
            return Err(format!("it has {engines} engines; expected 2 to {MAX_ENGINES}"));
        }
        if let Some(sprt) = &self.sprt {
            if engines != 2 {
                return Err(format!("an SPRT compares two engines; there are {engines}"));
            }
            sprt.sprt().map_err(|error| error.to_string())?;
        }
        let is_player = |player: usize| player < engines;
        let anchored =
            self.anchors.iter().all(|&(player, elo)| is_player(player) && elo.is_finite());
        let played = self
            .live
            .iter()
            .all(|game| game.players.into_iter().all(is_player) && game.moves.len() <= MAX_MOVES);
        let few = self.live.len() <= MAX_LIVE
            && self.rules.len() <= MAX_RULES
            && self.anchors.len() <= MAX_ENGINES;
        if anchored && played && few {
            Ok(())
        } else {
            Err("it names engines that do not exist, or has too many entries".to_owned())
        }
    }

    /// The pairings of the match.
    pub fn schedule(&self) -> Schedule {
        let players = self.engines.len();
        let shape = if self.gauntlet { Shape::Gauntlet } else { Shape::RoundRobin };
        let pairings = Schedule::new(shape, players, 0).pairings().len() as u64;
        Schedule::new(shape, players, self.games / (2 * pairings.max(1)))
    }

    /// The engines whose rating is known.
    pub fn known_ratings(&self) -> Vec<Anchor> {
        self.anchors.iter().map(|&(player, elo)| Anchor { player, elo }).collect()
    }
}

impl SprtSettings {
    fn new(sprt: &Sprt) -> Self {
        let ((elo0, elo1), (alpha, beta)) = (sprt.elo(), sprt.risks());
        Self { elo0, elo1, alpha, beta, model: sprt.model().name().to_owned() }
    }

    /// The test.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let model: Model = self.model.parse()?;
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model)
    }
}

/// The journal's name with something added.
fn beside(journal: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(journal.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}
