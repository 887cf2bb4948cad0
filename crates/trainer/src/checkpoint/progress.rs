//! Training progress: steps, positions, random state and the best validation loss.

use super::bytes::Reader;
use crate::{HeadLoss, Losses};

/// The best validation so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// The mean loss of a position.
    pub loss: f64,
    /// The number of steps before it.
    pub step: u64,
}

/// The counters of a training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingProgress {
    /// The number of steps.
    pub step: u64,
    /// The number of positions of these steps.
    pub positions: u64,
    /// The place of the next record: epoch, window, offset.
    pub place: [u64; 3],
    /// The number of threads, on which results depend.
    pub threads: u64,
    /// The random state, which determines the order of the data together with the place.
    pub random: u64,
    /// The number of validations since the best one.
    pub since_best: u64,
    /// The best validation.
    pub best: Option<Best>,
    /// The losses since the start of the superbatch.
    pub superbatch: Losses,
}

/// The maximum number of heads: more than any network has.
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
