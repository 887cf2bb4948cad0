//! Calibration: conformal scales and offsets for a network's quantiles, and biases for its policy.
//!
//! A network is trained on searches of some depth. How far its quantiles are from those of a search
//! depends on the depth of that search, on the number of pieces, and on the distance of the median
//! from 0. The adjustments are measured on positions that the network was not trained on, and are
//! stored in its file.

mod policy;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::{NetworkError, QUANTILE_LEVELS, ScoreUnit};

pub use policy::PolicyCalibration;

/// The number of quantiles.
const LEVELS: usize = QUANTILE_LEVELS.len();
/// The index of the median.
const MEDIAN: usize = LEVELS / 2;
/// The maximum number of limits between ranges of depth, pieces or values.
const MAX_LIMITS: usize = 16;
/// The largest allowed adjustment, in centipawns or as a factor.
const MAX_ADJUSTMENT: f32 = 30_000.0;

/// Conformal adjustment of the quantiles in one range of depths, pieces and values.
///
/// ```
/// use nnue::ConformalAdjustment;
///
/// let wider = ConformalAdjustment { scale: 2.0, offsets: [0.0, 0.0, 10.0, 0.0, 0.0] };
/// assert_eq!(wider.apply([-100, -50, 0, 50, 100]), [-200, -100, 10, 100, 200]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConformalAdjustment {
    /// The factor of each quantile's distance to the median.
    pub scale: f32,
    /// The offset that is then added to each quantile, in the unit of the quantiles.
    pub offsets: [f32; LEVELS],
}

impl ConformalAdjustment {
    /// The adjustment that changes nothing.
    pub const IDENTITY: Self = Self { scale: 1.0, offsets: [0.0; LEVELS] };

    /// The adjusted quantiles, ascending.
    pub fn apply(&self, quantiles: [i32; LEVELS]) -> [i32; LEVELS] {
        let median = quantiles[MEDIAN] as f32;
        let mut adjusted = [0; LEVELS];
        let mut min = i32::MIN;
        for (level, value) in adjusted.iter_mut().enumerate() {
            let distance = quantiles[level] as f32 - median;
            let exact = median + self.scale * distance + self.offsets[level];
            // Rounds half away from zero, like `round`, which is not available without the standard
            // library.
            let rounded = (exact + if exact < 0.0 { -0.5 } else { 0.5 }) as i32;
            min = min.max(rounded);
            *value = min;
        }
        adjusted
    }

    fn is_sound(&self) -> bool {
        is_sound(self.scale, &self.offsets)
    }
}

/// Whether a factor and the offsets are finite and of a plausible size.
fn is_sound(factor: f32, added: &[f32]) -> bool {
    let small = |value: f32| value.is_finite() && value.abs() <= MAX_ADJUSTMENT;
    small(factor) && factor >= 0.0 && added.iter().all(|&number| small(number))
}

/// The limits of the ranges within which one adjustment holds: the last value of each range except
/// the last one, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalibrationRanges {
    /// Depths of a search, in plies.
    pub depths: Vec<u16>,
    /// Pieces on the board.
    pub pieces: Vec<u16>,
    /// Distances of the median from 0, in the unit of the quantiles.
    pub values: Vec<u16>,
}

impl CalibrationRanges {
    /// The total number of cells.
    fn cells(&self) -> usize {
        (self.depths.len() + 1) * (self.pieces.len() + 1) * (self.values.len() + 1)
    }

    /// The index of a position's adjustment.
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
            if limits.len() > MAX_LIMITS || !limits.is_sorted_by(|a, b| a < b) {
                let expected = format!("at most {MAX_LIMITS} numbers, ascending");
                return Err(NetworkError::field(field, format!("{limits:?}"), expected));
            }
        }
        Ok(())
    }
}

/// Conformal adjustments by depth, number of pieces and value, and the calibration of the policy.
///
/// ```
/// use nnue::{Calibration, CalibrationRanges, ConformalAdjustment};
///
/// // Deeper searches are farther from the prediction: from depth 9 on, widths are doubled.
/// let ranges = CalibrationRanges { depths: vec![8], ..CalibrationRanges::default() };
/// let wider = ConformalAdjustment { scale: 2.0, ..ConformalAdjustment::IDENTITY };
/// let calibration = Calibration::new(50_000, ranges, vec![ConformalAdjustment::IDENTITY, wider])?;
///
/// let quantiles = [-60, -20, 0, 20, 60];
/// let (pieces, median) = (32, 0);
/// assert_eq!(calibration.conformal(8, pieces, median).apply(quantiles), quantiles);
/// assert_eq!(calibration.conformal(9, pieces, median).apply(quantiles), [-120, -40, 0, 40, 120]);
/// # Ok::<(), nnue::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    positions: u64,
    ranges: CalibrationRanges,
    adjustments: Vec<ConformalAdjustment>,
    policy: Option<PolicyCalibration>,
}

