//! Network file commands: `accrue net` inspects, imports, draws and makes network files.

pub(crate) mod params;
pub(crate) mod plot;
pub(crate) mod start;

use std::path::{Path, PathBuf};

use arena::networks::{NetworkDescription, ScaleDescription};
use clap::Subcommand;
use nnue::NetworkFile;
use pipeline::files;

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
    Params(params::ParamsArgs),
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
        Command::Params(args) => params::run(&args, toolkit),
        Command::Plot(args) => plot::run(&args, toolkit),
        Command::Start(args) => start::run(&args, toolkit),
    }
}

fn info(args: InfoArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let path = args.net;
    let loaded = args.foreign.load(&path, toolkit)?;
    let bytes = args.foreign.bytes(&path, toolkit)?;
    let info = NetworkDescription::new(path.display().to_string(), bytes, loaded.network());
    if args.json { output::json(&info) } else { output::lines(lines(&info)) }
}

fn lines(info: &NetworkDescription) -> Vec<String> {
    let mut facts = info.facts();
    facts.extend(info.scales.as_ref().map(|scales| ("scales", scales_text(scales))));
    let not_recorded = || "error not recorded".to_owned();
    let quantisation = info.quantisation_error.map_or_else(not_recorded, |error| error.text());
    facts.push(("quantisation", quantisation));
    facts.extend(info.calibration.as_ref().map(|found| ("calibration", found.text())));
    facts.extend(info.score_model.as_ref().map(|model| ("score model", model.text())));
    facts.push(("kernel", info.kernel.to_owned()));
    let mut lines: Vec<_> =
        facts.iter().map(|(name, value)| format!("{name:<14}{value}")).collect();
    if !info.provenance.is_empty() {
        lines.push("provenance".to_owned());
        lines.extend(info.provenance.lines().map(|line| format!("  {line}")));
    }
    lines
}

fn scales_text(scales: &ScaleDescription) -> String {
    let text = |(name, value): &(&str, String)| match *name {
        "centipawns" => format!("{value} {name}"),
        _ => format!("{name} {value}"),
    };
    scales.facts().iter().map(text).collect::<Vec<_>>().join(", ")
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
