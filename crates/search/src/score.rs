//! Mate scores and evaluations: the range of the scores that the search compares, in normalised
//! centipawns.

use games::{Outcome, SearchGame};

use crate::result::Score;

/// The maximum distance from the root.
pub(crate) const MAX_PLY: usize = 240;
/// Above every score.
pub(crate) const INFINITE: i32 = 32_000;
/// A mate on the spot; a mate in n plies scores n less.
pub(crate) const MATE: i32 = 31_000;
/// The smallest mate score: from here on a score is a forced win.
pub(crate) const MIN_MATE: i32 = MATE - MAX_PLY as i32;
/// The largest score that is not a mate score.
pub(crate) const MAX_EVALUATION: i32 = MIN_MATE - 1;
/// The score of a draw.
pub(crate) const DRAW: i32 = 0;
/// The score of three quarters of a point: the normalised centipawns at which 75 % are expected by
/// the default score model.
const THREE_QUARTERS: i32 = 116;

/// An evaluation clamped below the mate scores.
pub(crate) fn clamp_evaluation(evaluation: i32) -> i32 {
    evaluation.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// The score of the end of the game for the side to move, `ply` plies from the root.
pub(crate) fn of_outcome<G: SearchGame>(position: &G, outcome: Outcome, ply: usize) -> i32 {
    match outcome.score(position.side_to_move()).as_quarters() {
        0 => ply as i32 - MATE,
        1 => -THREE_QUARTERS,
        2 => DRAW,
        3 => THREE_QUARTERS,
        _ => MATE - ply as i32,
    }
}

/// Mate-distance pruning: the window narrowed to the scores that are still possible at a ply. No
/// mate is shorter than the distance to the root.
pub(crate) fn mate_distance_window(alpha: i32, beta: i32, ply: usize) -> (i32, i32) {
    (alpha.max(ply as i32 - MATE), beta.min(MATE - ply as i32))
}

/// A mate score moved by `ply` plies: from the transposition table, which counts from the node, to
/// the search, which counts from the root; and back, with `ply` negative.
#[inline]
pub(crate) fn adjust_mate_score(score: i32, ply: i32) -> i32 {
    match score {
        score if score >= MIN_MATE => score - ply,
        score if score <= -MIN_MATE => score + ply,
        score => score,
    }
}

/// Fail-high blending: a score that fails high is blended with beta. A null-window search only asks
/// whether a score reaches beta; how far above it comes out means less the less deep it is.
#[inline]
pub(crate) fn blend_fail_high(score: i32, beta: i32, depth: i32) -> i32 {
    if score < beta || score >= MIN_MATE || beta <= -MIN_MATE {
        return score;
    }
    (score * depth + beta) / (depth + 1)
}

/// A score as it is reported.
pub(crate) fn to_reported(score: i32) -> Score {
    if score >= MIN_MATE {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -MIN_MATE {
        let plies = MATE + score;
        Score::Mate(-(plies / 2))
    } else {
        Score::Centipawns(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_reported_in_moves_of_the_winner() {
        for (score, expected) in [
            (MATE - 1, Score::Mate(1)),
            (MATE - 2, Score::Mate(1)),
            (MATE - 3, Score::Mate(2)),
            (-MATE, Score::Mate(0)),
            (2 - MATE, Score::Mate(-1)),
            (MAX_EVALUATION, Score::Centipawns(MAX_EVALUATION)),
        ] {
            assert_eq!(to_reported(score), expected, "{score}");
        }
    }

    #[test]
    fn stored_mate_scores_count_from_the_node() {
        for score in [MATE - 9, 9 - MATE, 55, -55] {
            let stored = adjust_mate_score(score, -4);
            assert_eq!(adjust_mate_score(stored, 4), score);
        }
        assert_eq!(adjust_mate_score(MATE - 9, -4), MATE - 5);
    }
}
