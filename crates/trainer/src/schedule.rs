//! Schedules: settings that change during training, such as the learning rate.

use std::f64::consts::PI;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A step in the course of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The number of steps so far.
    pub step: u64,
    /// The total number of steps.
    pub steps: u64,
    /// The number of completed superbatches.
    pub superbatch: u64,
}

impl Moment {
    /// The completed share: 0 before the first step, 1 at the last one.
    fn share(self) -> f64 {
        match self.steps {
            0 | 1 => 0.0,
            steps => (self.step as f64 / (steps - 1) as f64).min(1.0),
        }
    }
}

/// A setting as a function of the step.
///
/// In the configuration a plain number is [`ParameterSchedule::Constant`]; the others are tables
/// with `kind`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterSchedule {
    /// Constant.
    Constant(f32),
    /// `from`, multiplied by `factor` every `every` superbatches.
    Step {
        /// At the beginning.
        from: f32,
        /// The number of superbatches between changes.
        every: u64,
        /// The factor.
        factor: f32,
    },
    /// Linear interpolation.
    Linear {
        /// At the first step.
        from: f32,
        /// At the last step.
        to: f32,
    },
    /// Half a cosine wave: slow, fast, slow.
    Cosine {
        /// At the first step.
        from: f32,
        /// At the last step.
        to: f32,
    },
    /// Geometric interpolation.
    Exponential {
        /// At the first step.
        from: f32,
        /// At the last step.
        to: f32,
    },
}

impl ParameterSchedule {
    /// The value at a moment.
    pub fn at(self, moment: Moment) -> f32 {
        let share = moment.share();
        let between = |from: f32, to: f32, share: f64| {
            (f64::from(from) * (1.0 - share) + f64::from(to) * share) as f32
        };
        match self {
            Self::Constant(value) => value,
            Self::Step { from, every, factor } => {
                let times = moment.superbatch / every.max(1);
                let times = i32::try_from(times).unwrap_or(i32::MAX);
                (f64::from(from) * f64::from(factor).powi(times)) as f32
            }
            Self::Linear { from, to } => between(from, to, share),
            Self::Cosine { from, to } => between(from, to, (1.0 - (PI * share).cos()) / 2.0),
            Self::Exponential { from, to } => {
                let ratio = f64::from(to) / f64::from(from);
                (f64::from(from) * ratio.powf(share)) as f32
            }
        }
    }

    /// The fault of the schedule, if its values must lie between `min` and `max`.
    pub(crate) fn fault(self, min: f32, max: f32) -> Option<String> {
        let outside = |value: f32| {
            let within = (min..=max).contains(&value);
            (!within).then(|| format!("is {value}; expected {min} to {max}"))
        };
        match self {
            Self::Constant(value) => outside(value),
            Self::Step { every: 0, .. } => Some("has every = 0; expected 1 or more".into()),
            Self::Step { factor, .. } if !(factor > 0.0 && factor.is_finite()) => {
                Some(format!("has factor = {factor}; expected a number above 0"))
            }
            Self::Step { from, .. } => outside(from),
            Self::Exponential { from, to } if !(from > 0.0 && to > 0.0) => {
                Some(format!("goes from {from} to {to} exponentially; expected numbers above 0"))
            }
            Self::Linear { from, to }
            | Self::Cosine { from, to }
            | Self::Exponential { from, to } => outside(from).or_else(|| outside(to)),
        }
    }
}

/// The form of a schedule that is a table.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Table {
    Constant { from: f32 },
    Step { from: f32, every: u64, factor: f32 },
    Linear { from: f32, to: f32 },
    Cosine { from: f32, to: f32 },
    Exponential { from: f32, to: f32 },
}

impl Serialize for ParameterSchedule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = match *self {
            Self::Constant(value) => return serializer.serialize_f32(value),
            Self::Step { from, every, factor } => Table::Step { from, every, factor },
            Self::Linear { from, to } => Table::Linear { from, to },
            Self::Cosine { from, to } => Table::Cosine { from, to },
            Self::Exponential { from, to } => Table::Exponential { from, to },
        };
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ParameterSchedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScheduleVisitor)
    }
}

struct ScheduleVisitor;

