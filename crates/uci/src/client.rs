//! UCI client: an external engine behind a pipe, from its start to the moves that it plays.
//!
//! Nothing that an engine sends is trusted: lines are cut, options are checked, and an answer that
//! takes too long is an error. An engine that crashed or stalled is started again for its next
//! game.

mod error;
mod process;
mod reply;
#[cfg(all(test, unix))]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use search::Control;

use crate::text::{Command, EngineLine, Go, PositionCommand};
pub use error::ClientError;
use process::Process;
pub use reply::EngineReply;

/// How an external engine is started, and how long to wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it is started in; the current one, if not given.
    pub folder: Option<PathBuf>,
    /// Options and their values; buttons have an empty one.
    pub options: Vec<(String, String)>,
    /// How long to wait for it to start, and to be ready.
    pub ready_timeout: Duration,
    /// How long to wait for a move beyond the time that it has.
    pub move_grace: Duration,
    /// How long to wait for a move if there is no limit of time.
    pub max_move_time: Duration,
}

impl EngineCommand {
    /// A program without arguments and options.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            arguments: Vec::new(),
            folder: None,
            options: Vec::new(),
            ready_timeout: Duration::from_secs(30),
            move_grace: Duration::from_secs(10),
            max_move_time: Duration::from_mins(10),
        }
    }
}

/// An external engine that plays. For games other than chess it must have the option `UCI_Variant`.
///
/// ```no_run
/// use search::Control;
/// use uci::client::{EngineCommand, ExternalEngine};
/// use uci::text::{Go, PositionCommand};
///
/// let mut engine = ExternalEngine::start(EngineCommand::new("stockfish"), "chess")?;
/// engine.new_game()?;
/// let go = Go { depth: Some(12), ..Go::default() };
/// let reply = engine.search(&PositionCommand::default(), &go, None, &Control::new())?;
/// assert!(!reply.best_move.best.is_empty());
/// # Ok::<(), uci::client::ClientError>(())
/// ```
#[derive(Debug)]
pub struct ExternalEngine {
    command: EngineCommand,
    /// The running program; `None` after it was lost.
    process: Option<Process>,
    /// Whether the engine uses the castling notation of Chess960.
    chess960: bool,
}

const VARIANT: &str = "UCI_Variant";
/// The option for castling that is written as in Chess960.
pub const CHESS960: &str = "UCI_Chess960";
/// The variant of an engine without the option.
const STANDARD_VARIANT: &str = "chess";
/// How many options of an engine are kept.
const MAX_OPTIONS: usize = 1000;

impl ExternalEngine {
    /// Starts the program, to play games of this name. An option that it does not have is an error.
    pub fn start(mut command: EngineCommand, game: &str) -> Result<Self, ClientError> {
        let given = command.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT));
        if game != STANDARD_VARIANT && !given {
            command.options.push((VARIANT.to_owned(), game.to_owned()));
        }
        let mut engine = Self { command, process: None, chess960: false };
        engine.restart()?;
        Ok(engine)
    }

    /// Begins another game, with another process if the last one was lost.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        let begun = self.begin();
        self.keep(begun)
    }

    /// Sets whether castling is written as in Chess960.
    pub fn set_chess960(&mut self, chess960: bool) -> Result<(), ClientError> {
        if chess960 == self.chess960 {
            return Ok(());
        }
        self.chess960 = chess960;
        let value = if chess960 { "true" } else { "false" };
        let sent = self.send(&Command::set_option(CHESS960, value));
        self.keep(sent)
    }

    /// Lets the engine search a position. `time` is what it has for the move, if there is a limit;
    /// an engine that takes much longer is an error. `control` ends the wait early, with an error.
    pub fn search(
        &mut self,
        position: &PositionCommand,
        go: &Go,
        time: Option<Duration>,
        control: &Control,
    ) -> Result<EngineReply, ClientError> {
        let reply = self.query(position, go, time, control);
        self.keep(reply)
    }

    /// A process that failed is not used again.
    fn keep<T>(&mut self, result: Result<T, ClientError>) -> Result<T, ClientError> {
        if result.is_err() {
            self.process = None;
        }
        result
    }

    fn restart(&mut self) -> Result<(), ClientError> {
        self.chess960 = false;
        let mut process = Process::start(&self.command)?;
        process.send(&Command::Uci)?;
        let (start, control) = (Instant::now(), Control::new());
        let mut known = Vec::new();
        loop {
            let (_, line) = process.receive(start, self.command.ready_timeout, &control)?;
            match EngineLine::parse(&line) {
                EngineLine::UciOk => break,
                // However many it declares, what is kept is bounded.
                EngineLine::Option(option) if known.len() < MAX_OPTIONS => {
                    known.push(option.name.to_ascii_lowercase());
                }
                _ => {}
            }
        }
        for (name, value) in &self.command.options {
            if !known.contains(&name.to_ascii_lowercase()) {
                return Err(ClientError::UnknownOption { name: name.clone() });
            }
            process.send(&Command::set_option(name, value))?;
        }
        self.process = Some(process);
        self.ready(&control)
    }

    fn begin(&mut self) -> Result<(), ClientError> {
        if self.process.is_none() {
            self.restart()?;
        }
        self.send(&Command::NewGame)?;
        self.ready(&Control::new())
    }

    /// Waits until the engine has done what it was sent, and leaves out what it sends meanwhile.
    fn ready(&mut self, control: &Control) -> Result<(), ClientError> {
        let timeout = self.command.ready_timeout;
        let process = self.process()?;
        process.send(&Command::IsReady)?;
        let start = Instant::now();
        loop {
            let (_, line) = process.receive(start, timeout, control)?;
            if EngineLine::parse(&line) == EngineLine::ReadyOk {
                return Ok(());
            }
        }
    }

    fn query(
        &mut self,
        position: &PositionCommand,
        go: &Go,
        time: Option<Duration>,
        control: &Control,
    ) -> Result<EngineReply, ClientError> {
        self.send(&Command::Position(position.clone()))?;
        self.ready(control)?;
        let timeout =
            time.map_or(self.command.max_move_time, |time| time + self.command.move_grace);
        let process = self.process()?;
        let start = Instant::now();
        process.send(&Command::Go(go.clone()))?;
        let mut reply = EngineReply::default();
        loop {
            let (arrived, line) = process.receive(start, timeout, control)?;
            match EngineLine::parse(&line) {
                EngineLine::Info(info) => reply.read(&info),
                EngineLine::BestMove(best_move) => {
                    reply.best_move = best_move;
                    reply.time = arrived.saturating_duration_since(start);
                    return Ok(reply);
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        self.process()?.send(command)
    }

    fn process(&mut self) -> Result<&mut Process, ClientError> {
        self.process.as_mut().ok_or(ClientError::Lost)
    }
}
