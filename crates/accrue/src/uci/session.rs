//! A conversation about one game: what is set, where the game stands, who searches.

use std::io::BufRead;

use anyhow::{Context, anyhow, bail};
use games::{Game, Line};
use search::{Engine, EngineError};

use super::command::{self, Command, HELP};
use super::go::Go;
use super::input::{self, Input};
use super::options::{self, INTERNAL, NONE, Setting, Settings};
use super::worker::{Task, Worker};
use super::{board, genfens, inform, limits, say, say_all, tasks};
use crate::evaluation::{self, Loaded};
use crate::memory;

/// What outlives a change of the game.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) loaded: Option<Loaded>,
    /// The network behind that one.
    pub(super) large: Option<Loaded>,
    /// Whether each command waits for the one before, and an error ends it all: for lines that nobody is there to type.
    pub(super) patient: bool,
}

impl Shared {
    /// The network to play with and the one behind it; `None` if it is the built-in one, alone.
    fn networks<G: Game>(&self) -> Option<Loaded> {
        if self.large.is_none() {
            return self.loaded.clone();
        }
        let first = self.loaded.clone().or_else(Loaded::built_in::<G>);
        first.map(|first| first.with_large(self.large.clone()))
    }
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nobody talks any more.
    End,
    /// Another game has been chosen.
    Game,
}

/// What is to be done with the engine as soon as nobody searches with it.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    options: bool,
    evaluator: bool,
    new_game: bool,
}

pub(super) struct Session<'a, G: Game> {
    shared: &'a mut Shared,
    /// The words that gave `line`.
    setup: (Option<String>, Vec<String>),
    line: Line<G>,
    worker: Worker<G>,
    due: Due,
    /// Whether the last search ends only when it is told to.
    endless: bool,
}

impl<'a, G: Game> Session<'a, G> {
    /// Begins at the start of the game.
    pub(super) fn new(shared: &'a mut Shared) -> anyhow::Result<Self> {
        let misfit = shared.loaded.as_ref().and_then(|loaded| loaded.inputs::<G>().err());
        if let Some(error) = misfit {
            inform(&anyhow!("EvalFile: {error:#}; EvalFile is {INTERNAL} again"));
            shared.loaded = None;
        }
        if shared.large.as_ref().is_some_and(|large| large.inputs::<G>().is_err()) {
            inform(&anyhow!("EvalFileLarge does not fit {}; it is {NONE} again", G::NAME));
            shared.large = None;
        }
        let engine = make_engine(shared)?;
        let line = make_line(&shared.settings, None, &[])?;
        let setup = (None, Vec::new());
        Ok(Self {
            shared,
            setup,
            line,
            worker: Worker::new(engine),
            due: Due::default(),
            endless: false,
        })
    }

    /// Reads and obeys until there is nothing more, or another game is chosen.
    pub(super) fn run(&mut self, reader: &mut impl BufRead) -> anyhow::Result<Next> {
        loop {
            let line = match input::next(reader) {
                Ok(Input::Line(line)) => line,
                Ok(Input::TooLong(length)) => {
                    let most = input::most_bytes();
                    inform(&anyhow!("the line has {length} bytes; expected at most {most}"));
                    continue;
                }
                Ok(Input::End) => {
                    self.worker.finish();
                    return Ok(Next::End);
                }
                Err(error) => {
                    self.worker.finish();
                    return Err(error).context("cannot read from standard input");
                }
            };
            match command::parse(&line).and_then(|command| self.obey(command)) {
                Ok(None) if self.shared.patient && !self.endless => self.worker.wait(),
                Ok(None) => {}
                Err(error) if self.shared.patient => return Err(error),
                Ok(Some(next)) => {
                    self.worker.finish();
                    return Ok(next);
                }
                Err(error) => inform(&error),
            }
        }
    }

