//! Session: the commands about one game, from its choice to the next `UCI_Variant` or the end.

mod setup;

use std::io::BufRead;
use std::sync::Arc;

use games::{GameHistory, ToolkitGame};
use nnue::ScoreModel;

use super::engine::{self, PendingChanges};
use super::error::{CommandError, UciError};
use super::host::GameHost;
use super::input::{self, Input, MAX_BYTES};
use super::options::{INTERNAL, NONE};
use super::report::ScoreDisplay;
use super::state::{ServerMode, ServerState};
use super::worker::{Task, Worker};
use super::{SessionEnd, board, tasks};
use crate::limits;
use crate::text::{Command, EngineLine, GenFens, Go, HELP, PositionCommand, PositionError, escape};

/// The game that is set up, and the engine that searches it.
pub(super) struct Session<'a, G: ToolkitGame, H: GameHost<G>> {
    state: &'a mut ServerState<H>,
    /// The command that gave `history`.
    position: PositionCommand,
    history: GameHistory<G>,
    worker: Worker<G>,
    /// The score model of the evaluator. Kept here because to find it may take time that `go` does
    /// not have.
    model: ScoreModel,
    pending: PendingChanges,
    /// Whether the last search ends only by `stop` or `ponderhit`.
    endless: bool,
}

impl<'a, G: ToolkitGame, H: GameHost<G>> Session<'a, G, H> {
    /// Begins at the start of the game. Networks that do not fit it are dropped.
    pub(super) fn new(state: &'a mut ServerState<H>) -> Result<Self, UciError> {
        let host = Arc::clone(&state.host);
        let check = |network: &H::Network| GameHost::<G>::check_network(&*host, network);
        let misfit = state.network.as_ref().and_then(|named| check(&named.network).err());
        if let Some(error) = misfit {
            state.output.inform(format_args!("EvalFile: {error}; EvalFile is {INTERNAL} again"));
            state.network = None;
        }
        if state.large.as_ref().is_some_and(|named| check(&named.network).is_err()) {
            let game = G::NAME;
            state
                .output
                .inform(format_args!("EvalFileLarge does not fit {game}; it is {NONE} again"));
            state.large = None;
        }
        let engine =
            engine::make(state).map_err(|fault| UciError::Setup { game: G::NAME, fault })?;
        let model = GameHost::<G>::score_model(&*host, &state.evaluation());
        let position = PositionCommand::default();
        let history = history(&position, state.settings.chess960).map_err(CommandError::from)?;
        Ok(Self {
            state,
            position,
            history,
            worker: Worker::new(engine),
            model,
            pending: PendingChanges::default(),
            endless: false,
        })
    }

    /// Reads commands and carries them out until there are no more, or another game is chosen.
    pub(super) fn run(&mut self, input: &mut dyn BufRead) -> Result<SessionEnd, UciError> {
        loop {
            let line = match input::next(input) {
                Ok(Input::Line(line)) => line,
                Ok(Input::TooLong(length)) => {
                    self.inform(CommandError::TooLong { length, max: MAX_BYTES });
                    continue;
                }
                Ok(Input::End) => {
                    self.worker.finish();
                    return Ok(SessionEnd::Quit);
                }
                Err(error) => {
                    self.worker.finish();
                    return Err(UciError::Read(error));
                }
            };
            let script = self.state.mode == ServerMode::Script;
            match line.parse().map_err(CommandError::from).and_then(|line| self.obey(line)) {
                Ok(None) if script && !self.endless => self.worker.wait(),
                Ok(None) => {}
                Ok(Some(end)) => {
                    self.worker.finish();
                    return Ok(end);
                }
                Err(error) if script => return Err(error.into()),
                Err(error) => self.inform(error),
            }
        }
    }

    /// Carries out a command.
    fn obey(&mut self, command: Command) -> Result<Option<SessionEnd>, CommandError> {
        match command {
            Command::Empty => {}
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.state.settings.debug = on,
            Command::IsReady => {
                self.settle();
                self.state.output.line(EngineLine::ReadyOk);
            }
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Register(_) => return Err(CommandError::Registration),
            Command::NewGame => {
                self.pending.new_game = true;
                self.settle_or_report("ucinewgame");
            }
            Command::Position(position) => self.set_position(position)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop if self.worker.stop() => {}
            Command::Stop => return Err(CommandError::NotSearching),
            Command::PonderHit if self.worker.ponder_hit() => {}
            Command::PonderHit => return Err(CommandError::NotPondering),
            Command::Quit => return Ok(Some(SessionEnd::Quit)),
            Command::Bench(depth) => {
                self.must_be_idle("bench")?;
                let network = self.state.network.as_ref().map(|named| named.network.clone());
                let mode = self.state.settings.engine.mode;
                let task = tasks::bench(Arc::clone(&self.state.host), network, mode, depth);
                self.start(task, false, "info string the bench failed".into())?;
            }
            Command::GenFens(genfens) => self.print_openings(&genfens)?,
            Command::Eval => self.print_evaluation()?,
            Command::Draw => self.state.output.lines(board::lines(&self.history)),
            Command::Help => self.state.output.lines(help()),
        }
        Ok(None)
    }

