//! Training progress: a bar or lines on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use pipeline::stages::TrainingStart;
use report::training::speed_text;
use trainer::{StepReport, SuperbatchReport};

/// How long to be silent before each plain line.
const LINE_INTERVAL: Duration = Duration::from_secs(3);
/// How often the bar changes.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// How much of the old loss stays in the average at each step.
const SMOOTH: f64 = 0.98;

/// A bar if standard error is a terminal, otherwise a line every few seconds.
#[derive(Debug)]
pub(super) struct Show {
    bar: Option<ProgressBar>,
    silent: bool,
    began: Instant,
    shown: Instant,
    first_step: u64,
    positions: u64,
    loss: Option<f64>,
    validation: Option<f64>,
}

impl Show {
    pub(super) fn new(json: bool) -> Self {
        let now = Instant::now();
        Self {
            bar: None,
            silent: json,
            began: now,
            shown: now,
            first_step: 0,
            positions: 0,
            loss: None,
            validation: None,
        }
    }

    /// Starts the clock, with a bar on a terminal.
    pub(super) fn start(&mut self, start: &TrainingStart) {
        self.bar = (!self.silent && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(start.steps).with_position(start.step);
            match ProgressStyle::with_template("{wide_bar} {pos}/{len}  {msg}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        self.began = Instant::now();
        self.shown = self.began;
        self.first_step = start.step;
        self.validation = start.best_validation;
    }

    pub(super) fn step(&mut self, report: &StepReport<'_>) {
        self.positions += report.losses.positions;
        let loss = report.losses.mean();
        self.loss = Some(self.loss.map_or(loss, |old| SMOOTH * old + (1.0 - SMOOTH) * loss));
        let interval = if self.bar.is_some() { BAR_INTERVAL } else { LINE_INTERVAL };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        let message = self.message(report.step, report.steps);
        match &self.bar {
            Some(bar) => {
                bar.set_position(report.step);
                bar.set_message(message);
            }
            None => self.line(&format!("step {} of {}: {message}", report.step, report.steps)),
        }
    }

    fn message(&self, step: u64, steps: u64) -> String {
        let elapsed = self.began.elapsed();
        let speed = self.positions as f64 / elapsed.as_secs_f64().max(1e-9);
        let done = step.saturating_sub(self.first_step).max(1);
        let left = elapsed.mul_f64(steps.saturating_sub(step) as f64 / done as f64);
        let loss = format!("loss {:.5}", self.loss.unwrap_or(f64::NAN));
        let validation = self.validation.map(|loss| format!("validation {loss:.5}"));
        let left = format!("{} left", HumanDuration(left));
        let parts = [Some(speed_text(speed)), Some(loss), validation, Some(left)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    pub(super) fn superbatch(&mut self, report: &SuperbatchReport<'_>) {
        if let Some(validation) = report.validation {
            self.validation = Some(validation.losses.mean());
        }
    }

    pub(super) fn warn(&self, warning: &str) {
        let text = format!("accrue: warning: {warning}");
        match &self.bar {
            Some(bar) => bar.suspend(|| drop(writeln!(io::stderr().lock(), "{text}"))),
            None => drop(writeln!(io::stderr().lock(), "{text}")),
        }
    }

    fn line(&self, text: &str) {
        if !self.silent {
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