impl Calibration {
    /// Adjustments that were measured on `positions` positions.
    ///
    /// `adjustments` has one entry for each range of depths, within it each range of pieces, and
    /// within it each range of values.
    pub fn new(
        positions: u64,
        ranges: CalibrationRanges,
        adjustments: Vec<ConformalAdjustment>,
    ) -> Result<Self, NetworkError> {
        ranges.check()?;
        let cells = ranges.cells();
        if adjustments.len() != cells {
            return Err(NetworkError::field(
                "calibration rows",
                adjustments.len(),
                cells.to_string(),
            ));
        }
        if let Some(bad) = adjustments.iter().find(|adjustment| !adjustment.is_sound()) {
            let expected = format!("finite numbers up to {MAX_ADJUSTMENT}, no negative scale");
            return Err(NetworkError::field("calibration", format!("{bad:?}"), expected));
        }
        Ok(Self { positions, ranges, adjustments, policy: None })
    }

    /// The same calibration with or without a calibration of the policy.
    pub fn with_policy(self, policy: Option<PolicyCalibration>) -> Result<Self, NetworkError> {
        policy.as_ref().map_or(Ok(()), PolicyCalibration::check)?;
        Ok(Self { policy, ..self })
    }

    /// The same calibration for quantiles in normalised centipawns, of a network with this unit.
    #[must_use]
    pub fn normalised(mut self, unit: ScoreUnit) -> Self {
        let factor = unit.factor();
        for adjustment in &mut self.adjustments {
            adjustment.offsets =
                adjustment.offsets.map(|offset| (f64::from(offset) * factor) as f32);
        }
        for limit in &mut self.ranges.values {
            // Limits may become equal: a range between them is then empty.
            *limit = u16::try_from(unit.normalise((*limit).into())).unwrap_or(u16::MAX);
        }
        self
    }

    /// The calibration of the policy, if it was fitted.
    pub fn policy(&self) -> Option<&PolicyCalibration> {
        self.policy.as_ref()
    }

    /// The number of positions that it was measured on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The ranges of depths, pieces and values.
    pub fn ranges(&self) -> &CalibrationRanges {
        &self.ranges
    }

    /// The adjustment of a position with this number of pieces and this median, for a search of
    /// `depth` plies.
    pub fn conformal(&self, depth: usize, pieces: usize, median: i32) -> &ConformalAdjustment {
        &self.adjustments[self.ranges.cell(depth, pieces, median)]
    }

    /// Writes the calibration as text for the network file.
    pub(crate) fn print(&self) -> String {
        let join =
            |limits: &[u16]| limits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let CalibrationRanges { depths, pieces, values } = &self.ranges;
        let (depths, pieces) = (join(depths), join(pieces));
        let mut text = format!("positions {}\ndepths {depths}\npieces {pieces}\n", self.positions);
        // Writing to a string cannot fail. Empty lines are omitted.
        if !values.is_empty() {
            let _ = writeln!(text, "values {}", join(values));
        }
        if let Some(policy) = &self.policy {
            let _ = writeln!(text, "move-classes {}", policy.move_classes);
            let _ = writeln!(text, "policy {}", policy.print());
        }
        for ConformalAdjustment { scale, offsets } in &self.adjustments {
            let offsets: Vec<_> = offsets.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{scale} {}", offsets.join(" "));
        }
        text
    }

    /// Parses the output of [`print`](Self::print). Files of version 1 do not name the move
    /// classes, because there was only one scheme.
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
            text.split_whitespace().take(MAX_LIMITS + 1).map(number).collect::<Result<Vec<_>, _>>()
        };
        let depths: Vec<u16> = limits(keyed("depths")?)?;
        let pieces: Vec<u16> = limits(keyed("pieces")?)?;
        let values = match lines.next_if(|line| line.starts_with("values")) {
            Some(line) => limits(&line["values".len()..])?,
            None => Vec::new(),
        };
        let classes = lines.next_if(|line| line.starts_with("move-classes"));
        let classes = classes.map(|line| line["move-classes".len()..].trim());
        let policy = match lines.next_if(|line| line.starts_with("policy")) {
            Some(line) => {
                let classes = classes.unwrap_or(PolicyCalibration::MOVE_CLASSES_V1);
                Some(PolicyCalibration::parse(classes, &line["policy".len()..])?)
            }
            None if classes.is_some() => {
                let expected = "a line `policy` behind `move-classes`";
                return Err(NetworkError::field("calibration", "without policy", expected));
            }
            None => None,
        };
        let ranges = CalibrationRanges { depths, pieces, values };
        ranges.check()?;
        // One row more than allowed is enough to reject the text.
        let rows = ranges.cells() + 1;
        let adjustments = lines.take(rows).map(row).collect::<Result<Vec<_>, _>>()?;
        Self::new(positions, ranges, adjustments)?.with_policy(policy)
    }
}

