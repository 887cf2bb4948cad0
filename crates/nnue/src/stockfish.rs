//! Stockfish 15 networks (`HalfKAv2_hm`): inference that is bit-identical to Stockfish.
//!
//! ```text
//! (22528→1024)×2 → pairwise → 1024 → 16 → 32 → 1, eight stacks of layers, eight piece-square sums
//! ```

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::accumulator::{AccumulatorMut, AccumulatorRef, AccumulatorSize, PSQT};
use crate::blocks::{BLOCK, BlockI16, BlockI32, BlockU8, pack_i16};
use crate::kernels::{Kernel, Simd, Squash, Task};
use crate::psqt::{self, PsqtRow};
use crate::table::Table;
use crate::transformer::QuickUpdate;

mod file;
mod leb128;
mod stack;
#[cfg(test)]
mod tests;

pub use file::{StockfishFile, read_stockfish, write_stockfish};

use stack::Stack;

/// The number of features.
const FEATURES: usize = 22528;

/// The width of a perspective's accumulator.
const WIDTH: usize = 1024;

/// The number of layer stacks, equal to the number of piece-square sums.
const STACKS: usize = PSQT;

/// The clipping limit of accumulator values.
const LIMIT: i16 = 127;

/// The right shift of products of two clipped values.
const PAIR_SHIFT: u32 = 7;

/// One unit of value in Stockfish, in output units.
const OUTPUT_SCALE: i32 = 16;

/// One pawn of Stockfish 15.1, in units of value.
const PAWN: i32 = 361;

/// A Stockfish network for inference.
#[derive(Clone, Debug)]
pub(crate) struct StockfishNetwork {
    rows: Table<BlockI16>,
    bias: Vec<BlockI16>,
    psqt: Table<PsqtRow>,
    stacks: Vec<Stack>,
}

/// The buffers of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct StockfishWorkspace(Box<Buffers>);

#[derive(Clone, Debug)]
struct Buffers {
    transformed: [BlockU8; WIDTH / BLOCK],
    sums: [BlockI32; 2],
    joined: [BlockU8; 1],
    activations: [BlockU8; 1],
}

impl StockfishNetwork {
    fn new(file: &StockfishFile) -> Self {
        let (psqt, _) = file.psqt().as_chunks();
        Self {
            // A row is a whole number of blocks, and so is each half of it.
            rows: Table::new(FEATURES * WIDTH / BLOCK, pack_i16(file.weights()).into_iter()),
            bias: pack_i16(file.bias()),
            psqt: Table::new(FEATURES, psqt.iter().map(|&row| PsqtRow(row))),
            stacks: file.stacks().iter().map(Stack::new).collect(),
        }
    }

    pub(crate) fn accumulator_size(&self) -> AccumulatorSize {
        AccumulatorSize { blocks: self.bias.len(), fixed: 0 }
    }

    #[expect(clippy::unused_self, reason = "networks of other kinds look at themselves")]
    pub(crate) fn workspace(&self) -> StockfishWorkspace {
        StockfishWorkspace(Box::new(Buffers {
            transformed: [BlockU8::ZERO; WIDTH / BLOCK],
            sums: [BlockI32::ZERO; 2],
            joined: [BlockU8::ZERO; 1],
            activations: [BlockU8::ZERO; 1],
        }))
    }

    #[inline]
    pub(crate) fn refresh(&self, kernel: Kernel, perspective: AccumulatorMut<'_>, active: &[u32]) {
        let parent = AccumulatorRef { values: &self.bias, fixed: &[], psqt: &[0; PSQT] };
        self.update(kernel, perspective, parent, active, &[]);
    }

    #[inline]
    pub(crate) fn update(
        &self,
        kernel: Kernel,
        child: AccumulatorMut<'_>,
        parent: AccumulatorRef<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        kernel.run(Update { network: self, child, parent, added, removed });
    }

    /// The update of both perspectives at once.
    #[inline(always)]
    pub(crate) fn quick_update(&self, kernel: Kernel) -> QuickUpdate<'_> {
        QuickUpdate { rows: &self.rows, psqt: &self.psqt, kernel }
    }

    /// The two parts of the value by one of the layer stacks.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        kernel: Kernel,
        own: AccumulatorRef<'_>,
        theirs: AccumulatorRef<'_>,
        bucket: usize,
        workspace: &mut StockfishWorkspace,
    ) -> StockfishValue {
        let stack = &self.stacks[bucket];
        let (first, second) = (own.values, theirs.values);
        let buffers = &mut *workspace.0;
        let positional = kernel.run(Positional { stack, own: first, theirs: second, buffers });
        StockfishValue { psqt: own.psqt[bucket].wrapping_sub(theirs.psqt[bucket]) / 2, positional }
    }
}

/// The value of a Stockfish network for a position, for the side to move, in sixteenths of
/// Stockfish's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockfishValue {
    /// The part of the piece-square sums: mostly material.
    pub psqt: i32,
    /// The part of the layers.
    pub positional: i32,
}

impl StockfishValue {
    /// The value in Stockfish's unit.
    #[inline]
    pub fn internal(self) -> i32 {
        self.psqt.wrapping_add(self.positional) / OUTPUT_SCALE
    }

    /// The value in hundredths of what Stockfish 15.1 calls a pawn.
    #[inline]
    pub fn centipawns(self) -> i32 {
        // The value is at most 2²⁷: the product needs more than 32 bits, the quotient does not.
        (i64::from(self.internal()) * 100 / i64::from(PAWN)) as i32
    }
}

/// Adds and subtracts rows.
struct Update<'a> {
    network: &'a StockfishNetwork,
    child: AccumulatorMut<'a>,
    parent: AccumulatorRef<'a>,
    added: &'a [u32],
    removed: &'a [u32],
}

impl Task for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { network, child, parent, added, removed } = self;
        *child.psqt = psqt::updated(
            &network.psqt,
            parent.psqt,
            added.iter().copied(),
            removed.iter().copied(),
        );
        simd.update(child.values, parent.values, &network.rows, added, removed);
    }
}

struct Positional<'a> {
    stack: &'a Stack,
    own: &'a [BlockI16],
    theirs: &'a [BlockI16],
    buffers: &'a mut Buffers,
}

impl Task for Positional<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Self { stack, own, theirs, buffers } = self;
        let (first, second) = buffers.transformed.split_at_mut(WIDTH / BLOCK / 2);
        simd.activate(Squash::Pairwise, LIMIT, PAIR_SHIFT, own, first);
        simd.activate(Squash::Pairwise, LIMIT, PAIR_SHIFT, theirs, second);
        let Buffers { transformed, sums, joined, activations } = buffers;
        stack.run(simd, transformed, sums, joined, activations)
    }
}
