//! Chess positions with all 32 men, as many as are needed.

use dataset::Batch;
use games::chess::Chess;
use games::{BoardGame, Color, FeatureSet, Game, Random, SearchGame};

/// Positions from random play without captures and promotions, so that all men stay on the board.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<Chess> {
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = Chess::start();
        for ply in 0..80 {
            let mut moves = position.legal_moves();
            moves.retain(|&mv| position.capture(mv).is_none() && position.promotion_gain(mv) == 0);
            let Some(&mv) = random.pick(&moves) else { break };
            position.play(mv);
            if ply >= 8 && ply % 4 == 0 && positions.len() < count {
                positions.push(position.clone());
            }
        }
    }
    // Neighbours in a batch are not neighbours in a game.
    for place in (1..positions.len()).rev() {
        positions.swap(place, random.below(place + 1));
    }
    positions
}

/// A score that a network can learn: how far each side's men have come.
pub(crate) fn score(position: &Chess) -> f32 {
    let geometry = Chess::geometry();
    let mut white = 0.0;
    for (cell, at) in geometry.cells.iter().enumerate() {
        if let Some(piece) = position.piece_on(cell) {
            white += if piece.is_uppercase() { at.y } else { at.y - 7.0 };
        }
    }
    let own = if position.side_to_move() == Color::White { white } else { -white };
    own * 8.0
}

/// The positions in shards for so many threads.
pub(crate) fn shards(positions: &[Chess], features: &str, threads: usize) -> Vec<Batch> {
    let set = Chess::feature_set(features).expect("a feature set of chess");
    let share = positions.len() / threads;
    positions.chunks_exact(share).map(|part| shard(part, &*set)).collect()
}

fn shard(positions: &[Chess], set: &dyn FeatureSet<Chess>) -> Batch {
    let mut batch = Batch::new(2);
    let mut features = Vec::new();
    for position in positions {
        let side = position.side_to_move();
        for perspective in [side, !side] {
            features.clear();
            set.active(position, perspective, &mut features);
            batch.push_row(features.iter().copied());
        }
        batch.push(position.piece_count(), Some(score(position)), Some(0.5));
    }
    batch
}
