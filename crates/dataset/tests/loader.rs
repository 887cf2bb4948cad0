//! The loader: every record once an epoch, in an order that can be repeated from any place.

#[path = "support/records.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dataset::{
    Batch, Chunk, DataError, DecodeOptions, Decoder, GameList, Loader, LoaderOptions, Order, Part,
    Place, Record, Writer,
};
use games::connect_four::ConnectFour;
use games::{Random, ToolkitGame};
use support::records;
use tempfile::{TempDir, tempdir};

/// A file with a block for every 50 records.
fn write<G: ToolkitGame>(path: &Path, records: &[Record<G>]) {
    let mut writer = Writer::create(path, "test").unwrap();
    for records in records.chunks(50) {
        for record in records {
            writer.write(record).unwrap();
        }
        writer.checkpoint().unwrap();
    }
    writer.finish().unwrap();
}

/// Records that their scores number from 0, in two files, so that each can be told from all others.
struct Data {
    _folder: TempDir,
    files: Vec<PathBuf>,
    records: Vec<Record<ConnectFour>>,
}

impl Data {
    fn new(count: usize) -> Self {
        let folder = tempdir().unwrap();
        let mut records = records::<ConnectFour>(3, count);
        for (number, record) in records.iter_mut().enumerate() {
            record.score = Some(number as i16);
        }
        let files = vec![folder.path().join("a"), folder.path().join("b")];
        let middle = count / 3;
        write(&files[0], &records[..middle]);
        write(&files[1], &records[middle..]);
        Self { _folder: folder, files, records }
    }

    fn loader(&self, options: LoaderOptions) -> Loader {
        Loader::open("connect_four", &self.files, options).unwrap()
    }
}

fn scores(chunk: &Chunk) -> Vec<usize> {
    let mut batch = Batch::default();
    let decoder = GameList::new()
        .with::<ConnectFour>()
        .decoder("connect_four.cells", DecodeOptions::default())
        .unwrap();
    decoder.decode(chunk, 0..chunk.len(), &mut batch).unwrap();
    batch.scores.iter().map(|&score| score as usize).collect()
}

fn take(loader: &mut Loader, count: usize) -> Vec<usize> {
    scores(&loader.next(count).unwrap())
}

const SMALL: LoaderOptions =
    LoaderOptions { seed: 5, window: 300, order: Order::Shuffled, held_out: 0.0, part: Part::All };

