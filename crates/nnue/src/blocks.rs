//! Aligned blocks of numbers: the storage of weights and activations.
//!
//! A block is 64 values, or 16 sums. Widths are padded with zeros to whole blocks when a network is
//! loaded. Kernels therefore need no remainder loops, and every block starts on a cache line.

use alloc::vec::Vec;

/// The number of values in a block.
pub(crate) const BLOCK: usize = 64;

/// The number of sums in a [`BlockI32`].
pub(crate) const SUMS: usize = 16;

/// 64 accumulator values or transformer weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct BlockI16(pub(crate) [i16; BLOCK]);

/// 64 layer weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct BlockI8(pub(crate) [i8; BLOCK]);

/// 64 activations, 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct BlockU8(pub(crate) [u8; BLOCK]);

/// 16 sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct BlockI32(pub(crate) [i32; SUMS]);

impl BlockI16 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

impl BlockI8 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

impl BlockU8 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

impl BlockI32 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; SUMS]);
}

/// The number of blocks that hold `values` values.
pub(crate) const fn blocks(values: usize) -> usize {
    values.div_ceil(BLOCK)
}

/// `values` in blocks, the last one padded with zeros.
pub(crate) fn pack_i16(values: &[i16]) -> Vec<BlockI16> {
    pack(values, BlockI16::ZERO, |block| &mut block.0)
}

/// `values` in blocks, the last one padded with zeros.
pub(crate) fn pack_i8(values: &[i8]) -> Vec<BlockI8> {
    pack(values, BlockI8::ZERO, |block| &mut block.0)
}

/// `values` in blocks of sums, the last one padded with zeros.
pub(crate) fn pack_i32(values: &[i32]) -> Vec<BlockI32> {
    pack(values, BlockI32::ZERO, |block| &mut block.0)
}

/// Packs `values` into blocks. Each block is a copy of `zero` whose `numbers` hold the next values.
fn pack<T: Copy, B: Copy, const N: usize>(
    values: &[T],
    zero: B,
    numbers: fn(&mut B) -> &mut [T; N],
) -> Vec<B> {
    let fill = |chunk: &[T]| {
        let mut block = zero;
        numbers(&mut block)[..chunk.len()].copy_from_slice(chunk);
        block
    };
    values.chunks(N).map(fill).collect()
}
