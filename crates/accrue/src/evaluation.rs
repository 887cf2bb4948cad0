//! Which network values positions, and whether it fits the game.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use games::{Game, Perspectives};
use nnue::{Calibration, Network};
use search::{
    Blend, Engine, EngineOptions, Evaluator, GameInputs, Linear, NetworkEvaluator, SearchMode,
};

use crate::{built_in, network};

/// The largest network file that an engine takes: ten times the largest that anyone plays with.
const MOST_BYTES: u64 = 1 << 30;

/// A network from a file.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// The file, for messages.
    pub(crate) file: String,
    network: Arc<Network>,
    /// A larger network behind it, and its file.
    large: Option<Box<Self>>,
}

impl Loaded {
    /// Reads a network file of any kind that says itself what it holds, or takes the built-in network of that name.
    pub(crate) fn read(file: &str) -> anyhow::Result<Self> {
        let path = Path::new(file);
        if let Ok(known) = std::fs::metadata(path) {
            // A pipe would be waited for, a device would never end.
            if !known.is_file() {
                bail!("{file} is not a file; expected the file of a network");
            }
            if known.len() > MOST_BYTES {
                bail!("{file} has {} bytes; a network has at most {MOST_BYTES}", known.len());
            }
        }
        Ok(Self {
            file: file.to_owned(),
            network: Arc::new(network::load_alone(path)?),
            large: None,
        })
    }

    /// The network for `G` that is part of this program, if there is one.
    pub(crate) fn built_in<G: Game>() -> Option<Self> {
        let (file, bytes) = built_in::network(G::NAME)?;
        let network = Network::from_bytes(bytes).expect("a test reads every built-in network");
        Some(Self { file: file.to_owned(), network: Arc::new(network), large: None })
    }

    /// The linear network for `G` that is part of this program, if there is one.
    pub(crate) fn linear<G: Game>() -> Option<Self> {
        let name = format!("{}-linear", G::NAME);
        built_in::named(Path::new(&name))
            .map(|_| Self::read(&name).expect("a test reads every built-in network"))
    }

    /// The same network with these corrections, or without any.
    pub(crate) fn with_calibration(mut self, calibration: Option<&Calibration>) -> Self {
        self.network = Arc::new((*self.network).clone().with_calibration(calibration.cloned()));
        self
    }

    /// The same network with a larger one behind it, for searches that ask both.
    pub(crate) fn with_large(mut self, large: Option<Self>) -> Self {
        self.large = large.map(Box::new);
        self
    }

    /// The same network, computed by other instructions.
    #[cfg(test)]
    pub(crate) fn with_kernel(mut self, kernel: nnue::Kernel) -> Self {
        self.network = Arc::new((*self.network).clone().with_kernel(kernel));
        self
    }