    /// Does what a command asks for. An error is something to be told, not an end.
    fn obey(&mut self, command: Command<'_>) -> anyhow::Result<Option<Next>> {
        match command {
            Command::Nothing => {}
            Command::Uci => say_all(introduction()),
            Command::Debug(on) => self.shared.settings.debug = on,
            Command::IsReady => {
                self.settle();
                say("readyok");
            }
            Command::SetOption { name, value } => return self.set_option(&name, value),
            Command::NewGame => {
                self.due.new_game = true;
                self.settle_or_say("ucinewgame");
            }
            Command::Position { fen, moves } => self.set_position(fen, &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => {
                if !self.worker.stop() {
                    bail!("stop: no search is running");
                }
            }
            Command::PonderHit => {
                if !self.worker.ponder_hit() {
                    bail!("ponderhit: no search ponders; expected after `go ponder`");
                }
            }
            Command::Quit => return Ok(Some(Next::End)),
            Command::Bench(depth) => {
                self.must_be_idle("bench")?;
                let task = tasks::bench(self.shared.loaded.clone(), depth);
                self.start(task, false, "info string the bench failed".into())?;
            }
            Command::GenFens(asked) => {
                self.must_be_idle("genfens")?;
                self.start(genfens::task(&asked)?, false, "info string genfens failed".into())?;
            }
            Command::Eval => self.evaluate()?,
            Command::Draw => say_all(board::lines(&self.line)),
            Command::Help => say_all(help()),
        }
        Ok(None)
    }

    fn must_be_idle(&mut self, command: &str) -> anyhow::Result<()> {
        if self.worker.is_busy() {
            bail!("{command}: a search is running and goes on; expected `stop` first");
        }
        self.settle();
        Ok(())
    }

    fn set_position(&mut self, fen: Option<String>, moves: &[&str]) -> anyhow::Result<()> {
        let line = make_line(&self.shared.settings, fen.as_deref(), moves)
            .map_err(|error| anyhow!("{error:#}; the position stays as it was"))?;
        self.line = line;
        self.setup = (fen, moves.iter().map(|&text| text.to_owned()).collect());
        if self.worker.is_busy() {
            inform(&anyhow!("position: a search is running and goes on; this is for the next"));
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> anyhow::Result<()> {
        self.must_be_idle("go")?;
        if !go.skipped.is_empty() {
            inform(&anyhow!("go: left out what is not known: {}", go.skipped.join(" ")));
        }
        let position = self.line.position();
        if let Some(depth) = go.perft {
            let failed = "info string perft failed".to_owned();
            return self.start(tasks::perft(position.clone(), depth), false, failed);
        }
        let limits = limits::of(go, position)
            .map_err(|error| anyhow!("go: {error:#}; nothing is searched"))?;
        self.endless = limits.infinite || limits.ponder;
        let failed = tasks::failed_search(position);
        let task = tasks::search(self.line.clone(), limits, self.shared.settings.show_wdl);
        self.start(task, go.ponder, failed)
    }

    fn start(&mut self, task: Task<G>, pondering: bool, failed: String) -> anyhow::Result<()> {
        self.worker.start(task, pondering, failed, say)
    }

    fn evaluate(&self) -> anyhow::Result<()> {
        let Shared { settings, loaded, .. } = &*self.shared;
        let position = self.line.position();
        let value = evaluation::value(position, loaded.as_ref(), settings.eval_blend)?;
        let source = evaluation::describe::<G>(loaded.as_ref());
        say_all([
            format!("evaluator  {source}"),
            format!("position   {}", position.to_fen()),
            format!("value      {value:+} centipawns, for {}", position.side_to_move()),
            format!("eval {value}"),
        ]);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> anyhow::Result<Option<Next>> {
        let setting = options::read(name, value)?;
        let mut next = None;
        match &setting {
            Setting::Variant(game) if *game == G::NAME => {}
            Setting::Variant(_) => {
                self.must_be_idle("option UCI_Variant")?;
                next = Some(Next::Game);
            }
            Setting::EvalFile(file) => {
                self.shared.loaded = self.read_network("EvalFile", file)?;
                self.due.evaluator = true;
            }
            Setting::EvalFileLarge(file) => {
                self.shared.large = self.read_network("EvalFileLarge", file)?;
                self.due.evaluator = true;
            }
            Setting::EvalBlend(_) => self.due.evaluator = true,
            Setting::ClearHash => self.due.new_game = true,
            _ => self.due.options = true,
        }
        self.shared.settings.apply(&setting);
        if matches!(setting, Setting::Chess960(_)) {
            // The same position; only castling is written differently from now on.
            let moves: Vec<_> = self.setup.1.iter().map(String::as_str).collect();
            self.line = make_line(&self.shared.settings, self.setup.0.as_deref(), &moves)?;
        }
        if self.shared.settings.debug {
            inform(&anyhow!("option {name} is now {}", value.unwrap_or("pressed")));
        }
        if next.is_none() {
            self.settle_or_say(&format!("option {name}"));
        }
        Ok(next)
    }

    fn read_network(&self, option: &str, file: &str) -> anyhow::Result<Option<Loaded>> {
        if file == INTERNAL || file == NONE {
            return Ok(None);
        }
        let (now, none) = match option {
            "EvalFile" => (&self.shared.loaded, INTERNAL),
            _ => (&self.shared.large, NONE),
        };
        let read = Loaded::read(file).and_then(|loaded| {
            loaded.inputs::<G>()?;
            Ok(loaded)
        });
        let loaded = read.map_err(|error| {
            let now = now.as_ref().map_or(none, |loaded| &loaded.file);
            anyhow!("option {option}: {error:#}; it stays {now}")
        })?;
        inform(&anyhow!("{option} {}: {}", loaded.file, loaded.describe()));
        Ok(Some(loaded))
    }

    /// Does what is due, or says that it will be done after the search.
    fn settle_or_say(&mut self, what: &str) {
        if self.worker.is_busy() {
            inform(&anyhow!("{what}: a search is running; this will be done when it has ended"));
        } else {
            self.settle();
        }
    }

    /// Does what is due, unless somebody searches.
    fn settle(&mut self) {
        if self.worker.is_busy() {
            return;
        }
        let due = std::mem::take(&mut self.due);
        let shared = &mut *self.shared;
        let settled = self.worker.with_engine(|seat| {
            let Some(engine) = seat else {
                *seat = Some(make_engine(shared)?);
                return Ok(());
            };
            change_engine(engine, due, shared)
        });
        if let Err(error) = settled {
            inform(&error);
        }
    }
}

fn change_engine<G: Game>(
    engine: &mut Engine<G>,
    due: Due,
    shared: &mut Shared,
) -> anyhow::Result<()> {
    if due.new_game {
        engine.new_game();
    }
    if due.evaluator {
        let mode = shared.settings.engine.mode;
        evaluation::install(engine, shared.networks::<G>().as_ref(), shared.settings.eval_blend)?;
        shared.settings.engine.mode = engine.options().mode;
        if engine.options().mode != mode {
            inform(&anyhow!("{}; SearchMode is classical again", EngineError::NotCalibrated));
        }
    }
    if due.options {
        engine.set_params(shared.settings.params.clone());
    }
    if due.options && *engine.options() != shared.settings.engine {
        let (wanted, held) = (shared.settings.engine, *engine.options());
        let room = memory::check_tables(wanted.hash_mib, held.hash_mib);
        room.and_then(|()| Ok(engine.set_options(wanted)?)).map_err(|error| {
            shared.settings.engine = *engine.options();
            anyhow!("{error}; the options stay as they were")
        })?;
    }
    Ok(())
}

/// An engine as everything is set, or a small one if there is no room for that.
fn make_engine<G: Game>(shared: &mut Shared) -> anyhow::Result<Engine<G>> {
    let room = memory::check_tables(shared.settings.engine.hash_mib, 0);
    let make = |shared: &Shared| {
        let (networks, settings) = (shared.networks::<G>(), &shared.settings);
        let mut engine =
            evaluation::engine(settings.engine, networks.as_ref(), settings.eval_blend)?;
        engine.set_params(settings.params.clone());
        Ok(engine)
    };
    let wanted = room.and_then(|()| make(shared));
    wanted.or_else(|error| {
        inform(&anyhow!("{error}; the options are the defaults again"));
        shared.settings.engine = Settings::new().engine;
        make(shared)
    })
}

/// The position that the words of `position` give.
fn make_line<G: Game>(
    settings: &Settings,
    fen: Option<&str>,
    moves: &[&str],
) -> anyhow::Result<Line<G>> {
    let mut position = match fen {
        None => G::start(),
        Some(fen) => G::from_fen(fen).map_err(|error| {
            let example = G::start().to_fen();
            anyhow!("position fen: {error}; a FEN of {} looks like this: `{example}`", G::NAME)
        })?,
    };
    // Without the option, a FEN that only Chess960 has is still written as in Chess960.
    if settings.chess960 && G::settings().iter().any(|known| known.name == "chess960") {
        position.set("chess960", "true")?;
    }
    let mut line = Line::new(position);
    for (number, text) in moves.iter().enumerate() {
        line.play_text(text).with_context(|| format!("position: move {}", number + 1))?;
    }
    Ok(line)
}

/// The answer to `uci`.
fn introduction() -> Vec<String> {
    let mut lines = vec![
        concat!("id name accrue ", env!("CARGO_PKG_VERSION")).to_owned(),
        concat!("id author ", env!("CARGO_PKG_AUTHORS")).to_owned(),
    ];
    lines.extend(options::lines());
    lines.push("uciok".to_owned());
    lines
}

fn help() -> Vec<String> {
    let widest = HELP.iter().filter(|(_, about)| !about.is_empty());
    let width = widest.map(|(usage, _)| usage.chars().count()).max().unwrap_or(0);
    let lines = HELP.iter().map(|(usage, about)| format!("{usage:width$}  {about}"));
    lines.map(|line| line.trim_end().to_owned()).collect()
}
