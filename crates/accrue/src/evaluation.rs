//! Which network values positions, and whether it fits the game.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use games::{Game, Perspectives};
use nnue::Network;
use search::{Blend, Engine, Evaluator, GameInputs, Linear, NetworkEvaluator};

use crate::network;

/// The largest network file that an engine takes: ten times the largest that anyone plays with.
const MOST_BYTES: u64 = 1 << 30;

/// A network from a file.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// The file, for messages.
    pub(crate) file: String,
    network: Arc<Network>,
}

impl Loaded {
    /// Reads a network file of any kind that says itself what it holds.
    pub(crate) fn read(file: &str) -> anyhow::Result<Self> {
        let path = Path::new(file);
        let known = std::fs::metadata(path).with_context(|| format!("cannot open {file}"))?;
        // A pipe would be waited for, a device would never end.
        if !known.is_file() {
            bail!("{file} is not a file; expected the file of a network");
        }
        if known.len() > MOST_BYTES {
            bail!("{file} has {} bytes; a network has at most {MOST_BYTES}", known.len());
        }
        Ok(Self { file: file.to_owned(), network: Arc::new(network::load_alone(path)?) })
    }

    /// The network in one line.
    pub(crate) fn describe(&self) -> String {
        self.network.architecture().to_string()
    }

    /// How the network reads positions of `G`.
    ///
    /// A file that does not name its feature set is read with the first of the game's sets that has the
    /// right size.
    pub(crate) fn inputs<G: Game>(&self) -> anyhow::Result<GameInputs<G>> {
        let architecture = self.network.architecture();
        if !architecture.features.starts_with("raw:") {
            return GameInputs::new(architecture)
                .with_context(|| format!("{} does not fit {}", self.file, G::NAME));
        }
        let fits = |set: &games::FeatureSetError| set.to_string();
        let one = architecture.perspectives == nnue::Perspectives::One;
        for name in G::feature_set_names().iter().filter(|name| !name.contains('…')) {
            let Ok(set) = G::feature_set(name).map_err(|error| fits(&error)) else { continue };
            if set.size() == architecture.inputs && one == (set.perspectives() == Perspectives::One)
            {
                return Ok(GameInputs::from_set(set, architecture.inputs)?);
            }
        }
        bail!(
            "{} does not fit {}: it has {} inputs, and no feature set of the game has that many",
            self.file,
            G::NAME,
            architecture.inputs
        )
    }

    fn evaluator<G: Game>(&self) -> anyhow::Result<NetworkEvaluator<G>> {
        Ok(NetworkEvaluator::with_inputs(Arc::clone(&self.network), self.inputs()?))
    }
}

/// Lets the engine value positions by the network, or by the pieces if there is none; `percent` of the value is
/// the network's.
pub(crate) fn install<G: Game>(
    engine: &mut Engine<G>,
    loaded: Option<&Loaded>,
    percent: u64,
) -> anyhow::Result<()> {
    let material = Linear::<G>::material()?;
    let Some(loaded) = loaded.filter(|_| percent > 0).cloned() else {
        engine.set_evaluator(move || material.another());
        return Ok(());
    };
    loaded.inputs::<G>()?;
    let network = move || loaded.evaluator::<G>().expect("it fitted when it was asked before");
    if percent == 100 {
        engine.set_evaluator(network);
    } else {
        let share = percent as f32 / 100.0;
        engine.set_evaluator(move || Blend::new(material.another(), network(), share));
    }
    Ok(())
}

/// The static value of a position, in centipawns for the side to move.
pub(crate) fn value<G: Game>(
    position: &G,
    loaded: Option<&Loaded>,
    percent: u64,
) -> anyhow::Result<i32> {
    fn ask<G: Game>(mut evaluator: impl Evaluator<G>, position: &G) -> i32 {
        evaluator.reset(position);
        evaluator.evaluate()
    }
    let material = Linear::<G>::material()?;
    let Some(loaded) = loaded else { return Ok(ask(material, position)) };
    let network = loaded.evaluator()?;
    Ok(ask(Blend::new(material, network, percent as f32 / 100.0), position))
}
