//! Engines that are ready to play.

use anyhow::{Context, anyhow, bail};
use arena::external::{ExternalPlayer, Program};
use arena::tournament::{Entrant, MakePlayer};
use arena::{EnginePlayer, Fault, Pace, Player, RandomPlayer};
use games::Game;
use search::Engine;

use super::spec::{OwnSpec, PlayerSpec, ProgramSpec, Spec};
use crate::evaluation::{self, Loaded};
use crate::memory;

/// Makes entrants of what the command line says, each with a name of its own. Every engine is made once, so that what
/// cannot play is told before the first game.
pub(crate) fn entrants<G: Game>(specs: &[Spec], pace: Pace) -> anyhow::Result<Vec<Entrant<G>>> {
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
        let entrant =
            entrant(spec, name, pace).with_context(|| format!("engine `{}`", spec.text))?;
        entrants.push(entrant);
    }
    Ok(entrants)
}

fn entrant<G: Game>(spec: &Spec, name: String, pace: Pace) -> anyhow::Result<Entrant<G>> {
    let pace = if spec.pace.is_limited() { spec.pace } else { pace };
    let make = match &spec.player {
        PlayerSpec::Own(own) => own_player(own)?,
        PlayerSpec::Program(_) if pace.soft_nodes.is_some() => {
            bail!("other programs do not know `softnodes`; give them `nodes`")
        }
        PlayerSpec::Program(program) => other_player(program),
        PlayerSpec::Random => Box::new(|| Ok(Box::new(RandomPlayer) as Box<dyn Player<G>>)),
    };
    make().map_err(|fault| match fault {
        Fault::Crash(reason) => anyhow!(reason),
        fault => anyhow!("the program {fault}"),
    })?;
    Ok(Entrant { name, pace, make })
}

fn other_player<G: Game>(spec: &ProgramSpec) -> MakePlayer<G> {
    let ProgramSpec { command, arguments, folder, options } = spec.clone();
    let mut program = Program::new(command);
    program.arguments = arguments;
    program.folder = folder.map(Into::into);
    program.options = options;
    Box::new(move || Ok(Box::new(ExternalPlayer::start(program.clone(), G::NAME)?)))
}

fn own_player<G: Game>(own: &OwnSpec) -> anyhow::Result<MakePlayer<G>> {
    let large = own.large.as_deref().map(Loaded::read).transpose()?;
    let loaded = own.net.as_deref().map(Loaded::read).transpose()?;
    let loaded = loaded.map(|loaded| loaded.with_large(large));
    let OwnSpec { blend, options, params, .. } = own.clone();
    let make = move || -> anyhow::Result<Engine<G>> {
        memory::check_tables(options.hash_mib, 0)?;
        let mut engine = evaluation::engine(options, loaded.as_ref(), blend)?;
        engine.set_params(params.clone());
        Ok(engine)
    };
    make()?;
    Ok(Box::new(move || {
        let engine = make().map_err(|error| Fault::Crash(format!("{error:#}")))?;
        Ok(Box::new(EnginePlayer(engine)) as Box<dyn Player<G>>)
    }))
}
