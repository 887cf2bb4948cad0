//! Feature transformer in training: sums of the rows of active features, and their gradients.
//!
//! All loops run tile by tile: [`TILE`] columns of all rows that a few hundred positions use fit
//! into the second-level cache, a tile of one row into registers. The speed of training depends on
//! it. The loops are plain; `pulp` compiles them for the processor.

use std::ops::Range;

use dataset::Batch;

use crate::activation::{pairwise_slopes, with_activation};
use crate::real::Real;
use crate::shape::{Shape, TILE};
use crate::tensors::{Tensors, Tile};

/// The features of some positions of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    features: &'a [u32],
    /// The range of the features of each row.
    spans: &'a [Range<u32>],
}

impl<'a> Rows<'a> {
    /// The rows of the positions in `order`. `spans` is a reused buffer.
    pub(crate) fn new(batch: &'a Batch, order: &[u32], spans: &'a mut Vec<Range<u32>>) -> Self {
        spans.clear();
        for &position in order {
            let first = position as usize * batch.perspectives;
            let starts = &batch.starts[first..=first + batch.perspectives];
            spans.extend(starts.windows(2).map(|pair| pair[0]..pair[1]));
        }
        Self { features: &batch.features, spans }
    }

    fn count(self) -> usize {
        self.spans.len()
    }
}

/// Sums the rows: `sums[tile][row]` and, activated, `outputs[position][perspective][column]`.
pub(crate) struct Gather<'a, T> {
    pub(crate) shape: &'a Shape,
    pub(crate) parameters: &'a Tensors<T>,
    pub(crate) rows: Rows<'a>,
    pub(crate) sums: &'a mut [Tile<T>],
    pub(crate) outputs: &'a mut [T],
}

impl<T: Real> pulp::NullaryFnOnce for Gather<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { shape, parameters, rows, sums, outputs } = self;
        let count = rows.count();
        let tiles = parameters.transformer.chunks_exact(shape.inputs);
        let tiles = tiles.zip(parameters.transformer_bias.iter()).zip(sums.chunks_exact_mut(count));
        for (tile, ((weights, bias), sums)) in tiles.enumerate() {
            gather_tile(weights, bias, rows, sums);
            with_activation!(
                shape.activation,
                T,
                |f, _slope| activate_tile(shape, tile, sums, outputs, f),
                ()
            );
        }
        if shape.activation.is_pairwise() {
            join_pairs(shape, count, sums, outputs);
        }
    }
}

#[inline(always)]
fn gather_tile<T: Real>(weights: &[Tile<T>], bias: &Tile<T>, rows: Rows<'_>, sums: &mut [Tile<T>]) {
    for (span, to) in rows.spans.iter().zip(sums) {
        let mut sum = *bias;
        for &feature in &rows.features[span.start as usize..span.end as usize] {
            let row = &weights[feature as usize];
            for column in 0..TILE {
                sum[column] += row[column];
            }
        }
        *to = sum;
    }
}

/// The number of columns of a tile within the width.
fn columns(shape: &Shape, tile: usize) -> usize {
    TILE.min(shape.width - tile * TILE)
}

#[inline(always)]
fn activate_tile<T: Real>(
    shape: &Shape,
    tile: usize,
    sums: &[Tile<T>],
    outputs: &mut [T],
    f: impl Fn(T) -> T,
) {
    let columns = columns(shape, tile);
    for (sum, outputs) in sums.iter().zip(outputs.chunks_exact_mut(shape.perspective_outputs)) {
        // Use the length of the slice: loops over a whole tile are unrolled before they are
        // vectorised, badly.
        for (output, &sum) in outputs[tile * TILE..][..columns].iter_mut().zip(sum) {
            *output = f(sum);
        }
    }
}

