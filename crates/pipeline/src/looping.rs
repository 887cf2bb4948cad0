//! Loop: generate, train, test, promote, repeat, for as long as it runs.
//!
//! Its stages resume from their files, and the decisions are in one small file, [`LoopState`], that
//! is replaced as a whole. So a loop can be stopped or killed at any time.

mod config;
mod folder;
mod generation;
mod promoted;
mod settings;
mod state;
mod training;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::ToolkitGame;
use report::progress;

use crate::stages::is_match_over;
use crate::{PipelineError, StageRunner, files};
pub use config::{Gate, Generate, Heads, LoopCalibration, LoopConfig, LoopFit, Training};
pub use folder::LoopFolder;
use generation::{GATE_JOURNAL, Generation, make_start};
pub use settings::{
    CalibrateSettings, ExportBound, ExportSettings, GenerateOptions, KeptPositions, ScoreLimit,
};
pub use state::{LoopState, TestedGeneration};

/// A loop to run.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The configuration file. A change applies from the next generation on.
    pub config: PathBuf,
    /// The number of tested generations to stop after, instead of the configuration's.
    pub generations: Option<u64>,
    /// The number of threads, instead of the configuration's.
    pub threads: Option<usize>,
}

/// The chart of the ratings in the folder of a loop.
pub const STATUS_PICTURE: &str = "status.svg";
const STATUS_PAGE: &str = "status.html";

impl Loop {
    /// Runs generations until there are enough. `None` if the program is to stop before.
    pub fn run<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        runner: &mut R,
    ) -> Result<Option<(LoopFolder, LoopState)>, R::Error> {
        let config = self.read::<G, R>(runner)?;
        // Missing files are found before anything starts.
        config.other_data(&self.config, runner.context().games)?;
        let folder = LoopFolder::open(config.folder(&self.config))?;
        let mut state = LoopState::read(&folder)?;
        make_start(&folder, &config, &self.config, runner)?;
        let last = self.generations.unwrap_or(config.generations);
        while last == 0 || state.generations.len() < last as usize {
            let config = self.read::<G, R>(runner)?;
            let context = runner.context();
            let generation =
                Generation::open(&folder, &state, &config, &self.config, self.threads, &context)?;
            let Some(tested) = generation.run::<G, R>(runner)? else { return Ok(None) };
            let summary = tested.generation().summary();
            state.add(tested);
            state.write(&folder)?;
            write_status(&folder, &state)?;
            runner.note("")?;
            runner.note(&summary)?;
            let begun = Instant::now();
            while !runner.context().is_stopped() && begun.elapsed().as_secs_f64() < config.pause {
                std::thread::sleep(Duration::from_millis(50));
            }
            if runner.context().is_stopped() {
                return Ok(None);
            }
        }
        Ok(Some((folder, state)))
    }

    /// Reads the configuration, whose game cannot change.
    fn read<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        runner: &R,
    ) -> Result<LoopConfig, PipelineError> {
        let config = LoopConfig::read(&self.config, runner.context().games)?;
        if config.game != G::NAME {
            let fault = format!("was {} and cannot become {}", G::NAME, config.game);
            return Err(PipelineError::field("game", fault).in_file(&self.config));
        }
        Ok(config)
    }
}

/// Writes the ratings as a picture and as a page.
pub fn write_status(folder: &LoopFolder, state: &LoopState) -> Result<(), PipelineError> {
    let generations: Vec<_> = state.generations.iter().map(TestedGeneration::generation).collect();
    let picture = progress::ratings(&generations).standalone();
    files::replace(&folder.file(STATUS_PICTURE), picture.as_bytes())?;
    let page = progress::html("accrue loop", &generations);
    files::replace(&folder.file(STATUS_PAGE), page.as_bytes())
}

/// The stage that the generation being made has reached, as its files show.
pub fn current_stage(folder: &LoopFolder, state: &LoopState) -> &'static str {
    let subfolder = folder.generation(state.next());
    let has = |name: &str| subfolder.join(name).exists();
    match () {
        () if has("calibrated.accrue") => "fit",
        () if has("held.data") => "calibration",
        () if has("heads.accrue") => "fit",
        () if has("heads") => "quantiles and policy",
        () if is_match_over(&subfolder.join(GATE_JOURNAL)) => "fit",
        () if has("net.accrue") => "gate",
        () if has("training") => "training",
        () if has("games.data") => "self-play",
        () => "not started",
    }
}
