//! Accumulator: the first layer's sums for one perspective of a position.

use alloc::vec::Vec;

use crate::Network;
use crate::blocks::BlockI16;

/// The number of piece-square sums that a Stockfish network keeps beside its accumulator.
pub(crate) const PSQT: usize = 8;

/// One perspective, borrowed. Networks use the parts that they need; the others are empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccumulatorRef<'a> {
    /// Sums of an integer transformer.
    pub(crate) values: &'a [BlockI16],
    /// Sums of a float transformer, in units of 2⁻³².
    pub(crate) fixed: &'a [i64],
    /// Piece-square sums.
    pub(crate) psqt: &'a [i32; PSQT],
}

/// One perspective, mutably borrowed.
#[derive(Debug)]
pub(crate) struct AccumulatorMut<'a> {
    pub(crate) values: &'a mut [BlockI16],
    pub(crate) fixed: &'a mut [i64],
    pub(crate) psqt: &'a mut [i32; PSQT],
}

/// The lengths of the parts of a perspective for a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccumulatorSize {
    pub(crate) blocks: usize,
    pub(crate) fixed: usize,
}

/// The first layer's sums for one perspective of a position.
///
/// [`Network::refresh`] fills it from a list of active features, [`Network::update`] from another
/// accumulator and the changed features. [`Network::evaluate`] reads it.
/// [`AccumulatorStack`](crate::AccumulatorStack) does all of this for a search.
/// ```
/// use nnue::{Accumulator, IntegerParameters, Network};
///
/// let architecture = "(18→16)×2→1 screlu".parse()?;
/// let mut weights = (-30..=30).cycle();
/// let parameters =
///     IntegerParameters::generate(&architecture, || weights.next().unwrap(), || 0, || 25, || 0);
/// let network = Network::from_integers(architecture, &parameters)?;
///
/// // Updating and refreshing give the same sums.
/// let mut parent = Accumulator::new(&network);
/// network.refresh(&mut parent, &[4, 7]);
/// let [mut child, mut fresh] = [Accumulator::new(&network), Accumulator::new(&network)];
/// network.update(&parent, &mut child, &[5], &[4]);
/// network.refresh(&mut fresh, &[7, 5]);
/// assert_eq!(child, fresh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulator {
    values: Vec<BlockI16>,
    fixed: Vec<i64>,
    psqt: [i32; PSQT],
}

impl Accumulator {
    /// An accumulator for `network`, with no active feature.
    pub fn new(network: &Network) -> Self {
        let size = network.accumulator_size();
        let mut accumulator = Self {
            values: alloc::vec![BlockI16::ZERO; size.blocks],
            fixed: alloc::vec![0; size.fixed],
            psqt: [0; PSQT],
        };
        network.refresh(&mut accumulator, &[]);
        accumulator
    }

    #[inline(always)]
    pub(crate) fn size(&self) -> AccumulatorSize {
        AccumulatorSize { blocks: self.values.len(), fixed: self.fixed.len() }
    }

    #[inline(always)]
    pub(crate) fn borrowed(&self) -> AccumulatorRef<'_> {
        AccumulatorRef { values: &self.values, fixed: &self.fixed, psqt: &self.psqt }
    }

    #[inline(always)]
    pub(crate) fn borrowed_mut(&mut self) -> AccumulatorMut<'_> {
        AccumulatorMut { values: &mut self.values, fixed: &mut self.fixed, psqt: &mut self.psqt }
    }
}
