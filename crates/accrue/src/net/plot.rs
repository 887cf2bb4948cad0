//! `accrue net plot`: draws the weights of accumulator neurons on the board.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use dataset::GameList;
use nnue::{Architecture, FileParameters, NetworkFile};
use report::Picture;
use report::neurons::{FirstLayer, NeuronBoards, NeuronSelection};

use crate::network::ForeignArgs;
use crate::toolkit::Toolkit;
use crate::{files, output};

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
cells have no feature. Where a feature set mirrors the board, the own king stands on the side that
it leaves as it is.

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
    let (boards, picture) = draw_file(&args.net, &file, &selection, toolkit.games())?;
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

/// Some neurons of the network in a file.
pub(crate) fn picture_of(net: &Path, toolkit: &Toolkit) -> anyhow::Result<Picture> {
    let file = ForeignArgs::default().read_file(net, toolkit)?;
    Ok(draw_file(net, &file, &NeuronSelection::default(), toolkit.games())?.1)
}

fn draw_file(
    path: &Path,
    file: &NetworkFile,
    selection: &NeuronSelection,
    games: &GameList,
) -> anyhow::Result<(NeuronBoards, Picture)> {
    let one = f32::from(file.architecture().scales.accumulator);
    let weights: Vec<f32> = match file.parameters() {
        FileParameters::Float(parameters) => parameters.feature_weights.clone(),
        FileParameters::Integer(parameters) => {
            parameters.feature_weights.iter().map(|&weight| f32::from(weight) / one).collect()
        }
    };
    let boards = neurons(file.architecture(), &weights, selection, games)
        .with_context(|| format!("cannot draw {}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let picture = boards.picture(&name, &file.architecture().to_string());
    Ok((boards, picture))
}

/// Neurons of a network: `weights` are those of its first layer, `[feature][neuron]`.
pub(crate) fn neurons(
    architecture: &Architecture,
    weights: &[f32],
    selection: &NeuronSelection,
    games: &GameList,
) -> anyhow::Result<NeuronBoards> {
    let shape = games.feature_set_shape(&architecture.features)?;
    let Some(game) = games.of_features(&shape.name) else {
        bail!("the features of `{}` belong to no game, so there is no board", shape.name)
    };
    if shape.size != architecture.inputs {
        bail!("it has {} inputs, but `{}` has {}", architecture.inputs, shape.name, shape.size);
    }
    let (places, geometry) = (game.feature_places(&shape.name)?, game.geometry());
    let width = architecture.accumulator.width;
    let layer = FirstLayer { geometry: &geometry, places: &places, weights, width };
    Ok(NeuronBoards::new(&layer, selection)?)
}
