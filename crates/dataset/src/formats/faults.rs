//! Faults: the records that a source skips.

/// The number of faults that are stored; others are only counted.
const KEPT: usize = 10;
/// The maximum length of a reason: hostile input must not flood a message.
const MAX_REASON: usize = 240;

/// A part of a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatFault {
    /// The position in the file: `line 3`, `record 17`, `game 2, line 40`.
    pub place: String,
    /// The reason.
    pub reason: String,
}

impl std::fmt::Display for FormatFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

/// The number of faults, and the first few of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The unit that is skipped: `line`, `record`, `game`, `block`.
    pub unit: &'static str,
    /// The number of skipped units.
    pub count: u64,
    /// The first few.
    pub first: Vec<FormatFault>,
}

impl Faults {
    pub(crate) fn new(unit: &'static str) -> Self {
        Self { unit, count: 0, first: Vec::new() }
    }

    /// Counts a fault.
    pub(crate) fn add(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        self.count += 1;
        if self.first.len() < KEPT {
            let reason: String = reason.into();
            let shown = reason.chars().count() <= MAX_REASON;
            let reason = if shown {
                reason
            } else {
                reason.chars().take(MAX_REASON - 1).chain(['…']).collect()
            };
            self.first.push(FormatFault { place: place.into(), reason });
        }
    }

    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
