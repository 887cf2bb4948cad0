//! Network file commands: `accrue net` inspects, imports, draws and makes network files.

pub(crate) mod plot;
pub(crate) mod start;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Subcommand;
use nnue::{Arithmetic, Dialect, Network, NetworkFile};
use pipeline::files;
use serde::Serialize;

use crate::network::ForeignArgs;
use crate::output;
use crate::toolkit::Toolkit;

/// Inspect, import, draw or make network files
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(InfoArgs),
    Import(ImportArgs),
    Plot(plot::PlotArgs),
    Start(start::StartArgs),
}

/// Print the contents of a network file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  accrue net info net.accrue\n  accrue net info nn.nnue --json")]
struct InfoArgs {
    /// The network file
    #[arg(value_name = "FILE")]
    net: PathBuf,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Write the weights of another trainer as a network file of accrue
#[derive(Debug, clap::Args)]
#[command(after_help = IMPORT_HELP)]
struct ImportArgs {
    /// bullet's quantised.bin (with --architecture) or weights in JSON (with --features)
    #[arg(value_name = "FILE")]
    net: PathBuf,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const IMPORT_HELP: &str = "\
Files of Stockfish and noru have an arithmetic of their own and need no import: `accrue eval` reads
them as they are.

Examples:
  accrue net import quantised.bin --architecture 'chess.piece-square (768->256)x2->1 screlu' --out net.accrue
  accrue net import weights.json --features chess.piece-square --out net.accrue";

/// Runs the command.
pub(crate) fn run(args: Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    match args.command {
        Command::Info(args) => info(args, toolkit),
        Command::Import(args) => import(&args, toolkit),
        Command::Plot(args) => plot::run(&args, toolkit),
        Command::Start(args) => start::run(&args, toolkit),
    }
}

/// The output of `info`.
#[derive(Serialize)]
struct Info {
    file: String,
    bytes: u64,
    kind: &'static str,
    architecture: String,
    features: String,
    inputs: usize,
    perspectives: usize,
    accumulator: usize,
    hidden: Vec<usize>,
    buckets: usize,
    heads: Vec<String>,
    arithmetic: &'static str,
    parameters: usize,
    scales: Option<Scales>,
    provenance: String,
    quantisation_error: Option<QuantisationError>,
    /// Of a network with quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<Calibration>,
    /// The score model, if it was fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_model: Option<Scores>,
    kernel: &'static str,
}

#[derive(Serialize)]
struct Scores {
    games: u64,
    positions: u64,
    pieces: [u16; 2],
    midpoint: Vec<f64>,
    scale: Vec<f64>,
}

impl Scores {
    fn of(model: &nnue::ScoreModel) -> Self {
        let [midpoint, scale] = model.coefficients().map(<[f64]>::to_vec);
        Self {
            games: model.games(),
            positions: model.positions(),
            pieces: [*model.pieces().start(), *model.pieces().end()],
            midpoint,
            scale,
        }
    }

    fn line(&self) -> String {
        let Self { games, positions, .. } = self;
        format!("score model   by {positions} positions of {games} games")
    }
}

#[derive(Serialize)]
struct Scales {
    accumulator: i16,
    activation_shift: u32,
    hidden_shifts: Vec<u32>,
    head: i16,
    policy_shift: u32,
    centipawns: f32,
}

#[derive(Serialize)]
struct QuantisationError {
    positions: u64,
    mean_centipawns: f32,
    most_centipawns: f32,
}

/// Whether quantiles are corrected, and by what was measured.
#[derive(Serialize)]
#[serde(untagged)]
enum Calibration {
    None,
    Measured { scores: u64, depths: Vec<u16>, pieces: Vec<u16>, values: Vec<u16> },
}

impl Calibration {
    fn of(network: &Network) -> Option<Self> {
        let measured = network.calibration().map(|calibration| Self::Measured {
            scores: calibration.positions(),
            depths: calibration.ranges().depths.clone(),
            pieces: calibration.ranges().pieces.clone(),
            values: calibration.ranges().values.clone(),
        });
        network.architecture().has_quantiles().then(|| measured.unwrap_or(Self::None))
    }

