//! External shuffle: puts any number of records into a random order, in bounded memory.
//!
//! Records are kept packed, in memory as long as they fit. The others are distributed at random
//! over temporary files, and each of these is shuffled in the same way. Every order is equally
//! likely: it is the order of independent random numbers, sorted one digit at a time. The files
//! have no names, so the system removes them in any case.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use games::{Random, ToolkitGame};

use crate::formats::{FormatError, RecordSource};
use crate::native::record;
use crate::{DataError, Record};

/// The number of temporary files. Each has a buffer of [`BUFFER`] bytes.
const FILES: usize = 64;
const BUFFER: usize = 1 << 16;
/// The minimum memory: less would not hold enough records to distribute.
const MIN_MEMORY: usize = 1 << 13;

/// The options of a shuffle.
#[derive(Clone, Debug)]
pub struct ShuffleOptions {
    /// The same seed, memory and records give the same order.
    pub seed: u64,
    /// The approximate memory in bytes, without buffers.
    pub memory: usize,
    /// The folder for temporary files.
    pub scratch: PathBuf,
}

/// Calls `emit` with all records of a source, in a random order.
pub fn shuffle<G: ToolkitGame>(
    source: &mut dyn RecordSource<G>,
    options: &ShuffleOptions,
    emit: &mut dyn FnMut(&Record<G>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut shuffler = Shuffler {
        random: Random::new(options.seed),
        // A growing list needs its memory twice for a moment.
        limit: options.memory.max(MIN_MEMORY) / 2,
        scratch: &options.scratch,
        emit,
    };
    shuffler.mix(&mut |bytes| {
        let Some(next) = source.next()? else { return Ok(false) };
        let written = record::write(&next, 0, bytes);
        written.map_err(|fault| unwritable(&options.scratch, fault))?;
        Ok(true)
    })
}

fn unwritable(path: &Path, fault: String) -> FormatError {
    DataError::Unwritable { path: path.to_owned(), record: 0, fault }.into()
}

/// Appends the next packed record to a list, or returns false at the end.
type Next<'a> = dyn FnMut(&mut Vec<u8>) -> Result<bool, FormatError> + 'a;

struct Shuffler<'a, G: ToolkitGame> {
    random: Random,
    limit: usize,
    scratch: &'a Path,
    emit: &'a mut dyn FnMut(&Record<G>) -> Result<(), FormatError>,
}

impl<G: ToolkitGame> Shuffler<'_, G> {
    /// Emits the records of `next`, in a random order.
    fn mix(&mut self, next: &mut Next<'_>) -> Result<(), FormatError> {
        let mut bytes = Vec::new();
        let mut starts = Vec::new();
        while bytes.len() + starts.len() * size_of::<usize>() < self.limit {
            let start = bytes.len();
            if !next(&mut bytes)? {
                return self.emit_shuffled(&bytes, starts);
            }
            starts.push(start);
        }
        let io = |source| FormatError::write(self.scratch, source);
        let mut files = Vec::new();
        for _ in 0..FILES {
            let file = tempfile::tempfile_in(self.scratch).map_err(io)?;
            files.push(BufWriter::with_capacity(BUFFER, file));
        }
        for start in starts {
            let file = &mut files[self.random.below(FILES)];
            file.write_all(record_at(&bytes, start)).map_err(io)?;
        }
        drop(bytes);
        let mut one = Vec::new();
        while next(&mut one)? {
            files[self.random.below(FILES)].write_all(&one).map_err(io)?;
            one.clear();
        }
        for file in files {
            let file = file.into_inner().map_err(|error| io(error.into_error()))?;
            let mut file = rewound(file).map_err(io)?;
            let scratch = self.scratch;
            self.mix(&mut |bytes| {
                read_record(&mut file, bytes).map_err(|source| FormatError::read(scratch, source))
            })?;
        }
        Ok(())
    }

    fn emit_shuffled(&mut self, bytes: &[u8], mut starts: Vec<usize>) -> Result<(), FormatError> {
        for last in (1..starts.len()).rev() {
            starts.swap(last, self.random.below(last + 1));
        }
        for start in starts {
            let packed = &record_at(bytes, start)[1..];
            let record = record::read::<G>(packed, 0).and_then(record::Parts::into_record);
            let record = record.map_err(|fault| unwritable(self.scratch, fault.to_owned()))?;
            (self.emit)(&record)?;
        }
        Ok(())
    }
}

