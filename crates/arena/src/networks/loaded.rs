//! Loaded network: a network with the file that it came from, ready to evaluate positions of a
//! game.

use std::sync::Arc;

use games::{PerspectiveCount, ToolkitGame};
use nnue::{Calibration, Kernel, Network, ScoreModel};
use search::{GameInputs, InputsError, NetworkEvaluator};

use super::NetworkLoadError;

/// A network, and the file that it came from.
#[derive(Clone, Debug)]
pub struct LoadedNetwork {
    file: String,
    network: Arc<Network>,
    features: Option<String>,
    large: Option<Box<Self>>,
    /// The score model of the game, for a network that has none.
    default_score_model: ScoreModel,
}

impl LoadedNetwork {
    /// A network, with a file or another name for messages.
    pub fn new(file: impl Into<String>, network: Arc<Network>) -> Self {
        let default_score_model = ScoreModel::DEFAULT;
        Self { file: file.into(), network, features: None, large: None, default_score_model }
    }

    /// The same network, read with this feature set instead of the one that it names.
    #[must_use]
    pub fn with_features(mut self, features: Option<String>) -> Self {
        self.features = features;
        self
    }

    /// The same network with this score model unless it has its own.
    #[must_use]
    pub fn with_default_score_model(mut self, model: ScoreModel) -> Self {
        self.default_score_model = model;
        self
    }

    /// The same network with this calibration, or without any.
    #[must_use]
    pub fn with_calibration(mut self, calibration: Option<Calibration>) -> Self {
        self.network = Arc::new((*self.network).clone().with_calibration(calibration));
        self
    }

    /// The same network with a larger one behind it, for searches that use both. The larger one
    /// must be calibrated.
    #[must_use]
    pub fn with_large(mut self, large: Option<Self>) -> Self {
        self.large = large.map(Box::new);
        self
    }

    /// The same network, computed by other instructions.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.network = Arc::new((*self.network).clone().with_kernel(kernel));
        self
    }

    /// The file, for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The feature set: the one that was given, or else the one that the file names.
    pub fn features(&self) -> &str {
        self.features.as_deref().unwrap_or(&self.network.architecture().features)
    }

    /// The network in one line.
    pub fn description(&self) -> String {
        self.network.architecture().to_string()
    }

    /// The score model of the network, or that of its game if it has none. Its
    /// [unit](ScoreModel::search_unit) is that of searches with the network.
    pub fn score_model(&self) -> &ScoreModel {
        self.network.score_model().unwrap_or(&self.default_score_model)
    }

    /// How the network reads positions of `G`: its inputs.
    pub fn inputs<G: ToolkitGame>(&self) -> Result<GameInputs<G>, NetworkLoadError> {
        let architecture = self.network.architecture();
        let inputs = match &self.features {
            None if architecture.features.starts_with("raw:") => {
                return Err(NetworkLoadError::FeaturesUnnamed {
                    file: self.file.clone(),
                    inputs: format!(" (it has {} inputs)", architecture.inputs),
                    known: G::feature_set_names().join(", "),
                });
            }
            None => GameInputs::new(architecture),
            Some(features) => self.given_inputs(features),
        };
        inputs.map_err(|error| NetworkLoadError::Inputs {
            file: self.file.clone(),
            game: G::NAME,
            error,
        })
    }

    fn given_inputs<G: ToolkitGame>(&self, features: &str) -> Result<GameInputs<G>, InputsError> {
        let architecture = self.network.architecture();
        let set = G::feature_set(features)?;
        let one = architecture.perspectives == nnue::Perspectives::One;
        if one && set.perspectives() == PerspectiveCount::Two {
            return Err(InputsError::Perspectives { name: set.name() });
        }
        GameInputs::from_set(set, architecture.inputs)
    }

    /// An evaluator of positions of `G`.
    pub fn evaluator<G: ToolkitGame>(&self) -> Result<NetworkEvaluator<G>, NetworkLoadError> {
        let evaluator = NetworkEvaluator::with_inputs(Arc::clone(&self.network), self.inputs()?)
            .with_score_model(self.score_model());
        let Some(large) = &self.large else { return Ok(evaluator) };
        if large.network.calibration().is_none() {
            return Err(NetworkLoadError::LargeNotCalibrated { file: large.file.clone() });
        }
        Ok(evaluator.with_large(large.evaluator()?))
    }

    /// A function that makes evaluators of positions of `G`.
    pub(super) fn evaluator_maker<G: ToolkitGame>(
        &self,
    ) -> Result<impl Fn() -> NetworkEvaluator<G> + use<G>, NetworkLoadError> {
        self.evaluator::<G>()?;
        let this = self.clone();
        Ok(move || this.evaluator().expect("the first evaluator was made"))
    }
}
