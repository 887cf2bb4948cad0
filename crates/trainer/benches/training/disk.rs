//! The same training from a file: read, checked, mixed, decoded and trained on.

use std::path::Path;
use std::time::{Duration, Instant};

use dataset::{Batch, DecodeOptions, Decoder, Loader, LoaderOptions, Order, Part, Record, Writer};
use games::chess::Chess;
use rayon::prelude::*;
use trainer::{Learner, Losses};

use super::competitor::{SETTINGS, Speeds, learner, report_phases};
use super::{BATCH, THREADS, data};

/// How often the positions are in the file: several windows must fit.
const COPIES: usize = 32;
const WINDOW: usize = 1 << 18;
const BATCHES: usize = 8;

pub(crate) struct Disk {
    name: &'static str,
    learner: Learner,
    loader: Loader,
    decoder: Box<dyn Decoder>,
    shards: Vec<Batch>,
    speeds: Speeds,
    load: Duration,
    decode: Duration,
    file_bytes: u64,
    resident_before: u64,
    _folder: tempfile::TempDir,
}

impl Disk {
    pub(crate) fn new(name: &'static str, positions: &[Chess]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the file");
        let path = folder.path().join("bench.data");
        write(&path, positions);
        let file_bytes = std::fs::metadata(&path).expect("the file").len();
        let resident_before = resident();
        let options = LoaderOptions {
            seed: 1,
            window: WINDOW,
            order: Order::Shuffled,
            held_out: 0.0,
            part: Part::All,
        };
        let learner = learner(name);
        let features = &learner.architecture().features;
        let decoder = dataset::GameList::new()
            .with::<games::chess::Chess>()
            .decoder(features, DecodeOptions::default())
            .expect("features");
        Self {
            name,
            loader: Loader::open("chess", &[path], options).expect("the file"),
            decoder,
            shards: vec![Batch::new(2); THREADS],
            learner,
            speeds: Speeds::default(),
            load: Duration::ZERO,
            decode: Duration::ZERO,
            file_bytes,
            resident_before,
            _folder: folder,
        }
    }

    pub(crate) fn round(&mut self) {
        let begin = Instant::now();
        let mut losses = Losses::default();
        for _ in 0..BATCHES {
            let start = Instant::now();
            let chunk = self.loader.next(BATCH).expect("records");
            let loaded = Instant::now();
            let (decoder, shards) = (&self.decoder, &mut self.shards);
            let share = BATCH / THREADS;
            self.learner.pool().install(|| {
                shards.par_iter_mut().enumerate().for_each(|(shard, batch)| {
                    let range = shard * share..(shard + 1) * share;
                    decoder.decode(&chunk, range, batch).expect("records");
                });
            });
            self.load += loaded - start;
            self.decode += loaded.elapsed();
            losses += &self.learner.step(&self.shards, SETTINGS).expect("a step");
        }
        self.speeds.add(&losses, begin);
    }

    pub(crate) fn report(&self) {
        self.speeds.report(&format!("{}, from disk", self.name));
        let threads = THREADS as f64;
        let more = [
            ("loader", self.load.as_secs_f64() * threads),
            ("decoder", self.decode.as_secs_f64() * threads),
        ];
        report_phases(self.learner.phases(), &more, self.speeds.thread_seconds());
        let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let grown = resident().saturating_sub(self.resident_before);
        println!("  {:>9.0} MiB of records on disk", mebibytes(self.file_bytes));
        println!("  {:>9.0} MiB resident for network, windows and batches", mebibytes(grown));
    }
}

/// Every position as a record of a game of its own.
fn write(path: &Path, positions: &[Chess]) {
    let mut writer = Writer::create(path, "the bench of trainer").expect("a file");
    for game in 0..COPIES * positions.len() {
        let position = &positions[game % positions.len()];
        let mut record = Record::new(position.clone());
        record.game = game as u32;
        record.ply = 20;
        record.score = Some(data::score(position) as i16);
        record.result = Some(games::GameScore::DRAW);
        writer.write(&record).expect("room on the disk");
    }
    writer.finish().expect("room on the disk");
}

/// Bytes of this process in memory; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
