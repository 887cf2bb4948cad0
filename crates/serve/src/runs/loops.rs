//! Loops: the rating of each generation and what it cost.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pipeline::looping::{LoopConfig, LoopFolder, LoopState, TestedGeneration, current_stage};
use pipeline::stages::LoggedTraining;
use report::progress;
use serde::Serialize;
use serde_json::{Value, json};

use super::files;
use super::reader::{RunReader, Scene};
use super::summary::{End, Facts, Status};

/// A loop.
#[derive(Debug, Default)]
pub(super) struct LoopReader {
    state: LoopState,
    stage: &'static str,
    /// The costs of generations that are tested; they do not change any more.
    costs: HashMap<u64, Option<Cost>>,
}

/// What a generation cost, in seconds of wall time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Cost {
    data: f64,
    training: f64,
    #[serde(rename = "match")]
    gate: f64,
}

/// The largest configuration of a loop.
const MAX_CONFIG_BYTES: u64 = 1 << 18;

impl RunReader for LoopReader {
    fn files(&self, path: &Path) -> Vec<PathBuf> {
        vec![path.join("state.toml"), path.join("lock"), path.join("gen-0000/net.accrue")]
    }

    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String> {
        let folder = LoopFolder::existing(scene.path.to_owned());
        let folder = folder.ok_or("it has no folder gen-0000")?;
        // Before the first decision there is no state; a link is not read.
        self.state = if files::is_file(&folder.file("state.toml")) {
            LoopState::read(&folder).map_err(|error| error.to_string())?
        } else {
            LoopState::default()
        };
        self.stage = current_stage(&folder, &self.state);
        let config = self.config(&folder, scene);
        let tested = self.state.generations.len() as u64;
        let wanted = config.as_ref().map(|config| config.generations).filter(|&wanted| wanted > 0);
        let is_complete = wanted.is_some_and(|wanted| tested >= wanted);
        let children = scene.children().filter_map(|child| scene.facts.get(&child.path));
        let (mut is_running, mut changed) = (false, None);
        for facts in children {
            is_running |= facts.status(SystemTime::now()) == Status::Running;
            changed = changed.max(facts.changed);
        }
        Ok(Facts {
            game: config.map(|config| config.game),
            text: self.text(),
            progress: wanted.map(|wanted| tested as f64 / wanted as f64),
            end: match (is_complete, is_running) {
                (true, _) => End::Finished,
                (false, true) => End::Running,
                (false, false) => End::Open,
            },
            changed,
            ..Facts::default()
        })
    }

    fn view(&mut self, scene: &Scene<'_>) -> Value {
        let tested = self.state.generations.clone();
        for generation in &tested {
            let folder = || scene.path.join(format!("gen-{:04}", generation.number));
            self.costs.entry(generation.number).or_insert_with(|| cost(&folder()));
        }
        let rows = tested.iter().map(|generation| {
            let TestedGeneration { number, games, points, .. } = *generation;
            json!({
                "number": number,
                "against": generation.against,
                "promoted": generation.promoted,
                "verdict": generation.verdict,
                "games": games,
                "score": (games > 0).then(|| points / games as f64),
                "elo": generation.elo,
                "elo_error": generation.error,
                "rating": generation.rating,
                "seconds": self.costs.get(&number),
            })
        });
        let generations: Vec<_> = tested.iter().map(TestedGeneration::generation).collect();
        json!({
            "stage": self.stage,
            "generations": rows.collect::<Vec<_>>(),
            "chart": progress::ratings(&generations).inline().into_string(),
        })
    }
}

impl LoopReader {
    /// The configuration of the newest generation that has one.
    fn config(&self, folder: &LoopFolder, scene: &Scene<'_>) -> Option<LoopConfig> {
        let newest = self.state.next();
        let path = (newest.saturating_sub(1)..=newest).rev().find_map(|number| {
            let path = folder.generation(number).join("loop.toml");
            let is_small =
                files::regular(&path).is_some_and(|known| known.len() <= MAX_CONFIG_BYTES);
            (is_small && files::is_folder(&folder.generation(number))).then_some(path)
        });
        LoopConfig::read(&path?, scene.games()).ok()
    }

    fn text(&self) -> String {
        let (next, stage) = (self.state.next(), self.stage);
        let best = self.state.best();
        let rating = self.state.best_rating();
        match self.state.generations.len() {
            0 => format!("generation {next}: {stage}"),
            _ => {
                format!("best is generation {best} at {rating:+.0} Elo; generation {next}: {stage}")
            }
        }
    }
}

/// The cost of a generation: the times of its files, and the seconds in the log of its training.
fn cost(folder: &Path) -> Option<Cost> {
    if !files::is_folder(folder) || !files::is_folder(&folder.join("training")) {
        return None;
    }
    let between = |first: &str, last: &str| {
        let (first, last) =
            (files::modified(&folder.join(first))?, files::modified(&folder.join(last))?);
        Some(last.duration_since(first).ok()?.as_secs_f64())
    };
    let training = folder.join("training");
    let log = files::is_file(&training.join("log.jsonl")).then(|| LoggedTraining::read(&training));
    Some(Cost {
        data: between("loop.toml", "games.data.manifest.json")?,
        training: log?.ok()?.seconds,
        gate: between("net.accrue", "gate.journal")?,
    })
}
