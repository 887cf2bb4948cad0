//! What is written to a native file is what is read from it.

#[path = "support/records.rs"]
mod support;

use dataset::{DataError, DepthScore, FileInfo, GameList, MATE_SCORE, Reader, Record, Writer};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, GameScore, ToolkitGame};
use support::records;
use tempfile::tempdir;

fn read_all<G: ToolkitGame>(path: &std::path::Path) -> Vec<Record<G>> {
    let mut reader = Reader::open(path).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next().unwrap() {
        records.push(record);
    }
    assert_eq!(reader.damage(), []);
    records
}

fn round_trip<G: ToolkitGame>() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    let records = records::<G>(1, 6000);
    let mut writer = Writer::create(&path, "random games\nof two lines").unwrap();
    for record in &records {
        writer.write(record).unwrap();
    }
    assert_eq!(writer.next_game(), records.last().unwrap().game + 1);
    let counts = writer.finish().unwrap();
    assert_eq!(counts.records, 6000);
    assert_eq!(read_all::<G>(&path), records);

    let info = FileInfo::open(&path, &GameList::new().with::<G>()).unwrap();
    assert_eq!(
        (info.game.as_str(), info.made_by.as_str()),
        (G::NAME, "random games\nof two lines")
    );
    assert_eq!((info.records, info.blocks, info.bytes), (6000, counts.blocks, counts.bytes));
    assert_eq!(info.highest_game, Some(records.last().unwrap().game));
    assert_eq!(info.damage, []);

    let again = folder.path().join("again");
    let mut writer = Writer::create(&again, "random games\nof two lines").unwrap();
    for record in &records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(std::fs::read(path).unwrap(), std::fs::read(again).unwrap(), "the same bytes");
}

#[test]
fn records_of_chess_read_back() {
    round_trip::<Chess>();
}

#[test]
fn records_of_hexchess_read_back() {
    round_trip::<Hexchess>();
}

#[test]
fn records_of_connect_four_read_back() {
    round_trip::<ConnectFour>();
}

#[test]
fn extremes_read_back() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    let position = Chess::from_fen("8/8/8/8/3k4/8/4K2R/8 b - - 99 60000").unwrap();
    let best_move = position.legal_moves().last().copied();
    let pair = |depth, score| DepthScore { depth, score };
    let written: Vec<_> = [(0, 0), (u32::MAX, u16::MAX), (1 << 31, 127), (0, 128)]
        .into_iter()
        .zip([i16::MIN, i16::MAX, MATE_SCORE, -MATE_SCORE])
        .map(|((game, ply), score)| Record {
            ply,
            game,
            score: Some(score),
            result: Some(GameScore::WIN),
            best_move,
            depths: vec![pair(0, i16::MIN), pair(1, 0), pair(255, i16::MAX)],
            quantiles: Some([i16::MAX, i16::MIN, i16::MAX, i16::MIN, 0]),
            position: position.clone(),
        })
        .collect();
    let mut writer = Writer::create(&path, "").unwrap();
    for record in &written {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(read_all::<Chess>(&path), written);
}

#[test]
fn what_cannot_be_written_is_refused_and_the_rest_is_written() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    let plain = Record::new(Chess::start());
    let pair = |depth| DepthScore { depth, score: 0 };
    let long = Record { depths: (0..=255).map(pair).collect(), ..plain.clone() };
    let unordered = Record { depths: vec![pair(2), pair(2)], ..plain.clone() };
    let illegal = Record {
        best_move: Some("e2e5".parse::<games::chess::cozy_chess::Move>().unwrap()),
        ..plain.clone()
    };
    let mut writer = Writer::create(&path, "").unwrap();
    for (record, word) in [(&long, "at most"), (&unordered, "ascend"), (&illegal, "not legal")] {
        writer.write(&plain).unwrap();
        let error = writer.write(record).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    writer.finish().unwrap();
    assert_eq!(read_all::<Chess>(&path), vec![plain; 3]);
    assert!(matches!(Writer::<Chess>::create(&path, ""), Err(DataError::Exists { .. })));
    assert!(matches!(Reader::<Hexchess>::open(&path), Err(DataError::Game { .. })));
    assert!(matches!(Writer::<Hexchess>::append(&path), Err(DataError::Game { .. })));
}

#[test]
fn appending_goes_on_where_the_file_ends() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    let records = records::<ConnectFour>(2, 900);
    let mut writer = Writer::create(&path, "in parts").unwrap();
    for (place, record) in records.iter().enumerate() {
        if place % 200 == 150 {
            writer.checkpoint().unwrap();
            // What waits for its block is lost with the writer; what came before the checkpoint is not.
            writer.write(&Record { game: 7_000_000, ..record.clone() }).unwrap();
            drop(writer);
            assert_eq!(read_all::<ConnectFour>(&path), records[..place]);
            writer = Writer::append(&path).unwrap();
            assert_eq!(writer.damage(), []);
            assert_eq!(writer.next_game(), records[place - 1].game + 1);
        }
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(read_all::<ConnectFour>(&path), records);
}

#[test]
fn saving_and_reopening_leave_no_trace() {
    let folder = tempdir().unwrap();
    let (whole, path) = (folder.path().join("whole"), folder.path().join("parts"));
    let records = records::<Chess>(3, 6000);
    let mut writer = Writer::create(&whole, "test").unwrap();
    for record in &records {
        writer.write(record).unwrap();
    }
    assert!(writer.finish().unwrap().blocks > 2);
    let mut writer = Writer::create(&path, "test").unwrap();
    let mut random = games::Random::new(1);
    let mut place = 0;
    while let Some(record) = records.get(place) {
        writer.write(record).unwrap();
        place += 1;
        match random.below(200) {
            0 => {
                // Saved, everything is there, though no block was closed.
                writer.save().unwrap();
                assert_eq!(read_all::<Chess>(&path).len(), place);
            }
            1 => {
                // What comes after some record is thrown away, across blocks, and written again.
                writer.save().unwrap();
                place -= random.below(place.min(100) + 1);
                writer = Writer::reopen(&path, place as u64).unwrap();
            }
            _ => {}
        }
    }
    writer.finish().unwrap();
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&whole).unwrap());
    assert!(Writer::<Chess>::reopen(&path, 6001).is_err());
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&whole).unwrap());
}
