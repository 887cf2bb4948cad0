//! Stage runner: carries out the stages of a pipeline on behalf of a program.

use std::ops::ControlFlow;

use arena::contest::ContestResult;
use games::ToolkitGame;

use crate::stages::{
    CalibrateNetwork, CalibrationOutcome, DataReport, ExportNetwork, ExportReport, FitReport,
    FitSearch, GenerateData, PlayMatch, StartNetwork, TrainNetwork, TrainingSummary, Watch,
};
use crate::{CommandLine, Context, PipelineError};

/// Carries out stages. The default methods are silent; a program overrides them to show progress.
pub trait StageRunner<G: ToolkitGame> {
    /// The error of the program, which can hold any error of a stage.
    type Error: From<PipelineError>;

    /// What stages use of the program.
    fn context(&self) -> Context<'_>;

    /// Called before each stage, with the command line that is equivalent to it.
    fn announce(&mut self, title: &str, command: &CommandLine) -> Result<(), Self::Error> {
        let _ = (title, command);
        Ok(())
    }

    /// Called with a line of text about the course of the pipeline.
    fn note(&mut self, line: &str) -> Result<(), Self::Error> {
        let _ = line;
        Ok(())
    }

    /// Writes a network that was not trained.
    fn start_network(&mut self, stage: &StartNetwork) -> Result<(), Self::Error> {
        Ok(stage.run::<G>(&self.context())?)
    }

    /// Generates data.
    fn generate_data(&mut self, stage: &GenerateData) -> Result<DataReport, Self::Error> {
        Ok(stage.run::<G>(&self.context(), &mut |_| {})?)
    }

    /// Trains a network.
    fn train(&mut self, stage: &TrainNetwork) -> Result<TrainingSummary, Self::Error> {
        Ok(stage.run(&self.context(), &mut |_| ControlFlow::Continue(()))?)
    }

    /// Exports a network.
    fn export(&mut self, stage: &ExportNetwork) -> Result<ExportReport, Self::Error> {
        let context = self.context();
        Ok(stage.run(&context, &mut |fit| fit.run::<G>(&context, &mut |_, _| {}))?)
    }

    /// Calibrates a network.
    fn calibrate(&mut self, stage: &CalibrateNetwork) -> Result<CalibrationOutcome, Self::Error> {
        Ok(stage.run::<G>(&self.context(), &mut |_| {})?)
    }

    /// Fits the search to a network. `None` if it was stopped.
    fn fit(&mut self, stage: &FitSearch) -> Result<Option<FitReport>, Self::Error> {
        Ok(stage.run::<G>(&self.context(), &mut |_| {})?)
    }

    /// Plays a match.
    fn play_match(
        &mut self,
        stage: &PlayMatch,
        watch: Watch<'_, G>,
    ) -> Result<ContestResult, Self::Error> {
        Ok(stage.run::<G>(&self.context(), watch)?)
    }
}