fn join_pairs<T: Real>(shape: &Shape, rows: usize, sums: &[Tile<T>], outputs: &mut [T]) {
    let half = shape.width / 2;
    let at = |row: usize, column: usize| sums[column / TILE * rows + row][column % TILE];
    for (row, outputs) in outputs.chunks_exact_mut(shape.perspective_outputs).enumerate() {
        for (column, output) in outputs.iter_mut().enumerate() {
            let (a, b) = (at(row, column), at(row, column + half));
            *output = a.limit(T::ZERO, T::ONE) * b.limit(T::ZERO, T::ONE);
        }
    }
}

/// Turns sums into derivatives by the sums, adds them to the gradient of the bias and, if there is
/// a dense gradient, to the gradient of each active feature.
pub(crate) struct Scatter<'a, T> {
    pub(crate) shape: &'a Shape,
    pub(crate) rows: Rows<'a>,
    /// The sums of [`Gather`].
    pub(crate) sums: &'a mut [Tile<T>],
    /// Derivatives by the outputs of [`Gather`].
    pub(crate) d_outputs: &'a [T],
    pub(crate) bias: &'a mut [Tile<T>],
    /// In the layout of the transformer of [`Tensors`], or empty.
    pub(crate) dense: &'a mut [Tile<T>],
}

impl<T: Real> pulp::NullaryFnOnce for Scatter<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { shape, rows, sums, d_outputs, bias, dense } = self;
        let count = rows.count();
        if shape.activation.is_pairwise() {
            part_pairs(shape, count, sums, d_outputs);
        }
        let mut dense = dense.chunks_exact_mut(shape.inputs);
        for (tile, (sums, bias)) in sums.chunks_exact_mut(count).zip(bias).enumerate() {
            with_activation!(
                shape.activation,
                T,
                |_f, slope| differentiate_tile(shape, tile, sums, d_outputs, slope),
                ()
            );
            add_rows(bias, sums);
            if let Some(gradient) = dense.next() {
                scatter_tile(gradient, rows, sums);
            }
        }
    }
}

#[inline(always)]
fn differentiate_tile<T: Real>(
    shape: &Shape,
    tile: usize,
    sums: &mut [Tile<T>],
    d_outputs: &[T],
    slope: impl Fn(T) -> T,
) {
    let columns = columns(shape, tile);
    for (sum, ds) in sums.iter_mut().zip(d_outputs.chunks_exact(shape.perspective_outputs)) {
        for (sum, &d) in sum.iter_mut().zip(&ds[tile * TILE..][..columns]) {
            *sum = d * slope(*sum);
        }
        sum[columns..].fill(T::ZERO);
    }
}

fn part_pairs<T: Real>(shape: &Shape, rows: usize, sums: &mut [Tile<T>], d_outputs: &[T]) {
    let half = shape.width / 2;
    let place = |row: usize, column: usize| (column / TILE * rows + row, column % TILE);
    for (row, ds) in d_outputs.chunks_exact(shape.perspective_outputs).enumerate() {
        for (column, &d) in ds.iter().enumerate() {
            let ((tile_a, a), (tile_b, b)) = (place(row, column), place(row, column + half));
            let slopes = pairwise_slopes(sums[tile_a][a], sums[tile_b][b], d);
            (sums[tile_a][a], sums[tile_b][b]) = slopes;
        }
    }
    // Columns beyond the width are zero already: they have neither weights nor bias.
}

#[inline(always)]
fn add_rows<T: Real>(to: &mut Tile<T>, rows: &[Tile<T>]) {
    let mut sum = [T::ZERO; TILE];
    for row in rows {
        for column in 0..TILE {
            sum[column] += row[column];
        }
    }
    for column in 0..TILE {
        to[column] += sum[column];
    }
}

#[inline(always)]
fn scatter_tile<T: Real>(gradient: &mut [Tile<T>], rows: Rows<'_>, ds: &[Tile<T>]) {
    for (span, d) in rows.spans.iter().zip(ds) {
        let d = *d;
        for &feature in &rows.features[span.start as usize..span.end as usize] {
            let row = &mut gradient[feature as usize];
            for column in 0..TILE {
                row[column] += d[column];
            }
        }
    }
}
