//! Networks of Stockfish: the evaluation beside Stockfish's own, incremental updates, and hostile files.

use std::sync::OnceLock;

use games::chess::Chess;
use games::{BoardGame, Changes, Color, FeatureSet, Game, SearchGame, Update, sorted_active};
use nnue::{
    Accumulator, Dialect, Network, NetworkError, StockfishFile, StockfishValue, read_stockfish,
    write_stockfish,
};

#[path = "stockfish/engine.rs"]
mod engine;
#[path = "stockfish/naive.rs"]
mod naive;
#[path = "stockfish/synthetic.rs"]
mod synthetic;

use synthetic::Random;

/// Made once: 47 MB take a while.
fn synthetic_bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| synthetic::file(3))
}

fn features() -> Box<dyn FeatureSet<Chess>> {
    Chess::feature_set("chess.halfka-hm").expect("the features of Stockfish's networks")
}

fn pieces(position: &Chess) -> usize {
    let fen = position.to_fen();
    fen.split(' ').next().unwrap_or_default().chars().filter(|c| c.is_alphabetic()).count()
}

/// A game of random moves, captures preferred so that endgames are reached.
fn random_game(random: &mut Random) -> Vec<Chess> {
    let mut position = Chess::start();
    let mut game = vec![position.clone()];
    while position.outcome().is_none() && game.len() < 300 {
        let mut moves = position.legal_moves();
        if random.below(3) == 0 {
            let captures = moves.iter().copied().filter(|&mv| position.capture(mv).is_some());
            let captures: Vec<_> = captures.collect();
            if !captures.is_empty() {
                moves = captures;
            }
        }
        position.play(moves[random.below(moves.len())]);
        game.push(position.clone());
    }
    game
}

/// Positions without check, of all buckets and with both sides to move.
fn random_positions(count: usize, random: &mut Random) -> Vec<Chess> {
    let mut positions = Vec::new();
    let mut in_bucket = [0; 8];
    while positions.len() < count {
        for position in random_game(random) {
            let bucket = (pieces(&position) - 1) / 4;
            let wanted = in_bucket[bucket] < count.div_ceil(8);
            if wanted && !position.is_check() && random.below(4) == 0 {
                in_bucket[bucket] += 1;
                positions.push(position);
            }
        }
    }
    positions
}

fn side(position: &Chess) -> usize {
    usize::from(position.side_to_move() == Color::Black)
}

/// The terms of all buckets by the naive evaluation.
fn naive_terms(file: &StockfishFile, position: &Chess) -> [StockfishValue; 8] {
    let set = features();
    let own = sorted_active(&*set, position, position.side_to_move());
    let theirs = sorted_active(&*set, position, !position.side_to_move());
    naive::terms(file, [&own, &theirs])
}

fn fresh_views(network: &Network, position: &Chess) -> [Accumulator; 2] {
    Color::BOTH.map(|color| {
        let mut view = Accumulator::new(network);
        network.refresh(&mut view, &sorted_active(&*features(), position, color));
        view
    })
}

/// The network gives the naive value, whichever bucket is asked for.
fn check_network(network: &Network, position: &Chess, terms: &[StockfishValue; 8]) {
    let [white, black] = fresh_views(network, position);
    let mut workspace = network.workspace();
    for (bucket, terms) in terms.iter().enumerate() {
        let pieces = 4 * bucket + 1;
        let found = network.evaluate([&white, &black], side(position), pieces, &mut workspace);
        assert_eq!(found, terms.centipawns(), "bucket {bucket} of {}", position.to_fen());
    }
}

/// How the table of `eval` shows a value in Stockfish's unit, but for spaces.
fn cell(value: i32) -> String {
    let sign = ["-", "", "+"][(value.signum() + 1) as usize];
    format!("{sign}{:.2}", f64::from(value.abs()) / 361.0)
}

#[test]
fn equals_stockfish() {
    let Some(engine) = engine::path() else { return };
    let file = StockfishFile::read(&engine::export_network(&engine, "equals")).unwrap();
    let network = file.network();
    assert_eq!(network.dialect(), Dialect::Stockfish);
    let positions = random_positions(800, &mut Random(4));
    let fens: Vec<String> = positions.iter().map(Game::to_fen).collect();
    let printed = engine::evaluate(&engine, &fens);
    assert_eq!(printed.len(), positions.len(), "one evaluation for each position");
    for (position, printed) in positions.iter().zip(&printed) {
        let fen = position.to_fen();
        let terms = naive_terms(&file, position);
        check_network(&network, position, &terms);
        assert_eq!(printed.buckets.len(), 8, "{fen}");
        for (bucket, (terms, printed)) in terms.iter().zip(&printed.buckets).enumerate() {
            // The table shows the parts divided each by itself, and their sum.
            let (psqt, positional) = (terms.psqt / 16, terms.positional / 16);
            let expected = [psqt, positional, psqt + positional].map(cell);
            assert_eq!(*printed, expected, "bucket {bucket} of {fen}");
        }
        assert_eq!(printed.used, (pieces(position) - 1) / 4, "{fen}");
        let value = terms[printed.used].internal();
        let white = if side(position) == 0 { value } else { -value };
        assert_eq!(printed.nnue, format!("{:+.2}", f64::from(white) / 361.0), "{fen}");
    }
    let mut sides = [0; 2];
    for position in &positions {
        sides[side(position)] += 1;
    }
    assert!(sides.iter().all(|&count| count > 200), "{sides:?}");
}

#[test]
fn stockfish_network_comes_back() {
    let Some(engine) = engine::path() else { return };
    let bytes = engine::export_network(&engine, "round-trip");
    check_round_trip(&bytes);
}

#[test]
fn synthetic_network_comes_back() {
    check_round_trip(synthetic_bytes());
}

