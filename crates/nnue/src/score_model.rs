//! Win-rate model: maps a network's scores to centipawns and to win, draw and loss.
//!
//! The unit of a network is its own: the meaning of 100 depends on the training targets. The model
//! is fitted on games of the network and makes its scores comparable with those of other engines.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::math::exp_f64;
use crate::{NetworkError, ScoreUnit};

/// The number of coefficients of a polynomial.
const COEFFICIENTS: usize = 4;
/// The largest number of pieces that a model can be fitted for.
const MAX_PIECES: u16 = 4096;
/// The divisor of the number of pieces before it enters a polynomial.
const PIECE_UNIT: f64 = 32.0;
/// The smallest and the largest scale of the logistic function.
const SCALES: RangeInclusive<f64> = 0.01..=1e6;
/// The smallest and the largest midpoint.
const MIDPOINTS: RangeInclusive<f64> = 0.0..=1e6;
/// ln 3: where a logistic function reaches three quarters, in units of its scale.
const THREE_QUARTERS: f64 = 1.098_612_288_668_109_8;

/// The meaning of a network's score: centipawns to display, and the probabilities of a win, a draw
/// and a loss.
///
/// The win probability at score `s` is `1 / (1 + exp((a - s) / b))`, and the loss probability is
/// the same function of `-s`. The midpoint `a` and the scale `b` are polynomials of `pieces / 32`,
/// the number of pieces on the board. The number of pieces is clamped to the fitted range.
///
/// 100 centipawns are the score at which half of the games are won. If a game has so few draws that
/// this is not meaningful (in a game without draws it is 0), they are the score at which three
/// quarters would be won without any draw: `max(a, b · ln 3)`.
///
/// ```
/// use nnue::ScoreModel;
///
/// let model = ScoreModel::constant(154.0, 116.0);
/// assert_eq!(model.centipawns(154, 32), 100);
/// assert_eq!(model.wdl(154, 32), [500, 434, 66]);
/// assert_eq!(model.wdl(-154, 32), [66, 434, 500]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreModel {
    midpoint: [f64; COEFFICIENTS],
    scale: [f64; COEFFICIENTS],
    min_pieces: u16,
    max_pieces: u16,
    games: u64,
    positions: u64,
}

impl ScoreModel {
    /// The highest degree of the polynomials.
    pub const MAX_DEGREE: usize = COEFFICIENTS - 1;

    /// The model of networks that have none, fitted to 326 games of the network `chess-linear`
    /// against itself at 1+0.01.
    pub const DEFAULT: Self = Self::constant(154.0, 116.0);

    /// The model of scores that are normalised centipawns, with the proportions of the default.
    pub const NORMALISED: Self = Self::constant(100.0, 75.0);

    /// A model that does not depend on the number of pieces and is not fitted on games: a default
    /// for networks without a model.
    ///
    /// # Panics
    ///
    /// If `midpoint` is not between 0 and 1 000 000 or `scale` not between 0.01 and 1 000 000. In a
    /// constant, this is a compile-time error.
    pub const fn constant(midpoint: f64, scale: f64) -> Self {
        assert!(midpoint >= *MIDPOINTS.start() && midpoint <= *MIDPOINTS.end());
        assert!(scale >= *SCALES.start() && scale <= *SCALES.end());
        Self {
            midpoint: [midpoint, 0.0, 0.0, 0.0],
            scale: [scale, 0.0, 0.0, 0.0],
            min_pieces: 0,
            max_pieces: 0,
            games: 0,
            positions: 0,
        }
    }

