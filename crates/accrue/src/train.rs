//! `accrue train`: trains a network as a configuration file says.

pub(crate) mod log;
mod show;

use std::path::{Component, Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, bail};
use dataset::GameList;
use nnue::NetworkFile;
use report::Picture;
use report::neurons::NeuronSelection;
use report::training::{TrainingReport, curves};
use serde::Serialize;
use trainer::{Begin, CheckpointFolder, Config, Run, Started, TrainingEvent, TrainingOutcome};

use crate::net::plot;
use crate::toolkit::Toolkit;
use crate::{Answer, files, output, signals};
use log::Log;
use show::Show;

/// Train a network as a configuration file says
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The configuration, in TOML; examples/ has a staircase of them
    #[arg(value_name = "CONFIG.toml", required_unless_present = "print_config")]
    config: Option<PathBuf>,

    /// Go on from the newest checkpoint in the output folder, bit for bit as if never stopped
    #[arg(long)]
    resume: bool,

    /// Change a setting, as in schedule.superbatches=10; may be repeated
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,

    /// Print all settings with what they do, and train nothing
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
Ctrl-C (or SIGTERM) writes a checkpoint and stops; --resume goes on from there. A second Ctrl-C stops at once.
The output folder gets checkpoints (the last few and best.ckpt), log.jsonl and, at the end, float.accrue,
curves.svg and report.html. docs/05-training.md tells more.

Exit codes: as always, and 130 or 143 if a signal stopped it.

Examples:
  accrue train examples/1_xor.toml
  accrue train my.toml --set schedule.rate=0.0005 --set output.folder=runs/slow
  accrue train my.toml --resume
  accrue train my.toml --print-config";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let mut overrides = args.set.clone();
    overrides.extend(args.threads.map(|threads| format!("data.threads={threads}")));
    let config = match &args.config {
        Some(path) => {
            Config::read(path, &overrides).with_context(|| format!("{}", path.display()))?
        }
        None => Config::parse("", &overrides)?,
    };
    if args.print_config {
        output::lines(config.to_commented_toml().lines())?;
        return Ok(Answer::Yes);
    }
    let Some(path) = &args.config else { bail!("name a configuration file") };
    train(args, path, config, toolkit)
}

/// The same path without `name/..` in it, for people to read. Where such a name is a link, the path stays as it is.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        let up = part == Component::ParentDir;
        if up && matches!(tidy.components().next_back(), Some(Component::Normal(_))) {
            if tidy.is_symlink() {
                return path.to_owned();
            }
            tidy.pop();
        } else if part != Component::CurDir {
            tidy.push(part);
        }
    }
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

/// Where the files of a training go.
fn output_folder(path: &Path, config: &Config) -> (PathBuf, PathBuf) {
    let base = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let folder = match &config.output.folder {
        Some(folder) => base.join(folder),
        None => base.join(path.file_stem().unwrap_or_default()),
    };
    (base, tidy(&folder))
}

fn train(args: &Args, path: &Path, config: Config, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let (base, folder) = output_folder(path, &config);
    let begin = Begin { base, folder: folder.clone(), resume: args.resume };
    let named = || format!("{}", path.display());
    let Started { mut run, resumed, warnings } =
        Run::start(config, &begin, toolkit.games()).with_context(named)?;
    let mut show = Show::new(&run, args.json);
    for warning in &warnings {
        show.warn(warning);
    }
    let resumed_at = resumed.as_ref().map(|_| run.progress().step);
    let mut log = Log::open(&folder, resumed_at, &run)?;
    let (stop, signal) = signals::listen()?;
    let began = Instant::now();
    let mut failure = None;
    let outcome = run.drive(&stop, &mut |event| {
        let told = tell(event, &mut show, &mut log, args.json);
        if let Err(error) = told {
            // The training itself is fine: it ends with a checkpoint, then this is told.
            stop.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    });
    show.finish();
    let outcome = outcome.with_context(named)?;
    if let Some(error) = failure {
        return Err(error);
    }
    let summary = Summary::new(&run, outcome, &folder, began);
    if outcome == TrainingOutcome::Stopped {
        summary.tell(args.json, &stopped_lines(&summary, path))?;
        let signal = signal.load(Ordering::Relaxed) as u8;
        return Ok(Answer::Stopped { signal });
    }
    leave(&run, &folder, &summary, &log, toolkit.games())?;
    summary.tell(args.json, &finished_lines(&summary, &folder))?;
    Ok(Answer::Yes)
}

fn tell(
    event: &TrainingEvent<'_>,
    show: &mut Show,
    log: &mut Log,
    json: bool,
) -> anyhow::Result<()> {
    match event {
        TrainingEvent::Step(report) => show.step(report),
        TrainingEvent::Superbatch(report) => {
            let line = log.superbatch(report)?;
            show.superbatch(report);
            if json {
                output::lines([line])?;
            }
        }
        TrainingEvent::Checkpoint { .. } => {}
        TrainingEvent::Warning(warning) => show.warn(warning),
    }
    Ok(())
}

/// What is told at the end.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(rename = "type")]
    kind: &'static str,
    architecture: String,
    parameters: usize,
    threads: usize,
    step: u64,
    steps: u64,
    positions: u64,
    seconds: f64,
    best_validation: Option<f64>,
    best_step: Option<u64>,
    checkpoint: String,
    folder: String,
}

