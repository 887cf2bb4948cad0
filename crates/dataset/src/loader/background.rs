//! Background thread: prepares windows ahead of their use.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::index::{Block, Index};
use super::order::{self, Filter, Random};
use super::window::{Entry, Origin, Window};
use super::{LoaderOptions, Order, Place, empty};
use crate::native::block::{HEADER, Records};
use crate::native::record::game_of;
use crate::{Damage, DataError, Fault};

/// A window and its place.
type Prepared = Result<(Place, Window), DataError>;

/// The maximum number of open files; others are opened again for each block.
const MAX_OPEN: usize = 64;

/// The thread, and the channel of its windows. The thread ends when this is dropped.
pub(super) struct Background {
    windows: Option<Receiver<Prepared>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Starts to prepare windows from a place on.
    pub(super) fn start(
        index: &Arc<Index>,
        options: LoaderOptions,
        damage: &Arc<Mutex<Vec<Damage>>>,
        place: Place,
    ) -> Self {
        let producer = Producer {
            index: Arc::clone(index),
            filter: Filter::new(&options),
            options,
            damage: Arc::clone(damage),
            open: HashMap::new(),
            raw: Vec::new(),
        };
        // A rendezvous channel: one window waits in the thread, which is far enough ahead.
        let (sender, windows) = sync_channel(0);
        let thread = std::thread::spawn(move || producer.run(place, &sender));
        Self { windows: Some(windows), thread: Some(thread) }
    }

    /// The next window that has records.
    pub(super) fn next(&mut self) -> Prepared {
        let received = self.windows.as_ref().and_then(|windows| windows.recv().ok());
        received.unwrap_or_else(|| {
            let part = "any more";
            let fault = "the loader thread has ended".to_owned();
            Err(DataError::Empty { part, fault })
        })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Close the channel first, which ends the thread, then join it.
        self.windows = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Producer {
    index: Arc<Index>,
    options: LoaderOptions,
    filter: Filter,
    damage: Arc<Mutex<Vec<Damage>>>,
    open: HashMap<u32, File>,
    /// The blocks of the current window.
    raw: Vec<u8>,
}

impl Producer {
    /// Sends windows until the receiver is dropped or an error occurs.
    fn run(mut self, from: Place, sender: &SyncSender<Prepared>) {
        let mut first = from.window;
        for epoch in from.epoch.. {
            let order = order::epoch(&self.index, &self.options, epoch);
            // An epoch that starts in the middle may have nothing left.
            let mut any = first > 0;
            for (number, range) in (0..).zip(&order.windows).skip(first as usize) {
                let window = self.prepare(epoch, number, &order.blocks[range.clone()]);
                if window.as_ref().is_ok_and(|window| window.len() == 0) {
                    continue;
                }
                any = true;
                let place = Place { epoch, window: number, offset: 0 };
                let failed = window.is_err();
                if sender.send(window.map(|window| (place, window))).is_err() || failed {
                    return;
                }
            }
            if !any {
                let _ = sender.send(Err(empty(&self.index, &self.options)));
                return;
            }
            first = 0;
        }
    }

    fn prepare(&mut self, epoch: u64, number: u64, blocks: &[u32]) -> Result<Window, DataError> {
        let mut window = Window::default();
        self.raw.clear();
        for &block in blocks {
            let block = self.index.blocks[block as usize];
            self.add(block, &mut window)?;
        }
        if self.options.order == Order::Shuffled {
            let mut random = Random::new(self.options.seed, epoch, Some(number));
            random.shuffle(&mut window.entries);
        }
        window.gather(&self.raw);
        Ok(window)
    }

    /// Reads a block and adds its records of the requested part.
    fn add(&mut self, block: Block, window: &mut Window) -> Result<(), DataError> {
        let (start, header) = (self.raw.len(), block.found.header);
        self.read(block)?;
        let records = &self.raw[start..];
        if let Some(fault) = header.fault(records) {
            self.raw.truncate(start);
            self.report(block, fault);
            return Ok(());
        }
        let number = window.blocks.len() as u32;
        let Block { file, found } = block;
        window.blocks.push(Origin { file, offset: found.offset, base: header.base });
        let mut start = start as u32;
        for record in Records(records) {
            // A record without a valid game number is kept, so that the decoder refuses it with an
            // error.
            if game_of(&record[1..], header.base).is_none_or(|game| self.filter.takes(game)) {
                window.entries.push(Entry { start, block: number });
            }
            start += record.len() as u32;
        }
        Ok(())
    }

    /// Appends the records of a block to `raw`.
    fn read(&mut self, block: Block) -> Result<(), DataError> {
        let path = &self.index.files[block.file as usize];
        if self.open.len() >= MAX_OPEN && !self.open.contains_key(&block.file) {
            self.open.clear();
        }
        let file = match self.open.entry(block.file) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(File::open(path).map_err(DataError::io(path, "open"))?)
            }
        };
        let start = self.raw.len();
        self.raw.resize(start + block.found.header.length as usize, 0);
        file.seek(SeekFrom::Start(block.found.offset + HEADER as u64))
            .and_then(|_| file.read_exact(&mut self.raw[start..]))
            .map_err(DataError::io(path, "read"))
    }

    /// Records a block that could not be read, once.
    fn report(&self, block: Block, fault: Fault) {
        let Block { file, found } = block;
        let damage = Damage {
            path: self.index.files[file as usize].clone(),
            offset: found.offset,
            bytes: found.header.size(),
            records: Some(found.header.records.into()),
            fault,
        };
        let mut all = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&damage) {
            all.push(damage);
        }
    }
}
