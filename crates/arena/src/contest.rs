//! Contest: a tournament with its SPRT, its journal and its PGN file.

mod identity;
mod pgn_file;
mod status;
mod summary;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use games::ToolkitGame;

use crate::play::Played;
use crate::statistics::{Anchor, Hypothesis, Sprt};
use crate::tournament::{
    End, Event, Fixture, Journal, JournalError, LiveGames, MatchIdentity, Standings, Tournament,
};
pub use identity::MatchSettings;
use pgn_file::PgnFile;
pub use status::{MatchState, MatchStatus, OpeningLine, OpeningsReader, SprtSettings};
use status::{OpeningsWriter, StatusWriter};
pub use summary::{EngineSummary, MatchSummary, PairingSummary, SprtSummary};

/// A tournament, and everything around it.
#[derive(Debug)]
pub struct Contest<G: ToolkitGame> {
    /// The games to play.
    pub tournament: Tournament<G>,
    /// Ends a match of two players as soon as it decides.
    pub sprt: Option<Sprt>,
    /// Players whose rating is known.
    pub anchors: Vec<Anchor>,
    /// Settings of the game that its openings have, for those who show its games.
    pub rules: Rules,
    /// The files.
    pub files: ContestFiles,
}

/// Settings of a game, by name and value.
pub type Rules = Vec<(String, String)>;

/// The files of a contest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestFiles {
    /// The journal, and the identity of the match in it.
    pub journal: Option<(PathBuf, MatchIdentity)>,
    /// The games as PGN.
    pub pgn: Option<PathBuf>,
    /// Whether an existing journal is resumed; otherwise existing files are refused.
    pub resume: bool,
}

/// What happens in a contest.
#[derive(Debug)]
pub enum ContestEvent<'a, G: ToolkitGame> {
    /// The journal is open.
    Opened {
        /// The number of games in it.
        games: u64,
        /// The number of lines in it that are damaged.
        damaged: u64,
    },
    /// A game begins.
    Started(&'a Fixture),
    /// A game of the journal, counted in the standings.
    Resumed(&'a Fixture, &'a Played<G>),
    /// A game is over and counted in the standings.
    Finished(&'a Fixture, &'a Played<G>, &'a Standings),
}

/// A contest that is over or was stopped.
#[derive(Clone, Debug)]
pub struct ContestResult {
    /// How it ended.
    pub end: End,
    /// The results.
    pub standings: Standings,
    /// The decision of the SPRT.
    pub verdict: Option<Hypothesis>,
}

/// Why a contest cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The journal exists and must not be resumed.
    #[error("the journal {} exists already; resume it or name another file", path.display())]
    JournalExists {
        /// The file.
        path: PathBuf,
    },
    /// The PGN file exists and must not be replaced.
    #[error("{} exists already; name another file for the games, or remove it", path.display())]
    PgnExists {
        /// The file.
        path: PathBuf,
    },
    /// The PGN file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ContestFiles {
    /// Refuses an existing journal, unless it is resumed.
    pub fn check(&self) -> Result<(), ContestError> {
        match &self.journal {
            Some((path, _)) if !self.resume && path.exists() => {
                Err(ContestError::JournalExists { path: path.clone() })
            }
            _ => Ok(()),
        }
    }
}

