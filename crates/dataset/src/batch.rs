//! Positions as a network reads them.

use std::ops::Range;

/// The policy outputs of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyTarget {
    /// For the cell that is left.
    pub from: u16,
    /// For the cell that is entered.
    pub to: u16,
}

/// Positions as features and targets, one list for each fact. Reuse one value: it keeps its memory.
///
/// A row is one view of one position. Rows of a position are neighbours, the side to move's view first; a
/// network of one perspective has one row each. Unknown scores and results are NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Rows of a position: 1 or 2.
    pub views: usize,
    /// Where the features of each row begin in `features`, and where the last row's end.
    pub starts: Vec<u32>,
    /// The active features of all rows.
    pub features: Vec<u32>,
    /// How many pieces are on the board; it chooses the output bucket.
    pub pieces: Vec<u16>,
    /// Centipawns, side to move.
    pub scores: Vec<f32>,
    /// The score of the deepest search, where there are several.
    pub deepest: Vec<f32>,
    /// The side to move's share of the point, 0 to 1.
    pub results: Vec<f32>,
    /// Whether the next position of the batch is the next one of the same game.
    pub continues: Vec<bool>,
    /// Centipawns at five levels. Empty unless asked for; NaN where unknown.
    pub quantiles: Vec<[f32; 5]>,
    /// Whether the best move captures or promotes; not if it is unknown. Empty unless asked for.
    pub noisy: Vec<bool>,
    /// The best move. Empty unless asked for.
    pub policy: Vec<Option<PolicyTarget>>,
    /// Where the legal moves of each position begin in `legal`, and where the last one's end. Empty unless
    /// asked for.
    pub legal_starts: Vec<u32>,
    /// The legal moves of all positions, the best move's place being `best_legal`.
    pub legal: Vec<PolicyTarget>,
    /// The place of the best move among the position's legal moves. Empty unless asked for.
    pub best_legal: Vec<Option<u16>>,
}

impl Batch {
    /// An empty batch.
    pub fn new(views: usize) -> Self {
        Self { views, ..Self::default() }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Forgets all positions and keeps the memory.
    pub fn clear(&mut self) {
        let Self {
            views: _,
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

    /// The active features of one view of one position.
    pub fn row(&self, position: usize, view: usize) -> &[u32] {
        let row = position * self.views + view;
        &self.features[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Where a position's legal moves are in `legal`.
    pub fn legal_range(&self, position: usize) -> Range<usize> {
        self.legal_starts[position] as usize..self.legal_starts[position + 1] as usize
    }

    /// Adds a view of the position that is being added. First all views, then [`Batch::push`].
    pub fn push_row(&mut self, features: impl IntoIterator<Item = u32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.features.extend(features);
        self.starts.push(self.features.len() as u32);
    }

    /// Adds a position whose rows have been added, with what every position has. The lists that are there
    /// only when asked for are the caller's to extend.
    pub fn push(&mut self, pieces: usize, score: Option<f32>, result: Option<f32>) {
        debug_assert_eq!(self.starts.len(), (self.len() + 1) * self.views + 1);
        self.pieces.push(pieces.min(usize::from(u16::MAX)) as u16);
        self.scores.push(score.unwrap_or(f32::NAN));
        self.deepest.push(score.unwrap_or(f32::NAN));
        self.results.push(result.unwrap_or(f32::NAN));
        self.continues.push(false);
    }
}
