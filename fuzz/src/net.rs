//! Readers of network files: whatever the bytes are, they give an error or a network that can be asked.
//!
//! `crates/nnue/tests/hostile.rs` includes this file too, so that it only uses `nnue` and the standard library.

use nnue::{Accumulator, Activation, Architecture, Network, NetworkError, NetworkFile};

/// The native file, as it is and with its frame repaired: a fuzzer does not guess checksums.
///
/// # Panics
///
/// If a file that was read is not the same when it is written and read again.
pub fn native(data: &[u8]) -> Result<NetworkFile, NetworkError> {
    let as_it_is = NetworkFile::read(data);
    let read = if as_it_is.is_ok() { as_it_is } else { NetworkFile::read(&repair(data)) };
    let file = read?;
    let again = NetworkFile::read(&file.write()).expect("it reads what it has written");
    assert_eq!(again, file);
    if let Ok(network) = file.to_network() {
        ask(&network);
    }
    Ok(file)
}

/// A file that is told by its first bytes: noru's and Stockfish's, and all that is neither.
pub fn any(data: &[u8]) -> Result<Network, NetworkError> {
    let network = Network::from_bytes(data)?;
    ask(&network);
    Ok(network)
}

/// noru's file, whatever its first bytes are.
pub fn noru(data: &[u8]) -> Result<Network, NetworkError> {
    any(&begin_with(data, b"URON"))
}

/// Stockfish's file: the right first bytes, and for every other input also the hashes that a fuzzer would have
/// to guess to get as far as the weights.
pub fn stockfish(data: &[u8]) -> Result<Network, NetworkError> {
    let start = [0x7AF3_2F20, 0x1C10_2EF2, 0, 0x7F23_44B8].map(u32::to_le_bytes).concat();
    let hashes = data.first().is_some_and(|byte| byte % 2 == 1);
    any(&begin_with(data, if hashes { &start } else { &start[..4] }))
}

/// Architectures for [`bullet`], each a few hundred bytes at most.
const BULLET: [&str; 4] = [
    "(3→2)×2→1 screlu",
    "(12→8)×2→1 crelu buckets=pieces:8",
    "7→6→1 pairwise/tanh",
    "(2→66)×2→1 relu/linear scales=32767,0,-,32767,0,1000000",
];

/// Bullet's file; the first byte chooses the architecture, and a short file is filled up.
///
/// # Panics
///
/// If a file of the right length is refused.
pub fn bullet(data: &[u8]) -> Result<NetworkFile, NetworkError> {
    let (&choice, data) = data.split_first().unwrap_or((&0, &[]));
    let line = BULLET[usize::from(choice) % BULLET.len()];
    let architecture: Architecture = line.parse().expect("a sound line");
    let read = |bytes: &[u8]| nnue::read_bullet(bytes, &architecture);
    let file = match read(data) {
        Err(NetworkError::Length { expected, .. }) if data.len() < 1 << 16 => {
            let mut filled = data.to_vec();
            filled.resize(usize::try_from(expected).expect("a small network"), 0x80);
            read(&filled).expect("the length that was asked for")
        }
        other => other?,
    };
    ask(&file.to_network()?);
    Ok(file)
}

/// Matrices in JSON.
pub fn json(data: &[u8]) -> Result<NetworkFile, NetworkError> {
    let file = nnue::read_json(data, "raw", Activation::Screlu)?;
    ask(&file.to_network()?);
    Ok(file)
}

/// Asks a network all that it can be asked.
fn ask(network: &Network) {
    let architecture = network.architecture();
    let last = architecture.inputs as u32 - 1;
    let mut views = [(); 2].map(|()| Accumulator::new(network));
    network.refresh(&mut views[0], &[0, last]);
    let before = views[1].clone();
    network.update(&before, &mut views[1], &[last], &[0]);
    let mut workspace = network.workspace();
    let rows = architecture.policy().map_or(0, nnue::PolicyHead::outputs);
    let rows: Vec<u16> = (0..rows as u16).collect();
    let mut logits = vec![0.0; rows.len()];
    for (side, pieces) in [(0, 0), (1, 32), (1, usize::MAX)] {
        let value = network.evaluate(views.each_ref(), side, pieces, &mut workspace);
        let outputs = network.outputs(views.each_ref(), side, pieces, &mut workspace);
        assert_eq!(outputs.value, value, "two ways to ask for the value");
        network.policy(views.each_ref(), side, &rows, &mut logits, &mut workspace);
        if let Some(model) = network.score_model() {
            for score in [value, i32::MIN, -1, i32::MAX] {
                assert_eq!(model.wdl(score, pieces).iter().sum::<u16>(), 1000);
                model.centipawns(score, pieces);
            }
        }
        if let (Some(calibration), Some(quantiles)) = (network.calibration(), outputs.quantiles) {
            let conformal = calibration.conformal(pieces, pieces, value);
            assert!(conformal.apply(quantiles).is_sorted());
        }
    }
}

fn begin_with(data: &[u8], magic: &[u8]) -> Vec<u8> {
    let rest = data.get(magic.len()..).unwrap_or_default();
    [magic, rest].concat()
}

/// A native file with the right magic, version, length and checksum, whatever the rest says.
fn repair(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    bytes.resize(data.len().max(28), 0);
    let length = bytes.len() as u64;
    // Either version that is read.
    let version = if bytes[8] == 1 { 1 } else { 2 };
    bytes[..12].copy_from_slice(b"\x89accrue\n\0\0\0\0");
    bytes[8] = version;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let end = bytes.len() - 4;
    let checksum = crc32(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Four bits at a time: quick enough for small files, and not the crate's own.
fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 16] = std::array::from_fn(|low| {
        (0..4).fold(low as u32, |rest, _| (rest >> 1) ^ (0xEDB8_8320 * (rest & 1)))
    });
    let step = |rest: u32| (rest >> 4) ^ table[rest as usize & 15];
    !bytes.iter().fold(u32::MAX, |rest, &byte| step(step(rest ^ u32::from(byte))))
}