#[test]
fn each_record_comes_once_an_epoch() {
    let data = Data::new(2000);
    for order in [Order::Shuffled, Order::Sequential] {
        for window in [1, 70, 300, 5000] {
            let mut loader = data.loader(LoaderOptions { order, window, ..SMALL });
            assert_eq!((loader.game(), loader.records()), ("connect_four", 2000));
            for epoch in 0..3 {
                let mut epoch_scores = take(&mut loader, 2000);
                assert_eq!(loader.place().epoch, epoch);
                assert_eq!(epoch_scores.is_sorted(), order == Order::Sequential);
                epoch_scores.sort_unstable();
                assert_eq!(epoch_scores, (0..2000).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn the_order_depends_on_seed_and_epoch_and_nothing_else() {
    let data = Data::new(1000);
    let two_epochs = |seed, step: usize| {
        let mut loader = data.loader(LoaderOptions { seed, ..SMALL });
        let steps = 2000 / step;
        (0..steps).flat_map(|_| take(&mut loader, step)).collect::<Vec<_>>()
    };
    let first = two_epochs(1, 2000);
    assert_eq!(first, two_epochs(1, 8));
    assert_ne!(first[..1000], first[1000..]);
    assert_ne!(first, two_epochs(2, 2000));
}

#[test]
fn windows_mix_blocks_and_records() {
    let data = Data::new(2000);
    let mixed = take(&mut data.loader(LoaderOptions { window: 2000, ..SMALL }), 2000);
    // Of neighbours in a random order, few are neighbours in the files.
    let neighbours = mixed.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) < 50).count();
    assert!(neighbours < 200, "{neighbours}");
    // A window of 300 takes six blocks, wherever they are.
    let window: BTreeSet<_> =
        take(&mut data.loader(SMALL), 300).into_iter().map(|score| score / 50).collect();
    assert!((6..=12).contains(&window.len()), "{window:?}");
}

#[test]
fn a_loader_goes_on_from_any_place() {
    let data = Data::new(1000);
    let mut random = Random::new(9);
    for (part, held_out) in [(Part::All, 0.0), (Part::Training, 0.3), (Part::Validation, 0.3)] {
        for order in [Order::Shuffled, Order::Sequential] {
            let options = LoaderOptions { part, held_out, order, window: 120, ..SMALL };
            let mut loader = data.loader(options);
            let mut other = data.loader(options);
            for _ in 0..30 {
                let place = loader.place();
                let count = 1 + random.below(400);
                let expected = take(&mut loader, count);
                other.go_to(place).unwrap();
                assert_eq!(other.place(), place);
                assert_eq!(take(&mut other, count), expected, "from {place:?}");
                assert_eq!(other.place(), loader.place());
            }
            assert!(loader.place().epoch > 0);
        }
    }
}

#[test]
fn a_place_that_is_not_there_is_refused() {
    let data = Data::new(450);
    let mut loader = data.loader(SMALL);
    let nowhere = Place { epoch: 1, window: 2, offset: 0 };
    assert!(matches!(loader.go_to(nowhere), Err(DataError::Place { .. })));
    loader.go_to(Place { epoch: 0, window: 0, offset: 301 }).unwrap();
    assert!(matches!(loader.next(1), Err(DataError::Place { .. })));
    loader.go_to(Place { epoch: 0, window: 0, offset: 300 }).unwrap();
    assert_eq!(take(&mut loader, 100).len(), 100);
    assert_eq!(loader.place(), Place { epoch: 0, window: 1, offset: 100 });
}

/// Training and validation share no game and are everything together, whatever the seed.
#[test]
fn games_are_held_out_as_a_whole() {
    let data = Data::new(3000);
    let part = |part, seed| {
        let options = LoaderOptions { part, seed, held_out: 0.25, ..SMALL };
        let mut loader = data.loader(options);
        let mut scores = BTreeSet::new();
        while loader.place().epoch == 0 {
            let before = loader.place();
            let score = take(&mut loader, 1)[0];
            if loader.place().epoch == 0 {
                assert!(scores.insert(score), "{before:?}");
            }
        }
        scores
    };
    let (training, validation) = (part(Part::Training, 1), part(Part::Validation, 2));
    assert_eq!(validation, part(Part::Validation, 3));
    assert!(training.is_disjoint(&validation));
    assert_eq!(training.len() + validation.len(), 3000);
    let games = |scores: &BTreeSet<usize>| {
        scores.iter().map(|&score| data.records[score].game).collect::<BTreeSet<_>>()
    };
    let (training, validation) = (games(&training), games(&validation));
    assert!(training.is_disjoint(&validation));
    let share = validation.len() as f64 / (training.len() + validation.len()) as f64;
    assert!((0.1..0.4).contains(&share), "{share}");
}

#[test]
fn a_part_without_records_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("data");
    let one_game: Vec<_> =
        records::<ConnectFour>(3, 200).into_iter().filter(|record| record.game == 0).collect();
    write(&path, &one_game);
    let files = [path];
    let open = |part, held_out| {
        let mut loader =
            Loader::open("connect_four", &files, LoaderOptions { part, held_out, ..SMALL })?;
        loader.next(1)?;
        // An error, once given, is given again and not waited for.
        loader.next(1)
    };
    let parts = [Part::Training, Part::Validation].map(|part| open(part, 0.5));
    assert_eq!(parts.iter().filter(|part| part.is_ok()).count(), 1, "{parts:?}");
    let error = parts.into_iter().find_map(Result::err).unwrap();
    assert!(matches!(error, DataError::Empty { .. }), "{error}");
    assert!(matches!(open(Part::Validation, 0.0), Err(DataError::Empty { .. })));
    assert!(matches!(open(Part::All, 1.0), Err(DataError::Option { .. })));
    assert!(matches!(open(Part::All, f64::NAN), Err(DataError::Option { .. })));
    assert!(matches!(Loader::open("connect_four", &[], SMALL), Err(DataError::Empty { .. })));
}

#[test]
fn a_damaged_block_is_left_out_and_reported_once() {
    let data = Data::new(1000);
    let mut bytes = std::fs::read(&data.files[1]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&data.files[1], bytes).unwrap();
    let mut loader = data.loader(SMALL);
    let mut counts = BTreeMap::new();
    for score in take(&mut loader, 1900) {
        *counts.entry(score).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 950);
    assert!(counts.values().all(|&count| count == 2));
    let damage = loader.damage();
    assert_eq!(damage.len(), 1, "{damage:?}");
    assert_eq!((&damage[0].path, damage[0].records), (&data.files[1], Some(50)));
}

#[test]
fn files_of_two_games_are_refused() {
    let data = Data::new(100);
    let other = data.files[0].with_extension("chess");
    write(&other, &records::<games::chess::Chess>(1, 10));
    let files = [data.files[0].clone(), other];
    assert!(matches!(Loader::open("connect_four", &files, SMALL), Err(DataError::Game { .. })));
}

/// However large the files are, only a few windows are alive: the thread that reads ahead waits until its window is
/// taken. That shows by the damage that it has not met yet.
#[test]
fn reading_ahead_ends_after_one_window() {
    let data = Data::new(3000);
    let mut bytes = std::fs::read(&data.files[1]).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&data.files[1], bytes).unwrap();
    let options = LoaderOptions { order: Order::Sequential, window: 100, ..SMALL };
    let mut loader = data.loader(options);
    // Thirty windows of two blocks. While one is used the next is ready, so the last is read when the last but one
    // is taken and not before.
    take(&mut loader, 2800);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(loader.damage(), []);
    take(&mut loader, 100);
    let start = std::time::Instant::now();
    while loader.damage().is_empty() {
        assert!(start.elapsed().as_secs() < 20, "the next window is read ahead");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn chunks_share_windows() {
    let data = Data::new(1000);
    let mut loader = data.loader(SMALL);
    let chunks: Vec<_> = (0..20).map(|_| loader.next(50).unwrap()).collect();
    let all: Vec<_> = chunks.iter().flat_map(scores).collect();
    assert_eq!(all, take(&mut data.loader(SMALL), 1000));
    let decoder: Box<dyn Decoder> = GameList::new()
        .with::<ConnectFour>()
        .decoder("connect_four.cells", DecodeOptions::default())
        .unwrap();
    let mut batch = Batch::default();
    let chunk = data.loader(SMALL).next(1000).unwrap();
    for range in [0..1000, 290..310, 0..0, 999..1000, 400..950] {
        decoder.decode(&chunk, range.clone(), &mut batch).unwrap();
        let found: Vec<_> = batch.scores.iter().map(|&score| score as usize).collect();
        assert_eq!(found, all[range]);
    }
}
