//! Server host: what the program around the server provides, such as networks and a name.

use std::fmt::Display;

use games::ToolkitGame;
use nnue::ScoreModel;
use search::{BenchResult, Control, Engine, Evaluator, Linear, SearchMode};

use crate::text::GenFens;

/// Why the host cannot do something: the whole message, which names the value and what was
/// expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HostError(String);

impl HostError {
    /// An error with this message; `{:#}` of an error with causes includes them.
    pub fn new(message: impl Display) -> Self {
        Self(format!("{message:#}"))
    }
}

/// What `uci` prints first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineIdentity {
    /// The name and the version of the engine.
    pub name: String,
    /// Who wrote it.
    pub author: String,
}

/// The options of the evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationOptions<N> {
    /// `EvalFile`; `None` for the default network of the game.
    pub network: Option<N>,
    /// `EvalFileLarge`, a larger network behind that one.
    pub large: Option<N>,
    /// `EvalBlend`: how much of the evaluation is the network's, in percent; the rest is the
    /// default network's.
    pub blend: u64,
}

/// What the command `bench` is to search.
#[derive(Clone, Copy, Debug)]
pub struct BenchRequest<'a, N> {
    /// The game that is played.
    pub game: &'static str,
    /// The network of `EvalFile`, for where it fits; `None` for the default network.
    pub network: Option<&'a N>,
    /// `SearchMode`.
    pub mode: SearchMode,
    /// The depth; `None` for the default of the host.
    pub depth: Option<u32>,
}

/// The program around a server, as far as no game is concerned.
///
/// The methods with a body are optional: a host without networks has only a name.
pub trait Host: Send + Sync + 'static {
    /// A network that the program has read.
    type Network: Clone + Send + Sync + 'static;

    /// The name of the engine.
    fn identity(&self) -> EngineIdentity;

    /// Reads the network of a file, or the one of that name.
    fn read_network(&self, file: &str) -> Result<Self::Network, HostError> {
        Err(HostError::new(format_args!("{file}: this program reads no networks")))
    }

    /// A network in one line.
    fn describe_network(&self, _network: &Self::Network) -> String {
        "a network".to_owned()
    }

    /// Refuses transposition tables of `mib` MiB, of which `held` are in use already, if there is
    /// no memory for them. Some systems promise more than they have.
    fn check_memory(&self, _mib: usize, _held: usize) -> Result<(), HostError> {
        Ok(())
    }

    /// Searches a fixed set of positions of a game.
    fn bench(
        &self,
        _request: &BenchRequest<'_, Self::Network>,
        _control: &Control,
    ) -> Result<BenchResult, HostError> {
        Err(HostError::new("this program has no bench"))
    }
}

/// Prints openings: calls the function with each position, until it returns false.
pub type OpeningsJob<G> = Box<
    dyn FnOnce(&mut Engine<G>, &Control, &mut dyn FnMut(&G) -> bool) -> Result<(), HostError>
        + Send,
>;

/// The program around a server, as far as the game `G` is concerned.
///
/// The methods with a body are optional: without them, the game is played by its material.
pub trait GameHost<G: ToolkitGame>: Host {
    /// Checks that a network can evaluate positions of the game.
    fn check_network(&self, _network: &Self::Network) -> Result<(), HostError> {
        Ok(())
    }

    /// Sets the evaluator of an engine.
    fn install(
        &self,
        _engine: &mut Engine<G>,
        _evaluation: &EvaluationOptions<Self::Network>,
    ) -> Result<(), HostError> {
        Ok(())
    }

    /// The static evaluation of a position, in normalised centipawns for the side to move.
    fn evaluate(
        &self,
        position: &G,
        _evaluation: &EvaluationOptions<Self::Network>,
    ) -> Result<i32, HostError> {
        let mut material = Linear::<G>::material().map_err(HostError::new)?;
        material.reset(position);
        Ok(material.evaluate())
    }

    /// The evaluator in one line.
    fn describe_evaluator(&self, _evaluation: &EvaluationOptions<Self::Network>) -> String {
        "material".to_owned()
    }

    /// From the scores of a search to displayed centipawns and to wins, draws and losses: the model
    /// whose unit the evaluator has, which is the network's own, or else the host's for the game. By
    /// default centipawns are displayed as the search has them.
    fn score_model(&self, _evaluation: &EvaluationOptions<Self::Network>) -> ScoreModel {
        ScoreModel::constant(100.0, 90.0)
    }

    /// Prepares a `genfens`.
    fn openings(&self, _genfens: &GenFens) -> Result<OpeningsJob<G>, HostError> {
        Err(HostError::new("this program generates no openings"))
    }
}
