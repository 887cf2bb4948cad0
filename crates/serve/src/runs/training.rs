//! Trainings: the log of a folder as curves, and the neurons of its newest network.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use arena::networks::{NetworkLoader, NetworkSource};
use pipeline::stages::{LoggedTraining, draw_network, neuron_boards};
use report::Picture;
use report::neurons::NeuronSelection;
use serde_json::{Value, json};
use trainer::{Checkpoint, CheckpointFolder, Config, restored_learner};

use super::files;
use super::reader::{RunReader, Scene};
use super::summary::{End, Facts};

/// The largest network or checkpoint whose neurons are drawn.
const MAX_NETWORK_BYTES: u64 = 32 << 20;
/// The shortest time between two pictures of the neurons of a training that runs.
const DRAW_EVERY: Duration = Duration::from_secs(5);
/// The maximum number of superbatches in the table; the curves have them all.
const MAX_ROWS: usize = 5000;

/// A training.
#[derive(Debug, Default)]
pub(super) struct TrainingReader {
    log: LoggedTraining,
    charts: Vec<String>,
    neurons: Option<Neurons>,
}

/// A picture of neurons, and the file that it shows.
#[derive(Debug)]
struct Neurons {
    file: (PathBuf, Option<SystemTime>),
    svg: Option<String>,
    drawn: Instant,
}

impl RunReader for TrainingReader {
    fn files(&self, path: &Path) -> Vec<PathBuf> {
        vec![path.join("log.jsonl"), path.join("float.accrue")]
    }

    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String> {
        self.log = LoggedTraining::read(scene.path).map_err(|error| error.to_string())?;
        let curves = report::training::curves(&self.log.superbatches);
        self.charts = curves.iter().map(|chart| chart.inline().into_string()).collect();
        let log = &self.log;
        let game = log.features.as_deref().and_then(|features| scene.games().of_features(features));
        let silence = log.last_seconds.map(|seconds| 4.0 * seconds);
        let silence = silence.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Ok(Facts {
            game: game.map(|game| game.name().to_owned()),
            text: self.text(),
            progress: log.steps.map(|steps| log.step as f64 / steps.max(1) as f64),
            seconds_left: self.seconds_left(),
            end: self.end(scene.path),
            silence: silence.map(|silence| silence.min(Duration::from_hours(1))),
            ..Facts::default()
        })
    }

    fn view(&mut self, scene: &Scene<'_>) -> Value {
        self.draw_neurons(scene);
        let log = &self.log;
        let skipped = log.superbatches.len().saturating_sub(MAX_ROWS);
        let rows = log.superbatches[skipped..].iter().map(|batch| {
            json!({
                "number": batch.number,
                "step": batch.step,
                "loss": batch.loss,
                "validation_loss": batch.validation_loss,
                "rate": batch.rate,
                "positions_per_second": batch.speed,
                "is_best": batch.is_best,
            })
        });
        json!({
            "architecture": log.architecture,
            "step": log.step,
            "steps": log.steps,
            "superbatches": rows.collect::<Vec<_>>(),
            "charts": self.charts,
            "neurons": self.neurons.as_ref().and_then(|neurons| neurons.svg.as_deref()),
            "has_report": files::is_file(&scene.path.join("report.html")),
        })
    }
}

impl TrainingReader {
    fn text(&self) -> String {
        let log = &self.log;
        let step = match log.steps {
            Some(steps) => format!("step {} of {steps}", log.step),
            None => format!("step {}", log.step),
        };
        let last = log.superbatches.last();
        let loss = last.and_then(|batch| batch.loss);
        let validation = last.and_then(|batch| batch.validation_loss);
        let damage = match log.damaged {
            0 => None,
            1 => Some("one line of the log is damaged".to_owned()),
            count => Some(format!("{count} lines of the log are damaged")),
        };
        let parts = [
            Some(step),
            loss.map(|loss| format!("loss {loss:.4}")),
            validation.map(|loss| format!("validation loss {loss:.4}")),
            damage,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn end(&self, path: &Path) -> End {
        let log = &self.log;
        match log.ended.as_deref() {
            Some("stopped") => End::Stopped,
            Some(_) => End::Finished,
            // Logs of older programs do not say how the training ended.
            None => {
                let all_done = log.steps.is_none_or(|steps| log.step >= steps);
                let written = files::modified(&path.join("float.accrue"));
                let is_newer = written >= files::modified(&path.join("log.jsonl"));
                if all_done && written.is_some() && is_newer { End::Finished } else { End::Open }
            }
        }
    }

    /// By the last superbatch.
    fn seconds_left(&self) -> Option<f64> {
        let log = &self.log;
        let before = log.superbatches.iter().rev().nth(1).map_or(0, |batch| batch.step);
        let steps = log.step.checked_sub(before).filter(|&steps| steps > 0)?;
        let left = log.steps?.saturating_sub(log.step);
        Some(left as f64 / steps as f64 * log.last_seconds?)
    }

    /// Draws the neurons of the newest network, unless that was done a moment ago.
    fn draw_neurons(&mut self, scene: &Scene<'_>) {
        let Some(file) = newest_network(scene.path) else { return };
        let file = (file.clone(), files::modified(&file));
        let is_fresh = self
            .neurons
            .as_ref()
            .is_some_and(|known| known.file == file || known.drawn.elapsed() < DRAW_EVERY);
        if !is_fresh {
            let svg = draw(&file.0, &scene.app.networks);
            let svg = svg.map(|picture| picture.inline().into_string());
            self.neurons = Some(Neurons { file, svg, drawn: Instant::now() });
        }
    }
}

/// The network of a finished training, or the newest checkpoint.
fn newest_network(folder: &Path) -> Option<PathBuf> {
    let float = folder.join("float.accrue");
    let checkpoints = CheckpointFolder::new(folder);
    let newest = checkpoints.steps().ok()?.first().map(|&step| checkpoints.file(step));
    let newest = newest.filter(|path| files::is_file(path));
    if files::is_file(&float)
        && newest.as_ref().is_none_or(|path| files::modified(path) <= files::modified(&float))
    {
        Some(float)
    } else {
        newest
    }
}

/// The neurons of a network file or a checkpoint; `None` if they cannot be drawn.
fn draw(path: &Path, networks: &NetworkLoader) -> Option<Picture> {
    let selection = NeuronSelection::default();
    let length = files::regular(path)?.len();
    if length > MAX_NETWORK_BYTES {
        return None;
    }
    let games = networks.games();
    if path.extension().is_some_and(|extension| extension == "accrue") {
        let file = networks.read_file(&NetworkSource::new(path)).ok()?;
        return draw_network(path, &file, &selection, games).ok().map(|(_, picture)| picture);
    }
    let checkpoint = Checkpoint::read(path).ok()?;
    let config = Config::parse(checkpoint.config(), &[]).ok()?;
    let architecture = config.architecture(games).ok()?;
    // A checkpoint holds all parameters; one that is too small for them would only take memory.
    if (architecture.parameters() as u64).checked_mul(4).is_none_or(|bytes| bytes > length) {
        return None;
    }
    let learner = restored_learner(&checkpoint, games).ok()?;
    let weights = learner.parameters().feature_weights;
    let boards = neuron_boards(&architecture, &weights, &selection, games).ok()?;
    let step = checkpoint.progress().step;
    Some(boards.picture(&format!("after step {step}"), &architecture.to_string()))
}
