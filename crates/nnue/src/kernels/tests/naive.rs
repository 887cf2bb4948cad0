//! Naive oracle: the operations by definition, without blocks, wrapping only at the end.

use alloc::vec::Vec;

use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};
use crate::kernels::{Factor, Squash};

pub(super) fn update(
    parent: &[BlockI16],
    rows: &[BlockI16],
    added: &[u32],
    removed: &[u32],
) -> Vec<BlockI16> {
    let (values, rows) = (flat_i16(parent), flat_i16(rows));
    let weight = |i: usize, row: &u32| rows[*row as usize * values.len() + i];
    let value = |i: usize| {
        let plus: i64 = added.iter().map(|row| weight(i, row)).sum();
        let minus: i64 = removed.iter().map(|row| weight(i, row)).sum();
        (values[i] + plus - minus) as i16
    };
    let child: Vec<_> = (0..values.len()).map(value).collect();
    child.as_chunks().0.iter().map(|&chunk| BlockI16(chunk)).collect()
}

pub(super) fn dot(
    factor: Factor,
    limit: i16,
    accumulator: &[BlockI16],
    weights: &[BlockI16],
) -> i32 {
    let (values, weights) = (flat_i16(accumulator), flat_i16(weights));
    let clamped = |i: usize| values[i].clamp(0, limit.into());
    let factor = |i: usize| match factor {
        Factor::Identity => values[i],
        Factor::Relu => values[i].max(0),
        Factor::Crelu => clamped(i),
        Factor::Screlu => clamped(i).pow(2),
        Factor::Pairwise => clamped(i) * clamped(i + values.len() / 2),
    };
    (0..weights.len()).map(|i| factor(i) * weights[i]).sum::<i64>() as i32
}

pub(super) fn activate(
    squash: Squash,
    limit: i16,
    shift: u32,
    accumulator: &[BlockI16],
) -> Vec<BlockU8> {
    let values = flat_i16(accumulator);
    let clamped = |i: usize| values[i].clamp(0, limit.into());
    let halves = if squash == Squash::Pairwise { 2 } else { 1 };
    let activation = |i: usize| match squash {
        Squash::Crelu => clamped(i),
        Squash::Screlu => clamped(i).pow(2),
        Squash::Pairwise => clamped(i) * clamped(i + values.len() / 2),
    } >> shift;
    blocks_u8((0..values.len() / halves).map(activation))
}

pub(super) fn affine(input: &[BlockU8], weights: &[BlockI8], bias: &[BlockI32]) -> Vec<BlockI32> {
    let (input, weights) = (flat_u8(input), flat_i8(weights));
    let bias: Vec<_> = bias.iter().flat_map(|block| block.0).collect();
    let place = |i: usize, o: usize| {
        let block = i / 4 * (bias.len() / 16) + o / 16;
        block * 64 + o % 16 * 4 + i % 4
    };
    let sum = |o: usize| -> i64 {
        let products = (0..input.len()).map(|i| input[i] * weights[place(i, o)]);
        i64::from(bias[o]) + products.sum::<i64>()
    };
    let sums: Vec<_> = (0..bias.len()).map(|o| sum(o) as i32).collect();
    sums.as_chunks().0.iter().map(|&chunk| BlockI32(chunk)).collect()
}

pub(super) fn affine_rows(
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[i32],
    rows: &[u16],
) -> Vec<i32> {
    let (input, weights) = (flat_u8(input), flat_i8(weights));
    let product = |row: usize, i: usize| input[i] * weights[row * input.len() + i];
    let sum = |row: usize| (0..input.len()).map(|i| product(row, i)).sum::<i64>();
    let rows = rows.iter().map(|&row| usize::from(row));
    rows.map(|row| (i64::from(bias[row]) + sum(row)) as i32).collect()
}

pub(super) fn activate_sums(squash: Squash, shift: u32, sums: &[BlockI32]) -> Vec<BlockU8> {
    let sums = sums.iter().flat_map(|block| block.0);
    blocks_u8(sums.map(|sum| {
        let value = i64::from(sum).div_euclid(1 << shift).clamp(0, 127);
        if squash == Squash::Screlu { value * value / 128 } else { value }
    }))
}

pub(super) fn dot_u8(input: &[BlockU8], weights: &[BlockI16]) -> i32 {
    let (input, weights) = (flat_u8(input), flat_i16(weights));
    input.iter().zip(&weights).map(|(input, weight)| input * weight).sum::<i64>() as i32
}

fn flat_i16(blocks: &[BlockI16]) -> Vec<i64> {
    blocks.iter().flat_map(|block| block.0).map(i64::from).collect()
}

fn flat_i8(blocks: &[BlockI8]) -> Vec<i64> {
    blocks.iter().flat_map(|block| block.0).map(i64::from).collect()
}

fn flat_u8(blocks: &[BlockU8]) -> Vec<i64> {
    blocks.iter().flat_map(|block| block.0).map(i64::from).collect()
}

fn blocks_u8(values: impl Iterator<Item = i64>) -> Vec<BlockU8> {
    let values: Vec<_> = values.map(|value| u8::try_from(value).unwrap()).collect();
    values
        .chunks(64)
        .map(|chunk| {
            let mut block = BlockU8::ZERO;
            block.0[..chunk.len()].copy_from_slice(chunk);
            block
        })
        .collect()
}