/// A packed record with its length.
fn record_at(bytes: &[u8], start: usize) -> &[u8] {
    &bytes[start..=start + usize::from(bytes[start])]
}

fn rewound(mut file: File) -> io::Result<BufReader<File>> {
    file.rewind()?;
    Ok(BufReader::with_capacity(BUFFER, file))
}

/// Appends the next record of a temporary file, or returns false at its end.
fn read_record(file: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut length = [0];
    if file.read(&mut length)? == 0 {
        return Ok(false);
    }
    let start = bytes.len();
    bytes.push(length[0]);
    bytes.resize(start + 1 + usize::from(length[0]), 0);
    file.read_exact(&mut bytes[start + 1..])?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Faults;
    use games::Game;
    use games::connect_four::ConnectFour;

    /// A source of numbered records, identified by their ply.
    struct Numbered {
        next: u16,
        count: u16,
        faults: Faults,
    }

    impl RecordSource<ConnectFour> for Numbered {
        fn next(&mut self) -> Result<Option<Record<ConnectFour>>, FormatError> {
            if self.next == self.count {
                return Ok(None);
            }
            let mut record = Record::new(ConnectFour::start());
            record.ply = self.next;
            record.game = u32::from(self.next / 10);
            self.next += 1;
            Ok(Some(record))
        }

        fn bytes_read(&self) -> u64 {
            0
        }

        fn faults(&self) -> &Faults {
            &self.faults
        }
    }

    fn shuffled(count: u16, seed: u64, memory: usize) -> Vec<u16> {
        let mut source = Numbered { next: 0, count, faults: Faults::new("record") };
        let options = ShuffleOptions { seed, memory, scratch: std::env::temp_dir() };
        let mut order = Vec::new();
        let mut emit = |record: &Record<ConnectFour>| {
            assert_eq!(record.game, u32::from(record.ply / 10));
            order.push(record.ply);
            Ok(())
        };
        shuffle(&mut source, &options, &mut emit).expect("there is room");
        order
    }

    #[test]
    fn every_record_comes_out_once() {
        // From all in memory down to three levels of files.
        for (count, memory) in [(0, 0), (1, 0), (5000, 1 << 30), (5000, 0), (60_000, 0)] {
            let mut order = shuffled(count, 1, memory);
            assert!(count < 2 || !order.is_sorted());
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..count), "{count} records, {memory} bytes");
        }
    }

    #[test]
    fn the_seed_decides() {
        for memory in [0, 1 << 20] {
            assert_eq!(shuffled(3000, 5, memory), shuffled(3000, 5, memory));
            assert_ne!(shuffled(3000, 5, memory), shuffled(3000, 6, memory));
        }
    }

    /// χ² of the counts against all being equal. With d degrees of freedom it is about d ± √(2d).
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn all_orders_of_four_are_equally_likely() {
        let mut counts = [0; 24];
        for seed in 0..24_000 {
            let order = shuffled(4, seed, 1 << 20);
            // The number of the permutation.
            let rank = |at: usize| order[at + 1..].iter().filter(|&&x| x < order[at]).count();
            counts[rank(0) * 6 + rank(1) * 2 + rank(2)] += 1;
        }
        let chi_square = chi_square(&counts);
        assert!(chi_square < 23.0 + 5.0 * 46.0_f64.sqrt(), "{chi_square}: {counts:?}");
    }

    #[test]
    fn every_place_is_equally_likely_through_files_too() {
        const COUNT: u16 = 1200;
        const PARTS: usize = 8;
        let part = |place: usize| place * PARTS / usize::from(COUNT);
        let mut counts = [0; PARTS * PARTS];
        for seed in 0..20 {
            // Little memory, so that files are needed.
            for (place, &record) in shuffled(COUNT, seed, 0).iter().enumerate() {
                counts[part(place) * PARTS + part(usize::from(record))] += 1;
            }
        }
        let chi_square = chi_square(&counts);
        // Row and column sums are fixed, so 49 degrees of freedom.
        assert!(chi_square < 49.0 + 5.0 * 98.0_f64.sqrt(), "{chi_square}: {counts:?}");
    }
}