impl<G: ToolkitGame> Contest<G> {
    /// Plays the contest until it is over, `stop` becomes true or `observe` breaks.
    pub fn play(
        &self,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(ContestEvent<'_, G>) -> ControlFlow<()>,
    ) -> Result<ContestResult, ContestError> {
        self.files.check()?;
        let ContestFiles { journal, pgn, resume } = &self.files;
        let path = journal.as_ref().map(|(path, _)| path);
        let journal = journal.as_ref().map(|(path, identity)| Journal::open(path, identity));
        let mut journal = journal.transpose()?;
        let pgn = pgn.as_ref().map(|path| PgnFile::create(path, *resume)).transpose()?;
        let tournament = &self.tournament;
        let standings = Standings::new(&tournament.schedule, tournament.entrants.len());
        let openings = path.zip(journal.as_ref());
        let openings =
            openings.map(|(path, journal)| OpeningsWriter::open(path, journal.games() == 0));
        let status = path.map(|path| StatusWriter::new(path, MatchStatus::new(self)));
        let mut recorder = Recorder { contest: self, standings, pgn, openings, verdict: None };
        let mut broken_off = false;
        if let Some(journal) = &journal {
            let (games, damaged) = (journal.games(), journal.damaged());
            broken_off = observe(ContestEvent::Opened { games, damaged }).is_break();
        }
        let mut end = End::Stopped;
        if !broken_off {
            let live = LiveGames::new();
            end = std::thread::scope(|scope| {
                let _ends = status.as_ref().map(|status| {
                    scope.spawn(|| status.run(&live));
                    status.end_on_drop()
                });
                let live = status.as_ref().map(|_| &live);
                recorder.play(journal.as_mut(), live, stop, observe)
            })?;
        }
        if let Some(status) = status {
            status.finish(|status| status.ended(end, recorder.verdict));
        }
        Ok(ContestResult { end, standings: recorder.standings, verdict: recorder.verdict })
    }
}

/// Counts games and writes them to the PGN file.
struct Recorder<'a, G: ToolkitGame> {
    contest: &'a Contest<G>,
    standings: Standings,
    pgn: Option<PgnFile>,
    openings: Option<OpeningsWriter>,
    verdict: Option<Hypothesis>,
}

impl<G: ToolkitGame> Recorder<'_, G> {
    /// Plays the games until the test decides, they are all played, or they are broken off.
    fn play(
        &mut self,
        journal: Option<&mut Journal>,
        live: Option<&LiveGames>,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(ContestEvent<'_, G>) -> ControlFlow<()>,
    ) -> Result<End, ContestError> {
        let tournament = &self.contest.tournament;
        let (mut broken_off, mut failure) = (false, None);
        let end = tournament.run_live(journal, live, stop, &mut |event| match self
            .record(&event, observe)
        {
            Ok(ControlFlow::Continue(())) if self.verdict.is_none() => ControlFlow::Continue(()),
            Ok(observed) => {
                broken_off = observed.is_break();
                ControlFlow::Break(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        match failure {
            Some(error) => Err(error),
            None => Ok(if broken_off { End::Stopped } else { end }),
        }
    }

    fn record(
        &mut self,
        event: &Event<'_, G>,
        observe: &mut dyn FnMut(ContestEvent<'_, G>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ContestError> {
        Ok(match event {
            Event::Started(fixture) => {
                if let Some(openings) = &mut self.openings {
                    let all = &self.contest.tournament.openings;
                    openings.add(fixture.opening, || all.get(fixture.opening));
                }
                observe(ContestEvent::Started(fixture))
            }
            Event::Resumed(fixture, played) => {
                // An older program may have written the journal.
                if let Some(openings) = &mut self.openings {
                    openings.add(fixture.opening, || played.record.opening().clone());
                }
                self.count(fixture, played)?;
                observe(ContestEvent::Resumed(fixture, played))
            }
            Event::Finished(fixture, played) => {
                self.count(fixture, played)?;
                observe(ContestEvent::Finished(fixture, played, &self.standings))
            }
        })
    }

    fn count(&mut self, fixture: &Fixture, played: &Played<G>) -> Result<(), ContestError> {
        self.standings.add(fixture, played);
        if let Some(pgn) = &mut self.pgn {
            pgn.write(&self.contest.tournament, fixture, played)?;
        }
        if let Some(sprt) = self.contest.sprt.as_ref().filter(|_| fixture.is_return()) {
            self.verdict = sprt.verdict(&self.standings.pairings()[0].tally);
        }
        Ok(())
    }
}
