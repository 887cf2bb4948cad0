//! Other programs as players, by UCI.
//!
//! Nothing that a program says is trusted: lines are cut, moves are checked, and whatever takes too long is a stall.
//! A program that crashed or stalled is started again for its next game.

mod link;
#[cfg(test)]
mod tests;
mod words;

use std::any::Any;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::Game;
use games::chess::Chess;
use search::Control;

use crate::player::{Choice, Fault, Player, Situation};
use link::Link;
use words::{Thought, shown};

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program.
    pub command: String,
    /// What stands behind it on the command line.
    pub arguments: Vec<String>,
    /// Where it is started; here, if not given.
    pub folder: Option<PathBuf>,
    /// Options and their values; buttons have an empty one.
    pub options: Vec<(String, String)>,
    /// How long to wait for it to start, and to be ready.
    pub patience: Duration,
    /// How long to wait for a move beyond the time that it has.
    pub grace: Duration,
    /// How long to wait for a move if there is no limit of time.
    pub most_thinking: Duration,
}

impl Program {
    /// A program without arguments and options.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            arguments: Vec::new(),
            folder: None,
            options: Vec::new(),
            patience: Duration::from_secs(30),
            grace: Duration::from_secs(10),
            most_thinking: Duration::from_mins(10),
        }
    }
}

/// A program that plays. For games other than chess it must have the option `UCI_Variant`.
#[derive(Debug)]
pub struct ExternalPlayer {
    program: Program,
    /// The running program; none after it was lost.
    link: Option<Link>,
    /// Whether the program was told that castling is written as in Chess960.
    chess960: bool,
}

const VARIANT: &str = "UCI_Variant";
const CHESS960: &str = "UCI_Chess960";
const MOST_OPTIONS: usize = 1000;

impl ExternalPlayer {
    /// Starts the program, to play games of this name. An option that it does not have is a fault.
    pub fn start(mut program: Program, game: &str) -> Result<Self, Fault> {
        let given = program.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT));
        if game != Chess::NAME && !given {
            program.options.push((VARIANT.to_owned(), game.to_owned()));
        }
        let mut player = Self { program, link: None, chess960: false };
        player.restart()?;
        Ok(player)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.chess960 = false;
        let mut link = Link::start(&self.program)?;
        link.say("uci\n")?;
        let (start, control) = (Instant::now(), Control::new());
        let mut known = Vec::new();
        loop {
            let (_, line) = link.hear(start, self.program.patience, &control)?;
            if line == "uciok" {
                break;
            }
            // However much it says, what is kept is bounded.
            if known.len() < MOST_OPTIONS {
                known.extend(words::option_name(&line).map(str::to_ascii_lowercase));
            }
        }
        for (name, value) in &self.program.options {
            if !known.contains(&name.to_ascii_lowercase()) {
                return Err(Fault::Crash(format!("the program has no option `{name}`")));
            }
            link.say(&set_option(name, value))?;
        }
        self.link = Some(link);
        self.ready(&control)
    }

    /// Waits until the program has done what it was told, and leaves out what it said meanwhile.
    fn ready(&mut self, control: &Control) -> Result<(), Fault> {
        let patience = self.program.patience;
        let link = self.link()?;
        link.say("isready\n")?;
        let start = Instant::now();
        while link.hear(start, patience, control)?.1 != "readyok" {}
        Ok(())
    }

    fn link(&mut self) -> Result<&mut Link, Fault> {
        self.link.as_mut().ok_or_else(|| Fault::Crash("the program is gone".into()))
    }

    /// Whoever has failed is started anew for the next game.
    fn keep<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if matches!(result, Err(Fault::Crash(_) | Fault::Stall(_))) {
            self.link = None;
        }
        result
    }

    fn begin(&mut self) -> Result<(), Fault> {
        if self.link.is_none() {
            self.restart()?;
        }
        self.link()?.say("ucinewgame\n")?;
        self.ready(&Control::new())
    }

    fn ask<G: Game>(&mut self, situation: &Situation<'_, G>) -> Result<Choice<G>, Fault> {
        let start = &situation.course.opening().start;
        let chess960 = (start as &dyn Any).downcast_ref::<Chess>().is_some_and(Chess::is_chess960);
        if chess960 != self.chess960 {
            self.link()?.say(&set_option(CHESS960, if chess960 { "true" } else { "false" }))?;
            self.chess960 = chess960;
        }
        self.link()?.say(&words::position(situation.course))?;
        self.ready(situation.control)?;
        let timeout = self.timeout(situation);
        let link = self.link()?;
        let begin = Instant::now();
        link.say(&words::go(situation))?;
        let mut thought = Thought::default();
        loop {
            let (arrived, line) = link.hear(begin, timeout, situation.control)?;
            let mut parts = line.split_ascii_whitespace();
            match parts.next() {
                Some("info") => thought.read(&line),
                Some("bestmove") => {
                    let text = parts.next().unwrap_or("none");
                    let mv = situation.course.position().parse_move(text);
                    let mv = mv.map_err(|_| Fault::Illegal(shown(text)))?;
                    let Thought { score, depth, nodes, .. } = thought;
                    let time = Some(arrived.saturating_duration_since(begin));
                    return Ok(Choice { mv, score, depth, nodes, time });
                }
                _ => {}
            }
        }
    }

    /// After how long a program is taken to be stuck.
    fn timeout<G: Game>(&self, situation: &Situation<'_, G>) -> Duration {
        let limits = &situation.limits;
        let clock = limits.clock.map(|clock| clock.remaining);
        let limit = [limits.movetime, clock].into_iter().flatten().min();
        limit.map_or(self.program.most_thinking, |limit| limit + self.program.grace)
    }
}

fn set_option(name: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    format!("setoption name {name}{value}\n")
}

impl<G: Game> Player<G> for ExternalPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        let begun = self.begin();
        self.keep(begun)
    }

    fn choose(&mut self, situation: &Situation<'_, G>) -> Result<Choice<G>, Fault> {
        let choice = self.ask(situation);
        self.keep(choice)
    }
}
