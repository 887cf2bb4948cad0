//! What it costs to come from a file to a batch: `cargo bench -p dataset`.
//!
//! Games are random for forty plies and then go on, so that boards are full as in real data. What the decoder gives
//! is compared with features listed from the positions themselves.

#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use dataset::{Batch, DecodeOptions, GameList, Loader, LoaderOptions, Order, Record, Writer};
use games::chess::Chess;
use games::{BoardGame, Game, GameHistory, GameScore, PackedGame, Random};

const POSITIONS: usize = 400_000;
const BATCH: usize = 16_384;
const SET: &str = "chess.piece-square";

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("data");
    let sum = write(&path);
    unpack();
    for order in [Order::Sequential, Order::Shuffled] {
        decode(&path, order, sum);
    }
    for (name, factorise) in [("chess.halfka-hm", false), ("chess.halfka-hm", true)] {
        let options = LoaderOptions { order: Order::Shuffled, ..LoaderOptions::default() };
        let mut loader =
            Loader::open("chess", std::slice::from_ref(&path), options).expect("the file");
        let decoder = GameList::new()
            .with::<Chess>()
            .decoder(name, DecodeOptions { factorise, ..DecodeOptions::default() });
        let decoder = decoder.expect("the set");
        let chunk = loader.next(POSITIONS).expect("records");
        let mut batch = Batch::default();
        let start = Clock::now();
        for first in (0..POSITIONS - BATCH).step_by(BATCH) {
            decoder.decode(&chunk, first..first + BATCH, &mut batch).expect("records");
        }
        report(&format!("decode, {name}, factors {factorise}"), POSITIONS / BATCH * BATCH, &start);
    }
}

/// Time that this thread has had a processor for, where the system tells; else time on the wall. Other programs that
/// run meanwhile then do not count, and neither does the thread that reads ahead.
struct Clock {
    wall: Instant,
    processor: Option<Duration>,
}

impl Clock {
    fn now() -> Self {
        Self { wall: Instant::now(), processor: processor_time() }
    }

    fn elapsed(&self) -> Duration {
        let processor = self.processor.zip(processor_time());
        processor.map_or_else(|| self.wall.elapsed(), |(start, end)| end.saturating_sub(start))
    }
}

fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn report(what: &str, positions: usize, start: &Clock) {
    let [busy, wall] = [start.elapsed(), start.wall.elapsed()].map(|time| time.as_secs_f64());
    let each = busy / positions as f64 * 1e9;
    let rate = positions as f64 / busy / 1e6;
    let on_the_wall = positions as f64 / wall / 1e6;
    println!(
        "{what:42} {each:7.1} ns a position, {rate:5.2} M/s ({on_the_wall:5.2} M/s on the wall)"
    );
}

/// A number that depends on the features of all rows, whatever the order of rows and of features in them.
fn sum_of(features: &[u32]) -> u64 {
    let row = features.iter().fold(0_u64, |sum, &feature| sum.wrapping_add(spread(feature)));
    row.wrapping_mul(row | 1)
}

fn spread(feature: u32) -> u64 {
    (u64::from(feature) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
}

/// Writes the file, and gives the sum over the features of all positions, found the plain way.
fn write(path: &Path) -> u64 {
    let set = Chess::feature_set(SET).expect("the set");
    let mut random = Random::new(1);
    let mut writer = Writer::<Chess>::create(path, "bench").expect("a new file");
    let (mut written, mut sum) = (0, 0_u64);
    let start = Clock::now();
    'games: for game in 0.. {
        let mut line = GameHistory::new(Chess::start());
        while line.outcome().is_none() && line.plies() < 80 {
            let position = line.position();
            for perspective in [position.side_to_move(), !position.side_to_move()] {
                let mut features = Vec::new();
                set.active(position, perspective, &mut features);
                sum = sum.wrapping_add(sum_of(&features));
            }
            let moves = position.legal_moves();
            let mv = *random.pick(&moves).expect("a move");
            let record = Record {
                ply: line.plies() as u16,
                game,
                score: Some(random.below(600) as i16 - 300),
                result: Some(GameScore::DRAW),
                best_move: Some(mv),
                ..Record::new(position.clone())
            };
            writer.write(&record).expect("a record");
            written += 1;
            if written == POSITIONS {
                break 'games;
            }
            line.play(mv);
        }
    }
    let counts = writer.finish().expect("the disk");
    report("play, list and write", POSITIONS, &start);
    let each = counts.bytes as f64 / counts.records as f64;
    println!("{each:.2} bytes a position");
    sum
}

/// Unpacking alone, of positions along a game.
fn unpack() {
    const ROUNDS: usize = 2000;
    let mut random = Random::new(2);
    let mut line = GameHistory::new(Chess::start());
    let mut packed = Vec::new();
    while line.outcome().is_none() && packed.len() < 100 {
        let ply = line.plies() as u16;
        let mut bytes = Vec::new();
        line.position().pack(ply, &mut bytes);
        assert_eq!(Chess::unpack(ply, &mut bytes.as_slice()).as_ref(), Some(line.position()));
        packed.push((ply, bytes));
        let moves = line.position().legal_moves();
        line.play(*random.pick(&moves).expect("a move"));
    }
    let start = Clock::now();
    for _ in 0..ROUNDS {
        for (ply, bytes) in &packed {
            black_box(Chess::unpack(*ply, &mut black_box(bytes.as_slice())));
        }
    }
    report("unpack", ROUNDS * packed.len(), &start);
}

/// From the disk to batches, and from memory to batches.
fn decode(path: &Path, order: Order, expected: u64) {
    let options = LoaderOptions { order, window: 1 << 17, ..LoaderOptions::default() };
    let mut loader = Loader::open("chess", &[path.to_owned()], options).expect("the file");
    let decoder =
        GameList::new().with::<Chess>().decoder(SET, DecodeOptions::default()).expect("the set");
    let mut batch = Batch::default();
    let (mut sum, mut left) = (0_u64, POSITIONS);
    while left > 0 {
        let count = left.min(BATCH);
        let chunk = loader.next(count).expect("records");
        decoder.decode(&chunk, 0..count, &mut batch).expect("records");
        for position in 0..batch.len() {
            for perspective in 0..2 {
                sum = sum.wrapping_add(sum_of(batch.row(position, perspective)));
            }
        }
        left -= count;
    }
    assert_eq!(sum, expected, "an epoch has the features of all positions");

    let start = Clock::now();
    let rounds = POSITIONS / BATCH;
    for _ in 0..rounds {
        let chunk = loader.next(BATCH).expect("records");
        decoder.decode(&chunk, 0..BATCH, &mut batch).expect("records");
    }
    report(&format!("file to batch, {order:?}"), rounds * BATCH, &start);

    let chunk = loader.next(POSITIONS).expect("records");
    let start = Clock::now();
    for first in (0..=POSITIONS - BATCH).step_by(BATCH) {
        decoder.decode(&chunk, first..first + BATCH, &mut batch).expect("records");
    }
    report(&format!("memory to batch, {order:?}"), rounds * BATCH, &start);
}
