//! `accrue net start`: networks that nobody trained, to begin with.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use dataset::GameList;
use games::{Perspectives, ToolkitGame};
use nnue::{Architecture, FloatParameters, NetworkFile};
use search::Linear;
use trainer::export::{ExportOptions, quantise};
use trainer::{Config, first_learner};

use crate::files;
use crate::toolkit::{GameEntry, Toolkit};

/// Write a network that nobody trained: the worth of the pieces, or random weights
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StartArgs {
    /// The game whose pieces are worth what the search gives them before there is a network
    #[arg(long, value_name = "GAME", default_value = "")]
    game: String,

    /// Random weights instead, for the network of this configuration of a training
    #[arg(long, value_name = "CONFIG.toml", conflicts_with = "game")]
    random: Option<PathBuf>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const AFTER_HELP: &str = "\
The worth of the pieces, and a little for standing near the middle of the board, as a network file: rounded to a
centipawn or two. It is what `accrue quickstart` begins with. Random weights know nothing at all: `accrue loop` can
begin with them. They follow from init.seed.

Examples:
  accrue net start --game hexchess --out start.accrue
  accrue net start --random examples/4_hexchess.toml --out random.accrue";

pub(super) fn run(args: &StartArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let file = match &args.random {
        Some(config) => random(config, toolkit)?,
        None => toolkit.find(&args.game)?.material_network(toolkit, Material)?,
    };
    super::write(&args.out, &file)
}

/// Writes the worth of the pieces of a game as a network file.
pub(crate) fn write_material<G: ToolkitGame>(path: &Path) -> anyhow::Result<()> {
    files::replace(path, &material_network::<G>()?.write())
}

/// The network that values positions as [`Linear::material`] does.
pub(crate) struct Material;

impl Material {
    #[expect(clippy::unused_self, reason = "jobs are values with a method")]
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> anyhow::Result<NetworkFile> {
        material_network::<G>()
    }
}

/// The network that evaluates positions as [`Linear::material`] does.
fn material_network<G: ToolkitGame>() -> anyhow::Result<NetworkFile> {
    let features = G::feature_set_names().into_iter().next().unwrap_or_default();
    if G::feature_set(&features)?.perspectives() == Perspectives::One {
        bail!("feature set `{features}` has one perspective, the worth of pieces needs two");
    }
    let settings = ["network.accumulator=16", "network.activation=\"identity\""];
    let mut settings = settings.map(str::to_owned).to_vec();
    settings.push(format!("network.features=\"{features}\""));
    let config = Config::parse("", &settings)?;
    let games = GameList::new().with::<G>();
    let architecture = config.architecture(&games)?;
    let weights = Linear::<G>::material()?;
    let parameters = material(&architecture, weights.weights(), config.network.centipawns);
    integers(&architecture, &parameters, format!("the worth of the pieces of {}", G::NAME), &games)
}

/// The first neuron of the side to move has the weights; the others are silent.
fn material(architecture: &Architecture, worth: &[i32], unit: f32) -> FloatParameters {
    let width = architecture.accumulator.width;
    let mut parameters = FloatParameters::generate(architecture, || 0.0, || 0.0, || 0.0, || 0.0);
    for (row, &worth) in parameters.feature_weights.chunks_exact_mut(width).zip(worth) {
        row[0] = worth as f32 / unit;
    }
    if let Some(weight) = parameters.heads.first_mut().and_then(|head| head.weights.first_mut()) {
        *weight = 1.0;
    }
    parameters
}

/// A network as training begins with it.
fn random(path: &Path, toolkit: &Toolkit) -> anyhow::Result<NetworkFile> {
    let shown = path.display();
    let config = Config::read(path, &[]).with_context(|| format!("{shown}"))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let learner =
        first_learner(&config, base, toolkit.games()).with_context(|| format!("{shown}"))?;
    let provenance = format!("random weights, seed {}", config.init.seed);
    integers(learner.architecture(), &learner.parameters(), provenance, toolkit.games())
}

fn integers(
    architecture: &Architecture,
    parameters: &FloatParameters,
    provenance: String,
    games: &GameList,
) -> anyhow::Result<NetworkFile> {
    let export = quantise(architecture, parameters, &ExportOptions::default(), games)?;
    Ok(export.into_file(provenance, None)?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use games::Random;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;
    use search::{Evaluator, GameInputs, NetworkEvaluator};

    use super::*;

    fn follows_material<G: ToolkitGame>() {
        let file = material_network::<G>().unwrap();
        let inputs = GameInputs::<G>::new(file.architecture()).unwrap();
        let mut network =
            NetworkEvaluator::with_inputs(Arc::new(file.to_network().unwrap()), inputs);
        let mut material = Linear::<G>::material().unwrap();
        let mut random = Random::new(3);
        let mut position = G::start();
        for _ply in 0..60 {
            network.reset(&position);
            material.reset(&position);
            let (own, expected) = (network.evaluate(), material.evaluate());
            // Each of up to 36 pieces is rounded to less than two centipawns.
            assert!((own - expected).abs() <= 20, "{}: {own}, not {expected}", position.to_fen());
            match random.pick(&position.legal_moves()) {
                Some(&mv) => position.play(mv),
                None => position = G::start(),
            }
        }
    }

    #[test]
    fn the_worth_of_pieces_is_the_same_as_in_the_search() {
        follows_material::<Chess>();
        follows_material::<Hexchess>();
        follows_material::<ConnectFour>();
    }
}
