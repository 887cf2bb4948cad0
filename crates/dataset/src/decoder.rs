//! Decoder: turns records into batches.

mod targets;

use std::ops::Range;

use games::{
    Color, FeatureSet, FeatureSetError, GameScore, PerspectiveCount, PolicyForm, ToolkitGame,
};

use crate::loader::{Chunk, Raw};
use crate::native::record::{self, Parts};
use crate::{Batch, DataError, PolicyTarget};

/// What a decoder puts into a batch besides features, scores and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "five independent options")]
pub struct DecodeOptions {
    /// Adds the factor of each feature, numbered from the size of the set on.
    pub factorise: bool,
    /// Whether the best move is noisy (a capture or a promotion).
    pub noisy: bool,
    /// The best move.
    pub policy: bool,
    /// The legal moves, and the index of the best one.
    pub legal_moves: bool,
    /// The numbering of moves.
    pub policy_form: PolicyForm,
    /// Quantiles of the score.
    pub quantiles: bool,
}

/// Turns records of one game into features and targets.
///
/// An invalid record is an error that names its file. A position is checked for legality only where
/// its moves are needed: `accrue data check` checks all of them.
pub trait Decoder: Send + Sync {
    /// Replaces the content of `batch` by the records of a range of the chunk.
    fn decode(
        &self,
        chunk: &Chunk,
        range: Range<usize>,
        batch: &mut Batch,
    ) -> Result<(), DataError>;

    /// Rows of a position: 1 or 2 perspectives.
    fn perspectives(&self) -> usize;

    /// The number of inputs, including factors; all features of a batch are below it.
    fn inputs(&self) -> usize;
}

/// The decoder for a feature set of the game `G`.
pub(crate) fn decoder<G: ToolkitGame>(
    features: &str,
    options: DecodeOptions,
) -> Result<Box<dyn Decoder>, FeatureSetError> {
    Ok(Box::new(GameDecoder::<G>::new(G::feature_set(features)?, options)))
}

/// The decoder for one set of one game.
struct GameDecoder<G> {
    set: Box<dyn FeatureSet<G>>,
    options: DecodeOptions,
    perspectives: usize,
    /// The input of the factor of each feature; empty if there are none or they are not requested.
    factors: Vec<u32>,
    inputs: usize,
}

impl<G: ToolkitGame> GameDecoder<G> {
    fn new(set: Box<dyn FeatureSet<G>>, options: DecodeOptions) -> Self {
        let (size, count) = (set.size(), set.factors());
        let factors: Vec<u32> = if options.factorise && count > 0 {
            (0..size as u32).map(|feature| size as u32 + set.factor(feature)).collect()
        } else {
            Vec::new()
        };
        let inputs = if factors.is_empty() { size } else { size + count };
        let perspectives = if set.perspectives() == PerspectiveCount::Two { 2 } else { 1 };
        Self { set, options, perspectives, factors, inputs }
    }

    /// Ends the rows of a position, given the start of its features and the end of its first row.
    fn close_rows(&self, start: usize, middle: usize, batch: &mut Batch) {
        let end = batch.features.len();
        if self.factors.is_empty() {
            if self.perspectives == 2 {
                batch.starts.push(middle as u32);
            }
            batch.starts.push(end as u32);
            return;
        }
        // Each row is followed by its factors; the second row moves to make room for those of the
        // first.
        let first = middle - start;
        batch.features.resize(end + (end - start), 0);
        batch.features.copy_within(middle..end, middle + first);
        self.fill_factors(start, first, &mut batch.features);
        if self.perspectives == 2 {
            batch.starts.push((middle + first) as u32);
            self.fill_factors(middle + first, end - middle, &mut batch.features);
        }
        batch.starts.push(batch.features.len() as u32);
    }

    /// Writes the factors of `count` features after them.
    fn fill_factors(&self, start: usize, count: usize, features: &mut [u32]) {
        let (features, factors) = features[start..start + 2 * count].split_at_mut(count);
        for (factor, &feature) in factors.iter_mut().zip(&*features) {
            *factor = self.factors[feature as usize];
        }
    }

