//! Tests of all formats: what is written is read again, except what the format cannot hold.

use std::fs;
use std::path::{Path, PathBuf};

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{BoardGame, Game, ToolkitGame};

use super::game_counter::GameCounter;
use super::values::ply_of_fen;
use super::{
    Format, FormatError, FormatFault, Formats, GameFormat, chess, chess_formats, create_sink,
    header, open_source, samples,
};
use crate::{GameList, Record};

fn bullet() -> Format {
    Format::OfGame(&chess::BULLET)
}

fn viri() -> Format {
    Format::OfGame(&chess::VIRI)
}

fn formats() -> Formats {
    Formats::new([&chess::BULLET, &chess::VIRI])
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Writes records to a file of this format; dropping the folder removes it.
fn written<G: ToolkitGame>(
    format: Format,
    records: &[Record<G>],
    of_game: &[GameFormat<G>],
) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("records");
    let mut sink = create_sink(&path, format, "a test", of_game).expect("a file");
    for record in records {
        sink.write(record).expect("the format holds it");
    }
    sink.finish().expect("there is room on the disk");
    (folder, path)
}

/// Reads a file to its end.
fn read<G: ToolkitGame>(
    path: &Path,
    format: Format,
    of_game: &[GameFormat<G>],
) -> (Vec<Record<G>>, Vec<FormatFault>, u64) {
    let mut source = open_source(path, format, of_game).expect("the file can be opened");
    let mut records = Vec::new();
    while let Some(record) = source.next().expect("the file can be read") {
        records.push(record);
    }
    let faults = source.faults();
    (records, faults.first.clone(), faults.count)
}

fn sample<G: ToolkitGame>(games: u32) -> Vec<Record<G>> {
    let mut records = Vec::new();
    samples::any(games, |record| records.push(record.clone()));
    records
}

/// The part of a record that a line format keeps.
fn remainder<G: ToolkitGame>(record: &Record<G>, format: Format) -> Record<G> {
    let mut left = Record::new(record.position.clone());
    left.ply = ply_of_fen(&left.position.to_fen(), left.position.side_to_move());
    left.result = record.result;
    left.score = record.score.filter(|_| format == Format::Text);
    left
}

fn round_trip<G: ToolkitGame>() {
    let records = sample::<G>(12);
    assert!(records.len() > 100);
    for format in [Format::Native, Format::Jsonl, Format::Text, Format::Epd] {
        let (_folder, path) = written(format, &records, &[]);
        // Detected by content alone: the file name has no extension.
        assert_eq!(formats().detect(&path).ok(), Some(format), "{} {format}", G::NAME);
        let (found, faults, count) = read::<G>(&path, format, &[]);
        assert_eq!((&faults, count), (&Vec::new(), 0), "{} {format}", G::NAME);
        let complete = matches!(format, Format::Native | Format::Jsonl);
        let expected: Vec<_> = if complete {
            records.clone()
        } else {
            let mut games = GameCounter::default();
            let mut remainders: Vec<_> =
                records.iter().map(|record| remainder(record, format)).collect();
            for record in &mut remainders {
                record.game = games.number(record.ply);
            }
            // Where the FEN counts moves, the games are recovered.
            let grows = remainders.iter().any(|record| record.ply > 0);
            let ends = |records: &[Record<G>]| -> Vec<bool> {
                records.windows(2).map(|pair| pair[0].game != pair[1].game).collect()
            };
            assert!(!grows || ends(&remainders) == ends(&records), "{} {format}", G::NAME);
            remainders
        };
        assert!(found == expected, "{} {format}", G::NAME);
        assert!(
            fs::metadata(&path).expect("a file").len()
                >= found.len() as u64 * format.min_record_bytes()
        );
    }
}

#[test]
fn records_of_every_game_come_back() {
    round_trip::<Chess>();
    round_trip::<Hexchess>();
    round_trip::<ConnectFour>();
}

#[test]
fn formats_of_chess_are_found_by_content_and_refuse_other_games() {
    let mut records = Vec::new();
    samples::chess(5, |record| records.push(record.clone()));
    for format in [bullet(), viri()] {
        let (folder, path) = written(format, &records, &chess_formats());
        assert_eq!(formats().detect(&path).ok(), Some(format));
        assert_eq!(read::<Chess>(&path, format, &chess_formats()).0.len(), records.len());
        assert!(matches!(
            open_source::<Hexchess>(&path, format, &[]),
            Err(FormatError::OtherGame { game: "hexchess", .. })
        ));
        let other = folder.path().join("other");
        assert!(create_sink::<Hexchess>(&other, format, "", &[]).is_err());
        assert!(!other.exists());
    }
    assert!(matches!(
        create_sink::<Chess>(Path::new("x.pgn"), Format::Pgn, "", &[]),
        Err(FormatError::ReadOnly { .. })
    ));
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_leaves_no_trace() {
    let mut records = sample::<Chess>(1);
    let whole = records.len();
    records[3].score = None;
    records[4].result = None;
    records[5].result = games::GameScore::quarters(3);
    for (format, held) in [(Format::Text, whole - 2), (bullet(), whole - 3)] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("records");
        let mut sink = create_sink(&path, format, "", &chess_formats()).expect("a file");
        let mut reasons = Vec::new();
        for record in &records {
            match sink.write(record) {
                Ok(()) => {}
                Err(FormatError::CannotHold { reason, .. }) => reasons.push(reason),
                Err(error) => panic!("{error}"),
            }
        }
        sink.finish().expect("there is room");
        let quarter = "a quarter score as its result";
        let expected = ["no score", "no result", quarter];
        assert_eq!(reasons[..], expected[..whole - held], "{format}");
        assert_eq!(read::<Chess>(&path, format, &chess_formats()).0.len(), held, "{format}");
    }
}

