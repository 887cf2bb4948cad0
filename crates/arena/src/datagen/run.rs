//! Threads that play, and one that writes.

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

/// A run: what to generate, where to, and by whom.
pub struct Datagen<'a, G: ToolkitGame> {
    /// What to generate.
    pub options: &'a DatagenOptions,
    /// Where games begin, before random moves.
    pub openings: &'a Openings<G>,
    /// The file.
    pub out: &'a Path,
    /// What else the file's content follows from, by name: the evaluation, the size of the table, the version.
    pub origin: &'a [(&'static str, String)],
    /// Who plays: one thread for each, and one engine for both sides. All equal.
    pub engines: Vec<Engine<G>>,
}

impl<G: ToolkitGame> Datagen<'_, G> {
    /// Everything that the file's content follows from, by name.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        self.origin.iter().cloned().chain(self.options.identity()).collect()
    }

    /// What the file says of how it was made.
    fn identity(&self) -> String {
        let facts = self.facts().into_iter().map(|(name, value)| format!("; {name} {value}"));
        facts.fold("accrue datagen".to_owned(), |text, fact| text + &fact)
    }
}

/// What happens on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatagenEvent {
    /// The file is open, and this is in it already.
    Begun(Contents),
    /// A game has been written, or the time has come to look.
    Progress(Contents),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DatagenReport {
    /// What is in the file now.
    pub contents: Contents,
    /// What was in it at the beginning.
    pub before: Contents,
    /// Whether the file has all positions. If not, the run was told to stop.
    pub complete: bool,
    /// Positions that searches looked at in this run.
    pub nodes: u64,
    /// The share of the threads' time that was spent in searches, from 0 to 1.
    pub search_share: f64,
    /// How long it took.
    pub time: Duration,
}

/// How often the file is made safe, and how often somebody looks whether to stop.
const SAVE_EVERY: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// After that many games without a single position something is wrong.
pub(super) const BARREN: u64 = 1000;

/// What threads hand over: which game, and what came of it.
type Delivery<G> = (u64, Made<G>);

/// Generates until the file has all its positions or `stop` is set, and then makes sure that it is on the disk.
///
/// A file that is there already is gone on with if it was made in the same way, and refused if not.
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
            // Whoever waits to hand over a game that is no longer wanted now learns that.
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

/// Time of threads.
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

/// Ends the others if this thread panics: they would wait for ever.
struct StopOnPanic<'a>(&'a Control);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Plays one game after the other until told to stop.
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

/// Writes games in the order of their numbers. Gives the positions that were looked at for them.
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
