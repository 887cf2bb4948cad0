//! `docs/data-file.md` shows a whole file byte by byte; these are those bytes.

use std::fmt::Write;

use dataset::{DepthScore, Record, Writer};
use games::chess::Chess;
use games::{Game, GameScore};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data-file.md");

/// The start, and the position after 1. e4 with all that a record can have.
fn bytes() -> Vec<u8> {
    let start = Chess::start();
    let e4 = start.parse_move("e2e4").unwrap();
    let mut after = start.clone();
    after.play(e4);
    let mut first = Record::new(start);
    (first.game, first.score, first.best_move) = (7, Some(31), Some(e4));
    first.result = Some(GameScore::WIN);
    let mut second = Record::new(after);
    (second.game, second.ply, second.score) = (7, 1, Some(-140));
    second.result = Some(GameScore::LOSS);
    second.depths = vec![DepthScore { depth: 4, score: -20 }, DepthScore { depth: 8, score: -140 }];
    second.quantiles = Some([-150, -141, -140, -100, -20]);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let mut writer = Writer::create(&path, "two records, by hand\n").unwrap();
    writer.write(&first).unwrap();
    writer.write(&second).unwrap();
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// As `hexdump -C` prints it. There are no lines that repeat the one before.
fn hexdump(bytes: &[u8]) -> String {
    let mut dump = String::new();
    for (place, line) in bytes.chunks(16).enumerate() {
        let hex = |half: &[u8]| {
            let bytes: Vec<String> = half.iter().map(|byte| format!("{byte:02x}")).collect();
            bytes.join(" ")
        };
        let (first, second) = line.split_at(line.len().min(8));
        let shown = |&byte: &u8| {
            if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' }
        };
        let text: String = line.iter().map(shown).collect();
        writeln!(dump, "{:08x}  {:23}  {:23}  |{text}|", place * 16, hex(first), hex(second))
            .unwrap();
    }
    writeln!(dump, "{:08x}", bytes.len()).unwrap();
    dump
}

#[test]
fn the_document_shows_the_real_bytes() {
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let dump = hexdump(&bytes());
    assert!(document.contains(&format!("```text\n{dump}```\n")), "the bytes are\n{dump}");
}
