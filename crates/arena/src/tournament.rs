//! Many games between several players, on several threads.

mod entrants;
mod journal;
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
pub use journal::{Identity, Journal, JournalError};
pub use schedule::{Fixture, Schedule, Shape};
pub use standings::{FaultCounts, Standings};
use table::{Table, Tell};

/// Makes a player. Called once for each thread that needs one, and again if a player is lost.
pub type MakePlayer<G> = Box<dyn Fn() -> Result<Box<dyn Player<G>>, PlayerFault> + Send + Sync>;

/// Someone who takes part.
pub struct Entrant<G: ToolkitGame> {
    /// What the player is called.
    pub name: String,
    /// How long the player may think.
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

/// What is to be played.
#[derive(Debug)]
pub struct Tournament<G: ToolkitGame> {
    /// Who takes part.
    pub entrants: Vec<Entrant<G>>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings<G>,
    /// Which games are ended early.
    pub adjudication: Adjudication,
    /// By how much a clock may be overstepped.
    pub time_margin: Duration,
    /// How many games are played at the same time.
    pub concurrency: usize,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum Event<'a, G: ToolkitGame> {
    /// A game begins. Games begin in the order of their numbers, but for several threads just about.
    Started(&'a Fixture),
    /// A game that was played before, from the journal. Otherwise as [`Event::Finished`].
    Resumed(&'a Fixture, &'a Played<G>),
    /// A game is over, and so are all with lower numbers: they are told in their order, whoever was faster.
    Finished(&'a Fixture, &'a Played<G>),
}

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All games were played.
    Complete,
    /// The observer had seen enough.
    Decided,
    /// It was told to stop.
    Stopped,
}

/// How long the referee waits before asking again whether to stop.
const PATIENCE: Duration = Duration::from_millis(20);

type Observe<'a, G> = &'a mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>;

impl<G: ToolkitGame> Tournament<G> {
    /// Plays all games, and tells `observe`, until that breaks off or `stop` becomes true.
    ///
    /// Players that always choose alike (searches of a fixed number of nodes in this process do) play the same games
    /// whatever the concurrency, and the observer is told of them in the same order. Games that are under way when
    /// the observer breaks off do not count.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
    ) -> End {
        self.run_with(None, stop, observe).unwrap_or(End::Stopped)
    }

    /// As [`run`](Tournament::run), with a journal: games that are in it are not played again, new ones are written to it.
    pub fn run_with(
        &self,
        journal: Option<&mut Journal>,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
    ) -> Result<End, JournalError> {
        let known: HashSet<u64> =
            journal.as_ref().map(|journal| journal.numbers().collect()).unwrap_or_default();
        let mut referee = Referee { tournament: self, journal, ready: BTreeMap::new(), due: 0 };
        // What the journal has may settle the matter.
        if referee.deliver(observe)?.is_break() {
            return Ok(End::Decided);
        }
        let control = Control::new();
        let next = AtomicU64::new(0);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (control, next, known) = (&control, &next, &known);
                scope.spawn(move || self.play_games(control, next, known, &sender));
            }
            drop(sender);
            let end = referee.preside(&receiver, stop, observe);
            control.stop();
            end
        })
    }

    /// What each thread does.
    fn play_games(
        &self,
        control: &Control,
        next: &AtomicU64,
        known: &HashSet<u64>,
        sender: &Sender<Tell<G>>,
    ) {
        let mut table = Table::new(self, control);
        while let Some(fixture) = self.schedule.fixture(next.fetch_add(1, Ordering::Relaxed)) {
            if known.contains(&fixture.number) {
                continue;
            }
            let told = sender.send(Tell::Started(fixture)).is_ok();
            let Some(played) = table.play(&fixture).filter(|_| told) else { break };
            if sender.send(Tell::Finished(fixture, Box::new(played))).is_err() {
                break;
            }
        }
    }
}

/// Who collects the games and tells of them in their order.
struct Referee<'a, G: ToolkitGame> {
    tournament: &'a Tournament<G>,
    journal: Option<&'a mut Journal>,
    /// Games whose turn has not come.
    ready: BTreeMap<u64, (Fixture, Box<Played<G>>)>,
    /// The number of the game that is to be told next.
    due: u64,
}

impl<G: ToolkitGame> Referee<'_, G> {
    /// Listens to the threads until they are done or there is no need to go on.
    fn preside(
        &mut self,
        receiver: &Receiver<Tell<G>>,
        stop: &AtomicBool,
        observe: Observe<'_, G>,
    ) -> Result<End, JournalError> {
        loop {
            let observed = match receiver.recv_timeout(PATIENCE) {
                Ok(Tell::Started(fixture)) => observe(Event::Started(&fixture)),
                Ok(Tell::Finished(fixture, played)) => {
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

    /// Tells of the games whose turn it is.
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
