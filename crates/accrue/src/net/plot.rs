//! Neuron pictures: `accrue net plot` draws the weights of accumulator neurons on the board.

use std::path::PathBuf;

use pipeline::files;
use pipeline::stages::draw_network;
use report::neurons::NeuronSelection;

use crate::network::ForeignArgs;
use crate::output;
use crate::toolkit::Toolkit;

/// Draw the weights of accumulator neurons, one board for each kind of piece
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct PlotArgs {
    /// The network file
    #[arg(value_name = "FILE")]
    net: PathBuf,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// The picture to write
    #[arg(long, value_name = "FILE.svg")]
    out: PathBuf,

    /// How many neurons to draw: those with the largest weights
    #[arg(long, value_name = "N", default_value_t = 8)]
    neurons: usize,

    /// Draw just these neurons, by their numbers from 0
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with = "neurons")]
    only: Vec<usize>,

    /// Draw just these pieces, by their letters, as in N,Q
    #[arg(long, value_name = "LETTER,…", value_delimiter = ',')]
    piece: Vec<char>,

    /// Draw one king bucket; without it, the mean of all
    #[arg(long, value_name = "N")]
    bucket: Option<usize>,
}

const AFTER_HELP: &str = "\
Each board shows the weights of one kind of piece on every cell, from White's side: blue where the
piece raises the neuron's sum, red where it lowers it, in units of the neuron's largest weight. Grey
cells have no feature. Where a feature set mirrors the board, the own king is on the side that is not
mirrored.

Examples:
  accrue net plot net.accrue --out neurons.svg
  accrue net plot net.accrue --out knights.svg --neurons 24 --piece N";

pub(super) fn run(args: &PlotArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let selection = NeuronSelection {
        count: args.neurons,
        only: args.only.clone(),
        pieces: args.piece.clone(),
        bucket: args.bucket,
    };
    let file = args.foreign.read_file(&args.net, toolkit)?;
    let (boards, picture) = draw_network(&args.net, &file, &selection, toolkit.games())?;
    let svg = picture.standalone();
    files::replace(&args.out, svg.as_bytes())?;
    output::lines([format!(
        "wrote {} ({} bytes): {} neurons, {} boards each",
        args.out.display(),
        svg.len(),
        boards.neurons(),
        boards.boards()
    )])
}
