//! Stockfish files: reads and writes `.nnue` files.
//!
//! ```text
//! u32 version, u32 hash, u32 length, description
//! u32 hash, i16 bias [1024], i16 weights [22528][1024], i32 piece-square weights [22528][8]
//! 8 × (u32 hash, for three layers: i32 bias [outputs], i8 weights [outputs][inputs])
//! ```
//!
//! Each of the three arrays of the second line may be LEB128-compressed, as in files of later
//! Stockfish versions.

use alloc::string::String;
use alloc::vec::Vec;

use super::stack::{FIRST, SECOND, SECOND_INPUTS};
use super::{
    FEATURES, LIMIT, OUTPUT_SCALE, PAIR_SHIFT, PAWN, STACKS, StockfishNetwork, WIDTH, leb128,
};
use crate::accumulator::PSQT;
use crate::cursor::Cursor;
use crate::{
    Activation, Architecture, BucketRule, Buckets, Description, Head, Layer, Network, NetworkError,
    Perspectives, Scales, ValueOutput, Weights,
};

const VERSION: u32 = 0x7AF3_2F20;

/// Identifies the features `HalfKAv2_hm` and the total width of both perspectives.
const TRANSFORMER_HASH: u32 = 0x7F23_4CB8 ^ (2 * WIDTH as u32);

/// Identifies the layers of a stack and their widths.
const STACK_HASH: u32 = 0x6333_6A4A;

/// Outputs and inputs of the layers of a stack.
const LAYERS: [(usize, usize); 3] = [(FIRST, WIDTH), (SECOND, SECOND_INPUTS), (1, SECOND)];

/// The content of a Stockfish 15 network file, unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct StockfishFile {
    description: Vec<u8>,
    bias: Vec<i16>,
    weights: Vec<i16>,
    psqt: Vec<i32>,
    stacks: Vec<[Weights<i8, i32>; 3]>,
}

impl StockfishFile {
    /// Reads a file, compressed or not. Rejects networks of other architectures.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut cursor = Cursor::new(bytes);
        let version = cursor.u32("the header")?;
        if version != VERSION {
            let hint = alloc::format!(
                "expected a Stockfish network of version {VERSION:#x}, found {version:#x}"
            );
            return Err(NetworkError::UnknownFormat(hint));
        }
        check_hash(&mut cursor, "hash of the network", TRANSFORMER_HASH ^ STACK_HASH)?;
        let length = cursor.u32("the header")? as usize;
        let description = cursor.take("the description", length)?.to_vec();
        check_hash(&mut cursor, "hash of the transformer", TRANSFORMER_HASH)?;
        let (bias, weights) = ("feature bias", "feature weights");
        Ok(Self {
            description,
            bias: read_array(&mut cursor, bias, WIDTH, Cursor::i16s)?,
            weights: read_array(&mut cursor, weights, FEATURES * WIDTH, Cursor::i16s)?,
            psqt: read_array(&mut cursor, "piece-square weights", FEATURES * PSQT, Cursor::i32s)?,
            stacks: read_stacks(&mut cursor)?,
        })
    }

    /// The author's description.
    pub fn description(&self) -> String {
        String::from_utf8_lossy(&self.description).into_owned()
    }

    /// `[1024]`
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// `[22528][1024]`
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// `[22528][8]`
    pub fn psqt(&self) -> &[i32] {
        &self.psqt
    }

    /// The layers of each of the eight stacks, their weights `[output][input]`: 1024 to 16, 32 to
    /// 32 and 32 to 1.
    pub fn stacks(&self) -> &[[Weights<i8, i32>; 3]] {
        &self.stacks
    }

    /// Builds the network for inference.
    pub fn network(&self) -> Network {
        let network = Network::from_stockfish(architecture(), StockfishNetwork::new(self));
        network.with_provenance(self.description(), None)
    }
}

/// Reads a network of Stockfish 15 or 15.1, compressed or not.
///
/// [`Network::evaluate`] returns the network's value in Stockfish's `eval` command, before any
/// adjustment.
pub fn read_stockfish(bytes: &[u8]) -> Result<Network, NetworkError> {
    Ok(StockfishFile::read(bytes)?.network())
}

