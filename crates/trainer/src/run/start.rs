//! Run start: starts a new training, or resumes one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use dataset::{Batch, DataError, DecodeOptions, Decoder, GameList, Loader, LoaderOptions, Part};
use nnue::Architecture;

use super::files::expand;
use super::weights::initialise;
use super::{Run, RunError, Source, Times, Validator};
use crate::{
    Checkpoint, CheckpointFolder, Config, ConfigError, DataOrder, FoundCheckpoint, Learner,
    PolicyLoss, TrainingProgress,
};

/// The paths of a training.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The base of relative paths in the configuration.
    pub base: PathBuf,
    /// The folder of checkpoints. It is created if it does not exist.
    pub folder: PathBuf,
    /// Whether to resume from the newest checkpoint of the folder.
    pub resume: bool,
}

/// A training that is ready to run.
#[derive(Debug)]
pub struct Started {
    /// The training.
    pub run: Run,
    /// The checkpoint that it resumes from.
    pub resumed: Option<PathBuf>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// The lock file, which excludes a second training in the folder.
const LOCK: &str = "lock";

/// The window of a validation: large enough to sample many parts of the data.
const VALIDATION_WINDOW: usize = 1 << 16;

impl Run {
    /// Opens all files, and resumes from a checkpoint if requested. The features are those of one
    /// of `games`, or `raw:N`.
    pub fn start(config: Config, begin: &Begin, games: &GameList) -> Result<Started, RunError> {
        let architecture = config.check(games)?;
        let files = expand("data.files", &config.data.files, &begin.base)?;
        let validation = expand("data.validation", &config.data.validation, &begin.base)?;
        let lock = claim(&begin.folder, begin.resume)?;
        let folder = CheckpointFolder::new(&begin.folder);
        let mut warnings = Vec::new();
        let found =
            if begin.resume { find(&folder, &architecture, games, &mut warnings)? } else { None };
        let threads = threads(&config, found.as_ref(), &mut warnings);
        let mut learner = learner(&config, &architecture, threads, games)?;
        let (mut source, validator) =
            open(&config, &architecture, &files, &validation, games, &mut warnings)?;
        let mut progress = TrainingProgress {
            threads: threads as u64,
            random: config.init.seed,
            ..TrainingProgress::default()
        };
        let mut resumed = None;
        match found {
            Some(found) => {
                warn_of_changes(&config, &found.checkpoint, &mut warnings);
                progress = TrainingProgress {
                    threads: threads as u64,
                    ..found.checkpoint.progress().clone()
                };
                let fill = |name: &str, values: &mut [f32]| found.checkpoint.copy(name, values);
                learner.restore(progress.step, fill)?;
                source.go_to(progress.place)?;
                folder.set_aside_after(progress.step)?;
                resumed = Some(found.path);
            }
            None => initialise(&mut learner, &config, &begin.base, games)?,
        }
        let shards = vec![Batch::new(architecture.perspectives.count()); learner.threads()];
        let saved = resumed.as_ref().map(|_| progress.step);
        let run = Self {
            config,
            learner,
            source,
            validator,
            folder,
            progress,
            shards,
            saved,
            times: Times::default(),
            damage: 0,
            _lock: lock,
        };
        Ok(Started { run, resumed, warnings })
    }
}

/// Creates and locks the folder.
fn claim(folder: &Path, resume: bool) -> Result<File, RunError> {
    let shown = || folder.display().to_string();
    let io = |action| move |error| RunError::Io { action, path: shown(), error };
    fs::create_dir_all(folder).map_err(io("cannot make the folder"))?;
    let mut entries = fs::read_dir(folder).map_err(io("cannot read"))?.flatten();
    if !resume && entries.any(|entry| entry.file_name() != LOCK) {
        return Err(RunError::NotEmpty { folder: shown() });
    }
    let lock = File::create(folder.join(LOCK)).map_err(io("cannot write into"))?;
    // Some file systems have no locks; ignore their errors.
    if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
        return Err(RunError::InUse { folder: shown() });
    }
    Ok(lock)
}

/// The checkpoint to resume from.
fn find(
    folder: &CheckpointFolder,
    architecture: &Architecture,
    games: &GameList,
    warnings: &mut Vec<String>,
) -> Result<Option<FoundCheckpoint>, RunError> {
    let Some(found) = folder.latest()? else {
        warnings
            .push("there is no checkpoint to resume from yet; starting from the beginning".into());
        return Ok(None);
    };
    for error in &found.damaged {
        warnings.push(format!("{error}; resuming from {}", found.path.display()));
    }
    let stored = Config::parse(found.checkpoint.config(), &[])?.architecture(games)?;
    if stored != *architecture {
        return Err(RunError::OtherNetwork {
            path: found.path.display().to_string(),
            found: stored.to_string(),
            expected: architecture.to_string(),
        });
    }
    Ok(Some(found))
}

/// The requested number; if unset, the number of the checkpoint or of processors.
fn threads(config: &Config, found: Option<&FoundCheckpoint>, warnings: &mut Vec<String>) -> usize {
    let before = found.map(|found| found.checkpoint.progress().threads as usize);
    let before = before.filter(|count| (1..=1024).contains(count));
    let threads = match (config.data.threads, before) {
        (0, Some(before)) => before,
        (0, None) => std::thread::available_parallelism().map_or(1, usize::from),
        (threads, _) => threads,
    };
    if let Some(before) = before.filter(|&before| before != threads) {
        warnings.push(format!(
            "resuming with {threads} threads after {before}: results differ in their last bits"
        ));
    }
    threads
}

