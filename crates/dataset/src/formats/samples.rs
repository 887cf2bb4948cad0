//! Sample records of random games, for the tests of formats.

use games::chess::Chess;
use games::{Color, GameScore, Random, ToolkitGame};

use super::values::turn_points;
use crate::{DepthScore, Record};

/// Calls `visit` with the records of some games of chess, every other one Chess960, in order.
pub(super) fn chess(games: u32, mut visit: impl FnMut(&Record<Chess>)) {
    for game in 1..=games {
        let start = if game % 2 == 0 { game * 37 % 960 } else { 518 };
        let start = Chess::chess960_start(start).expect("below 960");
        walk(&start, game, &mut visit);
    }
}

/// Calls `visit` with the records of some games, with all fields set.
pub(super) fn any<G: ToolkitGame>(games: u32, mut visit: impl FnMut(&Record<G>)) {
    for game in 1..=games {
        walk(&G::start(), game, &mut |record: &Record<G>| {
            let mut record = record.clone();
            let score = record.score.unwrap_or(0);
            record.depths = vec![DepthScore { depth: 4, score: 7 }, DepthScore { depth: 8, score }];
            record.quantiles = Some([-3, -2, 0, 200, 3000]);
            visit(&record);
        });
    }
}

fn walk<G: ToolkitGame>(start: &G, game: u32, visit: &mut impl FnMut(&Record<G>)) {
    let mut random = Random::new(u64::from(game));
    let white = GameScore::quarters(2 * random.below(3) as u8).expect("at most four");
    let mut position = start.clone();
    for ply in 0..80 {
        let Some(&mv) = random.pick(&position.legal_moves()) else { break };
        let mut record = Record::new(position.clone());
        record.ply = ply;
        record.game = game;
        record.score = Some((random.below(60_001) as i32 - 30_000) as i16);
        record.result = Some(turn_points(white, position.side_to_move()));
        record.best_move = Some(mv);
        visit(&record);
        position.play(mv);
        if position.outcome().is_some() && position.side_to_move() == Color::White {
            break;
        }
    }
}
