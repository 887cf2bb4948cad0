//! bullet files: reads `quantised.bin`, the format in which the trainer bullet saves simple
//! networks.
//!
//! The file has no header: tensors follow one another in the order of the training script. This
//! module reads the usual order. Each number is an i16, and the last index varies fastest:
//!
//! ```text
//! feature weights  [feature][neuron]          × QA
//! feature bias     [neuron]                   × QA
//! output weights   [bucket][perspective][neuron]     × QB     side to move's perspective first
//! output bias      [bucket]                   × QA·QB
//! ```
//!
//! Padding to a multiple of 64 bytes follows. QA, QB and the centipawns of 1.0 are the scales of
//! the architecture that the caller passes. bullet stores matrices in column-major order, so a
//! network with output buckets has this order only if its script saves the output weights
//! transposed. Otherwise the order is `[perspective][neuron][bucket]`, which has the same length
//! and cannot be distinguished.

use alloc::format;
use alloc::vec::Vec;

use crate::parameters::Counts;
use crate::{Architecture, Arithmetic, IntegerParameters, NetworkError, NetworkFile, Weights};

/// Files are padded to a multiple of this.
const PADDING: u64 = 64;

/// Reads bullet's `quantised.bin` of a network without hidden layers, such as `(768→256)×2→1
/// screlu`.
///
/// The file does not describe its content: a wrong architecture of the same size gives a network
/// that returns nonsense. Output buckets are read in the order `[bucket][perspective][neuron]`,
/// which bullet writes for transposed output weights.
pub fn read_bullet(bytes: &[u8], architecture: &Architecture) -> Result<NetworkFile, NetworkError> {
    let direct = architecture.hidden.is_empty()
        && architecture.arithmetic() == Arithmetic::Integer
        && architecture.heads.len() == 1
        && architecture.value_output().is_some();
    if !direct {
        let expected = "for quantised.bin, one value output straight from the accumulator, such as \
                        (768→256)×2→1 screlu";
        return Err(NetworkError::field("architecture", architecture, expected));
    }
    let content = content_length(bytes, architecture)?;
    let (numbers, _) = bytes[..content].as_chunks();
    let mut numbers = numbers.iter().map(|&number| i16::from_le_bytes(number));
    let mut take = |count: usize| -> Vec<i16> { numbers.by_ref().take(count).collect() };
    let counts = Counts::of(architecture);
    let feature_weights = take(counts.feature_weights);
    let feature_bias = take(counts.feature_bias);
    let heads = counts.heads.iter().map(|count| Weights {
        weights: take(count.weights),
        bias: take(count.bias).into_iter().map(i32::from).collect(),
    });
    let parameters = IntegerParameters {
        feature_weights,
        feature_bias,
        heads: heads.collect(),
        hidden: Vec::new(),
        policy: None,
    };
    let provenance = "read from a quantised.bin of bullet\n";
    NetworkFile::new(architecture.clone(), parameters, provenance.into(), None)
}

/// The length of the tensors. The file has this length, or this length plus padding.
fn content_length(bytes: &[u8], architecture: &Architecture) -> Result<usize, NetworkError> {
    let width = architecture.accumulator.width as u64;
    let outputs = architecture.accumulator_outputs() as u64;
    let buckets = architecture.buckets.count as u64;
    // The limits of an architecture keep this far below 64 bits, but not below 32.
    let numbers = (architecture.inputs as u64 + 1) * width + buckets * (outputs + 1);
    let content = numbers * size_of::<i16>() as u64;
    let padded = content.next_multiple_of(PADDING);
    let found = bytes.len() as u64;
    if found != content && found != padded {
        let what = format!("quantised.bin of {architecture}");
        return Err(NetworkError::Length { what, expected: padded, found });
    }
    Ok(content as usize)
}