/// Warnings for settings that differ from the checkpoint's. Such changes are allowed.
fn warn_of_changes(config: &Config, checkpoint: &Checkpoint, warnings: &mut Vec<String>) {
    let Ok(before) = Config::parse(checkpoint.config(), &[]) else { return };
    let (before, now) = (before.to_table(), config.to_table());
    for (section, fields) in &now {
        let Some(fields) = fields.as_table() else { continue };
        let earlier = before.get(section).and_then(toml::Value::as_table);
        let names = fields.keys().chain(earlier.into_iter().flat_map(toml::Table::keys));
        let mut changed: Vec<_> = names
            .filter(|&name| fields.get(name) != earlier.and_then(|earlier| earlier.get(name)))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        for name in changed {
            warnings.push(format!("{section}.{name} has changed since the checkpoint was written"));
        }
    }
}

fn learner(
    config: &Config,
    architecture: &Architecture,
    threads: usize,
    games: &GameList,
) -> Result<Learner, RunError> {
    let factors = if config.network.factorise { Some(factors(architecture, games)?) } else { None };
    let mut learner = Learner::new(
        architecture.clone(),
        factors,
        config.objective(),
        config.optimiser,
        threads,
        config.init.seed,
    )?;
    learner.set_clips(&config.clips(architecture))?;
    learner.freeze(&config.init.freeze)?;
    Ok(learner)
}

/// The virtual feature of each feature.
fn factors(architecture: &Architecture, games: &GameList) -> Result<Vec<u32>, ConfigError> {
    let features = &architecture.features;
    let game = games.of_features(features);
    let factors = game.and_then(|game| game.feature_factors(features).ok()).unwrap_or_default();
    if factors.is_empty() {
        let fault =
            format!("the features {features} have no king buckets, so there is nothing to share");
        return Err(ConfigError::value("network.factorise", fault));
    }
    Ok(factors)
}

fn open(
    config: &Config,
    architecture: &Architecture,
    files: &[PathBuf],
    validation: &[PathBuf],
    games: &GameList,
    warnings: &mut Vec<String>,
) -> Result<(Source, Option<Validator>), RunError> {
    let data = &config.data;
    if !data.rows.is_empty() {
        return Ok((Source::Rows { rows: data.rows.clone(), next: 0 }, None));
    }
    let decoder = || make_decoder(config, architecture, games);
    let order = match data.order {
        DataOrder::Shuffled => dataset::Order::Shuffled,
        DataOrder::Sequential => dataset::Order::Sequential,
    };
    let held_out = if validation.is_empty() { f64::from(data.held_out) } else { 0.0 };
    let (seed, window) = (config.init.seed, data.window);
    let part = if held_out > 0.0 { Part::Training } else { Part::All };
    let options = LoaderOptions { seed, window, order, held_out, part };
    let loader = open_loader("data.files", architecture, files, options)?;
    let source = Source::Files { loader, decoder: decoder()? };
    if config.validation.every == 0 || validation.is_empty() && held_out == 0.0 {
        return Ok((source, None));
    }
    let part = if validation.is_empty() { Part::Validation } else { Part::All };
    let window = window.min(VALIDATION_WINDOW);
    let options = LoaderOptions { seed, window, order, held_out, part };
    let (setting, files) =
        if validation.is_empty() { ("data.files", files) } else { ("data.validation", validation) };
    let loader = open_loader(setting, architecture, files, options)?;
    let limit = config.validation.positions;
    let validator = Validator::new(loader, decoder()?, limit, data.batch_size)?;
    if validator.is_none() {
        let fault = "no game was held out, so there is no validation: raise data.held_out; or, if \
                     the records have no game numbers (text and bulletformat), name files in \
                     data.validation";
        warnings.push(fault.into());
    }
    Ok((source, validator))
}

fn make_decoder(
    config: &Config,
    architecture: &Architecture,
    games: &GameList,
) -> Result<Box<dyn Decoder>, RunError> {
    let policy = config.loss.policy.map(|policy| policy.loss);
    let options = DecodeOptions {
        factorise: config.network.factorise,
        noisy: config.loss.value.is_some_and(|value| value.quiet),
        policy: policy == Some(PolicyLoss::FromTo),
        legal_moves: policy == Some(PolicyLoss::Legal),
        policy_form: crate::policy_form(architecture, games).unwrap_or_default(),
        quantiles: config.loss.quantiles.is_some(),
    };
    Ok(games.decoder(&architecture.features, options)?)
}

/// Opens files of the network's game; the error for another game names the setting.
fn open_loader(
    setting: &str,
    architecture: &Architecture,
    files: &[PathBuf],
    options: LoaderOptions,
) -> Result<Loader, RunError> {
    let game = architecture.features.split('.').next().unwrap_or_default();
    Loader::open(game, files, options).map_err(|error| match error {
        DataError::Game { path, found, .. } => {
            let (path, features) = (path.display(), &architecture.features);
            let fault =
                format!("{path} holds positions of {found}; the features {features} need {game}");
            ConfigError::value(setting, fault).into()
        }
        error => error.into(),
    })
}

/// The initial network of a training. Paths in the configuration are relative to `base`.
pub fn first_learner(config: &Config, base: &Path, games: &GameList) -> Result<Learner, RunError> {
    let mut learner = learner(config, &config.architecture(games)?, 1, games)?;
    initialise(&mut learner, config, base, games)?;
    Ok(learner)
}

/// The network of a checkpoint, with its weights and optimiser state.
pub fn restored_learner(checkpoint: &Checkpoint, games: &GameList) -> Result<Learner, RunError> {
    let config = Config::parse(checkpoint.config(), &[])?;
    let mut learner = learner(&config, &config.architecture(games)?, 1, games)?;
    let fill = |name: &str, values: &mut [f32]| checkpoint.copy(name, values);
    learner.restore(checkpoint.progress().step, fill)?;
    Ok(learner)
}
