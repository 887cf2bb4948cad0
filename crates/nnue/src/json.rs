//! JSON weights: reads matrices of floats, as simple trainers save them, and quantises them.
//!
//! The file is an object with four members; others are ignored:
//!
//! ```text
//! ft.weight   [neuron][feature]         one row per neuron; transposed when read
//! ft.bias     [neuron]
//! out.weight  [1][perspective][neuron]  one row of both perspectives, side to move's first
//! out.bias    [1]
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::{
    Activation, Architecture, Buckets, Description, Head, IntegerParameters, Layer, NetworkError,
    NetworkFile, Perspectives, Scales, ValueOutput, Weights,
};

mod reader;

use reader::{Matrix, Reader};

/// Reads a network `(features→neurons)×2→1` from JSON and quantises it with the [usual
/// scales](Scales::usual): 255 for the accumulator, 64 for the output weights, 400 centipawns for
/// 1.0.
///
/// The widths are those of the matrices. `features` is the name of the feature set, for example
/// `chess.piece-square`; `activation` is the accumulator's, in most such networks
/// [`Activation::Screlu`]. Values are rounded to the nearest integer. A value that does not fit is
/// rejected, not clipped, because clipping would change the network.
pub fn read_json(
    text: &[u8],
    features: &str,
    activation: Activation,
) -> Result<NetworkFile, NetworkError> {
    let [weights, bias, output, output_bias] = members(text)?;
    let (width, inputs) = (weights.rows, weights.columns);
    let architecture = Architecture::new(Description {
        features: features.into(),
        inputs,
        perspectives: Perspectives::Two,
        accumulator: Layer { width, activation },
        hidden: Vec::new(),
        buckets: Buckets::NONE,
        heads: alloc::vec![Head::Value(ValueOutput::Sigmoid)],
        scales: Scales::usual(activation, 0),
    })?;
    bias.check(FEATURE_BIAS, 1, width)?;
    output.check(OUTPUT, 1, architecture.head_inputs())?;
    output_bias.check(OUTPUT_BIAS, 1, 1)?;
    let scales = &architecture.scales;
    let first = f64::from(scales.accumulator);
    let last = f64::from(scales.head);
    let parameters = IntegerParameters {
        feature_weights: quantise(FEATURES, &weights.transposed(), first)?,
        feature_bias: quantise(FEATURE_BIAS, &bias.values, first)?,
        hidden: Vec::new(),
        heads: alloc::vec![Weights {
            weights: quantise(OUTPUT, &output.values, last)?,
            bias: quantise(OUTPUT_BIAS, &output_bias.values, first * last)?,
        }],
        policy: None,
    };
    let provenance = "read from matrices in JSON and quantised\n";
    NetworkFile::new(architecture, parameters, provenance.into(), None)
}

const FEATURES: &str = "ft.weight";
const FEATURE_BIAS: &str = "ft.bias";
const OUTPUT: &str = "out.weight";
const OUTPUT_BIAS: &str = "out.bias";
const MEMBERS: [&str; 4] = [FEATURES, FEATURE_BIAS, OUTPUT, OUTPUT_BIAS];

/// Reads the four matrices.
fn members(text: &[u8]) -> Result<[Matrix; 4], NetworkError> {
    let mut reader = Reader::new(text)?;
    let mut found = [const { None }; 4];
    reader.object(|reader, key| {
        let Some(place) = MEMBERS.iter().position(|&member| member == key) else {
            return reader.skip();
        };
        if found[place].is_some() {
            let found = format!("with {key} twice");
            return Err(NetworkError::field("JSON", found, "each member once"));
        }
        found[place] = Some(reader.matrix(MEMBERS[place])?);
        Ok(())
    })?;
    reader.finish()?;
    if let Some(place) = found.iter().position(Option::is_none) {
        let expected = format!("the members {}", MEMBERS.join(", "));
        return Err(NetworkError::field("JSON", format!("without {}", MEMBERS[place]), expected));
    }
    Ok(found.map(Option::unwrap_or_default))
}

/// Multiplies by `scale` and rounds to the nearest integer, half away from zero.
fn quantise<T: TryFrom<i64>>(
    tensor: &'static str,
    values: &[f64],
    scale: f64,
) -> Result<Vec<T>, NetworkError> {
    let one = |&value: &f64| {
        let scaled = value * scale;
        let rounded = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i64;
        T::try_from(rounded).map_err(|_| {
            let max = (1u64 << (8 * size_of::<T>() - 1)) as f64 / scale;
            let expected = format!("less than {max:.3} in size, to fit {} bytes", size_of::<T>());
            NetworkError::field(tensor, value, expected)
        })
    };
    values.iter().map(one).collect()
}
