//! Samples of the searches of self-play games, for fits of the search.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use games::ToolkitGame;
use search::{Control, Engine, SampleKind, SearchSample};

use super::game::Maker;
use super::run::LOOK_EVERY;
use super::{DatagenError, DatagenOptions};
use crate::fit::SampleTable;
use crate::openings::Openings;

/// A game usually has hundreds of samples. Some games have none of a kind: then sampling ends with
/// fewer than wanted.
const MIN_PER_GAME: u64 = 10;
const MIN_GAMES: u64 = 50;

/// A run that samples searches.
pub struct Sampling<'a, G: ToolkitGame> {
    /// How games are played. `positions` is the number of samples.
    pub options: &'a DatagenOptions,
    /// The start positions of games, before random moves.
    pub openings: &'a Openings<G>,
    /// What is sampled.
    pub kind: SampleKind,
    /// One in so many is taken.
    pub every: u64,
    /// The maximum number of games. Without one it follows from the number of samples.
    pub max_games: Option<u64>,
    /// The engines, one for each thread; each plays both sides. All must be equal.
    pub engines: Vec<Engine<G>>,
}

/// Plays games until there are enough samples, or so many games that there will never be, and puts
/// the samples into a table. `None` if `stop` was set before.
///
/// The samples do not depend on the number of threads: they are those of the games in the order of
/// their numbers.
pub fn sample<G: ToolkitGame>(
    run: Sampling<'_, G>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<SampleTable>, DatagenError> {
    let mut table = SampleTable::new(run.kind);
    let finished = for_each_sample(run, stop, progress, &mut |sample| table.push(sample))?;
    Ok(finished.then_some(table))
}

/// The same with a call for each sample. False if `stop` was set before the end.
pub fn for_each_sample<G: ToolkitGame>(
    run: Sampling<'_, G>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
    visit: &mut dyn FnMut(&SearchSample<G>),
) -> Result<bool, DatagenError> {
    let Sampling { options, openings, kind, every, max_games, mut engines } = run;
    options.check()?;
    let enough = options.positions.div_ceil(MIN_PER_GAME).max(MIN_GAMES);
    let max_games = max_games.map_or(enough, |games| games.clamp(1, enough));
    let control = Control::new();
    let next = AtomicU64::new(0);
    let (sender, receiver) = sync_channel(2 * engines.len());
    thread::scope(|scope| {
        for engine in &mut engines {
            let (next, control, sender) = (&next, &control, sender.clone());
            scope.spawn(move || {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    // What is sampled depends on the game alone.
                    engine.set_sampling(Some(kind), every);
                    let made = Maker::new(options, openings, engine, control).make(game);
                    let samples = engine.take_samples();
                    if made.is_none() || sender.send((game, samples)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut due, mut visited) = (BTreeMap::new(), 0, 0);
        let mut finished = false;
        'collect: while !stop.load(Ordering::Relaxed) {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok((game, samples)) => early.insert(game, samples),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            while let Some(samples) = early.remove(&due) {
                due += 1;
                let missing = options.positions - visited;
                for sample in samples.iter().take(usize::try_from(missing).unwrap_or(usize::MAX)) {
                    visit(sample);
                    visited += 1;
                }
                if visited >= options.positions || due >= max_games {
                    finished = true;
                    break 'collect;
                }
            }
            progress(visited);
        }
        progress(visited);
        control.stop();
        drop(receiver);
        Ok(finished)
    })
}
