//! UCI: how programs that show a board talk to an engine.
//!
//! The thread that reads never searches, so it always answers. Whatever cannot be understood or done is answered
//! with an `info string` that says what is wrong and what was expected; everything else stays as it was.

mod board;
mod command;
mod genfens;
mod go;
mod info;
mod input;
mod limits;
mod options;
mod perft;
mod session;
mod tasks;
mod wdl;
mod worker;

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use games::Game;
use games::registry::{GameVisitor, with_game};

use crate::output;
use options::Settings;
use session::{Next, Session, Shared};

/// Talks until standard input ends or `quit` comes.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut reader = io::stdin().lock();
    if io::stdin().is_terminal() {
        say(concat!(
            "accrue ",
            env!("CARGO_PKG_VERSION"),
            " speaks UCI here: `help` lists what it understands, `accrue --help` its other commands"
        ));
    }
    talk(&mut reader, false)
}

/// Obeys lines one after the other, each when the one before is done. The first that cannot be obeyed is the last.
pub(crate) fn obey(lines: &[String]) -> anyhow::Result<()> {
    talk(&mut lines.join("\n").as_bytes(), true)
}

fn talk(reader: &mut impl BufRead, patient: bool) -> anyhow::Result<()> {
    let mut shared = Shared { settings: Settings::new(), loaded: None, large: None, patient };
    loop {
        let game = shared.settings.variant;
        match with_game(game, Play { shared: &mut shared, reader: &mut *reader })?? {
            Next::End => return Ok(()),
            Next::Game => announce(shared.settings.variant),
        }
    }
}

/// A session of the game that was chosen.
struct Play<'a, R> {
    shared: &'a mut Shared,
    reader: &'a mut R,
}

impl<R: BufRead> GameVisitor for Play<'_, R> {
    type Output = anyhow::Result<Next>;

    fn visit<G: Game>(self) -> Self::Output {
        Session::<G>::new(self.shared)?.run(self.reader)
    }
}

/// Says which game is played from now on, and where it begins.
fn announce(game: &str) {
    struct Start;
    impl GameVisitor for Start {
        type Output = String;
        fn visit<G: Game>(self) -> String {
            G::start().to_fen()
        }
    }
    if let Ok(start) = with_game(game, Start) {
        say(&format!("info string variant {game} startpos {start}"));
    }
}

/// Says one line.
fn say(line: &str) {
    say_all([line]);
}

/// Says lines that belong together. If nobody listens, there is no one to tell of it; the end of the input will come.
fn say_all(lines: impl IntoIterator<Item = impl Display>) {
    let _ = output::lines(lines);
}

/// Tells what is wrong, on one line.
fn inform(error: &anyhow::Error) {
    let text = format!("{error:#}");
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    say(&format!("info string {}", lines.join(". ")));
}
