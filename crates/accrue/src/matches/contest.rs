//! Contest on the command line: plays it and prints what happens.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use arena::contest::{Contest, ContestError, ContestEvent, ContestFiles, ContestResult};
use arena::tournament::{End, EntrantError, EntrantFault, Fixture, Identity, Standings};
use arena::{Hypothesis, Played};
use games::ToolkitGame;

use super::FileArgs;
use super::show::Show;
use crate::network::{NetworkOption, explain};
use crate::{Answer, signals};

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

/// Sees every game, in the order of their numbers.
pub(crate) type Watch<'a, G> = &'a mut dyn FnMut(&Fixture, &Played<G>);

/// A contest that is over or was stopped.
pub(crate) struct Over {
    pub(crate) answer: Answer,
    pub(crate) standings: Standings,
    /// The decision of the SPRT.
    pub(crate) verdict: Option<Hypothesis>,
}

impl FileArgs {
    /// The files, if they may be written.
    pub(crate) fn files(&self, identity: Identity) -> anyhow::Result<ContestFiles> {
        let files = ContestFiles {
            journal: self.journal.clone().map(|path| (path, identity)),
            pgn: self.pgn.clone(),
            resume: self.resume,
        };
        files.check().map_err(explain_files)?;
        Ok(files)
    }
}

/// Plays a contest until it is over or a signal comes.
pub(crate) fn play<G: ToolkitGame>(
    contest: &Contest<G>,
    verbosity: Verbosity,
    watch: Watch<'_, G>,
) -> anyhow::Result<Over> {
    let (stop, signal) = signals::listen()?;
    let show = Show::new(contest, verbosity);
    let mut failure = None;
    let played = contest.play(&stop, &mut |event| {
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
    let ContestResult { end, standings, verdict } = result;
    let answer = match (end, verdict) {
        (End::Stopped, _) => Answer::Stopped { signal: signal.load(Ordering::Relaxed) as u8 },
        (_, Some(Hypothesis::H0)) => Answer::No,
        _ => Answer::Yes,
    };
    Ok(Over { answer, standings, verdict })
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