    /// Adds a record without moves: its position is not unpacked.
    fn push_packed(&self, raw: Raw<'_>, batch: &mut Batch) -> Result<(u32, u16), &'static str> {
        let start = batch.features.len();
        let parts = record::read_with(raw.bytes, raw.base, |ply, bytes| {
            self.set.active_packed(ply, bytes, &mut batch.features)
        })?;
        self.close_rows(start, parts.position.middle, batch);
        self.push_targets(&parts, parts.position.pieces, batch);
        Ok((parts.game, parts.ply))
    }

    /// Adds a record with its moves.
    fn push_played(&self, raw: Raw<'_>, batch: &mut Batch) -> Result<(u32, u16), &'static str> {
        let parts = record::read::<G>(raw.bytes, raw.base)?;
        let position = &parts.position;
        let side = position.side_to_move();
        let perspectives = if self.perspectives == 2 { [side, !side] } else { Color::BOTH };
        let start = batch.features.len();
        self.set.active(position, perspectives[0], &mut batch.features);
        let middle = batch.features.len();
        if self.perspectives == 2 {
            self.set.active(position, perspectives[1], &mut batch.features);
        }
        self.close_rows(start, middle, batch);
        self.push_targets(&parts, position.piece_count(), batch);
        self.push_moves(&parts, batch)?;
        Ok((parts.game, parts.ply))
    }

    fn push_targets<P>(&self, parts: &Parts<'_, P>, pieces: usize, batch: &mut Batch) {
        let (score, result) = (parts.score.map(f32::from), parts.result.map(GameScore::as_f32));
        batch.push(pieces, score, result);
        if let (Some(deepest), Some(last)) = (parts.depths.clone().last(), batch.deepest.last_mut())
        {
            *last = deepest.score.into();
        }
        if self.options.quantiles {
            batch.quantiles.push(targets::quantiles(parts.quantiles, parts.depths.clone()));
        }
    }

    fn push_moves(&self, parts: &Parts<'_, G>, batch: &mut Batch) -> Result<(), &'static str> {
        let position = &parts.position;
        let best = match parts.best_move {
            None => None,
            Some(code) => Some(position.move_from_code(code).ok_or("expected a legal move")?),
        };
        let numbering = self.options.policy_form.numbering(position, &*self.set);
        let target = |mv| {
            let index = numbering.index(mv);
            PolicyTarget { from: index.from as u16, to: index.to as u16 }
        };
        if self.options.noisy {
            batch.noisy.push(best.is_some_and(|mv| position.is_noisy(mv)));
        }
        if self.options.policy {
            batch.policy.push(best.map(target));
        }
        if self.options.legal_moves {
            let start = batch.legal.len();
            let mut place = None;
            position.for_each_move(|mv| {
                if Some(mv) == best {
                    place = Some((batch.legal.len() - start) as u16);
                }
                batch.legal.push(target(mv));
            });
            batch.best_legal.push(place);
            batch.legal_starts.push(batch.legal.len() as u32);
        }
        Ok(())
    }
}

impl<G: ToolkitGame> Decoder for GameDecoder<G> {
    fn decode(
        &self,
        chunk: &Chunk,
        range: Range<usize>,
        batch: &mut Batch,
    ) -> Result<(), DataError> {
        batch.clear();
        batch.perspectives = self.perspectives;
        batch.starts.push(0);
        if self.options.legal_moves {
            batch.legal_starts.push(0);
        }
        let DecodeOptions { noisy, policy, legal_moves, .. } = self.options;
        let with_moves = noisy || policy || legal_moves;
        let mut before = None;
        for (number, raw) in chunk.records(range).enumerate() {
            let pushed = if with_moves {
                self.push_played(raw, batch)
            } else {
                self.push_packed(raw, batch)
            };
            let (game, ply) = pushed.map_err(|fault| chunk.refuse(raw, fault))?;
            if before == Some((raw.file, game, ply)) {
                batch.continues[number - 1] = true;
            }
            before = ply.checked_add(1).map(|next| (raw.file, game, next));
        }
        Ok(())
    }

    fn perspectives(&self) -> usize {
        self.perspectives
    }

    fn inputs(&self) -> usize {
        self.inputs
    }
}
