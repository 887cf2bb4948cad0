//! Score model: what a network's scores mean, fitted on games of data files.

use std::path::PathBuf;

use arena::calibration::{
    ScoreFit, ScoreFitError, ScoreSample, ScoredPosition, fit_score_model, is_fitted_on,
    score_log_loss,
};
use arena::networks::LoadedNetwork;
use dataset::formats::{self, Format};
use games::ToolkitGame;
use nnue::ScoreModel;
use search::EngineOptions;
use serde::Serialize;

use crate::{Context, PipelineError};

/// Nodes of the search that scores a position.
const NODES: u64 = 400;

/// Fits the score model of a network.
#[derive(Clone, Copy, Debug)]
pub struct FitScores<'a> {
    /// The network.
    pub loaded: &'a LoadedNetwork,
    /// Files of accrue's own format.
    pub data: &'a [PathBuf],
    /// The maximum number of positions to search.
    pub positions: usize,
}

/// Fits a score model for a stage that does not depend on the type of the game: it calls
/// [`FitScores::run`] with the game of the network.
pub type ScoreFitter<'a> =
    &'a mut dyn FnMut(&FitScores<'_>) -> Result<Result<FittedScores, ScoreFitError>, PipelineError>;

/// A score model with its measurement on games that it is not fitted on.
#[derive(Clone, Debug)]
pub struct FittedScores {
    /// The fit.
    pub fit: ScoreFit,
    /// Its figures.
    pub report: ScoreReport,
}

/// The figures of a score model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreReport {
    /// Games that the model is fitted on.
    pub games: u64,
    /// Positions that the model is fitted on.
    pub positions: u64,
    /// The mean number of pieces, which the next four are for.
    pub pieces: usize,
    /// The score at which half of the games are won.
    pub midpoint: f64,
    /// The standard error of the midpoint.
    pub midpoint_error: f64,
    /// The scale of the logistic function.
    pub scale: f64,
    /// The standard error of the scale.
    pub scale_error: f64,
    /// The log-loss on the other games; `None` if there are none.
    pub log_loss: Option<f64>,
    /// The log-loss of the network's model before, or else of the game's.
    pub log_loss_before: Option<f64>,
}

impl FitScores<'_> {
    /// Fits the model on half of the games and measures it on the other half. The inner error is
    /// the reason why there is no model. `progress` is called with the number of positions searched
    /// and of all.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Result<FittedScores, ScoreFitError>, PipelineError> {
        let mut halves = [(); 2].map(|()| ScoreSample::<G>::new(self.positions.div_ceil(2)));
        for (number, path) in (0_u64..).zip(self.data) {
            let mut source = formats::open_source::<G>(path, Format::Native, &[])?;
            while let Some(record) = source.next()? {
                let half = &mut halves[usize::from(!is_fitted_on(record.game))];
                half.add(number << 32 | u64::from(record.game), &record);
            }
        }
        let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
        let mut engine = context.networks.engine::<G>(options, Some(self.loaded), 100)?;
        let total = halves.iter().map(ScoreSample::len).sum::<usize>() as u64;
        let mut done = 0;
        let [fitted, measured] = halves.map(|half| {
            half.search(&mut engine, NODES, || {
                done += 1;
                progress(done, total);
            })
        });
        let before = self.loaded.score_model();
        Ok(fit_score_model(&fitted).map(|fit| {
            let report = ScoreReport::new(&fit, before, &measured);
            FittedScores { fit, report }
        }))
    }
}

impl ScoreReport {
    fn new(fit: &ScoreFit, before: &ScoreModel, measured: &[ScoredPosition]) -> Self {
        let ScoreFit { model, pieces, midpoint_error, scale_error } = fit;
        let loss = |model| (!measured.is_empty()).then(|| score_log_loss(model, measured));
        Self {
            games: model.games(),
            positions: model.positions(),
            pieces: *pieces,
            midpoint: model.midpoint(*pieces),
            midpoint_error: *midpoint_error,
            scale: model.scale(*pieces),
            scale_error: *scale_error,
            log_loss: loss(model),
            log_loss_before: loss(before),
        }
    }
}
