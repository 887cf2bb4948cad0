//! `accrue export`: makes the network that engines play with from what training left.

mod positions;
mod source;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use arena::calibration::ScoreFitError;
use arena::networks::LoadedNetwork;
use games::GameInfo;
use nnue::{Architecture, Arithmetic, Network};
use serde::Serialize;
use trainer::export::{
    ErrorBound, ErrorReport, Errors, Export, ExportOptions, INSIDE, LayerReport, measure, quantise,
};

use crate::score_model::{self, Fitted, ScoreReport};
use crate::toolkit::Toolkit;
use crate::{files, output};
use positions::{PositionsArgs, Sample};
use source::Source;

/// Quantise a trained network and write it as a file for engines
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A checkpoint, a folder of them (the best is taken, or the newest), or a network file of floats
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    positions: PositionsArgs,

    /// The largest error that is accepted, in centipawns: on average, and at most
    #[arg(long, value_name = "MEAN,MOST", default_value = "5,50", value_parser = parse_bound)]
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

/// What 1.0 is in each layer, where the choice is not to be left to the program.
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
What 1.0 is in each layer is chosen from the weights so that no sum of integers can overflow in any
position. Integers and floats are then compared, on positions of a data file or of random play.
The error is written into the file; above --bound nothing is written. The bound is about positions
that the floats value within 1000 centipawns. Networks whose activations have no integer form are
written as floats. With --data, what the network's scores mean is fitted on its games and stored: see
`accrue calibrate --help`.

Examples:
  accrue export runs/first --out net.accrue
  accrue export trained.accrue --out net.accrue
  accrue export trained.accrue --out net.accrue --data validation.data --bound 3,30";

fn parse_bound(text: &str) -> Result<ErrorBound, String> {
    let numbers: Vec<f32> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers[..] {
        [mean, max] if mean >= 0.0 && max >= 0.0 => Ok(ErrorBound { mean, max }),
        _ => Err("expected two numbers of centipawns divided by a comma, as in 5,50".into()),
    }
}

/// What is told.
#[derive(Serialize)]
struct Report {
    file: String,
    bytes: usize,
    architecture: String,
    arithmetic: &'static str,
    layers: Vec<LayerReport>,
    positions_from: Option<String>,
    error: Option<ErrorReport>,
    /// What scores mean, where there were games to fit that on.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_model: Option<ScoreReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_score_model: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let source = Source::read(&args.checkpoint, toolkit)?;
    let shown = args.checkpoint.display();
    let options = ExportOptions {
        float: args.float,
        accumulator: args.scales.accumulator_scale,
        hidden_shift: args.scales.hidden_shift,
        policy_shift: args.scales.policy_shift,
        head: args.scales.head_scale,
    };
    let export = quantise(&source.architecture, &source.parameters, &options, toolkit.games())
        .with_context(|| format!("cannot export {shown}"))?;
    let (sample, error) = match export.parameters.arithmetic() {
        Arithmetic::Float => (None, None),
        Arithmetic::Integer => {
            let sample = args.positions.sample(&source.architecture, toolkit.games())?;
            let error = compare(&source, &export, &sample)?;
            (Some(sample), Some(error))
        }
    };
    if let Some(error) = error {
        error.check(args.bound).with_context(|| {
            format!("{shown} was not exported; --bound allows more, --float writes floats")
        })?;
    }
    let scores = fit_scores(args, &export, toolkit)?;
    write(args, &source, export, sample, error, scores)
}

/// What the network's scores mean, where there are games to fit that on; else why not.
fn fit_scores(
    args: &Args,
    export: &Export,
    toolkit: &Toolkit,
) -> anyhow::Result<Option<Result<Fitted, ScoreFitError>>> {
    let data = args.positions.data();
    let game = toolkit.games().of_features(&export.architecture.features).map(GameInfo::name);
    let (Some(data), Some(game)) = (data, game) else { return Ok(None) };
    let network = export.clone().into_file(String::new(), None)?.to_network()?;
    let loaded = &LoadedNetwork::new(args.out.display().to_string(), Arc::new(network));
    let data = &[data.to_owned()];
    let job = score_model::Run { loaded, data, positions: args.positions.count() };
    Ok(Some(toolkit.find(game)?.fit_scores(toolkit, job)?))
}

/// The error of the export, on positions.
fn compare(source: &Source, export: &Export, sample: &Sample) -> anyhow::Result<ErrorReport> {
    if sample.batch.is_empty() {
        bail!("there is no position to measure the error on; give --positions at least 1");
    }
    let float = Network::from_floats(source.architecture.clone(), &source.parameters)?;
    let integer = export.clone().into_file(String::new(), None)?.to_network()?;
    Ok(measure(&float, &integer, std::slice::from_ref(&sample.batch)))
}

fn write(
    args: &Args,
    source: &Source,
    export: Export,
    sample: Option<Sample>,
    error: Option<ErrorReport>,
    scores: Option<Result<Fitted, ScoreFitError>>,
) -> anyhow::Result<()> {
    let layers = export.layers.clone();
    let file = export.into_file(source.provenance.clone(), error.as_ref())?;
    let (model, score_model, no_score_model) = match scores {
        Some(Ok(Fitted { fit, report })) => (Some(fit.model), Some(report), None),
        Some(Err(reason)) => (None, None, Some(reason.to_string())),
        None => (None, None, None),
    };
    let file = file.with_score_model(model);
    let bytes = file.write();
    files::replace(&args.out, &bytes)?;
    let report = Report {
        file: args.out.display().to_string(),
        bytes: bytes.len(),
        architecture: file.architecture().to_string(),
        arithmetic: match file.parameters().arithmetic() {
            Arithmetic::Integer => "integers",
            Arithmetic::Float => "floats",
        },
        layers,
        positions_from: sample.map(|sample| sample.from),
        error,
        score_model,
        no_score_model,
    };
    if args.json {
        output::json(&report)
    } else {
        output::lines(lines(&report, file.architecture()))
    }
}

fn lines(report: &Report, architecture: &Architecture) -> Vec<String> {
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
        error_lines(error, architecture, &mut lines);
    }
    lines.extend(report.score_model.iter().flat_map(ScoreReport::lines));
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
