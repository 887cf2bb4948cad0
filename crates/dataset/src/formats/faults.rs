//! What a source had to skip.

/// How many faults are kept word by word; the others are counted.
const KEPT: usize = 10;
/// Hostile input must not flood a message.
const LONGEST_REASON: usize = 240;

/// One thing that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: `line 3`, `record 17`, `game 2, line 40`.
    pub place: String,
    /// Why.
    pub reason: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

/// All that could not be read: how often, and the first few word by word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// What is skipped at once: `line`, `record`, `game`, `block`.
    pub unit: &'static str,
    /// How many of them were skipped.
    pub count: u64,
    /// The first few.
    pub first: Vec<Fault>,
}

impl Faults {
    pub(crate) fn new(unit: &'static str) -> Self {
        Self { unit, count: 0, first: Vec::new() }
    }

    /// Counts one more.
    pub(crate) fn add(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        self.count += 1;
        if self.first.len() < KEPT {
            let reason: String = reason.into();
            let shown = reason.chars().count() <= LONGEST_REASON;
            let reason = if shown {
                reason
            } else {
                reason.chars().take(LONGEST_REASON - 1).chain(['…']).collect()
            };
            self.first.push(Fault { place: place.into(), reason });
        }
    }

    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
