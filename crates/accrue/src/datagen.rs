//! Data generation command: `accrue datagen` generates training data by self-play.

mod args;

use arena::datagen::DatagenEvent;
use games::ToolkitGame;
use pipeline::stages::{DataCounts, DataReport, GenerateData, SampleSearches};
use pipeline::{Context, PipelineError};

pub(crate) use args::Args;

use crate::network::{NetworkOption, explain};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.game)?.datagen(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let signals = Signals::listen()?;
        let context = toolkit.context(&game.score_model, signals.stop());
        if let Some(kind) = args.sample {
            let every = args.sample_every.unwrap_or(SampleSearches::default_every(kind));
            let games = args.stage();
            let stage = SampleSearches { kind, every, max_games: None, games };
            let complete = sample::<G>(&stage, &context)?;
            return Ok(if complete { Answer::Yes } else { signals.answer() });
        }
        let report = generate::<G>(&args.stage(), &context)?;
        if args.json {
            output::json(&report)?;
        } else {
            output::lines(lines(&report))?;
        }
        Ok(if report.is_complete() { Answer::Yes } else { signals.answer() })
    }
}

/// Carries out the stage with a progress bar.
pub(crate) fn generate<G: ToolkitGame>(
    stage: &GenerateData,
    context: &Context<'_>,
) -> anyhow::Result<DataReport> {
    let wanted = stage.options.shard.share(stage.options.positions);
    let mut progress = None;
    let report = stage.run::<G>(context, &mut |event| match event {
        DatagenEvent::Begun(contents) => {
            progress = Some(Progress::positions("datagen", wanted, contents.positions));
        }
        DatagenEvent::Progress(contents) => {
            if let Some(progress) = &progress {
                progress.at(contents.positions);
            }
        }
    });
    if let Some(progress) = &progress {
        progress.finish();
    }
    report.map_err(explain_error)
}

/// Samples searches with a progress bar, and writes the file. False if it was stopped.
fn sample<G: ToolkitGame>(stage: &SampleSearches, context: &Context<'_>) -> anyhow::Result<bool> {
    let wanted = stage.games.options.positions;
    let progress = Progress::new(stage.kind.name(), wanted);
    let table = stage.run::<G>(context, &mut |done| progress.at(done));
    progress.finish();
    let Some(table) = table.map_err(explain_error)? else {
        output::lines(["stopped; nothing was written, the same command begins anew"])?;
        return Ok(false);
    };
    stage.write::<G>(&table, context).map_err(explain_error)?;
    let (file, samples) = (stage.games.out.display(), table.samples());
    output::lines([format!("{file}: {samples} samples of {}", stage.kind)])?;
    Ok(true)
}

/// An error together with the options that can do something about it.
fn explain_error(error: PipelineError) -> anyhow::Error {
    match error {
        PipelineError::Network(error) => explain(&error, NetworkOption::Engine),
        PipelineError::Field { field, .. } if field == "threads" => {
            anyhow::anyhow!("--threads cannot be 0; leave it out to use all processors")
        }
        error => error.into(),
    }
}

/// The report as text.
pub(crate) fn lines(report: &DataReport) -> Vec<String> {
    let DataReport { file, wanted, contents, .. } = report;
    let DataCounts { positions, positions_from_trees, games, white_wins, draws, black_wins } =
        contents;
    let mut lines = Vec::new();
    match report.kind {
        "finished before" => lines.push(format!("{file} was finished before; nothing to do")),
        "finished" => {}
        _ => lines.push(format!(
            "stopped after {positions} of {wanted} positions; the same command resumes"
        )),
    }
    lines.push(format!(
        "{file}: {positions} positions of {games} games ({white_wins} won by White, {draws} drawn, {black_wins} won by Black)"
    ));
    if *positions_from_trees > 0 {
        lines.push(format!("{positions_from_trees} of the positions are from search trees"));
    }
    if report.positions_now > 0 {
        lines.push(format!(
            "{} positions in {:.1} s: {:.0} positions and {:.0} nodes a second on {} threads, {:.1} % of their time in search",
            report.positions_now,
            report.seconds,
            report.positions_per_second,
            report.nodes_per_second,
            report.threads,
            100.0 * report.search_share
        ));
    }
    lines
}
