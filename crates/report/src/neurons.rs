//! Neuron pictures: weights of accumulator neurons, one board for each kind of piece.

mod drawing;
mod selection;

use games::{BoardGeometry, FeaturePlace};

use crate::Picture;

/// The weights of a network's first layer, and what its features stand for.
#[derive(Clone, Debug)]
pub struct FirstLayer<'a> {
    /// The board of the game.
    pub geometry: &'a BoardGeometry,
    /// The place of each feature; `None` where it has none.
    pub places: &'a [Option<FeaturePlace>],
    /// The weights, `[feature][neuron]`.
    pub weights: &'a [f32],
    /// Neurons of the accumulator.
    pub width: usize,
}

/// Which neurons and pieces are drawn.
#[derive(Clone, Debug)]
pub struct NeuronSelection {
    /// How many neurons: those with the largest weights.
    pub count: usize,
    /// Just these neurons, by their numbers from 0; not empty, it replaces `count`.
    pub only: Vec<usize>,
    /// Just these pieces, by their letters; all if empty.
    pub pieces: Vec<char>,
    /// One king bucket; the mean of all if `None`.
    pub bucket: Option<usize>,
}

impl Default for NeuronSelection {
    fn default() -> Self {
        Self { count: 8, only: Vec::new(), pieces: Vec::new(), bucket: None }
    }
}

/// The maximum number of neurons of one picture.
pub const MAX_NEURONS: usize = 256;

/// Why neurons cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NeuronError {
    /// A letter that is no piece of the feature set.
    #[error("there is no piece `{piece}`; known: {known}")]
    UnknownPiece {
        /// The letter.
        piece: char,
        /// The letters that there are.
        known: String,
    },
    /// A king bucket that the feature set does not have.
    #[error("there is no king bucket {bucket}; there are {buckets}, from 0 on")]
    UnknownBucket {
        /// The bucket.
        bucket: usize,
        /// How many there are.
        buckets: usize,
    },
    /// A neuron that the accumulator does not have.
    #[error("there is no neuron {number}; the accumulator has {width} neurons, numbered from 0")]
    UnknownNeuron {
        /// The neuron.
        number: usize,
        /// How many there are.
        width: usize,
    },
    /// Too few or too many neurons.
    #[error("{count} neurons; expected 1 to {MAX_NEURONS}")]
    Count {
        /// How many were to be drawn.
        count: usize,
    },
    /// Weights that do not belong to the features.
    #[error("{weights} weights are not {features} features by {width} neurons")]
    Size {
        /// How many weights there are.
        weights: usize,
        /// How many features there are.
        features: usize,
        /// How many neurons there are.
        width: usize,
    },
}

/// Neurons with the weights that are drawn.
#[derive(Clone, Debug)]
pub struct NeuronBoards {
    geometry: BoardGeometry,
    /// How wide the accumulator is.
    width: usize,
    /// The king bucket, in words.
    bucket: String,
    columns: Vec<PieceColumn>,
    neurons: Vec<NeuronRow>,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PieceColumn {
    piece: char,
    theirs: bool,
}

/// The weights of a neuron.
#[derive(Clone, Debug)]
struct NeuronRow {
    number: usize,
    /// `[column][cell]`; not a number where there is no such feature.
    weights: Vec<Vec<f32>>,
}

impl NeuronBoards {
    /// Selects what is drawn.
    pub fn new(layer: &FirstLayer<'_>, selection: &NeuronSelection) -> Result<Self, NeuronError> {
        selection::boards(layer, selection)
    }

    /// How many neurons are drawn.
    pub fn neurons(&self) -> usize {
        self.neurons.len()
    }

    /// How many boards each neuron has.
    pub fn boards(&self) -> usize {
        self.columns.len()
    }

    /// The picture, with the name and architecture of the network above it.
    pub fn picture(&self, name: &str, architecture: &str) -> Picture {
        let title = format!("{name}: {} of {} accumulator neurons", self.neurons(), self.width);
        drawing::picture(self, &title, &format!("{architecture}{}", self.bucket))
    }
}

#[cfg(test)]
mod tests;
