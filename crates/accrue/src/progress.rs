//! Progress display of long tasks, on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// The minimum interval between plain lines.
const INTERVAL: Duration = Duration::from_secs(3);

/// A bar if standard error is a terminal, otherwise a line every few seconds.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
    unit: Unit,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

#[derive(Debug)]
struct Lines {
    done: u64,
    start: Instant,
    last: Instant,
}

/// The unit of the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Parts,
    Bytes,
    /// Positions, some of which may have existed before.
    Positions {
        before: u64,
    },
}

impl Progress {
    /// A task of `total` parts.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        Self::of(what, total, Unit::Parts)
    }

    /// A task of `total` bytes.
    pub(crate) fn bytes(what: &'static str, total: u64) -> Self {
        Self::of(what, total, Unit::Bytes)
    }

    /// A task of `total` positions, of which `before` already exist.
    pub(crate) fn positions(what: &'static str, total: u64, before: u64) -> Self {
        let progress = Self::of(what, total, Unit::Positions { before });
        progress.at(before);
        if let Shown::Bar(bar) = &progress.shown {
            bar.reset_eta();
        }
        progress
    }

    fn of(what: &'static str, total: u64, unit: Unit) -> Self {
        let shown = if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(match unit {
                Unit::Parts => "{prefix} {wide_bar} {pos}/{len} ({eta} left)",
                Unit::Bytes => "{prefix} {wide_bar} {bytes}/{total_bytes} ({eta} left)",
                Unit::Positions { .. } => {
                    "{prefix} {wide_bar} {pos}/{len} positions ({per_sec}, {eta} left)"
                }
            });
            let bar = ProgressBar::new(total).with_prefix(what);
            Shown::Bar(match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            })
        } else {
            let now = Instant::now();
            Shown::Lines(Mutex::new(Lines { done: 0, start: now, last: now }))
        };
        Self { what, total, unit, shown }
    }

    /// Counts one part.
    pub(crate) fn step(&self) {
        match &self.shown {
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(_) => self.line(|done| done + 1),
        }
    }

    /// Sets the count.
    pub(crate) fn at(&self, done: u64) {
        match &self.shown {
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines(_) => self.line(|_| done),
        }
    }

    /// Updates the count, and prints a line if it is due.
    fn line(&self, count: impl FnOnce(u64) -> u64) {
        let Shown::Lines(lines) = &self.shown else { return };
        // A panic elsewhere leaves at worst a wrong count.
        let mut lines = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        lines.done = count(lines.done);
        let Self { what, total, unit, .. } = *self;
        if lines.last.elapsed() < INTERVAL || lines.done >= total {
            return;
        }
        lines.last = Instant::now();
        let done = lines.done;
        let text = match unit {
            Unit::Parts => format!("{what}: {done} of {total}"),
            Unit::Bytes => {
                let spent = lines.start.elapsed().as_secs_f64();
                let left = spent * (total - done) as f64 / done.max(1) as f64;
                let [done, total] = [done, total].map(HumanBytes);
                format!("{what}: {done} of {total}, {left:.0} s left")
            }
            Unit::Positions { before } => {
                let speed = done.saturating_sub(before) as f64
                    / lines.start.elapsed().as_secs_f64().max(1e-9);
                let left = match (total - done) as f64 / speed {
                    left if left.is_finite() => format!("{left:.0} s left"),
                    _ => "time left not known yet".to_owned(),
                };
                format!("{what}: {done} of {total} positions, {speed:.0} a second, {left}")
            }
        };
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