fn check_round_trip(bytes: &[u8]) {
    let file = StockfishFile::read(bytes).unwrap();
    assert!(write_stockfish(&file, false) == bytes, "plain, byte for byte");
    let compressed = write_stockfish(&file, true);
    assert!(compressed.len() < bytes.len());
    assert!(StockfishFile::read(&compressed).unwrap() == file, "compressed, an equal network");
}

#[test]
fn network_equals_naive_evaluation() {
    let file = StockfishFile::read(synthetic_bytes()).unwrap();
    let network = file.network();
    assert_eq!(network.provenance(), "made for tests");
    let mut values = std::collections::HashSet::new();
    for position in random_positions(64, &mut Random(5)) {
        let terms = naive_terms(&file, &position);
        check_network(&network, &position, &terms);
        values.extend(terms.map(StockfishValue::internal));
    }
    assert!(values.len() > 300, "only {} different values", values.len());
}

#[test]
fn incremental_equals_refreshed() {
    let network = read_stockfish(synthetic_bytes()).unwrap();
    let set = features();
    let mut random = Random(6);
    let mut changes = Changes::default();
    let mut updates = 0;
    for _ in 0..8 {
        let game = random_game(&mut random);
        let mut views = fresh_views(&network, &game[0]);
        for pair in game.windows(2) {
            let fresh = fresh_views(&network, &pair[1]);
            for (color, view) in Color::BOTH.into_iter().zip(&mut views) {
                let parent = view.clone();
                match set.changes(&pair[0], &pair[1], color, &mut changes) {
                    Update::Changes => {
                        network.update(&parent, view, &changes.added, &changes.removed);
                        updates += 1;
                    }
                    Update::Refresh => {
                        network.refresh(view, &sorted_active(&*set, &pair[1], color));
                    }
                }
            }
            assert!(views == fresh, "{}", pair[1].to_fen());
        }
    }
    assert!(updates > 500);
}

/// Where the sections of the plain synthetic file begin and end.
fn section_bounds(length: usize) -> Vec<usize> {
    let mut bounds = vec![0, 4, 8, 12, synthetic::TRANSFORMER, synthetic::TRANSFORMER + 4];
    for size in [1024 * 2, 22528 * 1024 * 2, 22528 * 8 * 4] {
        bounds.push(bounds[bounds.len() - 1] + size);
    }
    for _ in 0..8 {
        for size in [4, 64, 16 * 1024, 128, 32 * 32, 4, 32] {
            bounds.push(bounds[bounds.len() - 1] + size);
        }
    }
    assert_eq!(bounds.last(), Some(&length));
    bounds
}

#[test]
fn refuses_files_of_another_length() {
    let bytes = synthetic_bytes();
    let mut lengths: Vec<usize> = (0..synthetic::TRANSFORMER + 64).collect();
    for bound in section_bounds(bytes.len()) {
        lengths.extend([bound.saturating_sub(1), bound, bound + 1]);
    }
    let mut random = Random(7);
    lengths.extend((0..20).map(|_| random.below(bytes.len())));
    for length in lengths.into_iter().filter(|&length| length < bytes.len()) {
        assert!(StockfishFile::read(&bytes[..length]).is_err(), "{length} bytes");
    }
    let longer = [bytes, &[0]].concat();
    assert!(matches!(StockfishFile::read(&longer), Err(NetworkError::Length { .. })));
}

#[test]
fn refuses_other_architectures() {
    let mut bytes = synthetic_bytes().to_vec();
    let first_stack = bytes.len() - 8 * (4 + 64 + 16 * 1024 + 128 + 32 * 32 + 4 + 32);
    for field in [0, 4, synthetic::TRANSFORMER, first_stack] {
        for place in field..field + 4 {
            for bit in [1, 0x80] {
                bytes[place] ^= bit;
                let error = StockfishFile::read(&bytes).unwrap_err().to_string();
                assert!(error.contains("expected"), "{error}");
                bytes[place] ^= bit;
            }
        }
    }
    // A description of 2 GiB, of which nothing is there.
    bytes[8..12].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    assert!(matches!(StockfishFile::read(&bytes), Err(NetworkError::Length { .. })));
}

#[test]
fn refuses_damaged_compression() {
    let file = StockfishFile::read(synthetic_bytes()).unwrap();
    let compressed = write_stockfish(&file, true);
    let marker = synthetic::TRANSFORMER + 4;
    let size = marker + 17;
    for length in (0..size + 40).chain([compressed.len() / 2, compressed.len() - 1]) {
        assert!(StockfishFile::read(&compressed[..length]).is_err(), "{length} bytes");
    }
    let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = compressed.clone();
        change(&mut bytes);
        StockfishFile::read(&bytes).unwrap_err()
    };
    let true_size = u32::from_le_bytes(compressed[size..size + 4].try_into().unwrap());
    for lie in [0, 1, 1023, true_size - 1, true_size + 1, 0x7FFF_FFFF, u32::MAX] {
        damaged(&|bytes| bytes[size..size + 4].copy_from_slice(&lie.to_le_bytes()));
    }
    damaged(&|bytes| bytes[marker] = b'X');
    damaged(&|bytes| bytes[size + 4..size + 8].fill(0x80));
    damaged(&|bytes| bytes[size + 4..size + 7].copy_from_slice(&[0xFF, 0xFF, 0x3F]));
    // Anything at all in the first kilobyte is answered.
    let mut random = Random(8);
    let mut bytes = compressed[..4096].to_vec();
    for _ in 0..2000 {
        let place = random.below(1024);
        let kept = std::mem::replace(&mut bytes[place], random.next() as u8);
        assert!(StockfishFile::read(&bytes).is_err());
        bytes[place] = kept;
    }
}