impl<'de> Visitor<'de> for ScheduleVisitor {
    type Value = ParameterSchedule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a table such as { kind = \"cosine\", from = 0.001, to = 0.0 }")
    }

    fn visit_f64<E>(self, value: f64) -> Result<ParameterSchedule, E> {
        Ok(ParameterSchedule::Constant(value as f32))
    }

    fn visit_i64<E>(self, value: i64) -> Result<ParameterSchedule, E> {
        Ok(ParameterSchedule::Constant(value as f32))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ParameterSchedule, A::Error> {
        Ok(match Table::deserialize(MapAccessDeserializer::new(map))? {
            Table::Constant { from } => ParameterSchedule::Constant(from),
            Table::Step { from, every, factor } => ParameterSchedule::Step { from, every, factor },
            Table::Linear { from, to } => ParameterSchedule::Linear { from, to },
            Table::Cosine { from, to } => ParameterSchedule::Cosine { from, to },
            Table::Exponential { from, to } => ParameterSchedule::Exponential { from, to },
        })
    }
}

/// The factor of the rate during a warm-up over the first `steps` steps.
pub fn warm_up(step: u64, steps: u64) -> f32 {
    if step >= steps { 1.0 } else { ((step + 1) as f64 / (steps + 1) as f64) as f32 }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "schedules are exact at these moments")]
mod tests {
    use super::*;

    /// The moments of a training of 4 superbatches of 25 steps and one step more, so that quarters
    /// are exact.
    fn values(schedule: ParameterSchedule) -> [f32; 5] {
        [0, 25, 50, 75, 100]
            .map(|step| schedule.at(Moment { step, steps: 101, superbatch: step / 25 }))
    }

    #[test]
    fn constant_and_step() {
        assert_eq!(values(ParameterSchedule::Constant(0.25)), [0.25; 5]);
        let step = ParameterSchedule::Step { from: 1.0, every: 2, factor: 0.5 };
        assert_eq!(values(step), [1.0, 1.0, 0.5, 0.5, 0.25]);
    }

    #[test]
    fn linear_cosine_exponential() {
        assert_eq!(
            values(ParameterSchedule::Linear { from: 1.0, to: 0.0 }),
            [1.0, 0.75, 0.5, 0.25, 0.0]
        );
        let cosine = values(ParameterSchedule::Cosine { from: 1.0, to: 0.0 });
        assert_eq!([cosine[0], cosine[4]], [1.0, 0.0]);
        assert!((cosine[2] - 0.5).abs() < 1e-7);
        assert!((cosine[1] - 0.853_553_4).abs() < 1e-7 && (cosine[3] - 0.146_446_6).abs() < 1e-7);
        let exponential = ParameterSchedule::Exponential { from: 16.0, to: 1.0 };
        assert_eq!(values(exponential), [16.0, 8.0, 4.0, 2.0, 1.0]);
    }

    #[test]
    fn ends_are_exact_and_kept() {
        let moment = |step, steps| Moment { step, steps, superbatch: 0 };
        for (from, to) in [(1e-3, 1e-5), (0.1, 0.7), (3.0, 3.0)] {
            let schedules =
                [ParameterSchedule::Linear { from, to }, ParameterSchedule::Cosine { from, to }];
            for schedule in schedules {
                assert_eq!(schedule.at(moment(0, 1000)), from);
                assert_eq!(schedule.at(moment(999, 1000)), to);
                assert_eq!(schedule.at(moment(5000, 1000)), to);
                assert_eq!(schedule.at(moment(0, 1)), from);
            }
        }
    }

    #[test]
    fn warming_up_never_starts_at_nothing() {
        assert_eq!([0, 1, 2, 3, 4].map(|step| warm_up(step, 3)), [0.25, 0.5, 0.75, 1.0, 1.0]);
        assert_eq!(warm_up(0, 0), 1.0);
    }

    #[test]
    fn faults_are_named() {
        for (schedule, fragment) in [
            (ParameterSchedule::Constant(f32::NAN), "NaN"),
            (ParameterSchedule::Constant(2.0), "is 2; expected 0 to 1"),
            (ParameterSchedule::Linear { from: 0.0, to: -1.0 }, "-1"),
            (ParameterSchedule::Exponential { from: 0.5, to: 0.0 }, "above 0"),
            (ParameterSchedule::Step { from: 0.5, every: 0, factor: 0.5 }, "every = 0"),
            (ParameterSchedule::Step { from: 0.5, every: 1, factor: -1.0 }, "factor = -1"),
        ] {
            let fault = schedule.fault(0.0, 1.0).unwrap();
            assert!(fault.contains(fragment), "{schedule:?}: {fault}");
        }
        assert_eq!(ParameterSchedule::Linear { from: 0.0, to: 1.0 }.fault(0.0, 1.0), None);
    }
}
