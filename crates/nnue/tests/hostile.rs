//! Tens of thousands of damaged files of each kind: none brings a reader down, and none makes it ask for
//! memory that the file does not account for. The fuzz targets `net_*` do the same for as long as they run.

#[path = "file_support/bytes.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod bytes;
#[path = "../../../fuzz/src/net.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are another crate")]
mod net;
#[path = "file_support/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use bytes::small_file;
use networks::{Random, file};
use nnue::{
    Architecture, Calibration, CalibrationRanges, ConformalAdjustment, FittedParams, NetworkFile,
    ScoreModel,
};

/// Values that readers get wrong, little-endian.
const EXTREMES: [u64; 12] = [
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    1 << 60,
    u64::MAX,
];

/// One to four changes of a kind that disks, networks and adversaries make.
fn damage(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        // Half of the changes are near the start, where headers are.
        let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(400) };
        let place = random.below(reach);
        let end = (place + 1 + random.below(16)).min(bytes.len());
        match random.below(8) {
            0 => bytes[place] ^= 1 << random.below(8),
            1 => bytes[place] = random.next() as u8,
            2 => {
                let value = EXTREMES[random.below(EXTREMES.len())].to_le_bytes();
                let size = [1, 2, 4, 8][random.below(4)].min(bytes.len() - place);
                bytes[place..place + size].copy_from_slice(&value[..size]);
            }
            3 => {
                // Digits of a text: another number of the same length, or a longer one.
                let digit = b'0' + random.below(10) as u8;
                bytes.splice(place..place, std::iter::repeat_n(digit, 1 + random.below(20)));
            }
            4 => drop(bytes.drain(place..end)),
            5 => {
                let copy = bytes[place..end].to_vec();
                let target = random.below(bytes.len());
                bytes.splice(target..target, copy);
            }
            6 => bytes.truncate(place),
            _ => bytes[place..end].reverse(),
        }
    }
    bytes
}

/// Reads `cases` damaged copies and gives how many were accepted all the same.
fn accepted<T, E>(
    originals: &[Vec<u8>],
    cases: usize,
    mut read: impl FnMut(&[u8]) -> Result<T, E>,
) -> usize {
    let mut random = Random::new(0x5EED);
    let damaged = |_| damage(&originals[random.below(originals.len())], &mut random);
    (0..cases).map(damaged).filter(|bytes| read(bytes).is_ok()).count()
}

fn native_files() -> Vec<Vec<u8>> {
    let lines = [
        "2→4→1 sigmoid",
        "(5→6)×2→1 screlu",
        "(5→6)×2→4→3→1+3+5+2/3 pairwise,crelu,screlu buckets=fours:3",
        "6→3→2→3 tanh",
    ];
    let small = lines.map(|line| {
        let architecture: Architecture = line.parse().unwrap();
        file(&architecture, true, &mut Random::new(4)).write()
    });
    let adjustments = vec![ConformalAdjustment::IDENTITY; 2];
    let ranges = CalibrationRanges { depths: vec![6], ..CalibrationRanges::default() };
    let calibration = Calibration::new(9, ranges, adjustments).unwrap();
    let model = ScoreModel::new(&[90.0, 30.5], &[110.0], 3..=32, 10, 700).unwrap();
    let calibrated = small_file().with_calibration(Some(calibration)).unwrap();
    let calibrated = calibrated.with_score_model(Some(model));
    let params = [("lmr_base".into(), 77), ("rfp_margin".into(), -130), ("see_quiet".into(), 0)];
    let calibrated = calibrated.with_fitted_params(Some(FittedParams::new(params).unwrap()));
    small.into_iter().chain([small_file(), calibrated].map(|file| file.write())).collect()
}

#[test]
fn native() {
    let files = native_files();
    // The reader alone refuses everything that its checksum covers: nothing slips through.
    let whole = |bytes: &[u8]| match NetworkFile::read(bytes) {
        Ok(_) if files.iter().any(|file| file == bytes) => Err(()),
        other => other.map_err(drop),
    };
    assert_eq!(accepted(&files, 20_000, whole), 0);
    // With the checksum repaired, what is accepted is a network.
    let repaired = accepted(&files, 20_000, net::native);
    assert!((100..19_000).contains(&repaired), "{repaired}");
}

#[test]
fn bullet() {
    let mut random = Random::new(8);
    let files: Vec<Vec<u8>> =
        (0..8).map(|_| (0..=random.below(300)).map(|_| random.next() as u8).collect()).collect();
    assert_eq!(accepted(&files, 4_000, net::bullet), 4_000);
}

#[test]
fn json() {
    let text = r#"{"ft.weight":[[0.1,-0.2,3e-1],[1,0,-2.5]],"note":{"a":[null,true,"\u00e9"]},
        "ft.bias":[0,0.5],"out.weight":[[1,2,-3,0.25]],"out.bias":[7]}"#;
    let read = accepted(&[text.as_bytes().to_vec()], 20_000, net::json);
    assert!((100..10_000).contains(&read), "{read}");
}

/// A noru file of version 2 with one hidden layer, from the description of the format.
fn noru_file() -> Vec<u8> {
    let mut random = Random::new(9);
    let (features, width, hidden) = (5u32, 4u32, 3u32);
    let mut bytes = b"URON".to_vec();
    for number in [2, features, width, 1, hidden] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.push(1);
    // Two views enter the hidden layer.
    let weights = features * width + width + 2 * width * hidden + hidden + hidden + 1;
    bytes.extend((0..weights).flat_map(|_| (random.within(900) as i16).to_le_bytes()));
    bytes
}

/// The first bytes of a Stockfish network, whose weights are plain or compressed, with the right hashes.
fn stockfish_starts() -> [Vec<u8>; 2] {
    let header = [0x7AF3_2F20u32, 0x1C10_2EF2, 3].map(u32::to_le_bytes).concat();
    let start = [&header[..], b"abc", &0x7F23_44B8u32.to_le_bytes()].concat();
    let weights = [0x55; 2000];
    let compressed = [&start[..], b"COMPRESSED_LEB128", &1500u32.to_le_bytes(), &weights].concat();
    [[&start[..], &weights].concat(), compressed]
}

#[test]
fn noru_and_stockfish() {
    let noru = noru_file();
    assert!(net::any(&noru).is_ok());
    let read = accepted(std::slice::from_ref(&noru), 10_000, net::noru);
    assert!((100..9_000).contains(&read), "{read}");
    accepted(&[noru], 2_000, net::stockfish);
    let [plain, compressed] = stockfish_starts();
    assert_eq!(accepted(&[plain, compressed], 5_000, net::stockfish), 0);
}