/// Writes a network file, with the transformer LEB128-compressed or plain. Writing an uncompressed
/// file that was read reproduces it byte for byte.
pub fn write_stockfish(file: &StockfishFile, compressed: bool) -> Vec<u8> {
    // Most weights are small: compressed, they take little more than a byte each.
    let guess = if compressed { file.weights.len() * 3 / 2 } else { file.weights.len() * 2 };
    let mut bytes = Vec::with_capacity(guess + file.psqt.len() * 4 + (1 << 18));
    let put = |bytes: &mut Vec<u8>, number: u32| bytes.extend_from_slice(&number.to_le_bytes());
    put(&mut bytes, VERSION);
    put(&mut bytes, TRANSFORMER_HASH ^ STACK_HASH);
    put(&mut bytes, file.description.len() as u32);
    bytes.extend_from_slice(&file.description);
    put(&mut bytes, TRANSFORMER_HASH);
    if compressed {
        leb128::write(&mut bytes, file.bias.iter().map(|&value| value.into()));
        leb128::write(&mut bytes, file.weights.iter().map(|&value| value.into()));
        leb128::write(&mut bytes, file.psqt.iter().copied());
    } else {
        bytes.extend(file.bias.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(file.weights.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(file.psqt.iter().flat_map(|value| value.to_le_bytes()));
    }
    for stack in &file.stacks {
        put(&mut bytes, STACK_HASH);
        for layer in stack {
            bytes.extend(layer.bias.iter().flat_map(|value| value.to_le_bytes()));
            bytes.extend(layer.weights.iter().map(|value| value.cast_unsigned()));
        }
    }
    bytes
}

fn check_hash(
    cursor: &mut Cursor<'_>,
    field: &'static str,
    expected: u32,
) -> Result<(), NetworkError> {
    let found = cursor.u32(field)?;
    if found == expected {
        return Ok(());
    }
    let expected = alloc::format!(
        "{expected:#x}, that of Stockfish 15 and 15.1 (HalfKAv2_hm, 1024 wide); \
         other versions have networks of another architecture"
    );
    Err(NetworkError::field(field, alloc::format!("{found:#x}"), expected))
}

/// Reads an array, compressed or plain.
fn read_array<'a, T: TryFrom<i64>>(
    cursor: &mut Cursor<'a>,
    what: &'static str,
    count: usize,
    plain: impl FnOnce(&mut Cursor<'a>, &str, usize) -> Result<Vec<T>, NetworkError>,
) -> Result<Vec<T>, NetworkError> {
    if cursor.rest().starts_with(leb128::MARKER) {
        return leb128::read(cursor, what, count);
    }
    plain(cursor, what, count)
}

fn read_stacks(cursor: &mut Cursor<'_>) -> Result<Vec<[Weights<i8, i32>; 3]>, NetworkError> {
    let layers = LAYERS.iter().map(|(outputs, inputs)| outputs * (4 + inputs)).sum::<usize>();
    cursor.check_rest("the eight stacks of layers", (STACKS * (4 + layers)) as u64)?;
    let mut stacks = Vec::with_capacity(STACKS);
    for _ in 0..STACKS {
        check_hash(cursor, "hash of a stack", STACK_HASH)?;
        let mut layer = |(outputs, inputs)| {
            let bias = cursor.i32s("layer bias", outputs)?;
            Ok::<_, NetworkError>(Weights {
                bias,
                weights: cursor.i8s("layer weights", outputs * inputs)?,
            })
        };
        stacks.push([layer(LAYERS[0])?, layer(LAYERS[1])?, layer(LAYERS[2])?]);
    }
    Ok(stacks)
}

/// The closest approximation in our terms. An [`Architecture`] describes neither the piece-square
/// sums nor the output of the first layer that skips the others, nor that the values of that layer
/// enter the second squared as well.
fn architecture() -> Architecture {
    let layer = |width| Layer { width, activation: Activation::Crelu };
    Architecture::new(Description {
        features: String::from("chess.halfka-hm"),
        inputs: FEATURES,
        perspectives: Perspectives::Two,
        accumulator: Layer { width: WIDTH, activation: Activation::Pairwise },
        hidden: alloc::vec![layer(FIRST), layer(SECOND)],
        buckets: Buckets { rule: BucketRule::Fours, count: STACKS },
        heads: alloc::vec![Head::Value(ValueOutput::Linear)],
        scales: Scales {
            accumulator: LIMIT,
            activation_shift: PAIR_SHIFT,
            hidden_shifts: alloc::vec![6; 2],
            head: 64,
            policy_shift: 0,
            centipawns: (f32::from(LIMIT) * 64.0) * 100.0 / (OUTPUT_SCALE * PAWN) as f32,
        },
    })
    .expect("widths and scales are within the limits")
}
