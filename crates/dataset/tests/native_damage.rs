//! Damaged native files: what is hit is lost and reported, all else is read, nothing panics.

#[path = "../../../fuzz/src/data.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are another crate")]
mod data;
#[path = "support/records.rs"]
mod support;

use std::io::Cursor;

use dataset::{Damage, DataError, Fault, FileInfo, GameList, Reader, Record, Writer};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{BoardGame, Game, GameScore, Random, ToolkitGame};
use support::records;
use tempfile::tempdir;

/// A file, its records, and where each block begins, with the end of the file behind.
struct Small {
    bytes: Vec<u8>,
    records: Vec<Record<ConnectFour>>,
    blocks: Vec<usize>,
}

const BLOCK: usize = 5;

impl Small {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let path = folder.path().join("data");
        let records = records::<ConnectFour>(4, 6 * BLOCK);
        let mut writer = Writer::create(&path, "to be damaged").unwrap();
        let mut blocks = vec![writer.counts().bytes as usize];
        for records in records.chunks(BLOCK) {
            for record in records {
                writer.write(record).unwrap();
            }
            writer.checkpoint().unwrap();
            blocks.push(writer.counts().bytes as usize);
        }
        writer.finish().unwrap();
        Self { bytes: std::fs::read(path).unwrap(), records, blocks }
    }

    /// The records without those of one block.
    fn without(&self, block: Option<usize>) -> Vec<Record<ConnectFour>> {
        let kept = (0..self.records.len()).filter(|place| Some(place / BLOCK) != block);
        kept.map(|place| self.records[place].clone()).collect()
    }
}

type All<G> = (Vec<Record<G>>, Vec<Damage>);

fn read<G: ToolkitGame>(bytes: &[u8]) -> Result<All<G>, DataError> {
    let mut reader = Reader::<G, _>::new(Cursor::new(bytes), "damaged")?;
    let mut records = Vec::new();
    while let Some(record) = reader.next()? {
        records.push(record);
    }
    Ok((records, reader.damage().to_vec()))
}

#[test]
fn a_flipped_bit_costs_one_block() {
    let small = Small::new();
    for place in 0..small.bytes.len() {
        for bit in 0..8 {
            let mut bytes = small.bytes.clone();
            bytes[place] ^= 1 << bit;
            let (found, damage) = read::<ConnectFour>(&bytes).unwrap();
            let hit = small.blocks.iter().rposition(|&start| start <= place);
            assert_eq!(found, small.without(hit), "byte {place}, bit {bit}");
            let [damage] = &damage[..] else { panic!("byte {place}, bit {bit}: {damage:?}") };
            let (start, end) = match hit {
                None => (0, small.blocks[0]),
                Some(block) => (small.blocks[block], small.blocks[block + 1]),
            };
            assert_eq!((damage.offset, damage.bytes), (start as u64, (end - start) as u64));
            match damage.fault {
                Fault::Header => assert_eq!(damage.records, Some(0)),
                Fault::Checksum => assert_eq!(damage.records, Some(BLOCK as u64)),
                _ => assert_eq!(damage.records, None, "the block's header is damaged"),
            }
        }
    }
}

#[test]
fn a_torn_file_keeps_its_whole_blocks() {
    let small = Small::new();
    for end in 0..small.bytes.len() {
        let whole = small.blocks.iter().filter(|&&start| start <= end).count();
        let read = read::<ConnectFour>(&small.bytes[..end]);
        if whole == 0 {
            assert!(matches!(read, Err(DataError::NotData { .. })), "{end}");
            continue;
        }
        let (found, damage) = read.unwrap();
        assert_eq!(found, small.records[..(whole - 1) * BLOCK], "{end}");
        let start = small.blocks[whole - 1];
        let torn = damage.iter().map(|d| (d.offset, d.bytes, d.fault)).collect::<Vec<_>>();
        let expected = (start as u64, (end - start) as u64, Fault::TornTail);
        assert_eq!(torn, if end > start { vec![expected] } else { vec![] }, "{end}");
    }
}

