//! Records along random games.

use dataset::{DepthScore, Record};
use games::{GameHistory, GameScore, Random, ToolkitGame};

/// Plays random games, numbered from 0, until there are so many records.
pub(crate) fn records<G: ToolkitGame>(seed: u64, count: usize) -> Vec<Record<G>> {
    let mut random = Random::new(seed);
    let mut records = Vec::with_capacity(count);
    for game in 0.. {
        let mut line = GameHistory::new(G::start());
        while line.outcome().is_none() && line.plies() < 300 {
            if records.len() == count {
                return records;
            }
            records.push(record(line.position(), line.plies() as u16, game, &mut random));
            let moves = line.position().legal_moves();
            line.play(*random.pick(&moves).expect("the game is not over"));
        }
    }
    records
}

/// A position with random facts, each of them missing at times.
fn record<G: ToolkitGame>(position: &G, ply: u16, game: u32, random: &mut Random) -> Record<G> {
    let score = random.below(4000) as i16 - 2000;
    let mut record = Record { ply, game, ..Record::new(position.clone()) };
    record.score = (random.below(8) > 0).then_some(score);
    record.result = GameScore::quarters(random.below(6) as u8);
    if random.below(8) > 0 {
        record.best_move = random.pick(&position.legal_moves()).copied();
    }
    if random.below(4) == 0 {
        let pairs = (1..=random.below(8) as u8).map(|depth| DepthScore {
            depth: 2 * depth,
            score: score.wrapping_add(random.below(200) as i16),
        });
        record.depths = pairs.collect();
    }
    if random.below(4) == 0 {
        record.quantiles = Some([-200, -30, 0, 25, 210].map(|step| score + step));
    }
    record
}