impl Summary {
    fn new(run: &Run, outcome: TrainingOutcome, folder: &Path, began: Instant) -> Self {
        let progress = run.progress();
        let architecture = run.learner().architecture();
        Self {
            kind: match outcome {
                TrainingOutcome::Finished => "finished",
                TrainingOutcome::StoppedEarly => "stopped early",
                TrainingOutcome::Stopped => "stopped",
            },
            architecture: architecture.to_string(),
            parameters: architecture.parameters(),
            threads: run.learner().threads(),
            step: progress.step,
            steps: run.config().steps(),
            positions: progress.positions,
            seconds: began.elapsed().as_secs_f64(),
            best_validation: progress.best.map(|best| best.loss),
            best_step: progress.best.map(|best| best.step),
            checkpoint: CheckpointFolder::new(folder).file(progress.step).display().to_string(),
            folder: folder.display().to_string(),
        }
    }

    fn tell(&self, json: bool, lines: &[String]) -> anyhow::Result<()> {
        if json { output::json(self) } else { output::lines(lines) }
    }
}

fn stopped_lines(summary: &Summary, path: &Path) -> Vec<String> {
    let Summary { step, steps, checkpoint, .. } = summary;
    vec![
        format!("stopped after step {step} of {steps}; everything is in {checkpoint}"),
        format!("to go on: accrue train {} --resume", path.display()),
    ]
}

fn finished_lines(summary: &Summary, folder: &Path) -> Vec<String> {
    let Summary { architecture, step, positions, checkpoint, .. } = summary;
    let mut lines = vec![format!("trained {architecture}: {step} steps, {positions} positions")];
    if let (Some(loss), Some(step)) = (summary.best_validation, summary.best_step) {
        lines.push(format!("best validation loss {loss:.6} after step {step} (best.ckpt)"));
    }
    lines.push(format!("checkpoint    {checkpoint}"));
    let float = folder.join(FLOAT);
    lines.push(format!("float network {}", float.display()));
    let report = folder.join(REPORT);
    if report.exists() {
        lines.push(format!("report        {}", report.display()));
    }
    lines.push(format!("next: accrue export {} --out net.accrue", folder.display()));
    lines
}

const FLOAT: &str = "float.accrue";
const REPORT: &str = "report.html";

/// Writes what a finished training leaves: the network, curves and a report.
fn leave(
    run: &Run,
    folder: &Path,
    summary: &Summary,
    log: &Log,
    games: &GameList,
) -> anyhow::Result<()> {
    let learner = run.learner();
    let provenance = format!(
        "trained by accrue {}: {} steps, {} positions",
        env!("CARGO_PKG_VERSION"),
        summary.step,
        summary.positions
    );
    let network =
        NetworkFile::new(learner.architecture().clone(), learner.parameters(), provenance, None)
            .context("the trained network cannot be written")?;
    files::replace(&folder.join(FLOAT), &network.write())?;
    if !run.config().output.report {
        return Ok(());
    }
    let superbatches = log.superbatches()?;
    let curves = Picture::stack(&curves(&superbatches)).standalone();
    files::replace(&folder.join("curves.svg"), curves.as_bytes())?;
    let page = TrainingReport {
        architecture: summary.architecture.clone(),
        ended: summary.kind.to_owned(),
        parameters: summary.parameters,
        step: summary.step,
        steps: summary.steps,
        positions: summary.positions,
        threads: summary.threads,
        best_validation: summary.best_validation.zip(summary.best_step),
        head_losses: log.head_losses_at_end()?,
        superbatches,
        neurons: neurons(run, games),
        config: run.config().to_commented_toml(),
    };
    files::replace(&folder.join(REPORT), page.html().as_bytes())
}

/// The weights of some neurons; none where the features have no places on a board.
fn neurons(run: &Run, games: &GameList) -> Option<Picture> {
    let architecture = run.learner().architecture();
    let weights = run.learner().parameters().feature_weights;
    let selection = NeuronSelection::default();
    let boards = plot::neurons(architecture, &weights, &selection, games).ok()?;
    Some(boards.picture("network", &architecture.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_readable() {
        for (path, expected) in [
            ("examples/../runs/1_xor", "runs/1_xor"),
            ("../runs", "../runs"),
            ("a/b/../../c", "c"),
            ("/a/../b", "/b"),
            ("./a/./b", "a/b"),
            ("a/..", "."),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
