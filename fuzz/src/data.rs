//! Readers of data files: whatever the bytes are, they give records that can be used, and the rest is reported.
//!
//! `crates/dataset/tests/native_damage.rs` includes this file too, so that it only uses `dataset`, `games` and the
//! standard library.

use std::io::Cursor;

use dataset::Reader;
use games::ToolkitGame;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;

/// The native file: as it is, and as the records of a sound block, because a fuzzer does not guess checksums. Gives
/// how many records were read.
///
/// # Panics
///
/// If a record is read that cannot be used.
pub fn native(data: &[u8]) -> usize {
    let (&choice, records) = data.split_first().unwrap_or((&0, &[]));
    read::<Chess>(data)
        + match choice % 3 {
            0 => read::<Chess>(&file::<Chess>(records)),
            1 => read::<Hexchess>(&file::<Hexchess>(records)),
            _ => read::<ConnectFour>(&file::<ConnectFour>(records)),
        }
}

/// Reads all records, and checks each.
fn read<G: ToolkitGame>(bytes: &[u8]) -> usize {
    let Ok(mut reader) = Reader::<G, _>::new(Cursor::new(bytes), "fuzz") else { return 0 };
    let mut count = 0;
    while let Some(record) = reader.next().expect("memory can be read") {
        let fen = record.position.to_fen();
        assert!(G::from_fen(&fen).is_ok(), "{fen}");
        assert!(record.best_move.is_none_or(|mv| record.position.is_legal(mv)), "{fen}");
        assert!(record.depths.is_sorted_by(|a, b| a.depth < b.depth), "{fen}");
        count += 1;
    }
    let lost: u64 = reader.damage().iter().map(|damage| damage.bytes).sum();
    assert!(lost <= bytes.len() as u64, "more is lost than there was");
    count
}

/// A file with one block, whose records are these bytes: sound in all that a checksum or a count can say.
fn file<G: ToolkitGame>(records: &[u8]) -> Vec<u8> {
    let mut header = b"\x89accdat\n\x01\0\0\0".to_vec();
    let text = format!("game {}\n", G::NAME);
    header.extend((text.len() as u32).to_le_bytes());
    header.extend(text.as_bytes());
    header.extend(crc32(&header).to_le_bytes());

    let (mut count, mut end) = (0_u32, 0);
    while let Some(&length) = records.get(end)
        && end + 1 + usize::from(length) <= records.len()
    {
        end += 1 + usize::from(length);
        count += 1;
    }
    let records = &records[..end];
    let mut block = b"\xB1\x0C\xACC\rue\n".to_vec();
    for field in [end as u32, count, 7, 7, crc32(G::NAME.as_bytes()), crc32(records)] {
        block.extend(field.to_le_bytes());
    }
    block.extend(crc32(&block).to_le_bytes());
    [&header, &block, records].concat()
}

/// Bit by bit, and not the crate's own.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |rest, &byte| {
        (0..8).fold(rest ^ u32::from(byte), |rest, _| (rest >> 1) ^ (0xEDB8_8320 * (rest & 1)))
    })
}
