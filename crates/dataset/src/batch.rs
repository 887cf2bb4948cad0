//! Batches: positions as features and targets, as a network reads them.

use std::ops::Range;

/// The policy outputs of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyTarget {
    /// For the cell that the move leaves.
    pub from: u16,
    /// For the cell that the move enters.
    pub to: u16,
}

/// Positions as features and targets, one list for each property. Reuse one value: it keeps its
/// memory.
///
/// A row is one perspective of one position. The rows of a position are adjacent, the side to move
/// first; a network with one perspective has one row for each position. Unknown scores and results
/// are NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Rows of a position: 1 or 2 perspectives.
    pub perspectives: usize,
    /// The offset of the features of each row in `features`, and the end of the last row.
    pub starts: Vec<u32>,
    /// The active features of all rows.
    pub features: Vec<u32>,
    /// The number of pieces, which selects the output bucket.
    pub pieces: Vec<u16>,
    /// The score in centipawns for the side to move.
    pub scores: Vec<f32>,
    /// The score of the deepest search, where there are several.
    pub deepest: Vec<f32>,
    /// The score of the game for the side to move, 0 to 1.
    pub results: Vec<f32>,
    /// Whether the next position of the batch is the next one of the same game.
    pub continues: Vec<bool>,
    /// Centipawns at five levels. Empty unless requested; NaN where unknown.
    pub quantiles: Vec<[f32; 5]>,
    /// Whether the best move is noisy (a capture or a promotion); false if it is unknown. Empty
    /// unless requested.
    pub noisy: Vec<bool>,
    /// The best move. Empty unless requested.
    pub policy: Vec<Option<PolicyTarget>>,
    /// The offset of the legal moves of each position in `legal`, and the end of the last. Empty
    /// unless requested.
    pub legal_starts: Vec<u32>,
    /// The legal moves of all positions.
    pub legal: Vec<PolicyTarget>,
    /// The index of the best move among the legal moves of its position. Empty unless requested.
    pub best_legal: Vec<Option<u16>>,
}

impl Batch {
    /// An empty batch.
    pub fn new(perspectives: usize) -> Self {
        Self { perspectives, ..Self::default() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        let Self {
            perspectives: _,
            starts,
            features,
            pieces,
            scores,
            deepest,
            results,
            continues,
            quantiles,
            noisy,
            policy,
            legal_starts,
            legal,
            best_legal,
        } = self;
        starts.clear();
        features.clear();
        pieces.clear();
        scores.clear();
        deepest.clear();
        results.clear();
        continues.clear();
        quantiles.clear();
        noisy.clear();
        policy.clear();
        legal_starts.clear();
        legal.clear();
        best_legal.clear();
    }

    /// The active features of one perspective of one position.
    pub fn row(&self, position: usize, perspective: usize) -> &[u32] {
        let row = position * self.perspectives + perspective;
        &self.features[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The range of a position's legal moves in `legal`.
    pub fn legal_range(&self, position: usize) -> Range<usize> {
        self.legal_starts[position] as usize..self.legal_starts[position + 1] as usize
    }

    /// Adds a row of the position that is being added. Add all rows first, then call
    /// [`Batch::push`].
    pub fn push_row(&mut self, features: impl IntoIterator<Item = u32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.features.extend(features);
        self.starts.push(self.features.len() as u32);
    }

    /// Adds a position whose rows have been added. The caller extends the lists that are filled
    /// only on request.
    pub fn push(&mut self, pieces: usize, score: Option<f32>, result: Option<f32>) {
        debug_assert_eq!(self.starts.len(), (self.len() + 1) * self.perspectives + 1);
        self.pieces.push(pieces.min(usize::from(u16::MAX)) as u16);
        self.scores.push(score.unwrap_or(f32::NAN));
        self.deepest.push(score.unwrap_or(f32::NAN));
        self.results.push(result.unwrap_or(f32::NAN));
        self.continues.push(false);
    }
}
