//! By how much the quantiles of a network are corrected, for what a search is about to do with them.
//!
//! A network is trained on searches of some depth; how far it is from the truth depends on how much farther a
//! search will look, on how many pieces are left, and on how far from even it is. The corrections are measured on positions that the network
//! was not trained on and are stored in its file.

mod policy;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::{NetworkError, QUANTILE_LEVELS};

pub use policy::PolicyCorrection;

/// How many quantiles there are.
const LEVELS: usize = QUANTILE_LEVELS.len();
/// Which of them is the median.
const MEDIAN: usize = LEVELS / 2;
/// The most limits between ranges of depth, of the number of pieces, and of values.
const MOST_LIMITS: usize = 16;
/// No correction is larger, in centipawns or as a factor.
const MOST_CORRECTION: f32 = 30_000.0;

/// What is done to the quantiles in one range of depths, pieces and values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// What the distance of each quantile to the median is multiplied by.
    pub stretch: f32,
    /// What is then added to each quantile, in centipawns.
    pub shifts: [f32; LEVELS],
}

impl Correction {
    /// Changes nothing.
    pub const NONE: Self = Self { stretch: 1.0, shifts: [0.0; LEVELS] };

    /// The corrected quantiles, ascending.
    pub fn apply(&self, quantiles: [i32; LEVELS]) -> [i32; LEVELS] {
        let median = quantiles[MEDIAN] as f32;
        let mut corrected = [0; LEVELS];
        let mut least = i32::MIN;
        for (level, value) in corrected.iter_mut().enumerate() {
            let distance = quantiles[level] as f32 - median;
            let exact = median + self.stretch * distance + self.shifts[level];
            // Half away from zero, as `round` does; it is not there without the standard library.
            let rounded = (exact + if exact < 0.0 { -0.5 } else { 0.5 }) as i32;
            least = least.max(rounded);
            *value = least;
        }
        corrected
    }

    fn is_sound(&self) -> bool {
        is_sound(self.stretch, &self.shifts)
    }
}

/// Whether a stretch and the shifts behind it are what a correction may be.
fn is_sound(stretch: f32, shifts: &[f32]) -> bool {
    let small = |value: f32| value.is_finite() && value.abs() <= MOST_CORRECTION;
    small(stretch) && stretch >= 0.0 && shifts.iter().all(|&shift| small(shift))
}

/// Where the ranges end within which one correction holds: the last value of each but the last, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalibrationRanges {
    /// Plies that a search is still to look.
    pub depths: Vec<u16>,
    /// Pieces on the board.
    pub pieces: Vec<u16>,
    /// How far the median is from 0, in centipawns.
    pub values: Vec<u16>,
}

impl CalibrationRanges {
    /// How many ranges there are together.
    fn cells(&self) -> usize {
        (self.depths.len() + 1) * (self.pieces.len() + 1) * (self.values.len() + 1)
    }

    /// Where the correction of a position is among all.
    fn cell(&self, depth: usize, pieces: usize, median: i32) -> usize {
        let range = |limits: &[u16], value: usize| {
            limits.iter().take_while(|&&last| usize::from(last) < value).count()
        };
        let row = range(&self.depths, depth) * (self.pieces.len() + 1);
        let row = (row + range(&self.pieces, pieces)) * (self.values.len() + 1);
        row + range(&self.values, median.unsigned_abs() as usize)
    }

    fn check(&self) -> Result<(), NetworkError> {
        for (field, limits) in [
            ("calibration depths", &self.depths),
            ("calibration pieces", &self.pieces),
            ("calibration values", &self.values),
        ] {
            if limits.len() > MOST_LIMITS || !limits.is_sorted_by(|a, b| a < b) {
                let expected = format!("at most {MOST_LIMITS} numbers, ascending");
                return Err(NetworkError::field(field, format!("{limits:?}"), expected));
            }
        }
        Ok(())
    }
}

/// Corrections by depth, number of pieces and value.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    positions: u64,
    ranges: CalibrationRanges,
    corrections: Vec<Correction>,
    policy: Option<PolicyCorrection>,
}

