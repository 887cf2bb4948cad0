//! The same seed gives the same file: whatever the threads, however often it was killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use arena::datagen::{
    Datagen, DatagenError, DatagenEvent, DatagenOptions, DatagenReport, Shard, generate,
};
use arena::{Openings, SearchLimits};
use dataset::{DepthScore, Filter, Reader, Record};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, GameHistory, Random, ToolkitGame};
use search::{Control, Engine, EngineOptions, Limits, Score};
use tempfile::TempDir;

fn options(positions: u64) -> DatagenOptions {
    let limits = SearchLimits { nodes: Some(60), ..SearchLimits::default() };
    DatagenOptions { positions, limits, max_opening_score: None, ..DatagenOptions::default() }
}

fn engine<G: ToolkitGame>() -> Engine<G> {
    Engine::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() }).unwrap()
}

/// Runs until done, or until `watch` says to stop.
fn run<G: ToolkitGame>(
    options: &DatagenOptions,
    out: &Path,
    threads: usize,
    mut watch: impl FnMut(u64) -> bool,
) -> Result<DatagenReport, DatagenError> {
    let openings = Openings::start(G::start());
    let engines = (0..threads).map(|_| engine::<G>()).collect();
    let run = Datagen { options, openings: &openings, out, origin: &[], engines };
    let stop = AtomicBool::new(false);
    generate(run, &stop, &mut |event| {
        let (DatagenEvent::Begun(contents) | DatagenEvent::Progress(contents)) = event;
        stop.fetch_or(watch(contents.positions), Ordering::Relaxed);
    })
}

fn make<G: ToolkitGame>(options: &DatagenOptions, out: &Path, threads: usize) -> Vec<u8> {
    let report = run::<G>(options, out, threads, |_| false).unwrap();
    assert!(report.complete);
    assert_eq!(report.contents.positions, options.shard.share(options.positions));
    fs::read(out).unwrap()
}

fn records<G: ToolkitGame>(path: &Path) -> Vec<Record<G>> {
    let mut reader = Reader::open(path).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next().unwrap() {
        records.push(record);
    }
    assert_eq!(reader.damage(), []);
    records
}

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.data");
    (folder, path)
}

fn threads_make_no_difference<G: ToolkitGame>(positions: u64) {
    let options = options(positions);
    let [first, second, third] = [1, 2, 3].map(|threads| {
        let (_folder, out) = folder();
        make::<G>(&options, &out, threads)
    });
    assert!(first == second && second == third, "{}", G::NAME);
    let other = DatagenOptions { seed: 2, ..options };
    let (_folder, out) = folder();
    assert_ne!(make::<G>(&other, &out, 2), first, "{}", G::NAME);
}

#[test]
fn threads_make_no_difference_to_chess() {
    threads_make_no_difference::<Chess>(1200);
}

#[test]
fn threads_make_no_difference_to_hexchess() {
    threads_make_no_difference::<Hexchess>(500);
}

#[test]
fn threads_make_no_difference_to_connect_four() {
    threads_make_no_difference::<ConnectFour>(1200);
}

/// Records without the number of their game.
fn by_game<G: ToolkitGame>(path: &Path) -> Vec<Vec<Record<G>>> {
    let records = records::<G>(path);
    let games = records.chunk_by(|a, b| a.game == b.game);
    let plain = |record: &Record<G>| Record { game: 0, ..record.clone() };
    games.map(|game| game.iter().map(plain).collect()).collect()
}

#[test]
fn shards_are_parts_of_the_whole() {
    let whole = DatagenOptions { filter: Filter::default(), ..options(2000) };
    let (_folder, out) = folder();
    make::<ConnectFour>(&whole, &out, 1);
    let games = by_game::<ConnectFour>(&out);
    for index in 0..3 {
        let shard = Shard { index, count: 3 };
        let (_folder, out) = folder();
        make::<ConnectFour>(&DatagenOptions { shard, ..whole.clone() }, &out, 1);
        let part = by_game::<ConnectFour>(&out);
        // The last game of each is cut off where the positions are enough.
        let expected: Vec<_> = games.iter().skip(index as usize).step_by(3).collect();
        let common = part.len().min(expected.len()) - 1;
        assert!(common > 10);
        assert!(part.iter().zip(expected).take(common).all(|(a, b)| a == b));
    }
}

