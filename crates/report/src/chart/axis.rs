//! Axes: the range of the values, linear or logarithmic, and round ticks.

use std::cmp::Ordering;

/// An axis of a chart: what it measures, and how values are placed and written.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(crate) label: String,
    kind: Kind,
    range: Option<(f64, f64)>,
}

#[derive(Clone, Debug)]
enum Kind {
    Linear,
    Integers,
    Percent,
    /// Logarithmic if the values span more than a factor of ten.
    Adaptive,
    Categories(Vec<String>),
}

impl Axis {
    /// An axis of numbers that takes its range from the values.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), kind: Kind::Linear, range: None }
    }

    /// Puts ticks at whole numbers alone.
    #[must_use]
    pub fn integers(self) -> Self {
        Self { kind: Kind::Integers, ..self }
    }

    /// Shows shares from 0 to 1 as per cent, over their whole range.
    #[must_use]
    pub fn percent(self) -> Self {
        Self { kind: Kind::Percent, range: Some((0.0, 1.0)), ..self }
    }

    /// Makes the axis logarithmic if the values span more than a factor of ten. Values that are not
    /// positive are left out.
    #[must_use]
    pub fn adaptive(self) -> Self {
        Self { kind: Kind::Adaptive, ..self }
    }

    /// Names the values 0, 1, 2 and so on.
    #[must_use]
    pub fn categories(self, names: Vec<String>) -> Self {
        let range = Some((-0.5, names.len().max(1) as f64 - 0.5));
        Self { kind: Kind::Categories(names), range, ..self }
    }

    /// Sets the range; lines leave the chart where they go beyond it.
    #[must_use]
    pub fn range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// Fits the axis to values and to a length in pixels, with a tick every `spacing` of them.
    pub(super) fn fit(
        &self,
        values: impl Iterator<Item = f64>,
        length: f32,
        spacing: f32,
    ) -> Fitted {
        let is_positive = matches!(self.kind, Kind::Adaptive);
        let values = values.filter(|value| value.is_finite() && (!is_positive || *value > 0.0));
        let (low, high) = self.range.unwrap_or_else(|| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        });
        let (low, high) = match low.total_cmp(&high) {
            Ordering::Less => (low, high),
            Ordering::Equal if is_positive => (low / 1.5, high * 1.5),
            Ordering::Equal => (low - low.abs().max(1.0), high + high.abs().max(1.0)),
            Ordering::Greater => (0.1, 1.0),
        };
        let count = f64::from((length / spacing).max(2.0));
        let is_log = is_positive && high / low > 10.0;
        let mut fitted = Fitted { low, high, is_log, ticks: Vec::new() };
        fitted.ticks = match &self.kind {
            Kind::Categories(names) => {
                names.iter().cloned().enumerate().map(|(at, name)| (at as f64, name)).collect()
            }
            Kind::Percent => linear_ticks(low, high, count, 0.01)
                .map(|at| (at, format!("{:.0} %", at * 100.0)))
                .collect(),
            Kind::Integers => named(linear_ticks(low, high, count, 1.0)),
            _ if is_log => named(log_ticks(low, high, count)),
            _ => {
                if self.range.is_none() {
                    fitted.widen(count);
                }
                named(linear_ticks(fitted.low, fitted.high, count, 0.0))
            }
        };
        fitted
    }
}

/// An axis with its range and ticks.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    low: f64,
    high: f64,
    is_log: bool,
    pub(super) ticks: Vec<(f64, String)>,
}

impl Fitted {
    /// Where a value is, from 0 to 1; beyond that if it is outside of the range.
    pub(super) fn share(&self, value: f64) -> f32 {
        let (low, high) = (self.low, self.high);
        let share = if self.is_log {
            // Far below what is shown, but finite.
            (value.max(1e-300).ln() - low.ln()) / (high.ln() - low.ln())
        } else {
            (value - low) / (high - low)
        };
        // Values far outside of the range stay finite; what is drawn there is clipped.
        share.clamp(-1e3, 1e3) as f32
    }

    /// The values at both ends, if equal distances are equal differences.
    pub(super) fn linear_range(&self) -> Option<(f64, f64)> {
        (!self.is_log).then_some((self.low, self.high))
    }

    /// Whether a value is in the range.
    pub(super) fn has(&self, value: f64) -> bool {
        (-1e-3..=1.0 + 1e-3).contains(&self.share(value))
    }

    /// Moves both ends to ticks.
    fn widen(&mut self, count: f64) {
        let step = round_step((self.high - self.low) / count);
        self.low = (self.low / step + 1e-9).floor() * step;
        self.high = (self.high / step - 1e-9).ceil() * step;
    }
}

fn named(ticks: impl IntoIterator<Item = f64>) -> Vec<(f64, String)> {
    ticks.into_iter().map(|at| (at, number(at))).collect()
}

/// A number as short as it can be read.
pub(crate) fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
        return format!("{value:.0e}");
    }
    // Steps of an axis are not quite round in binary.
    let text = format!("{value:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// The smallest step of 1, 2 or 5 times a power of ten that is not below `wanted`.
fn round_step(wanted: f64) -> f64 {
    let unit = 10f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|times| times * unit);
    steps.into_iter().find(|step| *step >= wanted * (1.0 - 1e-9)).unwrap_or(10.0 * unit)
}

fn linear_ticks(low: f64, high: f64, count: f64, least: f64) -> impl Iterator<Item = f64> {
    let step = round_step(((high - low) / count).max(least));
    let (first, last) = ((low / step - 1e-6).ceil() as i64, (high / step + 1e-6).floor() as i64);
    (first..=last).map(move |times| times as f64 * step)
}

/// Ticks at powers of ten; between them where there would be few.
fn log_ticks(low: f64, high: f64, count: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let ticks = |times: &[f64]| -> Vec<f64> {
        let all = (first..=last)
            .flat_map(|power| times.iter().map(move |times| times * 10f64.powi(power)));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let fine = ticks(&[1.0, 2.0, 5.0]);
    if fine.len() as f64 <= count + 1.0 {
        return fine;
    }
    let powers = ticks(&[1.0]);
    let every = (powers.len() as f64 / count).ceil().max(1.0) as usize;
    powers.into_iter().step_by(every).collect()
}
