//! Calibration: fits and measures the quantiles, the policy and the score model of a network.

mod page;

use std::path::{Path, PathBuf};

use arena::calibration::{
    CalibrationMeasurement, CalibrationOptions, CalibrationProgress, CalibrationResult,
    ScoreFitError, calibrate,
};
use arena::networks::{LoadedNetwork, NetworkSource};
use games::ToolkitGame;
use nnue::{Calibration, ScoreModel};
use serde::Serialize;

use super::score_model::{FitScores, FittedScores, ScoreReport};
use crate::{CommandLine, Context, PipelineError, files};

/// Calibrates a network.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrateNetwork {
    /// The network file.
    pub net: PathBuf,
    /// Data files with scores of several depths, of games that the network is not trained on.
    pub data: Vec<PathBuf>,
    /// The file for the calibrated network; nothing is written without it.
    pub out: Option<PathBuf>,
    /// The file for plots and tables.
    pub report: Option<PathBuf>,
    /// How the calibration is fitted and measured.
    pub options: CalibrationOptions,
    /// The maximum number of positions that the score model is fitted on; 0 keeps the one of the
    /// network.
    pub score_positions: usize,
}

/// How far a calibration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrateProgress {
    /// Quantiles and policy are fitted and measured.
    Calibrating(CalibrationProgress),
    /// Positions are searched for the score model.
    Scoring {
        /// The number of positions searched.
        done: u64,
        /// The number of all positions.
        total: u64,
    },
}

/// The result of a calibration.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum CalibrationOutcome {
    /// Of a network with quantiles.
    Quantiles(Box<QuantileReport>),
    /// Of a network without quantiles: the score model alone.
    Scores(ScoresReport),
}

/// The result for a network with quantiles.
#[derive(Clone, Debug, Serialize)]
pub struct QuantileReport {
    /// What is measured.
    #[serde(flatten)]
    pub measured: CalibrationMeasurement,
    /// The score model, if it is fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_model: Option<ScoreReport>,
    /// Why no score model can be fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_score_model: Option<String>,
    /// The file of the calibrated network.
    pub written: Option<String>,
}

/// The result for a network without quantiles.
#[derive(Clone, Debug, Serialize)]
pub struct ScoresReport {
    /// The score model.
    #[serde(flatten)]
    pub score_model: ScoreReport,
    /// The network.
    #[serde(skip)]
    pub network: String,
    /// The file of the network with the score model.
    #[serde(skip)]
    pub written: Option<String>,
}

impl CalibrationOutcome {
    /// Whether a check found the quantiles too narrow.
    pub fn is_too_narrow(&self) -> bool {
        match self {
            Self::Quantiles(report) => report.measured.too_narrow == Some(true),
            Self::Scores(_) => false,
        }
    }
}

impl CalibrateNetwork {
    /// The maximum number of positions that the score model is fitted on by default.
    pub const SCORE_POSITIONS: usize = 10_000;