    /// A fitted model.
    ///
    /// `midpoint` and `scale` are the coefficients of polynomials of `pieces / 32`, constant term
    /// first, one to four of them. `pieces` is the range of the numbers of pieces that it was
    /// fitted for; `games` and `positions` are the sizes of the sample.
    ///
    /// Both polynomials are checked at every number of pieces: the midpoint must be from 0 to 1 000
    /// 000, the scale from 0.01 to 1 000 000.
    pub fn new(
        midpoint: &[f64],
        scale: &[f64],
        pieces: RangeInclusive<u16>,
        games: u64,
        positions: u64,
    ) -> Result<Self, NetworkError> {
        let (min_pieces, max_pieces) = (*pieces.start(), *pieces.end());
        if min_pieces > max_pieces || max_pieces > MAX_PIECES {
            let expected = format!("a minimum and a maximum up to {MAX_PIECES}");
            let found = format!("{min_pieces} to {max_pieces}");
            return Err(NetworkError::field("score model pieces", found, expected));
        }
        let model = Self {
            midpoint: coefficients("score model midpoint", midpoint)?,
            scale: coefficients("score model scale", scale)?,
            min_pieces,
            max_pieces,
            games,
            positions,
        };
        for pieces in pieces {
            let pieces = usize::from(pieces);
            let check = |field, value: f64, range: RangeInclusive<f64>| {
                if range.contains(&value) {
                    return Ok(());
                }
                let found = format!("{value} with {pieces} pieces");
                let expected = format!("{} to {}", range.start(), range.end());
                Err(NetworkError::field(field, found, expected))
            };
            check("score model midpoint", model.midpoint(pieces), MIDPOINTS)?;
            check("score model scale", model.scale(pieces), SCALES)?;
        }
        Ok(model)
    }

    /// The score at which half of the games are won, with this number of pieces on the board.
    pub fn midpoint(&self, pieces: usize) -> f64 {
        self.at(&self.midpoint, pieces)
    }

    /// The increase of the score that multiplies the odds of a win by e.
    pub fn scale(&self, pieces: usize) -> f64 {
        self.at(&self.scale, pieces)
    }

    /// The coefficients of midpoint and scale, the constant term first.
    pub fn coefficients(&self) -> [&[f64]; 2] {
        [trimmed(&self.midpoint), trimmed(&self.scale)]
    }

    /// The range of the numbers of pieces that it was fitted for.
    pub fn pieces(&self) -> RangeInclusive<u16> {
        self.min_pieces..=self.max_pieces
    }

    /// The number of games that it was fitted on; 0 for a constant model.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of positions that it was fitted on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The centipawns to display for a score: 100 at the score where half of the games are won.
    pub fn centipawns(&self, score: i32, pieces: usize) -> i32 {
        round(f64::from(score) * 100.0 / self.hundred(pieces)) as i32
    }

    /// The score that is displayed as 100 centipawns.
    fn hundred(&self, pieces: usize) -> f64 {
        self.midpoint(pieces).max(self.scale(pieces) * THREE_QUARTERS)
    }

    /// The unit in which a search with this network compares scores: normalised centipawns by one
    /// factor for all positions.
    ///
    /// 100 of them are the mean, over the fitted numbers of pieces, of the scores that are
    /// displayed as 100 centipawns. The mean needs no number of pieces that is typical of a game,
    /// and no end of the range, where few positions are fitted on, decides alone.
    pub fn search_unit(&self) -> ScoreUnit {
        let pieces = usize::from(self.min_pieces)..=usize::from(self.max_pieces);
        let count = pieces.clone().count();
        ScoreUnit::new(pieces.map(|pieces| self.hundred(pieces)).sum::<f64>() / count as f64)
    }

    /// The network's own score, which this model describes, of a score of a search.
    pub fn raw_of_search(&self, score: i32) -> i32 {
        self.search_unit().raw(score)
    }

    /// The probabilities of a win and a loss at a score.
    pub fn win_and_loss(&self, score: i32, pieces: usize) -> [f64; 2] {
        let (midpoint, scale) = (self.midpoint(pieces), self.scale(pieces));
        let logistic = |score: f64| {
            let exponent = ((midpoint - score) / scale).clamp(-700.0, 700.0);
            1.0 / (1.0 + exp_f64(exponent))
        };
        [logistic(f64::from(score)), logistic(-f64::from(score))]
    }

    /// Wins, draws and losses per thousand games at a score, from the perspective of that score.
    pub fn wdl(&self, score: i32, pieces: usize) -> [u16; 3] {
        let [win, loss] = self.win_and_loss(score, pieces).map(|chance| round(chance * 1000.0));
        // Both may be rounded up; the less likely outcome is then reduced.
        let (win, loss) = (win as u16, loss as u16);
        let (win, loss) =
            if win >= loss { (win, loss.min(1000 - win)) } else { (win.min(1000 - loss), loss) };
        [win, 1000 - win - loss, loss]
    }

