//! Loader: records of many files in a reproducible random order, with bounded memory.

mod background;
mod chunk;
mod index;
mod order;
mod window;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub use chunk::Chunk;
pub(crate) use chunk::Raw;

use crate::{Damage, DataError};
use background::Background;
use index::Index;
use window::Window;

/// The maximum number of records of a window: 32 bits count their bytes.
const MAX_WINDOW: usize = 1 << 23;

/// The order of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Shuffled, differently in each epoch.
    Shuffled,
    /// As in the files, so that games stay together.
    Sequential,
}

/// The games to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those that are not held out.
    Training,
    /// Those that are held out.
    Validation,
    /// All.
    All,
}

/// The options of a loader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoaderOptions {
    /// The same seed gives the same order.
    pub seed: u64,
    /// The approximate number of records that are shuffled at a time. Three to four times as many
    /// are in memory.
    pub window: usize,
    /// The order of records.
    pub order: Order,
    /// The share of games that is held out for validation, from 0 to below 1. Which games these are
    /// depends only on their numbers.
    pub held_out: f64,
    /// The games to read.
    pub part: Part,
}

impl Default for LoaderOptions {
    fn default() -> Self {
        let (order, part) = (Order::Shuffled, Part::All);
        Self { seed: 0, window: 1 << 20, order, held_out: 0.0, part }
    }
}

/// A position in the endless sequence of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of complete passes over all records.
    pub epoch: u64,
    /// The index of the window in the epoch.
    pub window: u64,
    /// The number of records of the window that have been read.
    pub offset: u64,
}

/// Reads records of native files endlessly, epoch after epoch.
///
/// The blocks of all files are put in a random order and read in windows; the records of a window
/// are shuffled. Each record occurs once in an epoch. The order depends only on files, options and
/// epoch: after [`go_to`](Loader::go_to) with the [`place`](Loader::place) of another loader, a
/// loader continues exactly like that one.
///
/// A thread prepares the next window while one is used. In memory are the window in use, the next
/// one, its blocks while they are shuffled, and what [`Chunk`]s still hold; in addition, 40 bytes
/// for each block of the files.
pub struct Loader {
    index: Arc<Index>,
    options: LoaderOptions,
    damage: Arc<Mutex<Vec<Damage>>>,
    background: Option<Background>,
    window: Option<Arc<Window>>,
    place: Place,
}

impl Loader {
    /// Opens the files, which must hold positions of `game`. Reads only the headers of blocks.
    pub fn open(game: &str, files: &[PathBuf], options: LoaderOptions) -> Result<Self, DataError> {
        if !(0.0..1.0).contains(&options.held_out) {
            return Err(DataError::Option {
                name: "the share of games held out",
                value: options.held_out.to_string(),
                expected: "a number from 0 to below 1",
            });
        }
        if !(1..=MAX_WINDOW).contains(&options.window) {
            return Err(DataError::Option {
                name: "the window",
                value: options.window.to_string(),
                expected: "1 to 8388608 records",
            });
        }
        let (index, damage) = Index::open(game, files)?;
        if index.records == 0 || options.held_out == 0.0 && options.part == Part::Validation {
            return Err(empty(&index, &options));
        }
        let (index, damage) = (Arc::new(index), Arc::new(Mutex::new(damage)));
        let place = Place::default();
        Ok(Self { index, options, damage, background: None, window: None, place })
    }

    /// The game of the positions.
    pub fn game(&self) -> &str {
        &self.index.game
    }

    /// The number of records of the files, held out or not.
    pub fn records(&self) -> u64 {
        self.index.records
    }

    /// The damage found so far.
    pub fn damage(&self) -> Vec<Damage> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The place of the next record.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Continues from a place of a loader with the same files and options.
    pub fn go_to(&mut self, place: Place) -> Result<(), DataError> {
        if place.window >= order::windows(&self.index, &self.options, place.epoch).len() as u64 {
            return Err(DataError::Place { place });
        }
        self.background = None;
        self.window = None;
        self.place = place;
        Ok(())
    }

    /// The next `count` records. They continue into the next epoch, so that a chunk is always full.
    pub fn next(&mut self, count: usize) -> Result<Chunk, DataError> {
        let mut chunk = Chunk::new(&self.index.files);
        while chunk.len() < count {
            let window = self.window()?;
            let start = self.place.offset as usize;
            let end = window.len().min(start + count - chunk.len());
            chunk.push(window, start..end);
            self.place.offset = end as u64;
        }
        Ok(chunk)
    }

    /// The window of the next record.
    fn window(&mut self) -> Result<Arc<Window>, DataError> {
        if let Some(window) = &self.window
            && self.place.offset < window.len() as u64
        {
            return Ok(Arc::clone(window));
        }
        // The first window after a jump starts at the offset; all others start at 0.
        let jumped = self.window.is_none();
        self.window = None;
        let background = self.background.get_or_insert_with(|| {
            Background::start(&self.index, self.options, &self.damage, self.place)
        });
        let received = background.next();
        if received.is_err() {
            self.background = None;
        }
        let (place, window) = received?;
        let same = (place.epoch, place.window) == (self.place.epoch, self.place.window);
        let offset = if jumped && same { self.place.offset } else { 0 };
        if offset > window.len() as u64 {
            self.background = None;
            return Err(DataError::Place { place: self.place });
        }
        let window = Arc::new(window);
        self.place = Place { offset, ..place };
        self.window = Some(Arc::clone(&window));
        if offset == window.len() as u64 { self.window() } else { Ok(window) }
    }
}

/// The error for a part without records.
fn empty(index: &Index, options: &LoaderOptions) -> DataError {
    let part = match options.part {
        Part::Training => "for training",
        Part::Validation => "for validation",
        Part::All => "at all",
    };
    let (files, records, held_out) = (index.files.len(), index.records, options.held_out);
    DataError::Empty {
        part,
        fault: format!(
            "{files} files with {records} records, {held_out} of the games held out; \
             use more files or another share"
        ),
    }
}
