//! Game records: the training records of one game.

use dataset::{DepthScore, MATE_SCORE, Record};
use games::{GameScore, Random, ToolkitGame};
use search::Score;

use super::DatagenOptions;
use crate::play::Played;

/// The score of mate on the board, as in other sources of records; each move to mate subtracts 1.
const MATE_NOW: i32 = MATE_SCORE as i32 + 2000;

/// A score as records store it.
pub(super) fn as_written(score: Score) -> i16 {
    let max = i32::from(MATE_SCORE) - 1;
    let score = match score {
        Score::Centipawns(score) => score.clamp(-max, max),
        Score::Mate(moves) => {
            let score = MATE_NOW - moves.saturating_abs().min(2000);
            if moves > 0 { score } else { -score }
        }
    };
    score as i16
}

/// The scores of the requested depths.
pub(super) fn depth_scores(wanted: &[u8], found: &[(usize, Score)]) -> Vec<DepthScore> {
    let score_at = |depth: u8| {
        // The last report of a depth is final.
        let at = found.iter().rev().find(|(at, _)| *at == usize::from(depth));
        at.map(|&(_, score)| DepthScore { depth, score: as_written(score) })
    };
    wanted.iter().copied().filter_map(score_at).collect()
}

/// The positions in which the engine moved and which pass the filter, in order.
pub(super) fn of_game<G: ToolkitGame>(
    played: &Played<G>,
    game: u64,
    options: &DatagenOptions,
    random: &mut Random,
) -> Vec<Record<G>> {
    let opening = played.record.opening();
    let mut position = opening.line().position().clone();
    let mut records = Vec::new();
    for (played_move, ply) in played.record.played_moves().iter().zip(opening.moves.len()..) {
        let mut after = position.clone();
        after.play(played_move.mv);
        let result: GameScore = played.outcome.score(position.side_to_move());
        let record = Record {
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            game: number(game),
            score: played_move.score.map(as_written),
            result: Some(result),
            best_move: Some(played_move.mv),
            ..Record::new(position)
        };
        position = after;
        if options.filter.reason(&record).is_none() {
            records.push(record);
        }
    }
    thin_out(&mut records, options.per_game, random);
    records
}

/// The number of a game in the file, where 0 would mean unknown.
pub(super) fn number(game: u64) -> u32 {
    u32::try_from(game + 1).unwrap_or(u32::MAX)
}

/// Keeps `max` items, chosen at random, in order; all if `max` is 0.
fn thin_out<T>(items: &mut Vec<T>, max: usize, random: &mut Random) {
    if max == 0 || items.len() <= max {
        return;
    }
    let (mut left, mut wanted) = (items.len(), max);
    items.retain(|_| {
        // Every remaining item is equally likely to be kept.
        let keep = random.below(left) < wanted;
        left -= 1;
        wanted -= usize::from(keep);
        keep
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_beyond_all_scores_and_keep_their_order() {
        assert_eq!(as_written(Score::Centipawns(-37)), -37);
        assert_eq!(as_written(Score::Centipawns(30_500)), 29_999);
        assert_eq!(as_written(Score::Centipawns(-30_500)), -29_999);
        assert_eq!(as_written(Score::Mate(3)), 31_997);
        assert_eq!(as_written(Score::Mate(-3)), -31_997);
        assert_eq!(as_written(Score::Mate(0)), -32_000);
        assert_eq!(as_written(Score::Mate(i32::MIN)), -30_000);
    }

    #[test]
    fn thinning_out_keeps_the_number_the_order_and_every_item_as_often() {
        let mut random = Random::new(1);
        let mut kept = [0_u32; 10];
        for _ in 0..2000 {
            let mut items: Vec<usize> = (0..10).collect();
            thin_out(&mut items, 3, &mut random);
            assert_eq!(items.len(), 3);
            assert!(items.is_sorted_by(|a, b| a < b));
            for item in items {
                kept[item] += 1;
            }
        }
        // 600 each are expected, with a deviation of about 20.
        assert!(kept.iter().all(|&count| (500..700).contains(&count)), "{kept:?}");
    }
}