/// Every malformed line is refused for the reason in the line before it.
#[test]
fn malformed_lines_are_counted_with_line_and_reason() {
    for (name, format) in [
        ("malformed.txt", Format::Text),
        ("malformed.epd", Format::Epd),
        ("malformed.jsonl", Format::Jsonl),
    ] {
        let text = fs::read_to_string(data(name)).expect("the data is there");
        let lines: Vec<&str> = text.lines().collect();
        let folder = tempfile::tempdir().expect("a folder");
        let mut seen = 0;
        for (number, pair) in lines.windows(2).enumerate() {
            let Some(words) = pair[0].strip_prefix("# says ") else { continue };
            // One file for each line, because only the first few faults are kept.
            let path = folder.path().join(format!("{number}"));
            fs::write(&path, format!("\n{}\n", pair[1])).expect("a small file");
            let (records, faults, count) = read::<Chess>(&path, format, &chess_formats());
            assert_eq!((records.len(), count), (0, 1), "{}", pair[1]);
            assert_eq!(faults[0].place, "line 2");
            assert!(faults[0].reason.contains(words), "{}: {}", pair[1], faults[0].reason);
            seen += 1;
        }
        let all = read::<Chess>(&data(name), format, &chess_formats());
        assert_eq!((all.0.len(), all.2), (0, seen), "{name}");
        assert!(seen >= 6, "{name}");
    }
}

#[test]
fn the_zoo_is_read_as_written_beside_it() {
    let (records, faults, count) = read::<Chess>(&data("zoo.pgn"), Format::Pgn, &chess_formats());
    assert_eq!(formats().detect(&data("zoo.pgn")).ok(), Some(Format::Pgn));
    let (expected, broken, _) = read::<Chess>(&data("zoo.jsonl"), Format::Jsonl, &chess_formats());
    assert!(broken.is_empty(), "{broken:?}");
    for (found, expected) in records.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(records.len(), expected.len());
    let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let text = fs::read_to_string(data("zoo.faults")).expect("the data is there");
    assert_eq!(messages, text.lines().collect::<Vec<_>>());
    assert_eq!(count, messages.len() as u64);
}

#[test]
fn other_games_in_pgn_use_their_own_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("four.pgn");
    let text =
        "[Variant \"connect_four\"]\n[Result \"1/2-1/2\"]\n\n1. d {+0.50/3} d 2. c a 1/2-1/2\n";
    fs::write(&path, text).expect("a small file");
    let named = header(&path, Format::Pgn, &GameList::new().with::<Chess>().with::<ConnectFour>())
        .expect("the file can be read");
    assert_eq!(named.map(|header| header.game).as_deref(), Some("connect_four"));
    let (records, faults, _) = read::<ConnectFour>(&path, Format::Pgn, &[]);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(records.len(), 4);
    assert_eq!(records[0].score, Some(50));
    assert_eq!(records[3].position.piece_count(), 3);
    let (records, faults, _) = read::<Chess>(&path, Format::Pgn, &chess_formats());
    assert!(records.is_empty());
    assert!(faults[0].reason.contains("connect_four"), "{faults:?}");
}

#[test]
fn hostile_text_never_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hostile");
    let zoo = fs::read(data("zoo.pgn")).expect("the data is there");
    let mut random = games::Random::new(5);
    for round in 0..200 {
        let mut bytes = zoo.clone();
        for _ in 0..=round % 20 {
            let at = random.below(bytes.len());
            bytes[at] = random.next_u64() as u8;
        }
        bytes.truncate(1 + random.below(zoo.len()));
        fs::write(&path, &bytes).expect("a small file");
        for format in formats().all() {
            if let Ok(mut source) = open_source::<Chess>(&path, format, &chess_formats()) {
                while let Ok(Some(record)) = source.next() {
                    assert!(record.best_move.is_none_or(|mv| record.position.is_legal(mv)));
                }
            }
        }
        let _ = formats().detect(&path);
    }
}
