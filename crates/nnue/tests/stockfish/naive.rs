//! Stockfish's evaluation as one would explain it, from the arrays of the file.

use super::{StockfishFile, StockfishValue};

/// What each of the eight buckets says, from the features of the side to move and of the other side.
pub(super) fn terms(file: &StockfishFile, features: [&[u32]; 2]) -> [StockfishValue; 8] {
    let views = features.map(|features| View::new(file, features));
    let mut transformed = Vec::new();
    for view in &views {
        for j in 0..512 {
            let clip = |j: usize| i32::from(view.sums[j]).clamp(0, 127);
            transformed.push(clip(j) * clip(j + 512) / 128);
        }
    }
    std::array::from_fn(|bucket| StockfishValue {
        psqt: views[0].psqt[bucket].wrapping_sub(views[1].psqt[bucket]) / 2,
        positional: positional(file, bucket, &transformed),
    })
}

struct View {
    sums: Vec<i16>,
    psqt: [i32; 8],
}

impl View {
    fn new(file: &StockfishFile, features: &[u32]) -> Self {
        let mut sums = file.bias().to_vec();
        let mut psqt = [0_i32; 8];
        for &feature in features {
            let feature = feature as usize;
            for (j, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(file.weights()[feature * 1024 + j]);
            }
            for (j, sum) in psqt.iter_mut().enumerate() {
                *sum = sum.wrapping_add(file.psqt()[feature * 8 + j]);
            }
        }
        Self { sums, psqt }
    }
}

fn positional(file: &StockfishFile, bucket: usize, transformed: &[i32]) -> i32 {
    let [first, second, last] = &file.stacks()[bucket];
    let first = affine(&first.weights, &first.bias, transformed);
    let squared = |&x: &i32| (((i64::from(x) * i64::from(x)) >> 12) / 128).min(127) as i32;
    let clipped = |&x: &i32| (x >> 6).clamp(0, 127);
    let mut inputs: Vec<i32> = first[..15].iter().map(squared).collect();
    inputs.extend(first[..15].iter().map(clipped));
    inputs.extend([0, 0]);
    let second = affine(&second.weights, &second.bias, &inputs);
    let inputs: Vec<i32> = second.iter().map(clipped).collect();
    let last = affine(&last.weights, &last.bias, &inputs);
    last[0] + (i64::from(first[15]) * (600 * 16) / (127 * 64)) as i32
}

fn affine(weights: &[i8], bias: &[i32], inputs: &[i32]) -> Vec<i32> {
    let rows = weights.chunks_exact(inputs.len());
    let dot = |row: &[i8]| row.iter().zip(inputs).map(|(&w, x)| i32::from(w) * x).sum::<i32>();
    rows.zip(bias).map(|(row, bias)| bias + dot(row)).collect()
}
