//! noru networks: inference that is bit-identical to the crate `noru` 2.2.1.
//!
//! They are not a special case of our own networks: accumulators saturate instead of wrapping, so
//! the order of additions matters, and layers have 16-bit weights. If those fit in 8 bits, as they
//! mostly do, the layer uses our own kernels.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use alloc::vec::Vec;

use crate::accumulator::{AccumulatorMut, AccumulatorRef, AccumulatorSize};
use crate::blocks::{BLOCK, BlockI16, BlockI32, BlockU8, SUMS};
use crate::kernels::{Kernel, Simd, Squash, Task};

mod file;
mod layers;

pub use file::{NoruShape, read_noru, read_noru_headerless};

use layers::{First, Hidden, Output};

/// The clipping limit of activations.
const LIMIT: i16 = 127;

/// A network of `noru` for inference.
#[derive(Clone, Debug)]
pub(crate) struct NoruNetwork {
    rows: Vec<BlockI16>,
    bias: Vec<BlockI16>,
    first: First,
    rest: Vec<Hidden>,
    output: Output,
}

/// The buffers of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct NoruWorkspace {
    perspectives: Vec<BlockU8>,
    /// Empty for a network without squared activations.
    squares: Vec<BlockI16>,
    sums: Vec<BlockI32>,
    layers: [Vec<BlockU8>; 2],
}

impl NoruNetwork {
    pub(crate) fn accumulator_size(&self) -> AccumulatorSize {
        AccumulatorSize { blocks: self.bias.len(), fixed: 0 }
    }

    pub(crate) fn workspace(&self) -> NoruWorkspace {
        let sums =
            self.rest.iter().map(Hidden::sum_blocks).fold(self.first.sum_blocks(), usize::max);
        let layer = alloc::vec![BlockU8::ZERO; sums.div_ceil(BLOCK / SUMS)];
        let squares = match self.first {
            First::Clipped(_) => 0,
            First::Squared(_) => 2 * self.bias.len(),
        };
        NoruWorkspace {
            squares: alloc::vec![BlockI16::ZERO; squares],
            perspectives: alloc::vec![BlockU8::ZERO; 2 * self.bias.len()],
            sums: alloc::vec![BlockI32::ZERO; sums],
            layers: [layer.clone(), layer],
        }
    }

    pub(crate) fn refresh(&self, kernel: Kernel, perspective: AccumulatorMut<'_>, active: &[u32]) {
        let AccumulatorMut { values: child, .. } = perspective;
        let (rows, parent) = (&self.rows, self.bias.as_slice());
        kernel.run(Update { rows, child, parent, added: active, removed: &[] });
    }

    pub(crate) fn update(
        &self,
        kernel: Kernel,
        child: AccumulatorMut<'_>,
        parent: AccumulatorRef<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        let AccumulatorMut { values: child, .. } = child;
        let (rows, parent) = (&self.rows, parent.values);
        kernel.run(Update { rows, child, parent, added, removed });
    }

    /// The value that `noru` returns. `noru` documents it as centipawns; the actual unit depends on
    /// the training.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        kernel: Kernel,
        own: AccumulatorRef<'_>,
        theirs: AccumulatorRef<'_>,
        workspace: &mut NoruWorkspace,
    ) -> i32 {
        kernel.run(Evaluate { network: self, own: own.values, theirs: theirs.values, workspace })
    }
}

/// Subtracts rows, then adds rows, with saturation.
struct Update<'a> {
    rows: &'a [BlockI16],
    child: &'a mut [BlockI16],
    parent: &'a [BlockI16],
    added: &'a [u32],
    removed: &'a [u32],
}

impl Task for Update<'_> {
    type Output = ();

    /// A block stays in registers while all rows are applied to it.
    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let width = self.child.len();
        let row = |index: u32| &self.rows[index as usize * width..][..width];
        for (place, child) in self.child.iter_mut().enumerate() {
            let mut values = self.parent[place].0;
            for &index in self.removed {
                let weights = &row(index)[place].0;
                for i in 0..BLOCK {
                    values[i] = values[i].saturating_sub(weights[i]);
                }
            }
            for &index in self.added {
                let weights = &row(index)[place].0;
                for i in 0..BLOCK {
                    values[i] = values[i].saturating_add(weights[i]);
                }
            }
            child.0 = values;
        }
    }
}

/// Squares of clipped values, which fit in 16 bits.
#[inline(always)]
fn square(perspective: &[BlockI16], squares: &mut [BlockI16]) {
    for (values, squares) in perspective.iter().zip(squares) {
        squares.0 = values.0.map(|value| {
            let clipped = value.clamp(0, LIMIT);
            clipped * clipped
        });
    }
}

struct Evaluate<'a> {
    network: &'a NoruNetwork,
    own: &'a [BlockI16],
    theirs: &'a [BlockI16],
    workspace: &'a mut NoruWorkspace,
}

impl Task for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Self { network, own, theirs, workspace } = self;
        let NoruWorkspace { perspectives, squares, sums, layers } = workspace;
        let [mut from, mut to] = layers.each_mut();
        match &network.first {
            First::Clipped(layer) => {
                let (first, second) = perspectives.split_at_mut(own.len());
                simd.activate(Squash::Crelu, LIMIT, 0, own, first);
                simd.activate(Squash::Crelu, LIMIT, 0, theirs, second);
                layer.run(simd, perspectives, sums, from);
            }
            First::Squared(layer) => {
                let (first, second) = squares.split_at_mut(own.len());
                square(own, first);
                square(theirs, second);
                layer.run(simd, [first, second], sums, from);
            }
        }
        for layer in &network.rest {
            layer.run(simd, from, sums, to);
            core::mem::swap(&mut from, &mut to);
        }
        network.output.run(simd, from)
    }
}
