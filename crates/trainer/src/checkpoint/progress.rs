//! Training progress: steps, positions, random state and the best validation loss.

use super::bytes::Reader;
use crate::{HeadLoss, Losses};

/// The best validation so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Its loss, a position.
    pub loss: f64,
    /// After how many steps it was.
    pub step: u64,
}

/// Everything that a training counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingProgress {
    /// How many steps have been made.
    pub step: u64,
    /// How many positions they had.
    pub positions: u64,
    /// Where the data goes on: pass, window, offset.
    pub place: [u64; 3],
    /// How many threads there are: results depend on it.
    pub threads: u64,
    /// The state of the random numbers: the order of the data follows from it and from the place.
    pub random: u64,
    /// How many validations there have been since the best one.
    pub since_best: u64,
    /// The best validation.
    pub best: Option<Best>,
    /// The losses since the superbatch began.
    pub superbatch: Losses,
}

/// The most heads: more than any network has.
const MAX_HEADS: u64 = 64;

impl TrainingProgress {
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let [epoch, window, offset] = self.place;
        let best = self.best.unwrap_or(Best { loss: f64::NAN, step: u64::MAX });
        let numbers = [
            self.step,
            self.positions,
            epoch,
            window,
            offset,
            self.threads,
            self.random,
            self.since_best,
            best.loss.to_bits(),
            best.step,
            self.superbatch.total.to_bits(),
            self.superbatch.positions,
            self.superbatch.heads.len() as u64,
        ];
        let heads = self.superbatch.heads.iter();
        let heads = heads.flat_map(|head| [head.sum.to_bits(), head.positions]);
        bytes.extend(numbers.into_iter().chain(heads).flat_map(u64::to_le_bytes));
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, String> {
        let mut number = || reader.u64("progress");
        let (step, positions) = (number()?, number()?);
        let place = [number()?, number()?, number()?];
        let (threads, random, since_best) = (number()?, number()?, number()?);
        let loss = reader.f64("best loss")?;
        let best = Best { loss, step: reader.u64("best step")? };
        let total = reader.f64("losses")?;
        let counted = reader.u64("losses")?;
        let heads = reader.u64("losses")?;
        if heads > MAX_HEADS {
            return Err(format!("it has {heads} heads; expected at most {MAX_HEADS}"));
        }
        let head = |_| {
            let sum = reader.f64("losses")?;
            Ok(HeadLoss { sum, positions: reader.u64("losses")? })
        };
        let heads = (0..heads).map(head).collect::<Result<_, String>>()?;
        Ok(Self {
            step,
            positions,
            place,
            threads,
            random,
            since_best,
            best: (best.step != u64::MAX).then_some(best),
            superbatch: Losses { total, positions: counted, heads },
        })
    }
}