impl Calibration {
    /// Corrections that were measured on so many positions.
    ///
    /// `corrections` has one for each range of depths, within it each range of pieces, and within it each range of values.
    pub fn new(
        positions: u64,
        ranges: CalibrationRanges,
        corrections: Vec<Correction>,
    ) -> Result<Self, NetworkError> {
        ranges.check()?;
        let cells = ranges.cells();
        if corrections.len() != cells {
            return Err(NetworkError::field(
                "calibration rows",
                corrections.len(),
                cells.to_string(),
            ));
        }
        if let Some(bad) = corrections.iter().find(|correction| !correction.is_sound()) {
            let expected = format!("finite numbers up to {MOST_CORRECTION}, no negative stretch");
            return Err(NetworkError::field("calibration", format!("{bad:?}"), expected));
        }
        Ok(Self { positions, ranges, corrections, policy: None })
    }

    /// The same with a correction of the policy.
    pub fn with_policy(self, policy: Option<PolicyCorrection>) -> Result<Self, NetworkError> {
        policy.as_ref().map_or(Ok(()), PolicyCorrection::check)?;
        Ok(Self { policy, ..self })
    }

    /// What to do with what the policy says.
    pub fn policy(&self) -> Option<&PolicyCorrection> {
        self.policy.as_ref()
    }

    /// On how many positions it was measured.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Within which ranges.
    pub fn ranges(&self) -> &CalibrationRanges {
        &self.ranges
    }

    /// What to do with the quantiles of a position with so many pieces and this median when a search is to look `depth` plies on.
    pub fn correction(&self, depth: usize, pieces: usize, median: i32) -> &Correction {
        &self.corrections[self.ranges.cell(depth, pieces, median)]
    }

    /// As text, for the file.
    pub(crate) fn print(&self) -> String {
        let join =
            |limits: &[u16]| limits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let CalibrationRanges { depths, pieces, values } = &self.ranges;
        let (depths, pieces) = (join(depths), join(pieces));
        let mut text = format!("positions {}\ndepths {depths}\npieces {pieces}\n", self.positions);
        // Writing to a string cannot fail. Files of before there were ranges of values have no such line, nor has a network
        // without corrections of its policy the next.
        if !values.is_empty() {
            let _ = writeln!(text, "values {}", join(values));
        }
        if let Some(policy) = &self.policy {
            let _ = writeln!(text, "policy {}", policy.print());
        }
        for Correction { stretch, shifts } in &self.corrections {
            let shifts: Vec<_> = shifts.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{stretch} {}", shifts.join(" "));
        }
        text
    }

    /// Reads what [`print`](Self::print) wrote.
    pub(crate) fn parse(text: &str) -> Result<Self, NetworkError> {
        let mut lines = text.lines().peekable();
        let mut keyed = |key: &str| {
            let line = lines.next().unwrap_or_default();
            let rest = line.strip_prefix(key).ok_or_else(|| {
                NetworkError::field("calibration", line, format!("a line that begins with {key}"))
            })?;
            Ok::<_, NetworkError>(rest.trim())
        };
        let positions = number(keyed("positions")?)?;
        let limits = |text: &str| {
            text.split_whitespace().take(MOST_LIMITS + 1).map(number).collect::<Result<Vec<_>, _>>()
        };
        let depths: Vec<u16> = limits(keyed("depths")?)?;
        let pieces: Vec<u16> = limits(keyed("pieces")?)?;
        let values = match lines.next_if(|line| line.starts_with("values")) {
            Some(line) => limits(&line["values".len()..])?,
            None => Vec::new(),
        };
        let policy = match lines.next_if(|line| line.starts_with("policy")) {
            Some(line) => Some(PolicyCorrection::parse(&line["policy".len()..])?),
            None => None,
        };
        let ranges = CalibrationRanges { depths, pieces, values };
        ranges.check()?;
        // One more than there may be is enough to refuse them.
        let most = ranges.cells() + 1;
        let corrections = lines.take(most).map(row).collect::<Result<Vec<_>, _>>()?;
        Self::new(positions, ranges, corrections)?.with_policy(policy)
    }
}

fn number<T: core::str::FromStr>(text: &str) -> Result<T, NetworkError> {
    text.parse().map_err(|_| NetworkError::field("calibration", text, "a number"))
}

