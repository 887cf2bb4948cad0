//! Batch source: data files, or the rows of the configuration.

use std::time::Instant;

use dataset::{Batch, Damage, DataError, Decoder, Loader, Place};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::Times;
use crate::Row;

/// An endless sequence of positions.
pub(super) enum Source {
    /// Records of files.
    Files {
        /// Reads them ahead of time.
        loader: Loader,
        /// Turns them into features.
        decoder: Box<dyn Decoder>,
    },
    /// Examples, repeated in order.
    Rows {
        /// The examples.
        rows: Vec<Row>,
        /// The next one.
        next: usize,
    },
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Files { loader, .. } => f.debug_tuple("Files").field(&loader.place()).finish(),
            Self::Rows { next, .. } => f.debug_tuple("Rows").field(next).finish(),
        }
    }
}

/// The range of `count` positions of a shard: always the same for the same number of shards.
fn share(count: usize, shards: usize, shard: usize) -> std::ops::Range<usize> {
    count * shard / shards..count * (shard + 1) / shards
}

impl Source {
    /// Replaces the shards by the next `count` positions.
    pub(super) fn fill(
        &mut self,
        count: usize,
        pool: &ThreadPool,
        shards: &mut [Batch],
        times: &mut Times,
    ) -> Result<(), DataError> {
        let begin = Instant::now();
        let parts = shards.len();
        match self {
            Self::Files { loader, decoder } => {
                let chunk = loader.next(count)?;
                times.load += begin.elapsed();
                let begin = Instant::now();
                pool.install(|| {
                    let shards = shards.par_iter_mut().enumerate();
                    shards.try_for_each(|(shard, batch)| {
                        decoder.decode(&chunk, share(count, parts, shard), batch)
                    })
                })?;
                times.decode += begin.elapsed();
            }
            Self::Rows { rows, next } => {
                for (shard, batch) in shards.iter_mut().enumerate() {
                    batch.clear();
                    batch.perspectives = 1;
                    batch.starts.push(0);
                    for _ in share(count, parts, shard) {
                        push_row(batch, &rows[*next]);
                        *next = (*next + 1) % rows.len();
                    }
                }
                times.decode += begin.elapsed();
            }
        }
        Ok(())
    }

    /// The place of the next position.
    pub(super) fn place(&self) -> [u64; 3] {
        match self {
            Self::Files { loader, .. } => {
                let Place { epoch, window, offset } = loader.place();
                [epoch, window, offset]
            }
            Self::Rows { next, .. } => [0, 0, *next as u64],
        }
    }

    /// Continues from a place.
    pub(super) fn go_to(&mut self, [epoch, window, offset]: [u64; 3]) -> Result<(), DataError> {
        let place = Place { epoch, window, offset };
        match self {
            Self::Files { loader, .. } => loader.go_to(place),
            Self::Rows { rows, next } if offset < rows.len() as u64 => {
                *next = offset as usize;
                Ok(())
            }
            Self::Rows { .. } => Err(DataError::Place { place }),
        }
    }

    /// The damage found so far.
    pub(super) fn damage(&self) -> Vec<Damage> {
        match self {
            Self::Files { loader, .. } => loader.damage(),
            Self::Rows { .. } => Vec::new(),
        }
    }
}

fn push_row(batch: &mut Batch, row: &Row) {
    let active = row.inputs.iter().enumerate().filter(|(_, input)| **input != 0);
    batch.push_row(active.map(|(place, _)| place as u32));
    batch.push(0, None, Some(row.target));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_everything_once() {
        for count in [0, 1, 2, 7, 16384] {
            for shards in 1..9 {
                let all: Vec<_> = (0..shards).flat_map(|s| share(count, shards, s)).collect();
                assert_eq!(all, (0..count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn rows_go_round() {
        let row = |inputs: &[u8], target| Row { inputs: inputs.to_vec(), target };
        let rows = vec![row(&[0, 1], 0.0), row(&[1, 1], 0.5), row(&[0, 0], 1.0)];
        let mut source = Source::Rows { rows, next: 0 };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut shards = vec![Batch::new(1); 2];
        source.fill(4, &pool, &mut shards, &mut Times::default()).unwrap();
        assert_eq!(source.place(), [0, 0, 1]);
        assert_eq!([&shards[0].results, &shards[1].results], [&[0.0, 0.5], &[1.0, 0.0]]);
        assert_eq!(shards[0].row(0, 0), [1]);
        assert_eq!(shards[0].row(1, 0), [0, 1]);
        assert!(shards[1].row(0, 0).is_empty());
        assert!(source.go_to([0, 0, 3]).is_err());
        source.go_to([0, 0, 2]).unwrap();
        source.fill(1, &pool, &mut shards[..1], &mut Times::default()).unwrap();
        assert_eq!(shards[0].results, [1.0]);
    }
}
