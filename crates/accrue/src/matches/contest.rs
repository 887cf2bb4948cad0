//! Contest on the command line: plays it and prints what happens.

use std::ops::ControlFlow;

use anyhow::anyhow;
use arena::Hypothesis;
use arena::contest::{ContestError, ContestEvent, ContestResult};
use arena::tournament::{End, EntrantError, EntrantFault};
use games::ToolkitGame;
use pipeline::stages::{PlayMatch, Watch};
use pipeline::{Context, PipelineError};

use super::show::Show;
use crate::Answer;
use crate::network::{NetworkOption, explain};
use crate::signals::Signals;

/// What is printed of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verbosity {
    /// The number of games after which the whole standing is printed.
    pub(crate) report_every: u64,
    pub(crate) format: ContestFormat,
}

/// In which form a contest is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContestFormat {
    /// Every game, and the standing from time to time.
    Everything,
    /// The result.
    Result,
    /// Every game and the result, as JSON.
    Json,
}

/// Plays a match until it is over or a signal comes, and prints it.
pub(crate) fn play<G: ToolkitGame>(
    stage: &PlayMatch,
    context: &Context<'_>,
    verbosity: Verbosity,
    watch: Watch<'_, G>,
) -> anyhow::Result<ContestResult> {
    let contest = stage.contest::<G>(context).map_err(explain_error)?;
    let show = Show::new(&contest, verbosity);
    let mut failure = None;
    let played = contest.play(context.stop, &mut |event| {
        if let ContestEvent::Resumed(fixture, game) | ContestEvent::Finished(fixture, game, _) =
            &event
        {
            watch(fixture, game);
        }
        match show.event(&event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let result = played.map_err(explain_files)?;
    show.end(&result)?;
    Ok(result)
}

/// The answer of the command that played a match.
pub(crate) fn answer(result: &ContestResult, signals: &Signals) -> Answer {
    match (result.end, result.verdict) {
        (End::Stopped, _) => signals.answer(),
        (_, Some(Hypothesis::H0)) => Answer::No,
        _ => Answer::Yes,
    }
}

/// An error together with the options that can do something about it.
fn explain_error(error: PipelineError) -> anyhow::Error {
    match error {
        PipelineError::Contest(error) => explain_files(error),
        PipelineError::Entrant(error) => explain_entrant(error),
        PipelineError::Field { field, fault } => {
            anyhow!("--{}: {fault}", field.replacen(' ', "-", 1))
        }
        error => error.into(),
    }
}

/// An error about files together with the options that can do something about it.
fn explain_files(error: ContestError) -> anyhow::Error {
    match error {
        ContestError::JournalExists { path } => {
            let path = path.display();
            anyhow!("{path} exists; --resume continues it, or name another file for --journal")
        }
        ContestError::PgnExists { path } => {
            anyhow!("{} exists; name another file for --pgn, or remove it", path.display())
        }
        error => error.into(),
    }
}

/// An error about an engine together with the keys that can do something about it.
pub(crate) fn explain_entrant(EntrantError { text, fault }: EntrantError) -> anyhow::Error {
    match fault {
        EntrantFault::Network(error) => {
            explain(&error, NetworkOption::Spec).context(format!("engine `{text}`"))
        }
        fault => EntrantError { text, fault }.into(),
    }
}
