//! Tournament: many games between several players, on several threads.

mod entrants;
mod journal;
mod live;
mod schedule;
mod standings;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use games::ToolkitGame;
use search::Control;

use crate::adjudication::Adjudication;
use crate::openings::Openings;
use crate::play::Played;
use crate::player::{Player, PlayerFault};
use crate::search_limits::SearchLimits;
pub use entrants::{EntrantError, EntrantFault, entrants};
pub use journal::{Journal, JournalError, JournalGame, JournalReader, MatchIdentity};
pub use live::{LiveGame, LiveGames};
pub use schedule::{Fixture, Schedule, Shape};
pub use standings::{FaultCounts, Standings};
use table::{Table, TableEvent};

/// Makes a player. Called once for each thread that needs it, and again after a player is lost.
pub type MakePlayer<G> = Box<dyn Fn() -> Result<Box<dyn Player<G>>, PlayerFault> + Send + Sync>;

/// A participant of a tournament.
pub struct Entrant<G: ToolkitGame> {
    /// The name of the player.
    pub name: String,
    /// The search limits of the player.
    pub limits: SearchLimits,
    /// Makes the player.
    pub make: MakePlayer<G>,
}

impl<G: ToolkitGame> std::fmt::Debug for Entrant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, limits, make: _ } = self;
        f.debug_struct("Entrant")
            .field("name", name)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}

/// The games to play.
#[derive(Debug)]
pub struct Tournament<G: ToolkitGame> {
    /// The participants.
    pub entrants: Vec<Entrant<G>>,
    /// The pairings and openings of the games.
    pub schedule: Schedule,
    /// The openings.
    pub openings: Openings<G>,
    /// The games that end by adjudication.
    pub adjudication: Adjudication,
    /// The time by which a clock may be exceeded.
    pub time_margin: Duration,
    /// The number of concurrent games.
    pub concurrency: usize,
}

/// An event of a tournament.
#[derive(Debug)]
pub enum Event<'a, G: ToolkitGame> {
    /// A game starts. Games start in the order of their numbers, approximately if there are several
    /// threads.
    Started(&'a Fixture),
    /// A game from the journal. Otherwise like [`Event::Finished`].
    Resumed(&'a Fixture, &'a Played<G>),
    /// A game is over, and all games with lower numbers are too: games are reported in their order.
    Finished(&'a Fixture, &'a Played<G>),
}

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All games were played.
    Complete,
    /// The observer stopped it.
    Decided,
    /// The caller stopped it.
    Stopped,
}

/// The time between two polls of `stop`.
const PATIENCE: Duration = Duration::from_millis(20);

type Observe<'a, G> = &'a mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>;

impl<G: ToolkitGame> Tournament<G> {
    /// Plays all games and reports them to `observe`, until `observe` breaks or `stop` becomes
    /// true.
    ///
    /// Deterministic players (such as searches of a fixed number of nodes in this process) play the
    /// same games at any concurrency, and the observer receives them in the same order. Games in
    /// progress when the observer breaks do not count.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
    ) -> End {
        self.run_with(None, stop, observe).unwrap_or(End::Stopped)
    }

    /// Like [`run`](Tournament::run), with a journal: games in the journal are not played again,
    /// and new games are appended.
    pub fn run_with(
        &self,
        journal: Option<&mut Journal>,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
    ) -> Result<End, JournalError> {
        self.run_live(journal, None, stop, observe)
    }

    /// Like [`run_with`](Tournament::run_with), and keeps `live` up to date with every move.
    pub fn run_live(
        &self,
        journal: Option<&mut Journal>,
        live: Option<&LiveGames>,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
    ) -> Result<End, JournalError> {
        let known: HashSet<u64> =
            journal.as_ref().map(|journal| journal.numbers().collect()).unwrap_or_default();
        let mut referee = Referee { tournament: self, journal, ready: BTreeMap::new(), due: 0 };
        // The games of the journal may already decide.
        if referee.deliver(observe)?.is_break() {
            return Ok(End::Decided);
        }
        let control = Control::new();
        let next = AtomicU64::new(0);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (table, next, known) = (Table::new(self, &control, live), &next, &known);
                scope.spawn(move || self.play_games(table, next, known, &sender));
            }
            drop(sender);
            let end = referee.preside(&receiver, stop, observe);
            control.stop();
            end
        })
    }

    /// The work of each thread.
    fn play_games(
        &self,
        mut table: Table<'_, G>,
        next: &AtomicU64,
        known: &HashSet<u64>,
        sender: &Sender<TableEvent<G>>,
    ) {
        while let Some(fixture) = self.schedule.fixture(next.fetch_add(1, Ordering::Relaxed)) {
            if known.contains(&fixture.number) {
                continue;
            }
            let sent = sender.send(TableEvent::Started(fixture)).is_ok();
            let Some(played) = table.play(&fixture).filter(|_| sent) else { break };
            if sender.send(TableEvent::Finished(fixture, Box::new(played))).is_err() {
                break;
            }
        }
    }
}

/// Collects games and reports them in their order.
struct Referee<'a, G: ToolkitGame> {
    tournament: &'a Tournament<G>,
    journal: Option<&'a mut Journal>,
    /// Finished games whose predecessors are not finished.
    ready: BTreeMap<u64, (Fixture, Box<Played<G>>)>,
    /// The number of the next game to report.
    due: u64,
}

impl<G: ToolkitGame> Referee<'_, G> {
    /// Handles events of the threads until they finish or the tournament ends.
    fn preside(
        &mut self,
        receiver: &Receiver<TableEvent<G>>,
        stop: &AtomicBool,
        observe: Observe<'_, G>,
    ) -> Result<End, JournalError> {
        loop {
            let observed = match receiver.recv_timeout(PATIENCE) {
                Ok(TableEvent::Started(fixture)) => observe(Event::Started(&fixture)),
                Ok(TableEvent::Finished(fixture, played)) => {
                    if let Some(journal) = &mut self.journal {
                        journal.write(&fixture, &*played)?;
                    }
                    self.ready.insert(fixture.number, (fixture, played));
                    self.deliver(observe)?
                }
                Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
                Err(RecvTimeoutError::Disconnected) => return self.end(End::Complete),
            };
            if observed.is_break() {
                return self.end(End::Decided);
            }
            if stop.load(Ordering::Relaxed) {
                return self.end(End::Stopped);
            }
        }
    }

    fn end(&mut self, end: End) -> Result<End, JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.sync()?;
        }
        Ok(end)
    }

    /// Reports the games that are due.
    fn deliver(&mut self, observe: Observe<'_, G>) -> Result<ControlFlow<()>, JournalError> {
        while let Some(fixture) = self.tournament.schedule.fixture(self.due) {
            let observed = if let Some((fixture, played)) = self.ready.remove(&self.due) {
                observe(Event::Finished(&fixture, &played))
            } else if let Some(journal) =
                self.journal.as_mut().filter(|journal| journal.has(self.due))
            {
                let played = journal.load(self.tournament, &fixture)?;
                observe(Event::Resumed(&fixture, &played))
            } else {
                break;
            };
            self.due += 1;
            if observed.is_break() {
                return Ok(observed);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