    fn line(&self) -> String {
        match self {
            Self::None => "calibration   none: `accrue calibrate` measures it".to_owned(),
            Self::Measured { scores, depths, pieces, values } => format!(
                "calibration   by {scores} scores, in {} ranges of depth, {} of pieces and {} of values",
                depths.len() + 1,
                pieces.len() + 1,
                values.len() + 1
            ),
        }
    }
}

fn info(args: InfoArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let path = args.net;
    let loaded = args.foreign.load(&path, toolkit)?;
    let bytes = std::fs::metadata(&path).with_context(|| format!("{}", path.display()))?.len();
    let info = describe(path.display().to_string(), bytes, loaded.network());
    if args.json { output::json(&info) } else { output::lines(lines(&info)) }
}

fn describe(file: String, bytes: u64, network: &Network) -> Info {
    let architecture = network.architecture();
    let own = network.dialect() == Dialect::Accrue;
    let scales = &architecture.scales;
    let integer = own && !network.is_float();
    Info {
        file,
        bytes,
        kind: match network.dialect() {
            Dialect::Accrue => "accrue",
            Dialect::Noru => "noru",
            Dialect::Stockfish => "Stockfish 15 (HalfKAv2_hm)",
        },
        architecture: architecture.to_string(),
        features: architecture.features.clone(),
        inputs: architecture.inputs,
        perspectives: architecture.perspectives.count(),
        accumulator: architecture.accumulator.width,
        hidden: architecture.hidden.iter().map(|layer| layer.width).collect(),
        buckets: architecture.buckets.count,
        heads: architecture.heads.iter().map(nnue::Head::label).collect(),
        arithmetic: match (own, architecture.arithmetic()) {
            (false, _) => "integers, by the rules of the program that made it",
            (true, Arithmetic::Integer) if !network.is_float() => "integers",
            (true, _) => "floats",
        },
        parameters: architecture.parameters(),
        scales: integer.then(|| Scales {
            accumulator: scales.accumulator,
            activation_shift: scales.activation_shift,
            hidden_shifts: scales.hidden_shifts.clone(),
            head: scales.head,
            policy_shift: scales.policy_shift,
            centipawns: scales.centipawns,
        }),
        provenance: network.provenance().to_owned(),
        quantisation_error: network.quantisation_error().map(|error| QuantisationError {
            positions: error.positions,
            mean_centipawns: error.mean,
            most_centipawns: error.max,
        }),
        calibration: Calibration::of(network),
        score_model: network.score_model().map(Scores::of),
        kernel: network.kernel().name(),
    }
}

fn lines(info: &Info) -> Vec<String> {
    let mut lines = vec![
        format!("file          {} ({} bytes)", info.file, info.bytes),
        format!("kind          {}", info.kind),
        format!("architecture  {}", info.architecture),
        format!("features      {} ({})", info.features, info.inputs),
        format!("heads         {}", info.heads.join("; ")),
        format!("parameters    {}", info.parameters),
        format!("arithmetic    {}", info.arithmetic),
    ];
    if let Some(scales) = &info.scales {
        lines.push(format!(
            "scales        accumulator {}, activation shift {}, hidden shifts {:?}, heads {}, policy shift \
             {}, {} centipawns",
            scales.accumulator,
            scales.activation_shift,
            scales.hidden_shifts,
            scales.head,
            scales.policy_shift,
            scales.centipawns
        ));
    }
    lines.push(match &info.quantisation_error {
        Some(error) => format!(
            "quantisation  off by {:.2} centipawns on average, {:.2} at most, on {} positions",
            error.mean_centipawns, error.most_centipawns, error.positions
        ),
        None => "quantisation  error not recorded".to_owned(),
    });
    lines.extend(info.calibration.as_ref().map(Calibration::line));
    lines.extend(info.score_model.as_ref().map(Scores::line));
    lines.push(format!("kernel        {}", info.kernel));
    if !info.provenance.is_empty() {
        lines.push("provenance".to_owned());
        lines.extend(info.provenance.lines().map(|line| format!("  {line}")));
    }
    lines
}

fn import(args: &ImportArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let file = args.foreign.read_file(&args.net, toolkit)?;
    let file = match file.provenance() {
        "" => file.with_provenance(format!("imported from {}", file_name(&args.net))),
        _ => file,
    };
    write(&args.out, &file)
}

/// Writes a network, and says what was written.
fn write(out: &Path, file: &NetworkFile) -> anyhow::Result<()> {
    let bytes = file.write();
    files::replace(out, &bytes)?;
    let (shown, architecture) = (out.display(), file.architecture());
    output::lines([format!("wrote {shown} ({} bytes): {architecture}", bytes.len())])
}

/// The last part of a path: a provenance must not tell where on somebody's disk a file lay.
fn file_name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