/// A stretch and the shifts behind it.
fn row(line: &str) -> Result<Correction, NetworkError> {
    let mut numbers = line.split_whitespace();
    let mut next = || number(numbers.next().unwrap_or_default());
    let stretch = next()?;
    let mut shifts = [0.0; LEVELS];
    for shift in &mut shifts {
        *shift = next()?;
    }
    match numbers.next() {
        None => Ok(Correction { stretch, shifts }),
        Some(more) => Err(NetworkError::field("calibration", more, "the end of the line")),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn sample() -> Calibration {
        let rows = (0..12u8).map(|row| Correction {
            stretch: 1.0 + f32::from(row) / 8.0,
            shifts: [-10.0, -2.5, 0.0, 2.5, f32::from(row)],
        });
        let ranges = CalibrationRanges { depths: vec![4, 8], pieces: vec![16], values: vec![50] };
        Calibration::new(1234, ranges, rows.collect()).unwrap()
    }

    #[test]
    fn text_gives_it_back() {
        let text = sample().print();
        assert_eq!(Calibration::parse(&text).unwrap(), sample());
        let none =
            Calibration::new(0, CalibrationRanges::default(), vec![Correction::NONE]).unwrap();
        assert!(!none.print().contains("values"));
        assert_eq!(Calibration::parse(&none.print()).unwrap(), none);
        let policy = PolicyCorrection { stretch: 0.7, shifts: vec![-3.5, 0.0, 1.25] };
        assert!((policy.apply(2.0, 2) - 2.65).abs() < 1e-6);
        assert!((policy.apply(2.0, 3) - 1.4).abs() < 1e-6);
        let with = sample().with_policy(Some(policy)).unwrap();
        assert_eq!(Calibration::parse(&with.print()).unwrap(), with);
    }

    #[test]
    fn ranges_end_with_their_limits() {
        let sample = sample();
        let eighths = |depth, pieces, median| {
            (sample.correction(depth, pieces, median).stretch * 8.0) as i32 - 8
        };
        assert_eq!([eighths(0, 2, 0), eighths(4, 16, 50), eighths(4, 16, -51)], [0, 0, 1]);
        assert_eq!([eighths(4, 17, -50), eighths(4, 17, 51), eighths(5, 16, 0)], [2, 3, 4]);
        assert_eq!([eighths(8, 17, 3), eighths(9, 1, -900)], [6, 9]);
        assert_eq!(eighths(usize::MAX, usize::MAX, i32::MIN), 11);
    }

    #[test]
    fn corrected_quantiles_ascend() {
        let wild = Correction { stretch: 0.5, shifts: [300.0, -300.0, 0.4, 7.0, -1000.0] };
        for base in [-3000, -1, 0, 17, 29_000] {
            let quantiles = [base, base + 3, base + 40, base + 41, base + 900];
            assert!(wild.apply(quantiles).is_sorted(), "{base}");
            assert_eq!(Correction::NONE.apply(quantiles), quantiles);
        }
        let wider = Correction { stretch: 2.0, shifts: [0.0, 0.0, 10.0, 0.0, 0.0] };
        assert_eq!(wider.apply([-100, -50, 0, 50, 100]), [-200, -100, 10, 100, 200]);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (text, word) in [
            ("", "positions"),
            ("positions x\ndepths\npieces\n1 0 0 0 0 0\n", "is x"),
            ("positions 1\ndepths 4 4\npieces\n1 0 0 0 0 0\n1 0 0 0 0 0\n", "ascending"),
            ("positions 1\ndepths\npieces\n", "rows"),
            ("positions 1\ndepths\npieces\nvalues 50\n1 0 0 0 0 0\n", "rows"),
            ("positions 1\ndepths\npieces\nvalues 5 x\n1 0 0 0 0 0\n", "is x"),
            ("positions 1\ndepths\npieces\n1 0 0 0 0\n", "number"),
            ("positions 1\ndepths\npieces\n1 0 0 0 0 0 0\n", "end of the line"),
            ("positions 1\ndepths\npieces\n1 0 0 NaN 0 0\n", "finite"),
            ("positions 1\ndepths\npieces\n-1 0 0 0 0 0\n", "negative"),
            ("positions 1\ndepths\npieces\npolicy\n1 0 0 0 0 0\n", "number"),
            ("positions 1\ndepths\npieces\npolicy 1 x\n1 0 0 0 0 0\n", "is x"),
            ("positions 1\ndepths\npieces\npolicy -1 0\n1 0 0 0 0 0\n", "negative"),
            ("positions 1\ndepths\npieces\npolicy 1 inf\n1 0 0 0 0 0\n", "finite"),
        ] {
            let error = Calibration::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text:?}: {error}");
        }
        let many =
            format!("positions 1\ndepths\npieces\npolicy {}\n1 0 0 0 0 0\n", "1 ".repeat(999));
        let error = Calibration::parse(&many).unwrap_err().to_string();
        assert!(error.contains("sorts of moves"), "{error}");
    }
}