    fn must_be_idle(&mut self, command: &'static str) -> Result<(), CommandError> {
        if self.worker.is_busy() {
            return Err(CommandError::Busy { command });
        }
        self.settle();
        Ok(())
    }

    fn introduce(&self) {
        let identity = self.state.host.identity();
        let names = [EngineLine::IdName(identity.name), EngineLine::IdAuthor(identity.author)];
        let options = self.state.options.lines().map(EngineLine::Option);
        self.state.output.lines(names.into_iter().chain(options).chain([EngineLine::UciOk]));
    }

    fn set_position(&mut self, position: PositionCommand) -> Result<(), CommandError> {
        self.history = history(&position, self.state.settings.chess960)?;
        self.position = position;
        if self.worker.is_busy() {
            self.inform(
                "position: a search is running and continues; this applies to the next one",
            );
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), CommandError> {
        self.must_be_idle("go")?;
        if !go.unknown.is_empty() {
            let words: Vec<_> = go.unknown.iter().map(|word| escape(word)).collect();
            self.inform(format_args!("go: ignored unknown words: {}", words.join(" ")));
        }
        let position = self.history.position();
        let output = self.state.output.clone();
        if let Some(depth) = go.perft {
            let failed = "info string perft failed".to_owned();
            return self.start(tasks::perft(position.clone(), depth, output), false, failed);
        }
        let limits = limits::of_go(go, position)?;
        self.endless = limits.infinite || limits.ponder;
        let failed = tasks::failed_search(position);
        let display =
            ScoreDisplay { model: self.model.clone(), show_wdl: self.state.settings.show_wdl };
        let task = tasks::search(self.history.clone(), limits, display, output);
        self.start(task, go.ponder, failed)
    }

    fn print_openings(&mut self, genfens: &GenFens) -> Result<(), CommandError> {
        self.must_be_idle("genfens")?;
        let job = self.state.host.openings(genfens);
        let job = job.map_err(|fault| CommandError::Host { command: "genfens", fault })?;
        let task = tasks::openings(job, genfens.count, self.state.output.clone());
        self.start(task, false, "info string genfens failed".into())
    }

    fn start(
        &mut self,
        task: Task<G>,
        pondering: bool,
        failed: String,
    ) -> Result<(), CommandError> {
        self.worker.start(task, pondering, failed, self.state.output.clone())
    }

    fn print_evaluation(&self) -> Result<(), CommandError> {
        let position = self.history.position();
        let evaluation = self.state.evaluation();
        let value = self.state.host.evaluate(position, &evaluation);
        let value = value.map_err(|fault| CommandError::Host { command: "eval", fault })?;
        self.state.output.lines([
            format!("evaluator  {}", self.state.host.describe_evaluator(&evaluation)),
            format!("position   {}", position.to_fen()),
            format!("value      {value:+} centipawns, for {}", position.side_to_move()),
            format!("eval {value}"),
        ]);
        Ok(())
    }

    fn inform(&self, message: impl std::fmt::Display) {
        self.state.output.inform(message);
    }
}

/// The game that a `position` describes.
fn history<G: ToolkitGame>(
    position: &PositionCommand,
    chess960: bool,
) -> Result<GameHistory<G>, PositionError> {
    let mut start: G = position.start()?;
    // Without the option, a FEN that only Chess960 has is still written as in Chess960.
    if chess960 {
        // A game without the setting has no castling to write differently.
        let _ = start.set("chess960", "true");
    }
    position.history(start)
}

fn help() -> Vec<String> {
    let described = HELP.iter().filter(|(_, about)| !about.is_empty());
    let width = described.map(|(usage, _)| usage.chars().count()).max().unwrap_or(0);
    let lines = HELP.iter().map(|(usage, about)| format!("{usage:width$}  {about}"));
    lines.map(|line| line.trim_end().to_owned()).collect()
}
