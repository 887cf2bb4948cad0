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

use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};

/// Nodes of the search that scores a position.
const NODES: u64 = 400;

/// What a network's scores mean is to be fitted on the games of these files.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) loaded: &'a LoadedNetwork,
    /// Files of accrue's own format.
    pub(crate) data: &'a [PathBuf],
    /// At most so many positions are searched.
    pub(crate) positions: usize,
}

/// A fit, and what it is worth on games that it was not fitted on.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) fit: ScoreFit,
    pub(crate) report: ScoreReport,
}

/// The figures of a fit.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ScoreReport {
    games: u64,
    positions: u64,
    /// The mean number of pieces, which the next four are for.
    pieces: usize,
    midpoint: f64,
    midpoint_error: f64,
    scale: f64,
    scale_error: f64,
    /// On the other games; `None` if there are none.
    log_loss: Option<f64>,
    /// Of the model that the network had before, or of the game's own.
    log_loss_before: Option<f64>,
}

impl Run<'_> {
    /// Fits the model on half of the games and measures it on the other half. The inner error says
    /// why there is no model.
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Result<Fitted, ScoreFitError>> {
        let mut halves = [(); 2].map(|()| ScoreSample::<G>::new(self.positions.div_ceil(2)));
        for (number, path) in (0_u64..).zip(self.data) {
            let mut source = formats::open_source::<G>(path, Format::Native, &[])?;
            while let Some(record) = source.next()? {
                let half = &mut halves[usize::from(!is_fitted_on(record.game))];
                half.add(number << 32 | u64::from(record.game), &record);
            }
        }
        let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
        let mut engine = toolkit.networks().engine::<G>(options, Some(self.loaded), 100)?;
        let total = halves.iter().map(ScoreSample::len).sum::<usize>();
        let progress = Progress::new("scoring", total as u64);
        let [fitted, measured] =
            halves.map(|half| half.search(&mut engine, NODES, || progress.step()));
        progress.finish();
        let before = self.loaded.score_model(&game.score_model);
        Ok(fit_score_model(&fitted).map(|fit| {
            let report = ScoreReport::new(&fit, before, &measured);
            Fitted { fit, report }
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

    /// The figures as lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("score model fitted on {} positions of {} games", self.positions, self.games),
            format!(
                "half of the games won at     {:>7.1} ± {:.1}, shown as 100 centipawns ({} pieces)",
                self.midpoint, self.midpoint_error, self.pieces
            ),
            format!("scale                        {:>7.1} ± {:.1}", self.scale, self.scale_error),
        ];
        if let (Some(loss), Some(before)) = (self.log_loss, self.log_loss_before) {
            lines.push(format!("log-loss on other games      {loss:>7.4}, before {before:.4}"));
        }
        lines
    }
}
