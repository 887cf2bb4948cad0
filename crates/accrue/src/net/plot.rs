//! `accrue net plot`: what the neurons of the accumulator look at.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use games::registry::{GameVisitor, feature_places, feature_set_shape, with_game};
use games::{BoardGeometry, FeaturePlace, Game};
use nnue::{Architecture, FileParameters, NetworkFile};

use super::picture::{Column, Neuron, Picture, neurons_svg};
use crate::network::{ForeignArgs, load_file};
use crate::{files, output};

/// Draw what each neuron of the accumulator looks at, piece by piece
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

    #[command(flatten)]
    choice: Choice,
}

/// What of a network is drawn.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Choice {
    /// How many neurons to draw: those with the largest weights
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) neurons: usize,

    /// Draw just these neurons, by their numbers from 0
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with = "neurons")]
    pub(crate) only: Vec<usize>,

    /// Draw just these pieces, by their letters, as in N,Q
    #[arg(long, value_name = "LETTER,…", value_delimiter = ',')]
    pub(crate) piece: Vec<char>,

    /// Draw one bucket of the own king's places; without it, the mean of all
    #[arg(long, value_name = "N")]
    pub(crate) bucket: Option<usize>,
}

const AFTER_HELP: &str = "\
Each board shows the weights of one kind of piece on every cell, as White sees the board: blue
where the piece raises the neuron's sum, red where it lowers it, by the neuron's own largest weight.
Grey cells have no feature. Where a feature set mirrors the board, the own king stands on the side
that it leaves as it is.

Examples:
  accrue net plot net.accrue --out neurons.svg
  accrue net plot net.accrue --out knights.svg --neurons 24 --piece N";

/// The most neurons that are drawn: more would be a picture that nothing shows.
const MOST_NEURONS: usize = 256;

pub(super) fn run(args: &PlotArgs) -> anyhow::Result<()> {
    let picture = picture_of(&args.net, &args.foreign, &args.choice)?;
    let svg = neurons_svg(&picture);
    files::replace(&args.out, svg.as_bytes())?;
    let (neurons, boards) = (picture.neurons.len(), picture.columns.len());
    output::lines([format!(
        "wrote {} ({} bytes): {neurons} neurons, {boards} boards each",
        args.out.display(),
        svg.len()
    )])
}

/// The picture of the network in a file.
pub(crate) fn picture_of(
    net: &Path,
    foreign: &ForeignArgs,
    choice: &Choice,
) -> anyhow::Result<Picture> {
    let file = load_file(net, foreign)?;
    let name = net.file_name().unwrap_or_default().to_string_lossy();
    picture(&name, file.architecture(), &float_weights(&file), choice)
        .with_context(|| format!("cannot draw {}", net.display()))
}

/// The weights of the first layer, `[feature][neuron]`, 1.0 being 1.0.
fn float_weights(file: &NetworkFile) -> Vec<f32> {
    let one = f32::from(file.architecture().scales.accumulator);
    match file.parameters() {
        FileParameters::Float(parameters) => parameters.feature_weights.clone(),
        FileParameters::Integer(parameters) => {
            parameters.feature_weights.iter().map(|&weight| f32::from(weight) / one).collect()
        }
    }
}

/// The picture of a network: `weights` are those of its first layer, `[feature][neuron]`.
pub(crate) fn picture(
    name: &str,
    architecture: &Architecture,
    weights: &[f32],
    choice: &Choice,
) -> anyhow::Result<Picture> {
    let shape = feature_set_shape(&architecture.features)?;
    let Some(game) = shape.game else {
        bail!("the features of `{}` belong to no game, so there is no board", shape.name)
    };
    if shape.size != architecture.inputs {
        bail!("it has {} inputs, but `{}` has {}", architecture.inputs, shape.name, shape.size);
    }
    let places = chosen_places(feature_places(&shape.name)?, choice)?;
    let columns = columns(&places);
    let width = architecture.accumulator.width;
    let numbers = chosen_neurons(weights, width, &places, choice)?;
    let geometry = with_game(game, Geometry)?;
    let draw = |&number: &usize| {
        let column = |column: &Column| {
            mean_weights(&places, *column, &geometry, |feature| weights[feature * width + number])
        };
        Neuron { number, weights: columns.iter().map(column).collect() }
    };
    Ok(Picture {
        title: format!("{name}: what {} of {width} neurons look at", numbers.len()),
        subtitle: subtitle(architecture, choice, &places),
        neurons: numbers.iter().map(draw).collect(),
        geometry: geometry.clone(),
        columns,
    })
}

