//! SIMD kernels: the inner loops of inference, one implementation per instruction set.
//!
//! [`Simd`] defines the operations. [`Scalar`] is their specification: plain integer arithmetic
//! that wraps. Every other implementation equals it bit for bit; `tests` verify that on the current
//! processor.
//!
//! A value of a type that implements [`Simd`] proves that the processor supports its instructions.
//! [`Kernel::run`] creates one after feature detection and passes it to a [`Task`]. The dispatch
//! therefore happens once per evaluation, not once per vector.

use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

// The instruction sets of the target architecture. This is the only place that selects them.
#[cfg_attr(target_arch = "x86_64", path = "kernels/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "kernels/aarch64.rs")]
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), path = "kernels/other.rs")]
mod arch;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

mod accumulate;
mod affine;
mod generic;
mod kernel;
mod layers;
#[cfg(all(target_os = "linux", feature = "std"))]
mod linux;
#[cfg(test)]
mod model;
mod output;
mod scalar;
mod sharing;
#[cfg(test)]
mod tests;
mod vector;

pub use kernel::{Kernel, KernelUnavailable};

/// Prefetches a value into the cache, if the target has such an instruction. Affects only
/// performance.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    arch::prefetch(value);
}

/// Requests huge pages for memory that has not been written yet, if the system supports them.
/// Tables with random access then cause fewer TLB misses. Affects only performance.
pub fn prefer_large_pages<T>(memory: &mut [core::mem::MaybeUninit<T>]) {
    #[cfg(all(target_os = "linux", feature = "std"))]
    linux::prefer_large_pages(memory);
    let _ = memory;
}

pub(crate) use scalar::Scalar;
pub(crate) use sharing::Sharing;

/// How an accumulator value becomes the factor of an output weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    /// x
    Identity,
    /// max(x, 0)
    Relu,
    /// c = clamp(x, 0, limit)
    Crelu,
    /// c·c
    Screlu,
    /// clamp of the first half times clamp of the second half
    Pairwise,
}

/// How sums or accumulator values become activations from 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Squash {
    /// c >> shift, c = clamp(x, 0, limit)
    Crelu,
    /// (c·c) >> shift
    Screlu,
    /// (c of the first half · c of the second half) >> shift
    Pairwise,
}

/// The operations of a network on blocks. All arithmetic wraps.
pub(crate) trait Simd: Copy {
    /// `child = parent + Σ rows[added] − Σ rows[removed]`, in one pass. A row is as long as
    /// `parent`.
    fn update(
        self,
        child: &mut [BlockI16],
        parent: &[BlockI16],
        rows: &[BlockI16],
        added: &[u32],
        removed: &[u32],
    );

    /// [`update`](Simd::update) of two accumulators with the same numbers of rows. The children are
    /// adjacent in memory, and so are their parents. The first row of each pair belongs to the
    /// first accumulator.
    fn update_both(
        self,
        children: &mut [BlockI16],
        parents: &[BlockI16],
        rows: &[BlockI16],
        added: &[[u32; 2]],
        removed: &[[u32; 2]],
    );

    /// The sum of factor × weight over one perspective. For [`Factor::Pairwise`], `weights` is half
    /// as long as `accumulator`. `narrow` promises |limit · weight| ≤ 32767 for every weight.
    fn dot(
        self,
        factor: Factor,
        limit: i16,
        narrow: bool,
        accumulator: &[BlockI16],
        weights: &[BlockI16],
    ) -> i32;

    /// [`dot`](Simd::dot) over both perspectives together; the weights of the second follow those
    /// of the first.
    #[inline(always)]
    fn dot_both(
        self,
        factor: Factor,
        limit: i16,
        narrow: bool,
        perspectives: [&[BlockI16]; 2],
        weights: &[BlockI16],
    ) -> i32 {
        let (first, second) = weights.split_at(weights.len() / 2);
        let sum = self.dot(factor, limit, narrow, perspectives[0], first);
        sum.wrapping_add(self.dot(factor, limit, narrow, perspectives[1], second))
    }

    /// Activations of one perspective: as many blocks as the accumulator has, or half as many for
    /// [`Squash::Pairwise`]. The caller has checked that no result exceeds 127.
    fn activate(
        self,
        squash: Squash,
        limit: i16,
        shift: u32,
        accumulator: &[BlockI16],
        activations: &mut [BlockU8],
    );

    /// [`activate`](Simd::activate) of two perspectives of the same width; the activations of the
    /// second follow those of the first.
    #[inline(always)]
    fn activate_both(
        self,
        squash: Squash,
        limit: i16,
        shift: u32,
        perspectives: [&[BlockI16]; 2],
        activations: &mut [BlockU8],
    ) {
        let (first, second) = activations.split_at_mut(activations.len() / 2);
        self.activate(squash, limit, shift, perspectives[0], first);
        self.activate(squash, limit, shift, perspectives[1], second);
    }

    /// `sums = bias + weights × input`. A block of weights holds 16 outputs × 4 inputs (the inputs
    /// of an output are adjacent). Blocks are ordered by group of 4 inputs, then by 16 outputs.
    /// `skip_zeros` skips groups of 4 inputs that are all zero, if there are many of them; this
    /// pays off for wide layers. `sharing` is at most the sharing of the weights.
    fn affine(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[BlockI32],
        sums: &mut [BlockI32],
        skip_zeros: bool,
        sharing: Sharing,
    );

    /// `sums[i] = bias[rows[i]] + weights[rows[i]] · input`, with a row of weights as long as
    /// `input`.
    fn affine_rows(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[i32],
        rows: &[u16],
        sums: &mut [i32],
    );

    /// Activations of a hidden layer: with v = clamp(sum >> shift, 0, 127), v for [`Squash::Crelu`]
    /// and (v·v) >> 7 for [`Squash::Screlu`]. [`Squash::Pairwise`] is not defined for hidden layers
    /// and acts as `Crelu`. 4 blocks of sums fill a block of activations; the rest of the last
    /// block is set to zero.
    fn activate_sums(
        self,
        squash: Squash,
        shift: u32,
        sums: &[BlockI32],
        activations: &mut [BlockU8],
    );

    /// `Σ input · weights`, for the heads on top of hidden layers.
    fn dot_u8(self, input: &[BlockU8], weights: &[BlockI16]) -> i32;
}

/// Work that is generic over the instruction set. Mark [`run`](Task::run) `#[inline(always)]`, so
/// that it is compiled once for each instruction set.
pub(crate) trait Task {
    /// The result.
    type Output;

    /// Runs the task with the instructions of `simd`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