#[test]
fn appending_cuts_the_torn_tail_off_and_goes_on() {
    let small = Small::new();
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    for end in (small.blocks[0]..small.bytes.len()).step_by(3) {
        std::fs::write(&path, &small.bytes[..end]).unwrap();
        let whole = small.blocks.iter().filter(|&&start| start <= end).count() - 1;
        let torn = end - small.blocks[whole];
        let mut writer = Writer::<ConnectFour>::append(&path).unwrap();
        let lost: u64 = writer.damage().iter().map(|damage| damage.bytes).sum();
        assert_eq!(lost, torn as u64);
        for record in &small.records[whole * BLOCK..] {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap();
        let info = FileInfo::open(&path, &GameList::new().with::<ConnectFour>()).unwrap();
        assert_eq!((info.records, info.damage), (small.records.len() as u64, vec![]));
        let (found, damage) = read::<ConnectFour>(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!((found, damage), (small.records.clone(), vec![]));
    }
}

/// A block that was torn and then followed by others costs only itself, although its length reaches into them.
#[test]
fn bytes_missing_in_the_middle_cost_one_block() {
    let small = Small::new();
    let (start, end) = (small.blocks[2], small.blocks[3]);
    for cut in start + 1..end {
        let bytes = [&small.bytes[..cut], &small.bytes[end..]].concat();
        let (found, damage) = read::<ConnectFour>(&bytes).unwrap();
        assert_eq!(found, small.without(Some(2)), "{cut}");
        let [damage] = &damage[..] else { panic!("{cut}: {damage:?}") };
        assert_eq!((damage.offset, damage.bytes), (start as u64, (cut - start) as u64));
    }
}

#[test]
fn files_one_after_the_other_are_read_as_one() {
    let small = Small::new();
    let twice = [&small.bytes[..], &small.bytes[..]].concat();
    let (found, damage) = read::<ConnectFour>(&twice).unwrap();
    assert_eq!(found, [&small.records[..], &small.records[..]].concat());
    assert_eq!(damage.len(), 1, "the second header: {damage:?}");
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let small = Small::new();
    let mut bytes = small.bytes[..small.blocks[0]].to_vec();
    let end = bytes.len() - 4;
    bytes[8] = 2;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    let error = read::<ConnectFour>(&bytes).unwrap_err();
    assert!(matches!(error, DataError::Version { found: 2, expected: 1, .. }), "{error}");
    assert!(matches!(read::<Hexchess>(&small.bytes), Err(DataError::Game { .. })));
    for foreign in [&b""[..], b"text", &[0x89; 10_000]] {
        assert!(matches!(read::<ConnectFour>(foreign), Err(DataError::NotData { .. })));
    }
}

/// The body of the fuzz target, on damaged records of all games and on noise.
#[test]
fn damaged_records_are_refused_or_usable() {
    let mut random = Random::new(11);
    let mut samples: Vec<Vec<u8>> = vec![Small::new().bytes];
    let folder = tempdir().unwrap();
    add_samples::<Chess>(0, &mut samples, folder.path());
    add_samples::<Hexchess>(1, &mut samples, folder.path());
    add_samples::<ConnectFour>(2, &mut samples, folder.path());
    let mut accepted = 0;
    for _ in 0..4000 {
        let mut bytes = random.pick(&samples).unwrap().clone();
        for _ in 0..=random.below(3) {
            let place = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[place] = random.next_u64() as u8,
                1 => bytes.truncate(place + 1),
                2 => bytes.insert(place, random.next_u64() as u8),
                _ => bytes[place] ^= 1 << random.below(8),
            }
        }
        accepted += data::native(&bytes);
        let noise: Vec<u8> = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
        data::native(&noise);
    }
    assert!(accepted > 10_000, "only {accepted} records were read");
}

/// Records of a game as the fuzz target takes them: a byte that chooses the game, then the records of a block.
fn add_samples<G: ToolkitGame>(choice: u8, samples: &mut Vec<Vec<u8>>, folder: &std::path::Path) {
    let path = folder.join(G::NAME);
    let mut writer = Writer::create(&path, "").unwrap();
    let start = writer.counts().bytes as usize + 36;
    for record in &records::<G>(5, 40) {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
    let bytes = std::fs::read(path).unwrap();
    samples.push([&[choice], &bytes[start..]].concat());
}

/// Full boards are within 32 bytes, and records of whole games far below on average.
#[test]
fn records_of_chess_are_short() {
    let folder = tempdir().unwrap();
    let size = |records: &[Record<Chess>]| {
        let path = folder.path().join("data");
        let mut writer = Writer::create(&path, "").unwrap();
        let empty = writer.counts().bytes;
        for record in records {
            writer.write(record).unwrap();
        }
        let counts = writer.finish().unwrap();
        std::fs::remove_file(path).unwrap();
        (counts.bytes - empty) as f64 - 36.0 * counts.blocks as f64
    };
    let mut random = Random::new(12);
    let mut all = records::<Chess>(6, 20_000);
    for record in &mut all {
        *record = Record {
            score: Some(random.below(16_000) as i16 - 8_000),
            result: Some(GameScore::DRAW),
            best_move: record.position.legal_moves().first().copied(),
            depths: Vec::new(),
            quantiles: None,
            ..record.clone()
        };
    }
    let average = size(&all) / all.len() as f64;
    assert!(average < 32.0, "{average}");
    let full = |record: &&Record<Chess>| record.position.piece_count() == 32 && record.ply < 128;
    let mut checked = 0;
    for record in all.iter().filter(full) {
        assert!(size(std::slice::from_ref(record)) <= 32.0, "{record:?}");
        checked += 1;
    }
    assert!(checked > 500, "{checked}");
}
