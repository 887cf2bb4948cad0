//! How far a long task has come, on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long to be silent before each plain line.
const INTERVAL: Duration = Duration::from_secs(3);

/// A bar if standard error is a terminal, otherwise a line every few seconds.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    total: u64,
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
    last: Instant,
}

impl Progress {
    /// A task of `total` parts.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let shown = if io::stderr().is_terminal() {
            let style =
                ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} ({eta} left)");
            let bar = ProgressBar::new(total).with_prefix(what);
            Shown::Bar(match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            })
        } else {
            Shown::Lines(Mutex::new(Lines { done: 0, last: Instant::now() }))
        };
        Self { what, total, shown }
    }

    /// One more part is done.
    pub(crate) fn step(&self) {
        match &self.shown {
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(lines) => {
                // A panic elsewhere leaves at worst a wrong count.
                let mut lines = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                lines.done += 1;
                if lines.last.elapsed() >= INTERVAL && lines.done < self.total {
                    lines.last = Instant::now();
                    let Self { what, total, .. } = self;
                    let _ = writeln!(io::stderr().lock(), "{what}: {} of {total}", lines.done);
                }
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
