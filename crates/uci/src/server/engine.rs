//! Engine setup: an engine as the options demand, and the changes that wait for the end of a
//! search.

use games::ToolkitGame;
use search::{Engine, EngineError, EngineOptions, SearchMode};

use super::error::{CommandError, SetupError};
use super::host::GameHost;
use super::state::ServerState;

/// The changes of an engine that are to be made as soon as it does not search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PendingChanges {
    pub(super) options: bool,
    pub(super) evaluator: bool,
    pub(super) new_game: bool,
}

/// An engine as the options demand, or with the default options if there is no memory for that.
pub(super) fn make<G: ToolkitGame, H: GameHost<G>>(
    state: &mut ServerState<H>,
) -> Result<Engine<G>, SetupError> {
    let room = state.host.check_memory(state.settings.engine.hash_mib, 0);
    let made = room.map_err(SetupError::from).and_then(|()| with_settings(state));
    made.or_else(|error| {
        state.output.inform(format_args!("{error}; the options are the defaults again"));
        state.settings.engine = state.options.defaults().engine;
        with_settings(state)
    })
}

fn with_settings<G: ToolkitGame, H: GameHost<G>>(
    state: &ServerState<H>,
) -> Result<Engine<G>, SetupError> {
    let options = state.settings.engine;
    // Whether the evaluator allows the mode is known when it is installed.
    let mut engine = Engine::new(EngineOptions { mode: SearchMode::Classical, ..options })?;
    state.host.install(&mut engine, &state.evaluation())?;
    engine.set_options(options)?;
    engine.set_params(state.settings.params.clone());
    Ok(engine)
}

/// Makes the changes that are pending.
pub(super) fn change<G: ToolkitGame, H: GameHost<G>>(
    engine: &mut Engine<G>,
    pending: PendingChanges,
    state: &mut ServerState<H>,
) -> Result<(), CommandError> {
    if pending.new_game {
        engine.new_game();
    }
    if pending.evaluator {
        let mode = state.settings.engine.mode;
        state.host.install(engine, &state.evaluation()).map_err(SetupError::from)?;
        state.settings.engine.mode = engine.options().mode;
        if engine.options().mode != mode {
            let error = EngineError::NotCalibrated;
            state.output.inform(format_args!("{error}; SearchMode is classical again"));
        }
    }
    if pending.options {
        engine.set_params(state.settings.params.clone());
        set_options(engine, state)?;
    }
    Ok(())
}

fn set_options<G: ToolkitGame, H: GameHost<G>>(
    engine: &mut Engine<G>,
    state: &mut ServerState<H>,
) -> Result<(), CommandError> {
    let (wanted, held) = (state.settings.engine, *engine.options());
    if wanted == held {
        return Ok(());
    }
    let room = state.host.check_memory(wanted.hash_mib, held.hash_mib).map_err(SetupError::from);
    room.and_then(|()| Ok(engine.set_options(wanted)?)).map_err(|error| {
        state.settings.engine = *engine.options();
        CommandError::Options(error)
    })
}
