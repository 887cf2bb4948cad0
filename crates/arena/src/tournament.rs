//! Many games between several players, on several threads.

mod schedule;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use games::Game;
use search::Control;

use crate::adjudication::Adjudication;
use crate::openings::Openings;
use crate::pace::Pace;
use crate::play::Played;
use crate::player::{Fault, Player};
pub use schedule::{Fixture, Schedule, Shape};
use table::{Table, Tell};

/// Makes a player. Called once for each thread that needs one, and again if a player is lost.
pub type MakePlayer<G> = Box<dyn Fn() -> Result<Box<dyn Player<G>>, Fault> + Send + Sync>;

/// Someone who takes part.
pub struct Entrant<G: Game> {
    /// What the player is called.
    pub name: String,
    /// How long the player may think.
    pub pace: Pace,
    /// Makes the player.
    pub make: MakePlayer<G>,
}

impl<G: Game> std::fmt::Debug for Entrant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, pace, make: _ } = self;
        f.debug_struct("Entrant").field("name", name).field("pace", pace).finish_non_exhaustive()
    }
}

/// What is to be played.
#[derive(Debug)]
pub struct Tournament<G: Game> {
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
pub enum Event<'a, G: Game> {
    /// A game begins. Games begin in the order of their numbers, but for several threads just about.
    Started(&'a Fixture),
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

impl<G: Game> Tournament<G> {
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
        let control = Control::new();
        let next = AtomicU64::new(0);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (control, next) = (&control, &next);
                scope.spawn(move || self.play_games(control, next, &sender));
            }
            drop(sender);
            let end = preside(&receiver, stop, observe);
            control.stop();
            end
        })
    }

    /// What each thread does.
    fn play_games(&self, control: &Control, next: &AtomicU64, sender: &Sender<Tell<G>>) {
        let mut table = Table::new(self, control);
        while let Some(fixture) = self.next_fixture(next) {
            let told = sender.send(Tell::Started(fixture)).is_ok();
            let Some(played) = table.play(&fixture).filter(|_| told) else { break };
            if sender.send(Tell::Finished(fixture, Box::new(played))).is_err() {
                break;
            }
        }
    }

    fn next_fixture(&self, next: &AtomicU64) -> Option<Fixture> {
        self.schedule.fixture(next.fetch_add(1, Ordering::Relaxed))
    }
}

/// Listens to the threads and tells the observer.
fn preside<G: Game>(
    receiver: &Receiver<Tell<G>>,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
) -> End {
    let mut ready = BTreeMap::new();
    let mut due = 0;
    loop {
        let observed = match receiver.recv_timeout(PATIENCE) {
            Ok(Tell::Started(fixture)) => observe(Event::Started(&fixture)),
            Ok(Tell::Finished(fixture, played)) => {
                ready.insert(fixture.number, (fixture, played));
                deliver(&mut ready, &mut due, observe)
            }
            Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            Err(RecvTimeoutError::Disconnected) => return End::Complete,
        };
        if observed.is_break() {
            return End::Decided;
        }
        if stop.load(Ordering::Relaxed) {
            return End::Stopped;
        }
    }
}

/// Tells of the games whose turn it is.
fn deliver<G: Game>(
    ready: &mut BTreeMap<u64, (Fixture, Box<Played<G>>)>,
    due: &mut u64,
    observe: &mut dyn FnMut(Event<'_, G>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    while let Some((fixture, played)) = ready.remove(due) {
        *due += 1;
        observe(Event::Finished(&fixture, &played))?;
    }
    ControlFlow::Continue(())
}
