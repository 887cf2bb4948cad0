//! Evaluation by networks: sets the evaluator of an engine, and evaluates single positions.
//!
//! Everything takes an optional network and a blend. Without a network, the default network of the
//! game evaluates, or its material if it has none. `blend` is the share of the network in percent;
//! the rest is that of the default evaluation.

use games::ToolkitGame;
use search::{Blend, Engine, EngineOptions, Evaluator, Material, SearchMode};

use super::{LoadedNetwork, NetworkLoadError, NetworkLoader};

/// The static evaluation of one position after the other, in the network's own unit for the side
/// to move; of material, in normalised centipawns.
pub type StaticEvaluator<G> = Box<dyn FnMut(&G) -> i32>;

/// A use of an evaluator of any type.
trait EvaluatorUse<G: ToolkitGame> {
    type Output;

    /// `make` makes evaluators: one for each thread.
    fn with<E: Evaluator<G>>(self, make: impl Fn() -> E + Send + Sync + 'static) -> Self::Output;
}

impl NetworkLoader {
    /// An engine with these options and this evaluation.
    pub fn engine<G: ToolkitGame>(
        &self,
        options: EngineOptions,
        network: Option<&LoadedNetwork>,
        blend: u64,
    ) -> Result<Engine<G>, NetworkLoadError> {
        // Whether a mode is possible depends on the evaluator, so that comes first.
        let mut engine = Engine::new(EngineOptions { mode: SearchMode::Classical, ..options })?;
        self.install(&mut engine, network, blend)?;
        engine.set_options(options)?;
        Ok(engine)
    }

    /// Sets the evaluator of an engine.
    pub fn install<G: ToolkitGame>(
        &self,
        engine: &mut Engine<G>,
        network: Option<&LoadedNetwork>,
        blend: u64,
    ) -> Result<(), NetworkLoadError> {
        struct Install<'a, G: ToolkitGame>(&'a mut Engine<G>);
        impl<G: ToolkitGame> EvaluatorUse<G> for Install<'_, G> {
            type Output = ();
            fn with<E: Evaluator<G>>(self, make: impl Fn() -> E + Send + Sync + 'static) {
                self.0.set_evaluator(make);
            }
        }
        self.with_evaluator(network, blend, Install(engine))
    }

    /// The static evaluation of a position, in normalised centipawns for the side to move.
    pub fn evaluate<G: ToolkitGame>(
        &self,
        position: &G,
        network: Option<&LoadedNetwork>,
        blend: u64,
    ) -> Result<i32, NetworkLoadError> {
        struct Evaluate<'a, G>(&'a G);
        impl<G: ToolkitGame> EvaluatorUse<G> for Evaluate<'_, G> {
            type Output = i32;
            fn with<E: Evaluator<G>>(self, make: impl Fn() -> E) -> i32 {
                let mut evaluator = make();
                evaluator.reset(self.0);
                evaluator.evaluate()
            }
        }
        self.with_evaluator(network, blend, Evaluate(position))
    }

    /// A function that gives the static evaluation of positions in the unit of data files, which is
    /// the network's own.
    pub fn static_evaluator<G: ToolkitGame>(
        &self,
        network: Option<&LoadedNetwork>,
    ) -> Result<StaticEvaluator<G>, NetworkLoadError> {
        struct Make;
        impl<G: ToolkitGame> EvaluatorUse<G> for Make {
            type Output = StaticEvaluator<G>;
            fn with<E: Evaluator<G>>(self, make: impl Fn() -> E) -> Self::Output {
                let mut evaluator = make();
                Box::new(move |position| {
                    evaluator.reset(position);
                    evaluator.unit().raw(evaluator.evaluate())
                })
            }
        }
        self.with_evaluator(network, 100, Make)
    }

    /// The evaluation of positions of `G` in one line.
    pub fn description<G: ToolkitGame>(
        &self,
        network: Option<&LoadedNetwork>,
    ) -> Result<String, NetworkLoadError> {
        if let Some(network) = network {
            return Ok(network.description());
        }
        let default = self.default_network::<G>()?;
        Ok(default.map_or_else(|| "material".to_owned(), |network| network.description()))
    }

    fn with_evaluator<G: ToolkitGame, U: EvaluatorUse<G>>(
        &self,
        network: Option<&LoadedNetwork>,
        blend: u64,
        user: U,
    ) -> Result<U::Output, NetworkLoadError> {
        let network = network.filter(|_| blend > 0).map(LoadedNetwork::evaluator_maker::<G>);
        let network = match network.transpose()? {
            // The default network has no share, so it is not read.
            Some(network) if blend >= 100 => return Ok(user.with(network)),
            network => network,
        };
        let default = self.default_network::<G>()?;
        let default = default.map(|default| default.evaluator_maker::<G>()).transpose()?;
        let material = Material::<G>::new();
        let material =
            material.map_err(|error| NetworkLoadError::Material { game: G::NAME, error })?;
        let material = move || material.another();
        let share = blend as f32 / 100.0;
        Ok(match (network, default) {
            (None, None) => user.with(material),
            (None, Some(default)) => user.with(default),
            (Some(network), None) => user.with(move || Blend::new(material(), network(), share)),
            (Some(network), Some(default)) => {
                user.with(move || Blend::new(default(), network(), share))
            }
        })
    }
}
