//! noru files: reads the network files of the crate `noru`.
//!
//! ```text
//! u32 magic 0x4E4F5255, u32 version, u32 features, u32 width, u32 layers, layers × u32 widths,
//! u8 activation (0 clipped, 1 squared), in version 3: u32 dense inputs
//! i16 features × width, width; for each layer: inputs × outputs, outputs; last × 1, 1;
//!     dense × width
//! ```
//!
//! Files from before version 2 contain only the weights (the `i16` arrays).

use alloc::string::String;
use alloc::vec::Vec;

use super::layers::{First, Hidden, Matrix, Output, Squared};
use super::{LIMIT, NoruNetwork};
use crate::blocks::pack_i16;
use crate::cursor::Cursor;
use crate::integer::Inputs;
use crate::{
    Activation, Architecture, Buckets, Description, Head, Layer, Network, NetworkError,
    Perspectives, Scales, ValueOutput,
};

const MAGIC: u32 = 0x4E4F_5255;

/// The maximum number of hidden layers that `noru` reads.
const MAX_LAYERS: u32 = 16;

/// The shape of a `noru` network, for files without a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoruShape {
    /// The number of features.
    pub features: usize,
    /// The width of one perspective's accumulator.
    pub width: usize,
    /// The widths of the hidden layers; at least one.
    pub hidden: Vec<usize>,
    /// The activation of the accumulator: [`Activation::Crelu`] or [`Activation::Screlu`]. Later
    /// layers are always clipped.
    pub activation: Activation,
}

impl NoruShape {
    /// The equivalent architecture in our terms.
    fn architecture(&self) -> Result<Architecture, NetworkError> {
        if self.hidden.is_empty() {
            return Err(NetworkError::field("number of hidden layers", 0, "1 or more"));
        }
        let activation_shift = match self.activation {
            Activation::Crelu => 0,
            Activation::Screlu => 7,
            Activation::Identity
            | Activation::Relu
            | Activation::Sigmoid
            | Activation::Tanh
            | Activation::Pairwise => {
                let found = self.activation.name();
                return Err(NetworkError::field("activation", found, "crelu or screlu"));
            }
        };
        let layer = |&width: &usize| Layer { width, activation: Activation::Crelu };
        let description = Description {
            features: alloc::format!("raw:{}", self.features),
            inputs: self.features,
            perspectives: Perspectives::Two,
            accumulator: Layer { width: self.width, activation: self.activation },
            hidden: self.hidden.iter().map(layer).collect(),
            buckets: Buckets::NONE,
            heads: alloc::vec![Head::Value(ValueOutput::Linear)],
            scales: Scales {
                accumulator: LIMIT,
                activation_shift,
                hidden_shifts: alloc::vec![8; self.hidden.len()],
                head: 16,
                policy_shift: 0,
                // The value is a sum divided by 16, of which 127 · 16 is 1.0.
                centipawns: f32::from(LIMIT),
            },
        };
        Ok(Architecture::new(description)?)
    }

    /// The inputs of each hidden layer.
    fn inputs(&self) -> impl Iterator<Item = Inputs> {
        let first = Inputs { width: self.width, perspectives: 2 };
        let later = self.hidden.iter().map(|&width| Inputs { width, perspectives: 1 });
        core::iter::once(first).chain(later)
    }

    /// The size of the weights in bytes. The architecture has been checked, so nothing overflows.
    fn payload(&self) -> u64 {
        let mut values = (self.features as u64 + 1) * self.width as u64;
        for (inputs, &outputs) in self.inputs().zip(&self.hidden) {
            values += ((inputs.width * inputs.perspectives + 1) * outputs) as u64;
        }
        2 * (values + self.hidden.last().map_or(0, |&last| last as u64) + 1)
    }
}

/// Reads a network file of `noru` 1.x (version 2) or 2.x (version 3).
///
/// The feature set is named `raw:N`, because the file does not describe the features. The network's
/// [`evaluate`](Network::evaluate) returns exactly the integer that `noru` returns.
///
/// Dense inputs are rejected. They are real numbers that a program supplies with each position, and
/// no feature of ours represents them; without them the network would not compute what it was
/// trained to.
pub fn read_noru(bytes: &[u8]) -> Result<Network, NetworkError> {
    let mut cursor = Cursor::new(bytes);
    let magic = cursor.u32("the header")?;
    if magic != MAGIC {
        let hint = "expected the bytes `URON` of a noru network first; a file from before version 2 \
                    has no header, and its shape must be given";
        return Err(NetworkError::UnknownFormat(String::from(hint)));
    }
    let version = cursor.u32("the header")?;
    if !matches!(version, 2 | 3) {
        return Err(NetworkError::field("noru file version", version, "2 or 3"));
    }
    let features = cursor.u32("the header")? as usize;
    let width = cursor.u32("the header")? as usize;
    let layers = cursor.u32("the header")?;
    if !(1..=MAX_LAYERS).contains(&layers) {
        return Err(NetworkError::field("number of hidden layers", layers, "1 to 16"));
    }
    let widths = (0..layers).map(|_| Ok(cursor.u32("the header")? as usize));
    let hidden = widths.collect::<Result<_, NetworkError>>()?;
    let activation = match cursor.u8("the header")? {
        0 => Activation::Crelu,
        1 => Activation::Screlu,
        other => return Err(NetworkError::field("activation", other, "0 (CReLU) or 1 (SCReLU)")),
    };
    let dense = if version == 2 { 0 } else { cursor.u32("the header")? };
    if dense != 0 {
        let expected = "0: dense inputs are real numbers, not features of a position";
        return Err(NetworkError::field("number of dense inputs", dense, expected));
    }
    let network = read_weights(cursor, &NoruShape { features, width, hidden, activation })?;
    Ok(network.with_provenance(alloc::format!("noru network file, version {version}"), None))
}

/// Reads the weights of a `noru` network without a header.
pub fn read_noru_headerless(bytes: &[u8], shape: &NoruShape) -> Result<Network, NetworkError> {
    let network = read_weights(Cursor::new(bytes), shape)?;
    Ok(network.with_provenance(String::from("noru network file without a header"), None))
}

fn read_weights(mut cursor: Cursor<'_>, shape: &NoruShape) -> Result<Network, NetworkError> {
    let architecture = shape.architecture()?;
    cursor.check_rest("the weights of this noru network", shape.payload())?;
    let width = shape.width;
    let weights = cursor.i16s("feature weights", shape.features * width)?;
    let rows = weights.chunks_exact(width).flat_map(pack_i16).collect();
    let bias = pack_i16(&cursor.i16s("feature bias", width)?);
    let mut matrices = Vec::new();
    for (inputs, &outputs) in shape.inputs().zip(&shape.hidden) {
        let weights = cursor.i16s("layer weights", inputs.width * inputs.perspectives * outputs)?;
        let bias = cursor.i16s("layer bias", outputs)?;
        matrices.push(Matrix::transposed(inputs, &weights, bias));
    }
    let last = shape.hidden[shape.hidden.len() - 1];
    let output = cursor.i16s("output weights", last)?;
    let output_bias = cursor.i16s("output bias", 1)?[0];
    let first = if shape.activation.is_product() {
        First::Squared(Squared::new(&matrices[0]))
    } else {
        First::Clipped(Hidden::new(&matrices[0]))
    };
    let rest = matrices[1..].iter().map(Hidden::new).collect();
    let output = Output::new(&output, output_bias);
    let network = NoruNetwork { rows, bias, first, rest, output };
    Ok(Network::from_noru(architecture, network))
}
