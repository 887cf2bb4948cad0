//! Tests of the file: round trips, resumption and damage.

use std::fs;

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::{Game, Random};
use tempfile::TempDir;

use super::*;

const IDENTITY: &str = "0123456789abcdef";

/// A cache of results for positions of random games, and these results.
fn filled(path: &Path) -> Vec<(Chess, ReferenceEntry<<Chess as Game>::Move>)> {
    let mut cache = ReferenceCache::<Chess>::open(path, &[]).unwrap();
    let (mut random, mut position, mut all) = (Random::new(4), Chess::start(), Vec::new());
    for ply in 0..40 {
        let moves = position.legal_moves();
        let Some(&mv) = random.pick(&moves) else { break };
        let score = match ply % 3 {
            0 => Score::Mate(ply - 20),
            _ => Score::Centipawns(random.below(4001) as i32 - 2000),
        };
        for entry in [ReferenceEntry::Best(mv), ReferenceEntry::Score(mv, score)] {
            cache.add(IDENTITY, &position, entry).unwrap();
            all.push((position.clone(), entry));
        }
        position.play(mv);
    }
    cache.sync().unwrap();
    all
}

fn refusal(path: &Path) -> String {
    ReferenceCache::<Chess>::open(path, &[]).unwrap_err().to_string()
}

#[test]
fn results_survive_and_identities_are_apart() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    let all = filled(&path);
    let cache = ReferenceCache::<Chess>::open(&path, &[]).unwrap();
    assert_eq!(cache.entries(), all.len());
    for (position, entry) in &all {
        match *entry {
            ReferenceEntry::Best(mv) => {
                assert_eq!(cache.best(IDENTITY, position), Some(mv));
                assert_eq!(cache.best("f123456789abcdef", position), None);
            }
            ReferenceEntry::Score(mv, score) => {
                assert_eq!(cache.score(IDENTITY, position, mv), Some(score));
            }
        }
    }
    let fault = ReferenceCache::<Chess>::open(&path, &[]).unwrap_err();
    assert!(matches!(fault, CacheError::InUse { .. }), "{fault}");
}

/// The number of complete lines.
fn lines(bytes: &[u8]) -> usize {
    bytes.split(|&byte| byte == b'\n').count() - 1
}

/// A kill may cut the file anywhere. What is complete is kept, and writing goes on.
#[test]
fn a_cut_loses_at_most_the_last_line() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    let all = filled(&path);
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(13) {
        fs::write(&path, &whole[..length]).unwrap();
        let complete = lines(&whole[..length]);
        let mut cache = ReferenceCache::<Chess>::open(&path, &[]).unwrap();
        assert_eq!(cache.entries(), complete.saturating_sub(1), "{length}");
        for (position, entry) in &all[cache.entries()..] {
            cache.add(IDENTITY, position, *entry).unwrap();
        }
        drop(cache);
        assert_eq!(fs::read(&path).unwrap(), whole, "{length}");
    }
}

/// Whatever byte of a complete line changes, the file is refused by that line.
#[test]
fn every_changed_byte_is_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    filled(&path);
    let whole = fs::read(&path).unwrap();
    let mut random = Random::new(9);
    for _ in 0..300 {
        let place = random.below(whole.len() - 1);
        if whole[place] == b'\n' {
            continue;
        }
        let line = 1 + lines(&whole[..place]);
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << random.below(7);
        fs::write(&path, &damaged).unwrap();
        let fault = refusal(&path);
        assert!(fault.contains(&format!("cache, line {line}: ")), "{place}: {fault}");
    }
}

#[test]
fn lines_with_a_right_checksum_are_checked_too() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    let fen = Chess::start().to_fen();
    for (line, fault) in [
        (format!("{IDENTITY} best e2e5 {fen}"), "e2e5"),
        (format!("{IDENTITY} worst e2e4 {fen}"), "`worst` is unknown"),
        (format!("{IDENTITY} score e2e4 cp 1e3 {fen}"), "`1e3` is no score"),
        (format!("{IDENTITY} score e2e4 pawns 1 {fen}"), "`pawns` is no unit"),
        (format!("{IDENTITY} score e2e4 cp 12"), "it ends before the position"),
        (format!("{IDENTITY} best e2e4 8/8 w - - 0 1"), "8/8"),
        (format!("0123 best e2e4 {fen}"), "16 hexadecimal digits"),
        (format!("{IDENTITY} best d2d4 {fen}"), "repeats"),
        (String::new(), "it ends before"),
    ] {
        let good = format!("{IDENTITY} best e2e4 {fen}");
        let lines = [header("chess", &[]), good, line].map(|line| with_checksum(&line));
        fs::write(&path, lines.concat()).unwrap();
        let found = refusal(&path);
        assert!(found.contains("cache, line 3: ") && found.contains(fault), "{found}");
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    for content in ["rnbqkbnr/8 w", "a\nb\n", &"x".repeat(20_000)] {
        fs::write(&path, content).unwrap();
        let fault = refusal(&path);
        assert!(fault.contains("line 1"), "{fault}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    fs::remove_file(&path).unwrap();
    drop(ReferenceCache::<ConnectFour>::open(&path, &[]).unwrap());
    let fault = refusal(&path);
    assert!(fault.contains("connect_four") && fault.contains("expected"), "{fault}");
}
