//! Data generation run: threads that play games, and one that writes them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use games::ToolkitGame;
use search::{Control, Engine};

use super::file::DataFile;
use super::game::{Made, Maker};
use super::{Contents, DatagenError, DatagenOptions};
use crate::openings::Openings;

/// A run of data generation.
pub struct Datagen<'a, G: ToolkitGame> {
    /// The options.
    pub options: &'a DatagenOptions,
    /// The start positions of games, before random moves.
    pub openings: &'a Openings<G>,
    /// The file.
    pub out: &'a Path,
    /// Further facts that determine the content of the file, by name: the evaluation, the size of
    /// the transposition table, the version.
    pub origin: &'a [(&'static str, String)],
    /// The engines, one for each thread; each plays both sides. All must be equal.
    pub engines: Vec<Engine<G>>,
}

impl<G: ToolkitGame> Datagen<'_, G> {
    /// Everything that determines the content of the file, by name.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        self.origin.iter().cloned().chain(self.options.identity()).collect()
    }

    /// The identity that the file header stores.
    fn identity(&self) -> String {
        let facts = self.facts().into_iter().map(|(name, value)| format!("; {name} {value}"));
        facts.fold("accrue datagen".to_owned(), |text, fact| text + &fact)
    }
}

/// An event of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatagenEvent {
    /// The file is open, with these contents.
    Begun(Contents),
    /// A game was written, or the polling interval has passed.
    Progress(Contents),
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DatagenReport {
    /// The contents of the file now.
    pub contents: Contents,
    /// The contents at the start.
    pub before: Contents,
    /// Whether the file has all positions. If not, the run was stopped.
    pub complete: bool,
    /// Nodes of the searches of this run.
    pub nodes: u64,
    /// The share of the threads' time that was spent in searches, from 0 to 1.
    pub search_share: f64,
    /// The elapsed time.
    pub time: Duration,
}

/// The interval of syncing the file and of polling `stop`.
const SAVE_EVERY: Duration = Duration::from_secs(2);
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The maximum number of games in a row without a position.
pub(super) const BARREN: u64 = 1000;

/// The number of a game, and its records.
type Delivery<G> = (u64, Made<G>);

/// Generates until the file has all positions or `stop` is set, then waits until it is on the disk.
///
/// An existing file is resumed if it has the same identity, and refused otherwise.
pub fn generate<G: ToolkitGame>(
    run: Datagen<'_, G>,
    stop: &AtomicBool,
    events: &mut dyn FnMut(&DatagenEvent),
) -> Result<DatagenReport, DatagenError> {
    let identity = run.identity();
    let Datagen { options, openings, out, mut engines, .. } = run;
    options.check()?;
    let start = Instant::now();
    let wanted = options.shard.share(options.positions);
    let mut file = DataFile::<G>::open(out, &identity, wanted)?;
    let before = *file.contents();
    events(&DatagenEvent::Begun(before));
    let mut spent = Spent::default();
    let mut nodes = 0;
    if !file.is_full() {
        let next = AtomicU64::new(file.next_game());
        let control = Control::new();
        let (sender, receiver) = sync_channel(2 * engines.len());
        let collected = thread::scope(|scope| {
            let workers: Vec<_> = engines
                .iter_mut()
                .map(|engine| {
                    let maker = Maker::new(options, openings, engine, &control);
                    let (next, sender) = (&next, sender.clone());
                    scope.spawn(move || work(maker, next, &sender))
                })
                .collect();
            drop(sender);
            let collected = collect(&mut file, &receiver, stop, events);
            control.stop();
            // Threads that wait to send a game end now.
            drop(receiver);
            for worker in workers {
                match worker.join() {
                    Ok(time) => spent.add(time),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            collected
        });
        nodes = collected?;
    }
    file.save()?;
    Ok(DatagenReport {
        contents: *file.contents(),
        before,
        complete: file.is_full(),
        nodes,
        search_share: spent.share(),
        time: start.elapsed(),
    })
}

/// The time of threads.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    searching: Duration,
    all: Duration,
}

impl Spent {
    fn add(&mut self, other: Self) {
        self.searching += other.searching;
        self.all += other.all;
    }

    fn share(&self) -> f64 {
        if self.all.is_zero() { 0.0 } else { self.searching.as_secs_f64() / self.all.as_secs_f64() }
    }
}

/// Stops the other threads if this one panics: they would wait forever.
struct StopOnPanic<'a>(&'a Control);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Plays games until it is stopped.
fn work<G: ToolkitGame>(
    mut maker: Maker<'_, G>,
    next: &AtomicU64,
    sender: &SyncSender<Delivery<G>>,
) -> Spent {
    let start = Instant::now();
    let _stops_others = StopOnPanic(maker.control);
    loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        let Some(made) = maker.make(game) else { break };
        if sender.send((game, made)).is_err() {
            break;
        }
    }
    Spent { searching: maker.searching, all: start.elapsed() }
}

/// Writes games in the order of their numbers. Returns the nodes of their searches.
fn collect<G: ToolkitGame>(
    file: &mut DataFile<G>,
    receiver: &Receiver<Delivery<G>>,
    stop: &AtomicBool,
    events: &mut dyn FnMut(&DatagenEvent),
) -> Result<u64, DatagenError> {
    let mut next = file.next_game();
    let mut early = BTreeMap::new();
    let mut saved = Instant::now();
    let (mut nodes, mut barren) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok((game, made)) => early.insert(game, made),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        while let Some(made) = early.remove(&next) {
            file.add(&made.records)?;
            next += 1;
            nodes += made.nodes;
            barren = if made.records.is_empty() { barren + 1 } else { 0 };
            if file.is_full() {
                events(&DatagenEvent::Progress(*file.contents()));
                return Ok(nodes);
            }
            if barren >= BARREN {
                return Err(DatagenError::Barren { games: barren });
            }
        }
        if saved.elapsed() >= SAVE_EVERY {
            file.save()?;
            saved = Instant::now();
        }
        events(&DatagenEvent::Progress(*file.contents()));
    }
    Ok(nodes)
}
