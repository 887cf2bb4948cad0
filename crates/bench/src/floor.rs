//! Memory floor: the time to read the weights, a lower bound for every operation.

use std::hint::black_box;

/// Rows of 16-bit weights to copy with `memcpy`.
#[derive(Clone, Debug)]
pub struct Floor {
    width: usize,
    rows: Vec<i16>,
    scratch: Vec<i16>,
}

impl Floor {
    /// Rows of `width` weights.
    pub fn new(width: usize, rows: usize) -> Self {
        let rows = (0..rows * width).map(|place| place as i16).collect();
        Self { width, rows, scratch: vec![0; width] }
    }

    /// Copies a row.
    #[inline]
    pub fn copy(&mut self, row: u32) {
        self.scratch.copy_from_slice(&self.rows[row as usize * self.width..][..self.width]);
        black_box(&mut self.scratch);
    }
}
