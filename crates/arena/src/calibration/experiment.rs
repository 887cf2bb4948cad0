//! Calibration experiment: fits the calibration of a network on one half of the games of data files
//! and measures it on the other half.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dataset::GameList;
use dataset::formats::{Format, FormatError, Formats};
use games::ToolkitGame;
use nnue::{Calibration, NetworkError};

use super::measurement::{CalibrationMeasurement, Calibrations};
use super::samples::CalibrationSamples;
use super::{
    Observation, Observer, ObserverError, QuantileSample, SkippedRecords, fit, fit_policy,
    is_fitted_on, ordering, ranges_of, searches,
};
use crate::networks::{LoadedNetwork, NetworkLoadError, NetworkLoader};

/// The options of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationOptions {
    /// Whether a calibration is fitted; otherwise the network is measured as it is.
    pub fit: bool,
    /// How far the share of scores between q10 and q90 may be below 0.8 if nothing is fitted.
    pub tolerance: f64,
    /// Scores farther from 0 count as this, in centipawns.
    pub clip: u16,
    /// The maximum number of records that are read.
    pub max_records: u64,
    /// The number of positions on which the policy is compared with the classical move ordering.
    pub order_positions: usize,
    /// The depth of the searches that fill the histories for this.
    pub order_depth: u8,
    /// The number of positions that are searched.
    pub search_positions: usize,
    /// The depth of these searches.
    pub search_depth: u8,
}

impl Default for CalibrationOptions {
    fn default() -> Self {
        Self {
            fit: true,
            tolerance: 0.04,
            clip: 2000,
            max_records: 1_000_000,
            order_positions: 2000,
            order_depth: 4,
            search_positions: 400,
            search_depth: 8,
        }
    }
}

/// The stages of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationStage {
    /// The network evaluates the records; counted in bytes.
    Evaluating,
    /// Moves are ordered; counted in positions.
    Ordering,
    /// Positions are searched; counted in searches.
    Searching,
}

/// The progress of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalibrationProgress {
    /// The stage.
    pub stage: CalibrationStage,
    /// What is done of it.
    pub done: u64,
    /// All of it.
    pub total: u64,
}

/// The result of an experiment.
#[derive(Clone, Debug)]
pub struct CalibrationResult {
    /// What was measured.
    pub measured: CalibrationMeasurement,
    /// The calibration that was fitted.
    pub fitted: Option<Calibration>,
}

/// Why a network cannot be calibrated.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// The network lacks something.
    #[error("cannot calibrate {file}: {error}")]
    Observer {
        /// The network.
        file: String,
        /// What it lacks.
        error: ObserverError,
    },
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkLoadError),
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] FormatError),
    /// A file in another format than the native one.
    #[error(
        "{} is in {format}, which has no scores of several depths; expected accrue's own data",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: Format,
    },
    /// A file that does not state its game.
    #[error("{} does not state its game", path.display())]
    UnknownGame {
        /// The file.
        path: PathBuf,
    },
    /// Files of different games.
    #[error("{} has positions of {found}, the file before it of {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: String,
        /// The game of the files before it.
        expected: String,
    },
    /// No record has scores of several depths.
    #[error(
        "none of {records} records can be used: {} have no scores of several depths, {} are in \
         check, {} scores announce mates",
        skipped.without_depths,
        skipped.in_check,
        skipped.mates
    )]
    NoUsableRecords {
        /// The number of records.
        records: u64,
        /// Why they cannot be used.
        skipped: SkippedRecords,
    },
    /// All games are in the half that is measured on.
    #[error(
        "there are no scores to fit on: all games are in the half that is measured on; generate \
         more games"
    )]
    NoFittedGames,
    /// All games are in the half that is fitted on.
    #[error("all games are in the half that is fitted on, none to measure on; generate more games")]
    NoMeasuredGames,
    /// The fit is not a valid calibration.
    #[error("the calibration that was fitted is not valid: {0}")]
    Fit(#[from] NetworkError),
}

/// The game of data files with scores of several depths: all must be native files of one game.
pub fn game_of_data(
    data: &[PathBuf],
    formats: &Formats,
    games: &GameList,
) -> Result<String, CalibrationError> {
    let mut game: Option<String> = None;
    for path in data {
        let found = game_of_file(path, formats, games)?;
        match &game {
            Some(expected) if *expected != found => {
                let (path, expected) = (path.clone(), expected.clone());
                return Err(CalibrationError::OtherGame { path, found, expected });
            }
            _ => game = Some(found),
        }
    }
    Ok(game.unwrap_or_default())
}

fn game_of_file(
    path: &Path,
    formats: &Formats,
    games: &GameList,
) -> Result<String, CalibrationError> {
    let format = formats.detect(path)?;
    if format != Format::Native {
        return Err(CalibrationError::Format { path: path.to_owned(), format });
    }
    let header = games.file_header(path, format)?;
    let game = header.map(|header| header.game);
    game.ok_or_else(|| CalibrationError::UnknownGame { path: path.to_owned() })
}

/// Runs an experiment: fits a calibration, unless `options` say otherwise, and measures the network
/// without and with it.
pub fn calibrate<G: ToolkitGame>(
    network: &LoadedNetwork,
    data: &[PathBuf],
    options: &CalibrationOptions,
    networks: &NetworkLoader,
    progress: &mut dyn FnMut(CalibrationProgress),
) -> Result<CalibrationResult, CalibrationError> {
    let observer =
        Observer::<G>::new(Arc::clone(network.network()), network.inputs()?, options.clip);
    let observer = observer.map_err(|error| {
        let file = network.file().to_owned();
        CalibrationError::Observer { file, error }
    })?;
    // Not the default network of the game: it may be the one that is measured.
    let baseline = networks.linear_network::<G>()?;
    let baseline = networks.static_evaluator::<G>(baseline.as_ref())?;
    let samples = CalibrationSamples::read(data, options, observer, baseline, progress)?;
    let own = network.network().calibration().filter(|_| !options.fit).cloned();
    let fitted = if options.fit { Some(fit_samples(&samples)?) } else { None };
    let calibration = fitted.as_ref().or(own.as_ref());
    let searches = match calibration {
        Some(calibration) => {
            let calibrated = network.clone().with_calibration(Some(calibration.clone()));
            searches::measure(options, &calibrated, &samples.positions, networks, progress)?
        }
        None => None,
    };
    let policy = calibration.and_then(Calibration::policy);
    let orderings = ordering::compare(options, network, &samples, policy, networks, progress)?;
    let calibrations = Calibrations { own: own.as_ref(), fitted: fitted.as_ref() };
    let measured =
        CalibrationMeasurement::new(options, network, calibrations, &samples, orderings)?;
    Ok(CalibrationResult { measured: CalibrationMeasurement { searches, ..measured }, fitted })
}

/// The calibration of the games that are fitted on.
fn fit_samples<G: ToolkitGame>(
    samples: &CalibrationSamples<G>,
) -> Result<Calibration, CalibrationError> {
    let half = samples.observations.iter().filter(|seen| is_fitted_on(seen.game));
    let quantiles: Vec<QuantileSample> = half.flat_map(Observation::samples).collect();
    if quantiles.is_empty() {
        return Err(CalibrationError::NoFittedGames);
    }
    let policy = &samples.fitted_policy;
    let policy = (!policy.is_empty()).then(|| fit_policy(policy));
    Ok(fit(&quantiles, ranges_of(&quantiles))?.with_policy(policy)?)
}