#[test]
fn a_file_that_was_cut_anywhere_ends_in_the_same_bytes() {
    let options = options(6000);
    let (_folder, out) = folder();
    let whole = make::<ConnectFour>(&options, &out, 2);
    assert!(whole.len() > 1 << 16, "more than one block: {}", whole.len());
    let header = Reader::<ConnectFour>::open(&out).unwrap().header().made_by.len() + 40;
    let mut random = Random::new(1);
    for round in 0..20 {
        let cut = header + random.below(whole.len() - header);
        let mut bytes = whole.clone();
        if round % 2 == 0 {
            bytes.truncate(cut);
        } else {
            // Damage in the middle costs time, and nothing else.
            bytes[cut] ^= 1;
        }
        fs::write(&out, &bytes).unwrap();
        assert!(make::<ConnectFour>(&options, &out, 2) == whole, "round {round} at {cut}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let options = options(3000);
    let (_folder, whole) = folder();
    let whole = make::<Chess>(&options, &whole, 1);
    let (_folder, out) = folder();
    let mut stops = 0;
    for limit in (300..).step_by(300) {
        let report = run::<Chess>(&options, &out, 2, |positions| positions > limit).unwrap();
        // What was written is there, all of it.
        assert_eq!(records::<Chess>(&out).len() as u64, report.contents.positions);
        stops += 1;
        if report.complete {
            break;
        }
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(fs::read(&out).unwrap(), whole);
    let again = run::<Chess>(&options, &out, 2, |_| false).unwrap();
    assert!(again.complete && again.nodes == 0 && again.before == again.contents);
    assert_eq!(fs::read(&out).unwrap(), whole);
}

#[test]
fn records_say_what_the_engine_thought() {
    let options = DatagenOptions { filter: Filter::default(), ..options(800) };
    let (_folder, out) = folder();
    make::<Chess>(&options, &out, 2);
    let mut games = 0;
    for game in records::<Chess>(&out).chunk_by(|a, b| a.game == b.game) {
        games += 1;
        assert_eq!(game[0].game, games);
        for pair in game.windows(2) {
            let mut next = pair[0].position.clone();
            next.play(pair[0].best_move.unwrap());
            assert_eq!(next, pair[1].position);
            assert_eq!(pair[0].result, pair[1].result.map(games::GameScore::rest));
            assert_eq!(pair[0].ply + 1, pair[1].ply);
        }
        assert!(game.iter().all(|record| record.score.is_some() && record.ply >= 8));
    }
    assert!(games > 3);
}

#[test]
fn what_is_to_be_left_out_is_left_out() {
    let (_folder, out) = folder();
    let options = DatagenOptions { per_game: 7, ..options(400) };
    make::<Chess>(&options, &out, 2);
    let records = records::<Chess>(&out);
    assert!(records.iter().all(|record| options.filter.reason(record).is_none()));
    assert!(records.chunk_by(|a, b| a.game == b.game).all(|game| game.len() <= 7));
}

fn as_written(score: Score) -> i16 {
    match score {
        Score::Centipawns(score) => score as i16,
        Score::Mate(moves) if moves > 0 => (32_000 - moves) as i16,
        Score::Mate(moves) => (-32_000 - moves) as i16,
    }
}

#[test]
fn depths_are_what_a_fresh_engine_says_of_each() {
    let (_folder, out) = folder();
    let filter = Filter::default();
    let options = DatagenOptions { depths: vec![1, 3, 6], per_game: 5, filter, ..options(40) };
    make::<Chess>(&options, &out, 2);
    for record in records::<Chess>(&out) {
        let expected: Vec<_> = [1_u8, 3, 6]
            .into_iter()
            .map(|depth| {
                let limits = Limits { full_window: true, ..Limits::to_depth(depth.into()) };
                let line = GameHistory::new(record.position.clone());
                let answer = engine::<Chess>().go(&line, &limits, &Control::new(), &mut |_| {});
                DepthScore { depth, score: as_written(answer.score) }
            })
            .collect();
        assert_eq!(record.depths, expected, "{}", record.position.to_fen());
    }
}

#[test]
fn positions_from_search_trees_have_their_share() {
    let limits = SearchLimits { nodes: Some(2500), ..SearchLimits::default() };
    let options = DatagenOptions { limits, tree_share: 0.4, per_game: 20, ..options(150) };
    let (_folder, out) = folder();
    let report = run::<Chess>(&options, &out, 1, |_| false).unwrap();
    let (_other_folder, other) = folder();
    assert_eq!(make::<Chess>(&options, &other, 3), fs::read(&out).unwrap());
    let records = records::<Chess>(&out);
    let (games, trees): (Vec<_>, Vec<_>) = records.iter().partition(|r| r.result.is_some());
    assert_eq!(report.contents.from_trees, trees.len() as u64);
    let share = trees.len() as f64 / records.len() as f64;
    assert!((0.25..0.55).contains(&share), "{share}");
    for record in &trees {
        assert!(record.score.is_some() && record.best_move.is_some());
        assert!(record.position.outcome().is_none());
        assert!(
            games.iter().all(|game| game.position != record.position || game.game != record.game)
        );
    }
}

#[test]
fn unbalanced_openings_are_not_played() {
    let first = |most| {
        let (_folder, out) = folder();
        let filter = Filter::default();
        let options = DatagenOptions { max_opening_score: most, filter, ..options(800) };
        make::<Chess>(&options, &out, 2);
        let records = records::<Chess>(&out);
        let games = records.chunk_by(|a, b| a.game == b.game);
        games.map(|game| game[0].score.unwrap().abs()).max().unwrap()
    };
    assert!(first(Some(100)) <= 100);
    assert!(first(None) > 100);
}

#[test]
fn other_files_and_other_options_are_refused() {
    let (_folder, out) = folder();
    let base = options(200);
    let bytes = make::<Chess>(&base, &out, 1);
    let refused = |options: &DatagenOptions| {
        let error = run::<Chess>(options, &out, 1, |_| false).unwrap_err().to_string();
        assert_eq!(fs::read(&out).unwrap(), bytes, "{error}");
        error
    };
    let error = refused(&DatagenOptions { seed: 7, ..base.clone() });
    assert!(error.contains("it has `seed 1`, expected `seed 7`"), "{error}");
    let error = refused(&DatagenOptions { positions: 300, ..base.clone() });
    assert!(error.contains("`positions 200`"), "{error}");
    let error = run::<ConnectFour>(&base, &out, 1, |_| false).unwrap_err().to_string();
    assert!(error.contains("positions of chess"), "{error}");
    for foreign in [&b"my thesis, the only copy"[..], b"\x89accdat\n", &bytes[..30]] {
        fs::write(&out, foreign).unwrap();
        run::<Chess>(&base, &out, 1, |_| false).unwrap_err();
        assert_eq!(fs::read(&out).unwrap(), foreign);
    }
}

#[test]
fn a_file_that_somebody_writes_is_left_alone() {
    let (_folder, out) = folder();
    let base = options(200);
    let mut tried = false;
    let report = run::<Chess>(&base, &out, 1, |_| {
        if !std::mem::replace(&mut tried, true) {
            let error = run::<Chess>(&base, &out, 1, |_| false).unwrap_err();
            assert!(matches!(error, DatagenError::Busy { .. }), "{error}");
        }
        false
    });
    assert!(tried && report.unwrap().complete);
}

#[test]
fn games_that_give_nothing_end_the_run() {
    let (_folder, out) = folder();
    let filter = Filter { min_pieces: Some(1000), ..Filter::default() };
    let options = DatagenOptions { filter, ..options(10) };
    let error = run::<ConnectFour>(&options, &out, 2, |_| false).unwrap_err();
    assert!(matches!(error, DatagenError::Barren { .. }), "{error}");
}
