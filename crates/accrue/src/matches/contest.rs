//! Playing a match, with all that is told and written on the way.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::bail;
use arena::tournament::{End, Event, Fixture, Identity, Journal, Standings, Tournament};
use arena::{Anchor, Hypothesis, Played, Sprt};
use games::Game;

use super::FileArgs;
use super::pgn_file::PgnFile;
use super::show::Show;
use crate::{Answer, signals};

/// A match that is about to be played.
pub(crate) struct Contest<'a, G: Game> {
    pub(crate) tournament: &'a Tournament<G>,
    pub(crate) sprt: Option<Sprt>,
    /// Players whose rating is known.
    pub(crate) anchors: Vec<Anchor>,
    pub(crate) files: Files,
    /// After how many games the whole standing is told.
    pub(crate) report_every: u64,
    pub(crate) telling: Telling,
}

/// What is told of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Every game, and the standing from time to time.
    Everything,
    /// The result.
    Result,
    /// Every game and the result, as JSON.
    Json,
}

/// Who looks on.
pub(crate) type Watch<'a, G> = &'a mut dyn FnMut(&Fixture, &Played<G>);

/// A match that is over, or that was stopped.
pub(crate) struct Over {
    pub(crate) answer: Answer,
    pub(crate) standings: Standings,
    /// What the SPRT decided.
    pub(crate) verdict: Option<Hypothesis>,
}

/// The files of a match.
pub(crate) struct Files {
    journal: Option<(PathBuf, Identity)>,
    pgn: Option<PathBuf>,
    resume: bool,
}

impl Files {
    /// Refuses files that are there already, unless they are to be gone on with.
    pub(crate) fn new(args: &FileArgs, identity: Identity) -> anyhow::Result<Self> {
        let FileArgs { pgn, journal, resume } = args;
        if let Some(path) = journal.as_ref().filter(|path| !resume && path.exists()) {
            let path = path.display();
            bail!("{path} exists; --resume goes on with it, or name another file for --journal");
        }
        let journal = journal.clone().map(|path| (path, identity));
        Ok(Self { journal, pgn: pgn.clone(), resume: *resume })
    }
}

/// What happens with each event.
struct Clerk<'a, G: Game> {
    contest: &'a Contest<'a, G>,
    standings: Standings,
    show: Show,
    pgn: Option<PgnFile>,
    verdict: Option<Hypothesis>,
}

impl<G: Game> Contest<'_, G> {
    /// Plays it.
    pub(crate) fn play(&self, watch: Watch<'_, G>) -> anyhow::Result<Over> {
        let Files { journal, pgn, resume } = &self.files;
        let journal = journal.as_ref().map(|(path, identity)| Journal::open(path, identity));
        let mut journal = journal.transpose()?;
        let pgn = pgn.as_ref().map(|path| PgnFile::create(path, *resume)).transpose()?;
        let (stop, signal) = signals::listen()?;
        let tournament = self.tournament;
        let mut clerk = Clerk {
            contest: self,
            standings: Standings::new(&tournament.schedule, tournament.entrants.len()),
            show: Show::new(self),
            pgn,
            verdict: None,
        };
        if let Some(journal) = &journal {
            clerk.show.resuming(journal)?;
        }
        let mut failure = None;
        let end = tournament.run_with(journal.as_mut(), &stop, &mut |event| {
            if let Event::Resumed(fixture, played) | Event::Finished(fixture, played) = &event {
                watch(fixture, played);
            }
            clerk.note(&event).unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        clerk.show.end(self, &clerk.standings, end, clerk.verdict)?;
        let answer = match (end, clerk.verdict) {
            (End::Stopped, _) => Answer::Stopped { signal: signal.load(Ordering::Relaxed) as u8 },
            (_, Some(Hypothesis::H0)) => Answer::No,
            _ => Answer::Yes,
        };
        Ok(Over { answer, standings: clerk.standings, verdict: clerk.verdict })
    }
}

impl<G: Game> Clerk<'_, G> {
    fn note(&mut self, event: &Event<'_, G>) -> anyhow::Result<ControlFlow<()>> {
        match event {
            Event::Started(fixture) => self.show.started(fixture)?,
            Event::Resumed(fixture, played) => {
                self.count(fixture, played)?;
                self.show.resumed();
            }
            Event::Finished(fixture, played) => {
                self.count(fixture, played)?;
                self.show.finished(self.contest, &self.standings, fixture, played)?;
            }
        }
        let decided = self.verdict.is_some();
        Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn count(&mut self, fixture: &Fixture, played: &Played<G>) -> anyhow::Result<()> {
        self.standings.add(fixture, played);
        if let Some(pgn) = &mut self.pgn {
            pgn.write(self.contest.tournament, fixture, played)?;
        }
        if let Some(sprt) = self.contest.sprt.as_ref().filter(|_| fixture.is_return()) {
            self.verdict = sprt.verdict(&self.standings.pairings()[0].tally);
        }
        Ok(())
    }
}
