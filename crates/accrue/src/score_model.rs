//! Score model: its job with a progress bar, and its figures as lines of text.

use arena::calibration::ScoreFitError;
use games::ToolkitGame;
use pipeline::PipelineError;
use pipeline::stages::{FitScores, FittedScores, ScoreReport};

use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};

/// Fits a score model.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) fit: &'a FitScores<'a>,
    pub(crate) context: &'a pipeline::Context<'a>,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> Result<Result<FittedScores, ScoreFitError>, PipelineError> {
        let context = pipeline::Context { score_model: &game.score_model, ..*self.context };
        fit::<G>(self.fit, &context)
    }
}

/// Fits a score model with a progress bar.
pub(crate) fn fit<G: ToolkitGame>(
    fit: &FitScores<'_>,
    context: &pipeline::Context<'_>,
) -> Result<Result<FittedScores, ScoreFitError>, PipelineError> {
    let mut progress: Option<Progress> = None;
    let fitted = fit.run::<G>(context, &mut |done, total| {
        progress.get_or_insert_with(|| Progress::new("scoring", total)).at(done);
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    fitted
}

/// The figures of a score model as lines.
pub(crate) fn lines(report: &ScoreReport) -> Vec<String> {
    let ScoreReport { midpoint, midpoint_error, scale, scale_error, .. } = report;
    let mut lines = vec![
        format!("score model fitted on {} positions of {} games", report.positions, report.games),
        format!(
            "half of the games won at     {midpoint:>7.1} ± {midpoint_error:.1}, shown as 100 centipawns ({} pieces)",
            report.pieces
        ),
        format!("scale                        {scale:>7.1} ± {scale_error:.1}"),
    ];
    if let (Some(loss), Some(before)) = (report.log_loss, report.log_loss_before) {
        lines.push(format!("log-loss on other games      {loss:>7.4}, before {before:.4}"));
    }
    lines
}