    /// Writes the model as text for the network file.
    pub(crate) fn print(&self) -> String {
        let join =
            |numbers: &[f64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let [midpoint, scale] = self.coefficients().map(join);
        let Self { games, positions, min_pieces, max_pieces, .. } = self;
        format!(
            "games {games}\npositions {positions}\npieces {min_pieces} {max_pieces}\n\
             midpoint {midpoint}\nscale {scale}\n"
        )
    }

    /// Parses the output of [`print`](Self::print).
    pub(crate) fn parse(text: &str) -> Result<Self, NetworkError> {
        let mut lines = text.lines();
        let mut keyed = |key: &str| {
            let line = lines.next().unwrap_or_default();
            line.strip_prefix(key).ok_or_else(|| {
                let expected = format!("a line that begins with {key}");
                NetworkError::field("score model", line, expected)
            })
        };
        let [games, positions] = [numbers(keyed("games ")?, 1)?, numbers(keyed("positions ")?, 1)?];
        let pieces: Vec<u16> = numbers(keyed("pieces ")?, 2)?;
        let midpoint: Vec<f64> = numbers(keyed("midpoint ")?, 0)?;
        let scale: Vec<f64> = numbers(keyed("scale ")?, 0)?;
        if let Some(more) = lines.next() {
            return Err(NetworkError::field("score model", more, "the end of the text"));
        }
        Self::new(&midpoint, &scale, pieces[0]..=pieces[1], games[0], positions[0])
    }

    fn at(&self, coefficients: &[f64; COEFFICIENTS], pieces: usize) -> f64 {
        let pieces = pieces.clamp(self.min_pieces.into(), self.max_pieces.into());
        let x = pieces as f64 / PIECE_UNIT;
        coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    }
}

/// Adds half away from zero, so that a saturating cast to an integer rounds to nearest.
fn round(x: f64) -> f64 {
    x + if x < 0.0 { -0.5 } else { 0.5 }
}

/// The coefficients without trailing zeros.
fn trimmed(coefficients: &[f64]) -> &[f64] {
    let last = coefficients.iter().rposition(|&coefficient| coefficient != 0.0);
    &coefficients[..=last.unwrap_or(0)]
}

/// Parses `count` numbers separated by spaces. A `count` of 0 accepts any number of them, up to one
/// more than the coefficients.
fn numbers<T: core::str::FromStr>(text: &str, count: usize) -> Result<Vec<T>, NetworkError> {
    let words = text.split(' ').take(COEFFICIENTS + 1);
    let number =
        |word: &str| word.parse().map_err(|_| NetworkError::field("score model", word, "a number"));
    let numbers = words.map(number).collect::<Result<Vec<T>, _>>()?;
    if count > 0 && numbers.len() != count {
        let expected = format!("{count} numbers");
        return Err(NetworkError::field("score model", text, expected));
    }
    Ok(numbers)
}

fn coefficients(field: &'static str, list: &[f64]) -> Result<[f64; COEFFICIENTS], NetworkError> {
    let mut coefficients = [0.0; COEFFICIENTS];
    if list.is_empty() || list.len() > COEFFICIENTS || !list.iter().all(|x| x.is_finite()) {
        let found: Vec<_> = list.iter().take(COEFFICIENTS + 1).collect();
        let expected = format!("one to {COEFFICIENTS} finite coefficients");
        return Err(NetworkError::field(field, format!("{found:?}"), expected));
    }
    coefficients[..list.len()].copy_from_slice(list);
    Ok(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn models() -> [ScoreModel; 4] {
        [
            ScoreModel::constant(154.0, 116.0),
            ScoreModel::constant(0.0, 0.01),
            ScoreModel::constant(1e6, 1e6),
            ScoreModel::new(&[120.0, 300.0, -90.0], &[80.0, 40.0], 3..=32, 500, 40_000).unwrap(),
        ]
    }

    #[test]
    fn probabilities_sum_up_mirror_and_rise_with_the_score() {
        let scores = (-3000..=3000).map(|score| score * 7).chain([i32::MAX]);
        for model in models() {
            for pieces in [0, 2, 3, 17, 32, 33, usize::MAX] {
                let (mut wins, mut losses, mut shown) = (0, 1000, i32::MIN);
                for score in [i32::MIN, -i32::MAX].into_iter().chain(scores.clone()) {
                    let [win, draw, loss] = model.wdl(score, pieces);
                    assert_eq!(win + draw + loss, 1000, "{score}");
                    if let Some(mirrored) = score.checked_neg() {
                        assert_eq!(model.wdl(mirrored, pieces), [loss, draw, win], "{score}");
                        let sum = i64::from(model.centipawns(score, pieces))
                            + i64::from(model.centipawns(mirrored, pieces));
                        assert!(matches!(sum, 0 | -1), "{score}: saturated or mirrored");
                    }
                    assert!(win >= wins && loss <= losses, "{score} of {model:?}");
                    assert!(model.centipawns(score, pieces) >= shown, "{score} of {model:?}");
                    (wins, losses, shown) = (win, loss, model.centipawns(score, pieces));
                }
            }
        }
    }

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        let model = &models()[3];
        for pieces in 3..=32 {
            let even = model.midpoint(pieces) as i32;
            assert!((497..=500).contains(&model.wdl(even, pieces)[0]), "{pieces}");
            assert!((99..=100).contains(&model.centipawns(even, pieces)), "{pieces}");
        }
        // Without draws half of the games are won at 0; 100 centipawns are then a score of three
        // quarters.
        assert_eq!(models()[1].centipawns(i32::MAX, 0), i32::MAX);
        let drawless = ScoreModel::constant(0.0, 100.0);
        assert_eq!(drawless.wdl(0, 0), [500, 0, 500]);
        assert_eq!(drawless.wdl(110, 0), [750, 0, 250]);
        assert_eq!(drawless.centipawns(110, 0), 100);
    }

    #[test]
    fn numbers_of_pieces_outside_the_fit_count_as_the_nearest() {
        let model = &models()[3];
        assert_eq!(model.wdl(90, 0), model.wdl(90, 3));
        assert_eq!(model.wdl(90, 64), model.wdl(90, 32));
        assert_ne!(model.wdl(90, 3), model.wdl(90, 32));
    }

    #[test]
    fn text_gives_it_back() {
        for model in models() {
            assert_eq!(ScoreModel::parse(&model.print()).unwrap(), model);
        }
        let text = models()[3].print();
        assert_eq!(
            text,
            "games 500\npositions 40000\npieces 3 32\nmidpoint 120 300 -90\nscale 80 40\n"
        );
        for (old, new, word) in [
            ("games 500\n", "", "begins with games"),
            ("games 500", "games 5e2", "5e2; expected a number"),
            ("games 500", "games 500 1", "1 numbers"),
            ("pieces 3 32", "pieces 3", "2 numbers"),
            ("pieces 3 32", "pieces 32 3", "32 to 3"),
            ("pieces 3 32", "pieces 3 65535", "4096"),
            ("midpoint 120", "midpoint -120", "midpoint is"),
            ("midpoint 120", "midpoint NaN", "finite"),
            ("midpoint 120", "midpoint inf", "finite"),
            ("midpoint 120 300 -90", "midpoint 1 2 3 4 5", "one to 4"),
            ("scale 80 40", "scale ", "a number"),
            ("scale 80 40", "scale 0", "scale is 0"),
            ("scale 80 40\n", "scale 80 40\nscale 80\n", "end of the text"),
        ] {
            assert!(text.contains(old), "{old}");
            let error = ScoreModel::parse(&text.replace(old, new)).unwrap_err().to_string();
            assert!(error.contains(word), "{new:?}: {error}");
        }
    }

    #[test]
    fn models_that_make_no_sense_are_refused_by_name() {
        let refused = |midpoint: &[f64], scale: &[f64], pieces| {
            ScoreModel::new(midpoint, scale, pieces, 1, 1).unwrap_err().to_string()
        };
        assert!(refused(&[], &[1.0], 2..=32).contains("midpoint is []"));
        assert!(refused(&[1.0], &[1.0; 5], 2..=32).contains("one to 4"));
        assert!(refused(&[f64::NAN], &[1.0], 2..=32).contains("finite"));
        assert!(refused(&[-1.0], &[1.0], 2..=32).contains("-1 with 2 pieces"));
        assert!(refused(&[100.0], &[100.0, -150.0], 2..=32).contains("scale"));
        assert!(refused(&[100.0], &[0.0], 2..=32).contains("expected 0.01 to 1000000"));
        assert!(refused(&[100.0], &[100.0], RangeInclusive::new(9, 3)).contains("9 to 3"));
        assert!(refused(&[100.0], &[100.0], 2..=u16::MAX).contains("4096"));
    }
}
