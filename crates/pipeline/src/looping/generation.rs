//! Generation of a loop: its stages, and the decision on its network.

use std::fs;
use std::path::{Path, PathBuf};

use arena::contest::ContestResult;
use arena::networks::NetworkSource;
use arena::tournament::End;
use arena::{EngineSpec, Hypothesis, Model, Sprt, Tally};
use games::ToolkitGame;
use search::SearchMode;

use super::config::{Gate, LoopConfig};
use super::folder::{LoopFolder, generation_name};
use super::state::{LoopState, TestedGeneration};
use super::training::VALUE_CONFIG;
use crate::stages::{
    ExportNetwork, GenerateData, PlayMatch, StartNetwork, StartWeights, TrainNetwork,
};
use crate::{Context, PipelineError, StageRunner, files};

/// Makes the network that the loop starts from, unless it exists.
pub(super) fn make_start<G: ToolkitGame, R: StageRunner<G>>(
    folder: &LoopFolder,
    config: &LoopConfig,
    config_path: &Path,
    runner: &mut R,
) -> Result<(), R::Error> {
    let out = folder.network(0);
    if out.is_file() {
        return Ok(());
    }
    let subfolder = folder.generation(0);
    fs::create_dir_all(&subfolder).map_err(PipelineError::io("create the folder", &subfolder))?;
    let (title, weights) = match config.start.as_str() {
        "random" => {
            let path = subfolder.join(VALUE_CONFIG);
            let text = config.train_config(None, &[], 0, config.seed)?.to_table().to_string();
            files::replace(&path, text.as_bytes())?;
            ("random weights", StartWeights::Random { config: path })
        }
        "material" => ("material", StartWeights::Material { game: config.game.clone() }),
        file => {
            let path = config_path.parent().unwrap_or(Path::new("")).join(file);
            let bytes = fs::read(&path).map_err(|error| {
                PipelineError::in_field("start", PipelineError::io("read", &path)(error))
            })?;
            return Ok(files::replace(&out, &bytes)?);
        }
    };
    let stage = StartNetwork { weights, out };
    runner.announce(title, &stage.command())?;
    runner.start_network(&stage)
}

/// A generation that is being made.
#[derive(Debug)]
pub(super) struct Generation<'a> {
    folder: &'a LoopFolder,
    pub(super) number: u64,
    best: u64,
    rating: f64,
    pub(super) threads: usize,
    pub(super) config: LoopConfig,
    pub(super) config_path: &'a Path,
}

/// The configuration that a generation was started with, in its folder.
const CONFIG: &str = "loop.toml";
/// The journal of the gate.
pub(super) const GATE_JOURNAL: &str = "gate.journal";

impl<'a> Generation<'a> {
    /// Starts the generation, or resumes it with the configuration that it was started with.
    pub(super) fn open(
        folder: &'a LoopFolder,
        state: &LoopState,
        config: &LoopConfig,
        config_path: &'a Path,
        threads: Option<usize>,
        context: &Context<'_>,
    ) -> Result<Self, PipelineError> {
        let number = state.next();
        let subfolder = folder.generation(number);
        fs::create_dir_all(&subfolder)
            .map_err(PipelineError::io("create the folder", &subfolder))?;
        let own = subfolder.join(CONFIG);
        let config = if own.is_file() {
            LoopConfig::read(&own, context.games)?
        } else {
            let text = fs::read(config_path).map_err(PipelineError::io("read", config_path))?;
            files::replace(&own, &text)?;
            config.clone()
        };
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(config.threads);
        let threads = if threads == 0 { all() } else { threads };
        let (best, rating) = (state.best(), state.best_rating());
        Ok(Self { folder, number, best, rating, threads, config, config_path })
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.generation(self.number).join(name)
    }

    /// The best network so far, relative to the folder of this generation.
    pub(super) fn best_from_here(&self) -> String {
        format!("../{}/net.accrue", generation_name(self.best))
    }

    /// A different number for each generation.
    pub(super) fn seed(&self) -> u64 {
        self.config.seed.wrapping_mul(1_000_003).wrapping_add(self.number)
    }

