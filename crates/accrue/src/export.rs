//! Export command: `accrue export` quantises a trained network and writes a file for engines.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use games::{GameInfo, ToolkitGame};
use nnue::Architecture;
use pipeline::PipelineError;
use pipeline::looping::ExportBound;
use pipeline::stages::{ExportNetwork, ExportReport};
use trainer::export::{ErrorBound, ErrorReport, Errors, ExportError, ExportOptions, INSIDE};

use crate::network::explain_pipeline;
use crate::toolkit::{SCORE_MODEL, Toolkit};
use crate::{output, score_model};

/// Quantise a trained network and write it as a file for engines
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A checkpoint, a folder of them (the best or else the newest), or a network file of floats
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// A data file of positions, preferably not of the training; without it, random play
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// The number of positions to measure the error on
    #[arg(long, value_name = "N", default_value_t = ExportNetwork::POSITIONS, value_parser = positions)]
    positions: usize,

    /// The seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = ExportNetwork::SEED)]
    seed: u64,

    /// The accepted error in centipawns: the mean, and the maximum
    #[arg(long, value_name = "MEAN,MAX", default_value = "5,50", value_parser = parse_bound)]
    bound: ErrorBound,

    /// Write floats, even where integers would do
    #[arg(long)]
    float: bool,

    #[command(flatten)]
    scales: ScaleArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Quantisation scales, where the program is not to choose them.
#[derive(Debug, clap::Args)]
struct ScaleArgs {
    /// 1.0 in the accumulator; without it, the largest up to 255 that no sum overflows with
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i16).range(1..=511))]
    accumulator_scale: Option<i16>,

    /// 1.0 in the weights of hidden layers is 2 to this power; larger weights are clipped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=16))]
    hidden_shift: Option<u32>,

    /// 1.0 in the weights of the policy head is 2 to this power; larger weights are clipped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=16))]
    policy_shift: Option<u32>,

    /// 1.0 in the weights of the other heads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i16).range(1..=16384))]
    head_scale: Option<i16>,
}

const AFTER_HELP: &str = "\
The scale of each layer is chosen from the weights so that no sum of integers can overflow in any
position. Integers and floats are then compared on positions of a data file or of random play. The
error is written into the file; above --bound nothing is written. The bound applies to positions
that the floats evaluate within 1000 centipawns. Networks whose activations have no integer form are
written as floats. With --data, the score model is fitted on its games and stored: see
`accrue calibrate --help`.

Examples:
  accrue export runs/first --out net.accrue
  accrue export trained.accrue --out net.accrue
  accrue export trained.accrue --out net.accrue --data validation.data --bound 3,30";

fn positions(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or_else(|| "expected a whole number from 1 to 1000000".into())
}

fn parse_bound(text: &str) -> Result<ErrorBound, String> {
    ExportBound::try_from(text.to_owned()).map(|ExportBound(bound)| bound)
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let stage = args.stage();
    let stop = AtomicBool::new(false);
    let context = toolkit.context(&SCORE_MODEL, &stop);
    let report = stage.run(&context, &mut |fit| {
        let features = &fit.loaded.network().architecture().features;
        let game = toolkit.games().of_features(features).map_or("", GameInfo::name);
        toolkit.find(game)?.fit_scores(toolkit, score_model::Run { fit, context: &context })
    });
    let report = report.map_err(|error| explain_error(error, &args.checkpoint))?;
    if args.json { output::json(&report) } else { output::lines(lines(&report)) }
}

/// Carries out the stage of a game with a progress bar.
pub(crate) fn export<G: ToolkitGame>(
    stage: &ExportNetwork,
    context: &pipeline::Context<'_>,
) -> anyhow::Result<ExportReport> {
    let report = stage.run(context, &mut |fit| score_model::fit::<G>(fit, context));
    report.map_err(|error| explain_error(error, &stage.checkpoint))
}