fn subtitle(
    architecture: &Architecture,
    choice: &Choice,
    places: &[Option<FeaturePlace>],
) -> String {
    let buckets = places.iter().flatten().map(|place| place.bucket + 1).max().unwrap_or(1);
    let bucket = match choice.bucket {
        Some(bucket) => format!(", king bucket {bucket}"),
        None if buckets > 1 => format!(", mean of {buckets} king buckets"),
        None => String::new(),
    };
    format!("{architecture}{bucket}")
}

/// The places of the features that are drawn; `None` for all others.
fn chosen_places(
    mut places: Vec<Option<FeaturePlace>>,
    choice: &Choice,
) -> anyhow::Result<Vec<Option<FeaturePlace>>> {
    let mut known: Vec<char> = Vec::new();
    for place in places.iter().flatten() {
        if !known.contains(&place.piece) {
            known.push(place.piece);
        }
    }
    let wanted: Vec<char> = choice.piece.iter().map(char::to_ascii_uppercase).collect();
    if let Some(unknown) = wanted.iter().find(|piece| !known.contains(piece)) {
        bail!("--piece {unknown}: there is no such piece; known: {}", String::from_iter(known));
    }
    let buckets = places.iter().flatten().map(|place| place.bucket + 1).max().unwrap_or(0);
    if let Some(bucket) = choice.bucket.filter(|&bucket| bucket >= buckets) {
        bail!("--bucket {bucket}: there are {buckets}, from 0 on");
    }
    for place in &mut places {
        let drawn = place.is_some_and(|place| {
            choice.bucket.is_none_or(|bucket| bucket == place.bucket)
                && (wanted.is_empty() || wanted.contains(&place.piece))
        });
        if !drawn {
            *place = None;
        }
    }
    Ok(places)
}

/// The kinds of pieces, own ones first, in the order that the set numbers them by.
fn columns(places: &[Option<FeaturePlace>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for place in places.iter().flatten() {
        let column = Column { piece: place.piece, theirs: place.theirs };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns.sort_by_key(|column| column.theirs);
    columns
}

/// The numbers of the neurons that are drawn: by the weights that will be seen, unless they are named.
fn chosen_neurons(
    weights: &[f32],
    width: usize,
    places: &[Option<FeaturePlace>],
    choice: &Choice,
) -> anyhow::Result<Vec<usize>> {
    let count = if choice.only.is_empty() { choice.neurons } else { choice.only.len() };
    if !(1..=MOST_NEURONS).contains(&count) {
        bail!("{count} neurons; expected 1 to {MOST_NEURONS}");
    }
    if let Some(number) = choice.only.iter().find(|&&number| number >= width) {
        bail!("--only {number}: the accumulator has {width} neurons, numbered from 0");
    }
    if !choice.only.is_empty() {
        return Ok(choice.only.clone());
    }
    let mut sizes = vec![0.0_f64; width];
    let drawn = weights.chunks_exact(width).zip(places).filter(|(_, place)| place.is_some());
    for (row, _) in drawn {
        for (size, weight) in sizes.iter_mut().zip(row) {
            *size += f64::from(*weight) * f64::from(*weight);
        }
    }
    let mut numbers: Vec<usize> = (0..width).collect();
    numbers.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    numbers.truncate(count);
    Ok(numbers)
}

/// For each cell, the mean weight of the features that stand for that piece there; NaN if none does.
fn mean_weights(
    places: &[Option<FeaturePlace>],
    column: Column,
    geometry: &BoardGeometry,
    weight: impl Fn(usize) -> f32,
) -> Vec<f32> {
    let mut sums = vec![(0.0, 0.0); geometry.cells.len()];
    for (feature, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        if (place.piece, place.theirs) == (column.piece, column.theirs)
            && let Some((sum, count)) = sums.get_mut(place.cell)
        {
            *sum += weight(feature);
            *count += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

/// The board of a game.
struct Geometry;

impl GameVisitor for Geometry {
    type Output = BoardGeometry;

    fn visit<G: Game>(self) -> Self::Output {
        G::geometry()
    }
}
