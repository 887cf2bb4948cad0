//! Entrants: the players of a tournament, made of engine specs.

use games::ToolkitGame;
use search::Engine;
use uci::client::EngineCommand;

use super::{Entrant, MakePlayer};
use crate::engine_spec::{EngineSpec, PlayerSpec, SearchSpec};
use crate::external::ExternalPlayer;
use crate::memory::{TableMemoryError, check_table_memory};
use crate::networks::{NetworkLoadError, NetworkLoader, NetworkSource};
use crate::player::{EnginePlayer, Player, PlayerFault, RandomPlayer};
use crate::search_limits::SearchLimits;

/// Why an engine cannot take part.
#[derive(Debug, thiserror::Error)]
#[error("engine `{text}`: {fault}")]
pub struct EntrantError {
    /// The text of the engine's spec.
    pub text: String,
    /// Why not.
    pub fault: EntrantFault,
}

/// What is wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum EntrantFault {
    /// Its network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkLoadError),
    /// Its transposition table is too large.
    #[error(transparent)]
    Memory(#[from] TableMemoryError),
    /// The program does not start, or does not play the game.
    #[error("{}", start_text(.0))]
    Start(PlayerFault),
    /// A limit that UCI does not have.
    #[error("external engines have no `softnodes`; give them `nodes`")]
    SoftNodes,
}

fn start_text(fault: &PlayerFault) -> String {
    match fault {
        PlayerFault::Crash(reason) => reason.clone(),
        fault => format!("the program {fault}"),
    }
}

/// Makes entrants of engine specs, each with a unique name. `limits` are those of engines without
/// limits of their own. Every player is made once, so that a player that does not work is refused
/// before the first game.
pub fn entrants<G: ToolkitGame>(
    specs: &[EngineSpec],
    limits: SearchLimits,
    networks: &NetworkLoader,
) -> Result<Vec<Entrant<G>>, EntrantError> {
    let mut entrants: Vec<Entrant<G>> = Vec::new();
    for spec in specs {
        let mut name = spec.name.clone();
        let taken = |name: &str| entrants.iter().any(|other| other.name == name);
        for number in 2.. {
            if !taken(&name) {
                break;
            }
            name = format!("{}-{number}", spec.name);
        }
        let entrant = entrant(spec, name, limits, networks);
        let error = |fault| EntrantError { text: spec.text.clone(), fault };
        entrants.push(entrant.map_err(error)?);
    }
    Ok(entrants)
}

fn entrant<G: ToolkitGame>(
    spec: &EngineSpec,
    name: String,
    limits: SearchLimits,
    networks: &NetworkLoader,
) -> Result<Entrant<G>, EntrantFault> {
    let limits = if spec.limits.is_limited() { spec.limits } else { limits };
    let make = match &spec.player {
        PlayerSpec::Search(search) => search_player(search, networks)?,
        PlayerSpec::External(_) if limits.soft_nodes.is_some() => {
            return Err(EntrantFault::SoftNodes);
        }
        PlayerSpec::External(command) => external_player(command),
        PlayerSpec::Random => Box::new(|| Ok(Box::new(RandomPlayer) as Box<dyn Player<G>>)),
    };
    make().map_err(EntrantFault::Start)?;
    Ok(Entrant { name, limits, make })
}

fn external_player<G: ToolkitGame>(command: &EngineCommand) -> MakePlayer<G> {
    let command = command.clone();
    Box::new(move || Ok(Box::new(ExternalPlayer::start(command.clone(), G::NAME)?)))
}

fn search_player<G: ToolkitGame>(
    search: &SearchSpec,
    networks: &NetworkLoader,
) -> Result<MakePlayer<G>, EntrantFault> {
    let large = search.large.as_ref().map(|net| networks.load(&NetworkSource::new(net)));
    let network = search
        .net
        .as_ref()
        .map(|net| networks.load(&NetworkSource::new(net).with_features(search.features.clone())));
    let large = large.transpose()?;
    let network = network.transpose()?.map(|network| network.with_large(large));
    let SearchSpec { blend, options, params, .. } = search.clone();
    let networks = networks.clone();
    let make = move || -> Result<Engine<G>, EntrantFault> {
        check_table_memory(options.hash_mib, 0)?;
        let mut engine = networks.engine(options, network.as_ref(), blend)?;
        engine.set_params(params.clone());
        Ok(engine)
    };
    make()?;
    Ok(Box::new(move || {
        let engine = make().map_err(|error| PlayerFault::Crash(error.to_string()))?;
        Ok(Box::new(EnginePlayer(engine)) as Box<dyn Player<G>>)
    }))
}
