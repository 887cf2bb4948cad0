//! Stage runner: carries out the stages of a pipeline on behalf of a program.

use games::ToolkitGame;

use crate::{CommandLine, Context, PipelineError};

/// Carries out stages. The default methods are silent; a program overrides them to show progress.
pub trait StageRunner<G: ToolkitGame> {
    /// The error of the program, which can hold any error of a stage.
    type Error: From<PipelineError>;

    /// What stages use of the program.
    fn context(&self) -> Context<'_>;

    /// Called before each stage, with the command line that is equivalent to it.
    fn announce(&mut self, title: &str, command: &CommandLine) -> Result<(), Self::Error>;
}
