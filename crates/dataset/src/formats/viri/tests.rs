//! Tests of viriformat: the crate `viriformat` agrees, and damage costs one game.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use games::chess::Chess;
use games::{Game, GameScore};
use viriformat::chess::board::{Board as TheirBoard, DrawType, GameOutcome, WinType};
use viriformat::dataformat::Game as TheirGame;

use super::{ENTRY, HEADER, Sink, Source};
use crate::Record;
use crate::formats::values::{turn_points, turn_score};
use crate::formats::{Faults, FormatError, RecordSink, RecordSource, samples};

/// All records and faults of a file with these bytes.
fn read(bytes: &[u8]) -> (Vec<Record<Chess>>, Faults) {
    let mut source = Source::new(bytes, Path::new("test"));
    let mut records = Vec::new();
    while let Some(record) = source.next().expect("memory can be read") {
        records.push(record);
    }
    assert_eq!(source.bytes_read(), bytes.len() as u64);
    (records, source.faults)
}

/// A file with these records.
fn written(records: &[Record<Chess>]) -> Result<Vec<u8>, FormatError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.vf");
    let file = BufWriter::new(File::create(&path).expect("a file"));
    let mut sink = Box::new(Sink::new(file, &path));
    for record in records {
        sink.write(record)?;
    }
    sink.finish()?;
    Ok(std::fs::read(&path).expect("it was written"))
}

fn some(games: u32) -> Vec<Record<Chess>> {
    let mut records = Vec::new();
    samples::chess(games, |record| records.push(record.clone()));
    records
}

/// The same games, packed by the crate `viriformat` from FEN and UCI text.
fn packed_by_the_crate(records: &[Record<Chess>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for records in records.chunk_by(|a, b| a.game == b.game) {
        let first = &records[0];
        let mut board = TheirBoard::new();
        board.set_from_fen(&shredder(&first.position), true).expect("a FEN");
        let mut game = TheirGame::new(&board);
        for record in records {
            let text = record.best_move.expect("a move").to_string();
            let moves = board.legal_moves();
            let mv = moves.iter().find(|mv| mv.display(true).to_string() == text);
            let mv = *mv.expect("what is legal here is legal there");
            let side = record.position.side_to_move();
            game.add_move(mv, turn_score(record.score.expect("a score"), side));
            assert!(board.make_move_simple(mv));
        }
        let side = first.position.side_to_move();
        game.set_outcome(match turn_points(first.result.expect("a result"), side) {
            GameScore::WIN => GameOutcome::WhiteWin(WinType::Mate),
            GameScore::LOSS => GameOutcome::BlackWin(WinType::Mate),
            _ => GameOutcome::Draw(DrawType::Repetition),
        });
        game.serialise_into(&mut bytes).expect("memory can be written");
    }
    bytes
}

/// The FEN with castling rights by files (Shredder-FEN), which the crate expects of Chess960.
fn shredder(position: &Chess) -> String {
    format!("{:#}", position.board().to_builder().build().expect("a legal board"))
}

#[test]
fn bytes_are_those_of_the_crate() {
    let records = some(30);
    let bytes = written(&records).expect("whole games");
    assert_eq!(bytes, packed_by_the_crate(&records));
    let (read, faults) = read(&bytes);
    assert_eq!((read, faults.count), (records, 0));
}

#[test]
fn a_gap_is_refused_by_name() {
    let records = some(2);
    let message = |records: &[Record<Chess>]| match written(records) {
        Ok(_) => "written".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut gap = records.clone();
    gap.remove(5);
    assert!(message(&gap).contains("ply 6 of game 1 comes where ply 5 was expected"));
    let mut other = records.clone();
    other[5].position = records[7].position.clone();
    other[5].best_move = records[7].best_move;
    assert!(message(&other).contains("where the move before leads to"));
    let mut unscored = records.clone();
    unscored[3].score = None;
    assert!(message(&unscored).contains("ply 3 of game 1 has no score"));
    let mut result = records.clone();
    let drawn = result[4].result == Some(GameScore::DRAW);
    result[4].result = Some(if drawn { GameScore::WIN } else { GameScore::DRAW });
    assert!(message(&result).contains("another result"), "{}", message(&result));
    // Games may start and end anywhere.
    assert_eq!(message(&records[3..records.len() - 3]), "written");
}

#[test]
fn a_broken_game_costs_itself_only() {
    let records = some(3);
    let bytes = written(&records).expect("whole games");
    let first = records.iter().filter(|record| record.game == 1).count();
    let second = HEADER + ENTRY * (first + 1);
    for at in [second + 24, second + 30, second + HEADER] {
        let mut broken = bytes.clone();
        broken[at] = 255;
        let (read, faults) = read(&broken);
        let left: Vec<_> = records.iter().filter(|r| r.game != 2).cloned().collect();
        assert_eq!(read, left, "byte {at}");
        assert_eq!(faults.count, 1);
        assert!(faults.first[0].place.contains("game 2"), "{faults:?}");
    }
}

#[test]
fn no_bytes_panic_and_no_end_is_missed() {
    let bytes = written(&some(2)).expect("whole games");
    for cut in 0..bytes.len() {
        let (read, faults) = read(&bytes[..cut]);
        assert!(read.len() < bytes.len() / ENTRY);
        let at_an_end = cut == 0 || faults.count == 0;
        assert!(at_an_end || faults.first[0].reason.contains("ends"), "{cut}: {faults:?}");
    }
    for bit in 0..HEADER * 8 + 64 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        read(&flipped);
    }
}
