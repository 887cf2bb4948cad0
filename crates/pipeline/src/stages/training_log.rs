//! Training log: `log.jsonl`, one JSON object for each superbatch.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use report::training::Superbatch;
use serde_json::{Value, json};
use trainer::{Losses, Run, SuperbatchReport, Times, head_means};

use crate::{PipelineError, files};

const FILE: &str = "log.jsonl";

/// The log of a training that is running.
#[derive(Debug)]
pub(super) struct TrainingLog {
    path: PathBuf,
    file: File,
    heads: Vec<&'static str>,
    /// Times and positions when the last line was written.
    last: (Times, u64),
}

impl TrainingLog {
    /// Opens the log. After a resume, lines beyond the checkpoint are dropped: those steps are
    /// repeated.
    pub(super) fn open(
        folder: &Path,
        resumed: Option<u64>,
        run: &Run,
    ) -> Result<Self, PipelineError> {
        let path = folder.join(FILE);
        let kept = match fs::read_to_string(&path) {
            Ok(text) => resumed.map(|step| lines_until(&text, step)).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(PipelineError::io("read", &path)(error)),
        };
        files::replace(&path, kept.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(PipelineError::io("write", &path))?;
        let architecture = run.learner().architecture();
        let last = (Times::default(), run.progress().positions);
        let mut log = Self { path, file, heads: trainer::loss_names(architecture), last };
        log.write(&json!({
            "type": if resumed.is_some() { "resume" } else { "begin" },
            "step": run.progress().step,
            "steps": run.config().steps(),
            "architecture": architecture.to_string(),
            "features": architecture.features,
            "threads": run.learner().threads(),
        }))?;
        Ok(log)
    }

    /// Writes how the training ended: whoever reads the log need not guess it.
    pub(super) fn end(&mut self, step: u64, ended: &str) -> Result<(), PipelineError> {
        self.write(&json!({ "type": "end", "step": step, "ended": ended }))?;
        Ok(())
    }

    /// Writes the line of a superbatch and returns it.
    pub(super) fn superbatch(
        &mut self,
        report: &SuperbatchReport<'_>,
    ) -> Result<String, PipelineError> {
        let (before, positions) = self.last;
        let busy = |times: Times| (times.load + times.decode + times.step).as_secs_f64();
        let seconds = busy(report.times) - busy(before);
        let speed = (report.positions - positions) as f64 / seconds.max(1e-9);
        self.last = (report.times, report.positions);
        let since = |part: fn(Times) -> Duration| {
            part(report.times).saturating_sub(part(before)).as_secs_f64()
        };
        let validation = report.validation.map(|validation| {
            json!({
                "loss": validation.losses.mean(),
                "heads": self.head_losses(&validation.losses),
                "positions": validation.losses.positions,
                "best": validation.best,
            })
        });
        self.write(&json!({
            "type": "superbatch",
            "superbatch": report.superbatch,
            "step": report.step,
            "positions": report.positions,
            "rate": report.rate,
            "result_share": report.result_share,
            "loss": report.training.mean(),
            "heads": self.head_losses(report.training),
            "validation": validation,
            "positions_per_second": speed.round(),
            "seconds": {
                "load": since(|times| times.load),
                "decode": since(|times| times.decode),
                "step": since(|times| times.step),
                "validation": since(|times| times.validation),
                "checkpoint": since(|times| times.checkpoint),
            },
        }))
    }

    fn head_losses(&self, losses: &Losses) -> Value {
        let means = self.heads.iter().zip(head_means(losses));
        means
            .map(|(name, mean)| ((*name).to_owned(), json!(mean)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// One system call per line, so that a crash tears at most the last one.
    fn write(&mut self, value: &Value) -> Result<String, PipelineError> {
        let line = value.to_string();
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(PipelineError::io("write", &self.path))?;
        Ok(line)
    }

    /// All superbatches, of this run and of those before it.
    pub(super) fn superbatches(&self) -> Result<Vec<Superbatch>, PipelineError> {
        Ok(records(&self.path)?.iter().map(superbatch).collect())
    }

    /// The last training loss of each head.
    pub(super) fn last_head_losses(&self) -> Result<Vec<(String, f64)>, PipelineError> {
        let records = records(&self.path)?;
        let heads = records.last().and_then(|record| record["heads"].as_object());
        let loss = |(name, loss): (&String, &Value)| Some((name.clone(), loss.as_f64()?));
        Ok(heads.into_iter().flatten().filter_map(loss).collect())
    }
}

/// The superbatches in the log of a training's folder.
pub fn read_log(folder: &Path) -> Result<Vec<Superbatch>, PipelineError> {
    Ok(records(&folder.join(FILE))?.iter().map(superbatch).collect())
}

/// A training as its log describes it, while it runs or later.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoggedTraining {
    /// The network.
    pub architecture: Option<String>,
    /// Its feature set.
    pub features: Option<String>,
    /// Steps that are done.
    pub step: u64,
    /// Steps of the whole training; older logs lack them.
    pub steps: Option<u64>,
    /// The superbatches so far.
    pub superbatches: Vec<Superbatch>,
    /// The seconds that all superbatches took.
    pub seconds: f64,
    /// The seconds that the last superbatch took.
    pub last_seconds: Option<f64>,
    /// How it ended: `finished`, `stopped early` or `stopped`; `None` if it runs or was killed.
    pub ended: Option<String>,
    /// Lines that cannot be read, but for an incomplete last one.
    pub damaged: u64,
}

/// The largest log that is read: some hundred thousand superbatches.
const MAX_LOG_BYTES: u64 = 64 << 20;

impl LoggedTraining {
    /// Reads the log of a training's folder.
    pub fn read(folder: &Path) -> Result<Self, PipelineError> {
        let path = folder.join(FILE);
        let file = File::open(&path).map_err(PipelineError::io("read", &path))?;
        let mut bytes = Vec::new();
        let read = file.take(MAX_LOG_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(PipelineError::io("read", &path))?;
        if bytes.len() as u64 > MAX_LOG_BYTES {
            let fault = format!("it is larger than {MAX_LOG_BYTES} bytes");
            return Err(PipelineError::damaged(&path, &fault));
        }
        Ok(Self::parse(&bytes))
    }

    /// Reads the text of a log.
    fn parse(bytes: &[u8]) -> Self {
        let mut training = Self::default();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            match serde_json::from_slice::<Value>(line) {
                Ok(record) => training.add(&record),
                Err(_) => training.damaged += u64::from(line.ends_with(b"\n")),
            }
        }
        training
    }

    fn add(&mut self, record: &Value) {
        let text = |name: &str| record[name].as_str().map(str::to_owned);
        let step = record["step"].as_u64();
        match record["type"].as_str() {
            Some("begin" | "resume") => {
                self.architecture = text("architecture").or(self.architecture.take());
                self.features = text("features").or(self.features.take());
                self.steps = record["steps"].as_u64().or(self.steps);
                self.step = step.unwrap_or(self.step);
                self.ended = None;
            }
            Some("superbatch") => {
                let parts = record["seconds"].as_object();
                let parts = parts.into_iter().flat_map(|parts| parts.values());
                let seconds = parts.filter_map(Value::as_f64);
                let seconds: f64 = seconds.filter(|seconds| *seconds >= 0.0).sum();
                self.seconds += seconds;
                self.last_seconds = Some(seconds);
                self.step = step.unwrap_or(self.step);
                self.superbatches.push(superbatch(record));
            }
            Some("end") => {
                self.ended = text("ended");
                self.step = step.unwrap_or(self.step);
            }
            _ => self.damaged += 1,
        }
    }
}

/// The lines of all superbatches.
fn records(path: &Path) -> Result<Vec<Value>, PipelineError> {
    let text = fs::read_to_string(path).map_err(PipelineError::io("read", path))?;
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(lines.filter(|line| line["type"] == "superbatch").collect())
}

fn superbatch(record: &Value) -> Superbatch {
    Superbatch {
        number: record["superbatch"].as_u64().unwrap_or_default(),
        step: record["step"].as_u64().unwrap_or_default(),
        loss: record["loss"].as_f64(),
        validation_loss: record["validation"]["loss"].as_f64(),
        is_best: record["validation"]["best"] == true,
        rate: record["rate"].as_f64(),
        speed: record["positions_per_second"].as_f64(),
    }
}

/// The lines up to a step. A torn line ends them.
fn lines_until(text: &str, step: u64) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let Ok(value) = serde_json::from_str::<Value>(line) else { break };
        if value["step"].as_u64().is_some_and(|at| at <= step) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_in_spite_of_damage() {
        let text = concat!(
            "{\"type\":\"begin\",\"step\":0,\"steps\":30,\"architecture\":\"a\"}\n",
            "{\"type\":\"superbatch\",\"superbatch\":1,\"step\":10,\"loss\":0.5,",
            "\"seconds\":{\"load\":0.5,\"step\":1.5}}\n",
            "not JSON\n",
            "{\"type\":\"superbatch\",\"superbatch\":2,\"step\":20}\n",
            "{\"type\":\"super"
        );
        let training = LoggedTraining::parse(text.as_bytes());
        assert_eq!((training.step, training.steps, training.damaged), (20, Some(30), 1));
        assert_eq!((training.superbatches.len(), training.seconds), (2, 2.0));
        assert_eq!(training.ended, None);
        let ended = format!("{text}\n{{\"type\":\"end\",\"step\":30,\"ended\":\"finished\"}}\n");
        let training = LoggedTraining::parse(ended.as_bytes());
        assert_eq!((training.step, training.ended.as_deref()), (30, Some("finished")));
        assert_eq!(LoggedTraining::parse(&[0xff, 0xfe, b'\n']).damaged, 1);
    }

    #[test]
    fn a_resume_drops_later_steps_and_what_follows_a_torn_line() {
        let text = "{\"step\":0}\n{\"step\":5}\n{\"step\":9}\n{\"st\n{\"step\":5}\n";
        assert_eq!(lines_until(text, 5), "{\"step\":0}\n{\"step\":5}\n");
        assert_eq!(lines_until(text, 9), "{\"step\":0}\n{\"step\":5}\n{\"step\":9}\n");
    }
}
