//! Validation loss, on positions that training does not use.

use dataset::{Batch, DataError, Decoder, Loader, Place};

use super::{RunError, Source, Times};
use crate::{Learner, Losses, StepSettings};

/// Positions to measure the loss on: the same ones each time.
#[derive(Debug)]
pub(super) struct Validator {
    source: Source,
    positions: u64,
    batch_size: usize,
}

impl Validator {
    /// Counts the positions, at most `limit` (0: all). `None` if there are none.
    pub(super) fn new(
        mut loader: Loader,
        decoder: Box<dyn Decoder>,
        limit: u64,
        batch_size: usize,
    ) -> Result<Option<Self>, DataError> {
        let limit = if limit == 0 { u64::MAX } else { limit };
        let mut positions = 0;
        while positions < limit {
            match loader.next(1) {
                Ok(_) if loader.place().epoch > 0 => break,
                Ok(_) => positions += 1,
                Err(DataError::Empty { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        if positions == 0 {
            return Ok(None);
        }
        let source = Source::Files { loader, decoder };
        Ok(Some(Self { source, positions, batch_size }))
    }

    /// The losses of all its positions.
    pub(super) fn losses(
        &mut self,
        learner: &mut Learner,
        shards: &mut [Batch],
        settings: StepSettings,
    ) -> Result<Losses, RunError> {
        let Place { epoch, window, offset } = Place::default();
        self.source.go_to([epoch, window, offset])?;
        let mut losses = Losses::default();
        let mut left = self.positions;
        while left > 0 {
            let count = left.min(self.batch_size as u64);
            self.source.fill(count as usize, learner.pool(), shards, &mut Times::default())?;
            losses += &learner.evaluate(shards, settings)?;
            left -= count;
        }
        Ok(losses)
    }
}