fn number<T: core::str::FromStr>(text: &str) -> Result<T, NetworkError> {
    text.parse().map_err(|_| NetworkError::field("calibration", text, "a number"))
}

/// A scale, followed by the offsets.
fn row(line: &str) -> Result<ConformalAdjustment, NetworkError> {
    let mut numbers = line.split_whitespace();
    let mut next = || number(numbers.next().unwrap_or_default());
    let scale = next()?;
    let mut offsets = [0.0; LEVELS];
    for offset in &mut offsets {
        *offset = next()?;
    }
    match numbers.next() {
        None => Ok(ConformalAdjustment { scale, offsets }),
        Some(more) => Err(NetworkError::field("calibration", more, "the end of the line")),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn sample() -> Calibration {
        let rows = (0..12u8).map(|row| ConformalAdjustment {
            scale: 1.0 + f32::from(row) / 8.0,
            offsets: [-10.0, -2.5, 0.0, 2.5, f32::from(row)],
        });
        let ranges = CalibrationRanges { depths: vec![4, 8], pieces: vec![16], values: vec![50] };
        Calibration::new(1234, ranges, rows.collect()).unwrap()
    }

    #[test]
    fn text_gives_it_back() {
        let text = sample().print();
        assert_eq!(Calibration::parse(&text).unwrap(), sample());
        let none =
            Calibration::new(0, CalibrationRanges::default(), vec![ConformalAdjustment::IDENTITY])
                .unwrap();
        assert!(!none.print().contains("values"));
        assert_eq!(Calibration::parse(&none.print()).unwrap(), none);
        let policy = PolicyCalibration {
            move_classes: "see-check-threat-1".into(),
            inverse_temperature: 0.7,
            class_biases: vec![-3.5, 0.0, 1.25],
        };
        assert!((policy.apply(2.0, 2) - 2.65).abs() < 1e-6);
        assert!((policy.apply(2.0, 3) - 1.4).abs() < 1e-6);
        let with = sample().with_policy(Some(policy)).unwrap();
        assert_eq!(Calibration::parse(&with.print()).unwrap(), with);
        // The form in files of version 1.
        let older = with.print().replace("move-classes see-check-threat-1\n", "");
        assert_eq!(Calibration::parse(&older).unwrap(), with);
    }

    #[test]
    fn ranges_end_with_their_limits() {
        let sample = sample();
        let eighths = |depth, pieces, median| {
            (sample.conformal(depth, pieces, median).scale * 8.0) as i32 - 8
        };
        assert_eq!([eighths(0, 2, 0), eighths(4, 16, 50), eighths(4, 16, -51)], [0, 0, 1]);
        assert_eq!([eighths(4, 17, -50), eighths(4, 17, 51), eighths(5, 16, 0)], [2, 3, 4]);
        assert_eq!([eighths(8, 17, 3), eighths(9, 1, -900)], [6, 9]);
        assert_eq!(eighths(usize::MAX, usize::MAX, i32::MIN), 11);
    }

    #[test]
    fn a_normalised_calibration_adjusts_normalised_quantiles_alike() {
        let unit = crate::ScoreModel::constant(200.0, 100.0).search_unit();
        let (raw, normalised) = (sample(), sample().normalised(unit));
        for (depth, pieces, base) in [(3, 10, 0), (6, 20, 48), (9, 32, -52), (9, 2, -4000)] {
            let quantiles = [base - 80, base - 20, base, base + 24, base + 120];
            let halves = quantiles.map(|value| unit.normalise(value));
            let exact = raw.conformal(depth, pieces, base).apply(quantiles);
            let found = normalised.conformal(depth, pieces, halves[MEDIAN]).apply(halves);
            for (exact, found) in exact.into_iter().zip(found) {
                assert!((f64::from(exact) / 2.0 - f64::from(found)).abs() <= 1.0, "{base}");
            }
        }
    }

    #[test]
    fn adjusted_quantiles_ascend() {
        let wild = ConformalAdjustment { scale: 0.5, offsets: [300.0, -300.0, 0.4, 7.0, -1000.0] };
        for base in [-3000, -1, 0, 17, 29_000] {
            let quantiles = [base, base + 3, base + 40, base + 41, base + 900];
            assert!(wild.apply(quantiles).is_sorted(), "{base}");
            assert_eq!(ConformalAdjustment::IDENTITY.apply(quantiles), quantiles);
        }
        let wider = ConformalAdjustment { scale: 2.0, offsets: [0.0, 0.0, 10.0, 0.0, 0.0] };
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
            ("positions 1\ndepths\npieces\nmove-classes a\n1 0 0 0 0 0\n", "without policy"),
            ("positions 1\ndepths\npieces\nmove-classes\npolicy 1\n1 0 0 0 0 0\n", "move classes"),
            (
                "positions 1\ndepths\npieces\nmove-classes a b\npolicy 1\n1 0 0 0 0 0\n",
                "move classes",
            ),
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
        assert!(error.contains("move classes"), "{error}");
    }
}