/// Adds the options that can do something about an error.
fn explain_error(error: PipelineError, checkpoint: &Path) -> anyhow::Error {
    match error {
        PipelineError::Export(ExportError::TooFar { .. }) => {
            let shown = checkpoint.display();
            let hint =
                format!("{shown} was not exported; --bound allows more, --float writes floats");
            anyhow::Error::from(error).context(hint)
        }
        PipelineError::NoRandomPlay { .. } => {
            anyhow!("{error}; --data names positions, --float exports floats")
        }
        PipelineError::DataOfNetwork { game, source } => {
            anyhow::Error::from(source).context(format!("--data: the network is for {game}"))
        }
        error => explain_pipeline(error),
    }
}

impl Args {
    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> ExportNetwork {
        ExportNetwork {
            checkpoint: self.checkpoint.clone(),
            out: self.out.clone(),
            data: self.data.clone(),
            positions: self.positions,
            seed: self.seed,
            bound: self.bound,
            options: ExportOptions {
                float: self.float,
                accumulator: self.scales.accumulator_scale,
                hidden_shift: self.scales.hidden_shift,
                policy_shift: self.scales.policy_shift,
                head: self.scales.head_scale,
            },
        }
    }
}

/// The report as text.
pub(crate) fn lines(report: &ExportReport) -> Vec<String> {
    let mut lines = vec![format!("architecture  {}", report.architecture)];
    if report.layers.is_empty() {
        lines.push("arithmetic    floats: nothing was rounded".to_owned());
    } else {
        lines.push(
            "layer         1.0 becomes    weights   largest  clipped   largest sum of any position"
                .to_owned(),
        );
    }
    for layer in &report.layers {
        lines.push(format!(
            "{:<12} {:>12.1} {:>10} {:>9.4} {:>8}   {} of {}{}",
            layer.name,
            layer.one,
            layer.weights,
            layer.largest,
            layer.clipped,
            layer.reach,
            layer.limit,
            if layer.clipped > 0 {
                format!("; clipping took up to {:.4}", layer.cut)
            } else {
                String::new()
            },
        ));
    }
    if let (Some(error), Some(from)) = (&report.error, &report.positions_from) {
        lines.push(format!("measured on   {} positions of {from}", error.positions));
        error_lines(error, &report.architecture, &mut lines);
    }
    lines.extend(report.score_model.iter().flat_map(score_model::lines));
    lines.extend(report.no_score_model.iter().map(|reason| format!("no score model: {reason}")));
    lines.push(format!("wrote {} ({} bytes, {})", report.file, report.bytes, report.arithmetic));
    lines
}

fn error_lines(error: &ErrorReport, architecture: &Architecture, lines: &mut Vec<String>) {
    let shown = |errors: &Errors, digits: usize| {
        let Errors { mean, percentile_99, max, .. } = errors;
        format!(
            "{mean:.digits$} on average, {percentile_99:.digits$} for 99 of 100, {max:.digits$} at most"
        )
    };
    lines.push(format!("value         off by centipawns: {}", shown(&error.value, 2)));
    lines.push(format!(
        "undecided     {} positions within {INSIDE}: {}",
        error.inside.count,
        shown(&error.inside, 2)
    ));
    lines.push(format!(
        "signs         differ on {} positions; values lean by {:+.2} centipawns",
        error.sign_disagreements, error.lean
    ));
    if let Some(quantiles) = &error.quantiles {
        lines.push(format!("quantiles     off by centipawns: {}", shown(quantiles, 2)));
    }
    if let Some(wdl) = &error.wdl {
        lines.push(format!("chances       off by: {}", shown(wdl, 4)));
    }
    if let (Some(policy), Some(head)) = (&error.policy, architecture.policy()) {
        lines.push(format!(
            "policy        {} logits off by: {}",
            head.outputs(),
            shown(&policy.logits, 4)
        ));
        lines.push(format!(
            "              the same first choice on {:.2} % of positions",
            policy.agreement * 100.0
        ));
    }
}
