//! From centipawns to the chances of winning, drawing and losing.

use search::Score;

/// The score at which half of the games are won. Scores are shown so that this is 100 centipawns.
///
/// Both numbers are what `accrue data info` fits to 326 games at 1+0.01 of `chess-linear` against itself.
const HALF_WON: f64 = 154.0;
/// How fast the chance grows around it. See [`HALF_WON`].
const SLOPE: f64 = 116.0;

/// The centipawns that a user is shown: 100 where half of the games are won.
pub(super) fn shown(centipawns: i32) -> i32 {
    (f64::from(centipawns) * 100.0 / HALF_WON).round() as i32
}

/// Wins, draws and losses to be expected of a thousand games, for the side to move.
pub(super) fn of_score(score: Score) -> [u32; 3] {
    match score {
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Centipawns(centipawns) => {
            let (win, loss) = (won(f64::from(centipawns)), won(-f64::from(centipawns)));
            [win, 1000 - win - loss, loss]
        }
    }
}

/// Of a thousand games with this score, how many are won.
fn won(score: f64) -> u32 {
    (1000.0 / (1.0 + ((HALF_WON - score) / SLOPE).exp())).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        let even = HALF_WON as i32;
        let [win, _, loss] = of_score(Score::Centipawns(even));
        assert!(win == 500 && loss < 100, "{win} {loss}");
        assert_eq!(shown(even), 100);
    }

    #[test]
    fn chances_add_up_and_mirror() {
        let mut before = 0;
        for score in -40_000..=40_000 {
            let [win, draw, loss] = of_score(Score::Centipawns(score));
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(of_score(Score::Centipawns(-score)), [loss, draw, win], "{score}");
            assert!(win >= before, "{score}");
            before = win;
        }
        assert_eq!(before, 1000);
    }

    #[test]
    fn mates_are_certain() {
        assert_eq!(of_score(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(of_score(Score::Mate(-3)), [0, 0, 1000]);
        assert_eq!(of_score(Score::Mate(0)), [0, 0, 1000]);
    }
}