    /// Runs the stages that are not done. `None` if the program is to stop before the end.
    pub(super) fn run<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        runner: &mut R,
    ) -> Result<Option<TestedGeneration>, R::Error> {
        let net = self.file("net.accrue");
        if !net.is_file() {
            self.write_configs(&runner.context())?;
        }
        runner.note("")?;
        runner.note(&format!("generation {}, from generation {}", self.number, self.best))?;
        if !net.is_file() {
            let data = self.data();
            runner.announce("self-play", &data.command())?;
            if !runner.generate_data(&data)?.is_complete()
                || !self.train("training", VALUE_CONFIG, "training", runner)?
            {
                return Ok(None);
            }
            self.export("training", &net, runner)?;
        }
        let gate = self.gate()?;
        runner.announce("gate", &gate.command())?;
        let result = runner.play_match(&gate, &mut |_, _| {})?;
        if result.end == End::Stopped {
            return Ok(None);
        }
        let tested = self.judge(&gate, &result);
        if tested.promoted && !self.complete(runner)? {
            return Ok(None);
        }
        Ok(Some(tested))
    }

    /// One of the two trainings. `false` if it was stopped.
    pub(super) fn train<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        title: &str,
        config: &str,
        folder: &str,
        runner: &mut R,
    ) -> Result<bool, R::Error> {
        let stage = TrainNetwork {
            config: self.file(config),
            overrides: Vec::new(),
            threads: Some(self.threads),
            resume: self.file(folder).is_dir(),
        };
        runner.announce(title, &stage.command())?;
        Ok(!runner.train(&stage)?.is_stopped())
    }

    pub(super) fn export<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        folder: &str,
        out: &Path,
        runner: &mut R,
    ) -> Result<(), R::Error> {
        let training = &self.config.training;
        let stage = training.export_options.apply(ExportNetwork {
            data: Some(self.file("games.data")),
            bound: training.export_bound.0,
            ..ExportNetwork::new(self.file(folder), out)
        });
        runner.announce("export", &stage.command())?;
        runner.export(&stage)?;
        Ok(())
    }

    fn data(&self) -> GenerateData {
        self.config.data(
            NetworkSource::new(self.folder.network(self.best)),
            self.file("games.data"),
            self.config.generate.positions_of(self.number),
            self.seed(),
            self.threads,
        )
    }

    fn gate(&self) -> Result<PlayMatch, PipelineError> {
        let Gate { elo0, elo1, alpha, beta, games, soft_nodes, random_plies } = self.config.gate;
        // Networks are compared, not searches: one of them may be calibrated.
        let engine = |number: u64| {
            let net = self.folder.network(number).display().to_string();
            let hash = self.config.generate.hash;
            let name = format!("gen-{number}");
            EngineSpec::of_network(&name, &net, SearchMode::Classical, soft_nodes, hash)
        };
        Ok(PlayMatch {
            games,
            sprt: Some(Sprt::new(elo0, elo1, alpha, beta, Model::Normalized)?),
            random_plies,
            seed: self.seed().wrapping_add(500_000),
            concurrency: self.threads,
            pgn: Some(self.file("gate.pgn")),
            journal: Some(self.file(GATE_JOURNAL)),
            resume: true,
            ..PlayMatch::new(&self.config.game, vec![engine(self.number), engine(self.best)])
        })
    }

    fn judge(&self, gate: &PlayMatch, result: &ContestResult) -> TestedGeneration {
        let tally = &result.standings.pairings()[0].tally;
        let (promoted, verdict) = match result.verdict {
            Some(Hypothesis::H1) => (true, "H1"),
            Some(Hypothesis::H0) => (false, "H0"),
            // The games are used up; the likelier hypothesis counts.
            None => (gate.sprt.is_some_and(|sprt| sprt.llr(tally) > 0.0), "undecided"),
        };
        let (elo, error) = elo(tally);
        TestedGeneration {
            number: self.number,
            against: self.best,
            promoted,
            verdict: verdict.to_owned(),
            games: tally.games(),
            points: tally.points(),
            elo,
            error,
            rating: self.rating + elo,
        }
    }
}

/// The Elo difference, finite: a network that won all games is rated as if one had been drawn.
fn elo(tally: &Tally) -> (f64, Option<f64>) {
    let estimate = tally.estimate();
    let error = Some(estimate.elo_error).filter(|error| error.is_finite());
    if estimate.elo.is_finite() {
        return (estimate.elo, error);
    }
    let min = 0.5 / tally.games().max(1) as f64;
    let score = estimate.score.clamp(min, 1.0 - min);
    (400.0 * (score / (1.0 - score)).log10(), None)
}
