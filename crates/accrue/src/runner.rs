//! Stage runner of the command line: prints the command of each stage, its progress and its result.

use arena::contest::ContestResult;
use games::ToolkitGame;
use nnue::ScoreModel;
use pipeline::stages::{
    Calibrate, CalibrateReport, DataReport, Export, ExportReport, GenerateData,
    PlayMatch, Train, TrainingSummary, Watch,
};
use pipeline::{CommandLine, Context, StageRunner};

use crate::matches::contest::{self, ContestFormat, Verbosity};
use crate::signals::Signals;
use crate::toolkit::Toolkit;
use crate::{calibrate, datagen, export, output, train};

/// Runs stages as the commands of the same names do.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    toolkit: &'a Toolkit,
    score_model: &'a ScoreModel,
    signals: &'a Signals,
    /// The number of the next stage, where stages are numbered.
    number: Option<u32>,
}

impl<'a> Runner<'a> {
    /// Prints each stage with its number, on lines of its own.
    pub(crate) fn numbered(
        toolkit: &'a Toolkit,
        score_model: &'a ScoreModel,
        signals: &'a Signals,
    ) -> Self {
        Self { toolkit, score_model, signals, number: Some(1) }
    }

    /// Prints a line for each stage.
    pub(crate) fn plain(
        toolkit: &'a Toolkit,
        score_model: &'a ScoreModel,
        signals: &'a Signals,
    ) -> Self {
        Self { toolkit, score_model, signals, number: None }
    }
}

impl<G: ToolkitGame> StageRunner<G> for Runner<'_> {
    type Error = anyhow::Error;

    fn context(&self) -> Context<'_> {
        self.toolkit.context(self.score_model, self.signals.stop())
    }

    fn announce(&mut self, title: &str, command: &CommandLine) -> anyhow::Result<()> {
        let Some(number) = &mut self.number else {
            return output::lines([format!("{title}: {command}")]);
        };
        let lines = [String::new(), format!("{number}. {title}"), format!("   {command}")];
        *number += 1;
        output::lines(lines)
    }

    fn note(&mut self, line: &str) -> anyhow::Result<()> {
        output::lines([line])
    }

    fn generate_data(&mut self, stage: &GenerateData) -> anyhow::Result<DataReport> {
        let report = datagen::generate::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(datagen::lines(&report))?;
        Ok(report)
    }

    fn train(&mut self, stage: &Train) -> anyhow::Result<TrainingSummary> {
        train::train(stage, &StageRunner::<G>::context(self), false)
    }

    fn export(&mut self, stage: &Export) -> anyhow::Result<ExportReport> {
        let report = export::export::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(export::lines(&report))?;
        Ok(report)
    }

    fn calibrate(&mut self, stage: &Calibrate) -> anyhow::Result<CalibrateReport> {
        let report = calibrate::calibrate::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(calibrate::lines(stage, &report))?;
        Ok(report)
    }

    fn play_match(
        &mut self,
        stage: &PlayMatch,
        watch: Watch<'_, G>,
    ) -> anyhow::Result<ContestResult> {
        let verbosity = Verbosity { report_every: 10, format: ContestFormat::Result };
        contest::play::<G>(stage, &StageRunner::<G>::context(self), verbosity, watch)
    }
}