    /// The network.
    pub(crate) fn network(&self) -> &Arc<Network> {
        &self.network
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
        let one = architecture.perspectives == nnue::Perspectives::One;
        for name in G::feature_set_names().iter().filter(|name| !name.contains('…')) {
            let Ok(set) = G::feature_set(name) else { continue };
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

    /// What makes evaluators for `G` by this network.
    fn maker<G: Game>(&self) -> anyhow::Result<impl Fn() -> NetworkEvaluator<G> + use<G>> {
        self.evaluator::<G>()?;
        let this = self.clone();
        Ok(move || this.evaluator().expect("it fitted when it was asked before"))
    }

    pub(crate) fn evaluator<G: Game>(&self) -> anyhow::Result<NetworkEvaluator<G>> {
        let evaluator =
            NetworkEvaluator::with_inputs(Arc::clone(&self.network), self.inputs::<G>()?);
        let Some(large) = &self.large else { return Ok(evaluator) };
        if large.network.calibration().is_none() {
            bail!("{} is not calibrated: see `accrue calibrate --help`", large.file);
        }
        Ok(evaluator.with_large(large.evaluator()?))
    }
}

/// Somebody who needs an evaluator, of whichever type it is.
trait User<G: Game> {
    type Output;

    /// Gets what makes evaluators: one for each thread.
    fn take<E: Evaluator<G>>(self, make: impl Fn() -> E + Send + Sync + 'static) -> Self::Output;
}

/// Gives `user` the evaluator of the network in `loaded`, or the built-in one if there is none; `percent` of the value is
/// the network's, the rest the built-in one's.
fn with_evaluator<G: Game, U: User<G>>(
    loaded: Option<&Loaded>,
    percent: u64,
    user: U,
) -> anyhow::Result<U::Output> {
    let loaded = loaded.filter(|_| percent > 0).map(Loaded::maker::<G>).transpose()?;
    let loaded = match loaded {
        // Nobody asks for the built-in one: it need not be read.
        Some(network) if percent >= 100 => return Ok(user.take(network)),
        loaded => loaded,
    };
    let own = Loaded::built_in::<G>().map(|own| own.maker::<G>()).transpose()?;
    let material = Linear::<G>::material()?;
    let material = move || material.another();
    let share = percent as f32 / 100.0;
    Ok(match (loaded, own) {
        (None, None) => user.take(material),
        (None, Some(own)) => user.take(own),
        (Some(network), None) => user.take(move || Blend::new(material(), network(), share)),
        (Some(network), Some(own)) => user.take(move || Blend::new(own(), network(), share)),
    })
}

/// An engine with these options and this evaluation; see [`install`].
pub(crate) fn engine<G: Game>(
    options: EngineOptions,
    loaded: Option<&Loaded>,
    percent: u64,
) -> anyhow::Result<Engine<G>> {
    // Whether the mode is possible can be told when the evaluation is there.
    let mut engine = Engine::new(EngineOptions { mode: SearchMode::Classical, ..options })?;
    install(&mut engine, loaded, percent)?;
    engine.set_options(options)?;
    Ok(engine)
}

/// Lets the engine value positions by the network, or by the built-in one if there is none; `percent` of the value is
/// the network's.
pub(crate) fn install<G: Game>(
    engine: &mut Engine<G>,
    loaded: Option<&Loaded>,
    percent: u64,
) -> anyhow::Result<()> {
    struct Install<'a, G: Game>(&'a mut Engine<G>);
    impl<G: Game> User<G> for Install<'_, G> {
        type Output = ();
        fn take<E: Evaluator<G>>(self, make: impl Fn() -> E + Send + Sync + 'static) {
            self.0.set_evaluator(make);
        }
    }
    with_evaluator(loaded, percent, Install(engine))
}

/// The static value of a position, in centipawns for the side to move.
pub(crate) fn value<G: Game>(
    position: &G,
    loaded: Option<&Loaded>,
    percent: u64,
) -> anyhow::Result<i32> {
    struct Ask<'a, G>(&'a G);
    impl<G: Game> User<G> for Ask<'_, G> {
        type Output = i32;
        fn take<E: Evaluator<G>>(self, make: impl Fn() -> E) -> i32 {
            let mut evaluator = make();
            evaluator.reset(self.0);
            evaluator.evaluate()
        }
    }
    with_evaluator(loaded, percent, Ask(position))
}

/// Values positions one by one.
pub(crate) type Valuer<G> = Box<dyn FnMut(&G) -> i32>;

/// What values positions one by one, in centipawns for the side to move: the network, or the built-in one if there is
/// none.
pub(crate) fn valuer<G: Game>(loaded: Option<&Loaded>) -> anyhow::Result<Valuer<G>> {
    struct Make;
    impl<G: Game> User<G> for Make {
        type Output = Valuer<G>;
        fn take<E: Evaluator<G>>(self, make: impl Fn() -> E) -> Self::Output {
            let mut evaluator = make();
            Box::new(move |position| {
                evaluator.reset(position);
                evaluator.evaluate()
            })
        }
    }
    with_evaluator(loaded, 100, Make)
}

/// What values positions of `G`, in one line.
pub(crate) fn describe<G: Game>(loaded: Option<&Loaded>) -> String {
    match loaded.cloned().or_else(Loaded::built_in::<G>) {
        Some(network) => network.describe(),
        None => "material".to_owned(),
    }
}
