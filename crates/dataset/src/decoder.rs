//! From records to batches.

mod targets;

use std::ops::Range;

use games::registry::{GameVisitor, with_game};
use games::{Color, FeatureSet, FeatureSetError, Game, Perspectives};

use crate::loader::Chunk;
use crate::native::record::{self, Parts};
use crate::{Batch, DataError, PolicyTarget};

/// What a decoder is to put into a batch beside features, scores and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four things to have or not, free of each other")]
pub struct DecodeOptions {
    /// Features come with the factors that stand behind them, numbered from the size of the set on.
    pub factorise: bool,
    /// The best move.
    pub policy: bool,
    /// The legal moves, and which of them is the best one.
    pub legal_moves: bool,
    /// Quantiles of the score.
    pub quantiles: bool,
}

/// Turns records of one game into features and targets.
pub trait Decoder: Send + Sync {
    /// Replaces the content of `batch` by the records of a range of the chunk.
    fn decode(
        &self,
        chunk: &Chunk,
        range: Range<usize>,
        batch: &mut Batch,
    ) -> Result<(), DataError>;

    /// Rows of a position: 1 or 2.
    fn views(&self) -> usize;

    /// How many inputs there are; all features of a batch are below. Factors included.
    fn inputs(&self) -> usize;
}

/// The decoder for a feature set, whichever game it belongs to.
pub fn decoder(features: &str, options: DecodeOptions) -> Result<Box<dyn Decoder>, DataError> {
    struct Make<'a>(&'a str, DecodeOptions);
    impl GameVisitor for Make<'_> {
        type Output = Result<Box<dyn Decoder>, DataError>;
        fn visit<G: Game>(self) -> Self::Output {
            Ok(Box::new(GameDecoder::<G>::new(G::feature_set(self.0)?, self.1)))
        }
    }
    let game = features.split('.').next().unwrap_or_default();
    with_game(game, Make(features, options)).unwrap_or_else(|_| {
        let error = games::registry::feature_set_shape(features).map_or_else(
            |error| error,
            |_| FeatureSetError::Parameter {
                name: features.to_owned(),
                fault: "belongs to no game, so positions do not have its features".to_owned(),
            },
        );
        Err(error.into())
    })
}

/// The decoder for one set of one game.
struct GameDecoder<G> {
    set: Box<dyn FeatureSet<G>>,
    options: DecodeOptions,
    views: usize,
    /// The input of the factor behind each feature; empty if there are none or none are wanted.
    factors: Vec<u32>,
    inputs: usize,
}

impl<G: Game> GameDecoder<G> {
    fn new(set: Box<dyn FeatureSet<G>>, options: DecodeOptions) -> Self {
        let (size, count) = (set.size(), set.factors());
        let factors: Vec<u32> = if options.factorise && count > 0 {
            (0..size as u32).map(|feature| size as u32 + set.factor(feature)).collect()
        } else {
            Vec::new()
        };
        let inputs = if factors.is_empty() { size } else { size + count };
        let views = if set.perspectives() == Perspectives::Two { 2 } else { 1 };
        Self { set, options, views, factors, inputs }
    }

    fn push_rows(&self, position: &G, batch: &mut Batch) {
        let side = position.side_to_move();
        let views = if self.views == 2 { [side, !side] } else { Color::BOTH };
        for &view in &views[..self.views] {
            let first = batch.features.len();
            self.set.active(position, view, &mut batch.features);
            if !self.factors.is_empty() {
                for place in first..batch.features.len() {
                    batch.features.push(self.factors[batch.features[place] as usize]);
                }
            }
            batch.starts.push(batch.features.len() as u32);
        }
    }

    fn push(&self, parts: &Parts<'_, G>, batch: &mut Batch) -> Result<(), &'static str> {
        let position = &parts.position;
        self.push_rows(position, batch);
        let score = parts.score.map(f32::from);
        batch.push(position.piece_count(), score, parts.result.map(games::Points::as_f32));
        if let (Some(deepest), Some(last)) = (parts.depths.clone().last(), batch.deepest.last_mut())
        {
            *last = deepest.score.into();
        }
        if self.options.quantiles {
            batch.quantiles.push(targets::quantiles(parts.quantiles, parts.depths.clone()));
        }
        if self.options.policy || self.options.legal_moves {
            self.push_moves(parts, batch)?;
        }
        Ok(())
    }

    fn push_moves(&self, parts: &Parts<'_, G>, batch: &mut Batch) -> Result<(), &'static str> {
        let position = &parts.position;
        let best = match parts.best_move {
            None => None,
            Some(code) => Some(position.move_from_code(code).ok_or("expected a legal move")?),
        };
        let target = |mv| {
            let index = position.policy_index(mv);
            PolicyTarget { from: index.from as u16, to: index.to as u16 }
        };
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

impl<G: Game> Decoder for GameDecoder<G> {
    fn decode(
        &self,
        chunk: &Chunk,
        range: Range<usize>,
        batch: &mut Batch,
    ) -> Result<(), DataError> {
        batch.clear();
        batch.views = self.views;
        batch.starts.push(0);
        if self.options.legal_moves {
            batch.legal_starts.push(0);
        }
        let mut before = None;
        for (number, raw) in chunk.records(range).enumerate() {
            let refuse = |fault| chunk.refuse(raw, fault);
            let parts = record::read::<G>(raw.bytes, raw.base).map_err(refuse)?;
            self.push(&parts, batch).map_err(refuse)?;
            let from = (raw.file, parts.game);
            if before == Some((from, parts.ply)) {
                batch.continues[number - 1] = true;
            }
            before = parts.ply.checked_add(1).map(|next| (from, next));
        }
        Ok(())
    }

    fn views(&self) -> usize {
        self.views
    }

    fn inputs(&self) -> usize {
        self.inputs
    }
}
