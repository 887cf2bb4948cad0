//! Training command: `accrue train` trains a network as a configuration file describes.

mod show;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use pipeline::PipelineError;
use pipeline::stages::{TrainEvent, TrainNetwork, TrainingSummary};
use trainer::{Config, RunError};

use crate::signals::Signals;
use crate::toolkit::{SCORE_MODEL, Toolkit};
use crate::{Answer, output};
use show::Show;

/// Train a network as a configuration file describes
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The configuration, in TOML; examples/ has a staircase of them
    #[arg(value_name = "CONFIG.toml", required_unless_present = "print_config")]
    config: Option<PathBuf>,

    /// Resume from the newest checkpoint in the output folder, bit for bit as if never stopped
    #[arg(long)]
    resume: bool,

    /// Change a setting, as in schedule.superbatches=10; may be repeated
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,

    /// Print all settings with their descriptions, and train nothing
    #[arg(long)]
    print_config: bool,

    /// Threads; the same as --set data.threads=N
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Print one JSON object for each superbatch and one at the end
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Ctrl-C (or SIGTERM) writes a checkpoint and stops; --resume continues. A second Ctrl-C stops at
once. The output folder gets checkpoints (the last few and best.ckpt), log.jsonl and, at the end,
float.accrue, curves.svg and report.html. docs/05-training.md has the details.

Exit codes: 0 done, 2 bad input, 130 or 143 stopped by a signal.

Examples:
  accrue train examples/1_xor.toml
  accrue train my.toml --set schedule.rate=0.0005 --set output.folder=runs/slow
  accrue train my.toml --resume
  accrue train my.toml --print-config";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    if args.print_config {
        return print_config(args);
    }
    let signals = Signals::listen()?;
    let context = toolkit.context(&SCORE_MODEL, signals.stop());
    let summary = train(&args.stage()?, &context, args.json)?;
    Ok(if summary.is_stopped() { signals.answer() } else { Answer::Yes })
}

impl Args {
    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> anyhow::Result<TrainNetwork> {
        Ok(TrainNetwork {
            config: self.config.clone().context("name a configuration file")?,
            overrides: self.set.clone(),
            threads: self.threads,
            resume: self.resume,
        })
    }
}

fn print_config(args: &Args) -> anyhow::Result<Answer> {
    let mut overrides = args.set.clone();
    overrides.extend(args.threads.map(|threads| format!("data.threads={threads}")));
    let config = match &args.config {
        Some(path) => {
            Config::read(path, &overrides).with_context(|| format!("{}", path.display()))?
        }
        None => Config::parse("", &overrides)?,
    };
    output::lines(config.to_commented_toml().lines())?;
    Ok(Answer::Yes)
}

/// Carries out the stage with a progress bar, and prints its result.
pub(crate) fn train(
    stage: &TrainNetwork,
    context: &pipeline::Context<'_>,
    json: bool,
) -> anyhow::Result<TrainingSummary> {
    let mut show = Show::new(json);
    let mut failure = None;
    let summary = stage.run(context, &mut |event| match print(&event, &mut show, json) {
        Ok(()) => ControlFlow::Continue(()),
        // The training ends with a checkpoint.
        Err(error) => {
            failure.get_or_insert(error);
            ControlFlow::Break(())
        }
    });
    show.finish();
    let summary = summary.map_err(explain_error)?;
    if let Some(error) = failure {
        return Err(error);
    }
    if json {
        output::json(&summary)?;
    } else if summary.is_stopped() {
        output::lines(stopped_lines(&summary, &stage.config))?;
    } else {
        output::lines(finished_lines(&summary))?;
    }
    Ok(summary)
}

fn print(event: &TrainEvent<'_>, show: &mut Show, json: bool) -> anyhow::Result<()> {
    match event {
        TrainEvent::Started(start) => show.start(start),
        TrainEvent::Step(report) => show.step(report),
        TrainEvent::Superbatch { report, line } => {
            show.superbatch(report);
            if json {
                output::lines([line])?;
            }
        }
        TrainEvent::Checkpoint { .. } => {}
        TrainEvent::Warning(warning) => show.warn(warning),
    }
    Ok(())
}

/// Adds the options that can do something about an error.
fn explain_error(error: PipelineError) -> anyhow::Error {
    match &error {
        PipelineError::InFile { source, .. }
            if matches!(**source, PipelineError::Training(RunError::NotEmpty { .. })) =>
        {
            anyhow!(
                "{:#}\n--resume resumes it, --set output.folder=… names another folder",
                anyhow::Error::from(error)
            )
        }
        _ => error.into(),
    }
}

fn stopped_lines(summary: &TrainingSummary, path: &Path) -> Vec<String> {
    let TrainingSummary { step, steps, checkpoint, .. } = summary;
    vec![
        format!("stopped after step {step} of {steps}; everything is in {checkpoint}"),
        format!("to resume: accrue train {} --resume", path.display()),
    ]
}

fn finished_lines(summary: &TrainingSummary) -> Vec<String> {
    let TrainingSummary { architecture, step, positions, checkpoint, .. } = summary;
    let mut lines = vec![format!("trained {architecture}: {step} steps, {positions} positions")];
    if let (Some(loss), Some(step)) = (summary.best_validation, summary.best_step) {
        lines.push(format!("best validation loss {loss:.6} after step {step} (best.ckpt)"));
    }
    lines.push(format!("checkpoint    {checkpoint}"));
    lines.push(format!("float network {}", summary.float_network().display()));
    let report = summary.report();
    if report.exists() {
        lines.push(format!("report        {}", report.display()));
    }
    lines.push(format!("next: accrue export {} --out net.accrue", summary.folder));
    lines
}