    /// A calibration with the defaults of the command line. It writes nothing.
    pub fn new(net: impl Into<PathBuf>, data: Vec<PathBuf>) -> Self {
        Self {
            net: net.into(),
            data,
            out: None,
            report: None,
            options: CalibrationOptions::default(),
            score_positions: Self::SCORE_POSITIONS,
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let (options, default) = (&self.options, CalibrationOptions::default());
        // In percentage points, without the rounding error of the product.
        let points = |tolerance: f64| (tolerance * 1e6).round() / 1e4;
        let command = CommandLine::new("calibrate").file(&self.net).word("--data");
        let command = self.data.iter().fold(command, |command, path| command.file(path));
        command
            .maybe("out", self.out.as_ref().map(|path| path.display()))
            .flag("check", !options.fit)
            .unless_default("tolerance", points(options.tolerance), points(default.tolerance))
            .maybe("report", self.report.as_ref().map(|path| path.display()))
            .unless_default("clip", options.clip, default.clip)
            .unless_default("positions", options.max_records, default.max_records)
            .unless_default("order-positions", options.order_positions, default.order_positions)
            .unless_default("order-depth", options.order_depth, default.order_depth)
            .unless_default("search-positions", options.search_positions, default.search_positions)
            .unless_default("search-depth", options.search_depth, default.search_depth)
            .unless_default("score-positions", self.score_positions, Self::SCORE_POSITIONS)
    }

    /// Fits and measures; writes the network and the report where files are named for them.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        observe: &mut dyn FnMut(CalibrateProgress),
    ) -> Result<CalibrationOutcome, PipelineError> {
        let network = context.networks.load(&NetworkSource::new(&self.net))?;
        let fits_scores = self.options.fit && self.score_positions > 0;
        if fits_scores && !network.network().architecture().has_quantiles() {
            return self.scores_alone::<G>(&network, context, observe);
        }
        let CalibrationResult { measured, fitted } = calibrate::<G>(
            &network,
            &self.data,
            &self.options,
            context.networks,
            &mut |progress| observe(CalibrateProgress::Calibrating(progress)),
        )?;
        let scores = if fits_scores {
            Some(self.fit_scores::<G>(&network, context, observe)?)
        } else {
            None
        };
        let (model, score_model, no_score_model) = match scores {
            Some(Ok(FittedScores { fit, report })) => (Some(fit.model), Some(report), None),
            Some(Err(reason)) => (None, None, Some(reason.to_string())),
            None => (None, None, None),
        };
        if let Some(path) = &self.report {
            files::replace(path, page::page(&measured).as_bytes())?;
        }
        if let (Some(out), Some(calibration)) = (&self.out, fitted) {
            self.write(out, Some(calibration), model, context)?;
        }
        let written = self.out.as_ref().map(|out| out.display().to_string());
        let report = QuantileReport { measured, score_model, no_score_model, written };
        Ok(CalibrationOutcome::Quantiles(Box::new(report)))
    }

    fn fit_scores<G: ToolkitGame>(
        &self,
        network: &LoadedNetwork,
        context: &Context<'_>,
        observe: &mut dyn FnMut(CalibrateProgress),
    ) -> Result<Result<FittedScores, ScoreFitError>, PipelineError> {
        let fit = FitScores { loaded: network, data: &self.data, positions: self.score_positions };
        fit.run::<G>(context, &mut |done, total| {
            observe(CalibrateProgress::Scoring { done, total });
        })
    }

    /// The score model of a network without quantiles.
    fn scores_alone<G: ToolkitGame>(
        &self,
        network: &LoadedNetwork,
        context: &Context<'_>,
        observe: &mut dyn FnMut(CalibrateProgress),
    ) -> Result<CalibrationOutcome, PipelineError> {
        let FittedScores { fit, report } =
            self.fit_scores::<G>(network, context, observe)?.map_err(|source| {
                PipelineError::NothingToCalibrate { network: self.net.clone(), source }
            })?;
        if let Some(out) = &self.out {
            self.write(out, None, Some(fit.model), context)?;
        }
        Ok(CalibrationOutcome::Scores(ScoresReport {
            score_model: report,
            network: network.description(),
            written: self.out.as_ref().map(|out| out.display().to_string()),
        }))
    }

    /// Writes the network with what is fitted; what is not fitted stays as it is.
    fn write(
        &self,
        out: &Path,
        calibration: Option<Calibration>,
        score_model: Option<ScoreModel>,
        context: &Context<'_>,
    ) -> Result<(), PipelineError> {
        let mut file = context.networks.read_file(&NetworkSource::new(&self.net))?;
        if calibration.is_some() {
            file = file.with_calibration(calibration)?;
        }
        if score_model.is_some() {
            file = file.with_score_model(score_model);
        }
        files::replace(out, &file.write())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_leaves_out_defaults() {
        let mut calibrate =
            CalibrateNetwork::new("net.accrue", vec!["a.data".into(), "b.data".into()]);
        assert_eq!(
            calibrate.command().to_string(),
            "accrue calibrate net.accrue --data a.data b.data"
        );
        calibrate.options.fit = false;
        calibrate.options.tolerance = 0.07;
        calibrate.options.search_positions = 0;
        assert_eq!(
            calibrate.command().to_string(),
            "accrue calibrate net.accrue --data a.data b.data --check --tolerance 7 \
             --search-positions 0"
        );
    }
}
