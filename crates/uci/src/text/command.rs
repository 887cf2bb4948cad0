//! Commands: the lines that a GUI sends to an engine.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::error::TextError;
use super::genfens::{self, GenFens};
use super::go::{Go, MAX_DEPTH};
use super::position::PositionCommand;
use super::words::{after_word, escape, joined, number, split_at_word};

/// A command. Whether it can be carried out depends on the engine that receives it.
///
/// ```
/// use uci::text::Command;
///
/// let command: Command = "setoption  name Move Overhead value 30".parse()?;
/// assert_eq!(command, Command::set_option("Move Overhead", "30"));
/// assert_eq!(command.to_string(), "setoption name Move Overhead value 30");
/// # Ok::<(), uci::text::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Empty,
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on` and `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok`.
    IsReady,
    /// `setoption name NAME value VALUE`.
    SetOption {
        /// The name, which may have spaces.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// `register`, with the words after it: for engines that are sold.
    Register(String),
    /// `ucinewgame`: the next position is of another game.
    NewGame,
    /// `position`: set up a game.
    Position(PositionCommand),
    /// `go`: search.
    Go(Go),
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the move that is pondered on has been played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `bench`, to a depth if one is given. Not part of UCI.
    Bench(Option<u32>),
    /// `genfens`: print openings. Not part of UCI.
    GenFens(GenFens),
    /// `eval`: print the static evaluation. Not part of UCI.
    Eval,
    /// `d`: draw the board. Not part of UCI.
    Draw,
    /// `help`: list the commands. Not part of UCI.
    Help,
}

/// The forms of the commands and what they do, for `help`.
pub(crate) const HELP: [(&str, &str); 17] = [
    ("uci", "print the name of the engine and its options"),
    ("debug on|off", "also report what each setoption did"),
    ("isready", "answer readyok when everything before it is done"),
    ("setoption name NAME [value VALUE]", "set an option; `uci` lists them"),
    ("ucinewgame", "start a new game"),
    ("position startpos|fen FEN [moves MOVE…]", "set the position"),
    ("go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]", "search"),
    ("   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves MOVE…]", ""),
    ("go perft N", "count the positions after N plies, by move"),
    ("stop", "end the search and print its best move"),
    ("ponderhit", "the pondered move was played"),
    ("d", "draw the board"),
    ("eval", "print the static evaluation of the position"),
    (
        "bench [DEPTH]",
        "search a fixed set of positions of the game; the last line is `N nodes M nps`",
    ),
    (genfens::USAGE, "print openings for self-play, as OpenBench requests them"),
    ("help", "print this list"),
    ("quit", "end"),
];

const SET_OPTION: &str = "`setoption name NAME value VALUE`";

impl Command {
    /// A `setoption`; an empty value presses a button.
    pub fn set_option(name: impl Into<String>, value: &str) -> Self {
        let value = Some(value.to_owned()).filter(|value| !value.is_empty());
        Self::SetOption { name: name.into(), value }
    }
}

impl FromStr for Command {
    type Err = TextError;

    fn from_str(line: &str) -> Result<Self, TextError> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Empty) };
        Ok(match first {
            "uci" => Self::Uci,
            "debug" => Self::Debug(debug(words.next())?),
            "isready" => Self::IsReady,
            "setoption" => set_option(line)?,
            "register" => Self::Register(joined(after_word(line, "register").unwrap_or_default())),
            "ucinewgame" => Self::NewGame,
            "position" => Self::Position(PositionCommand::parse(words)?),
            "go" => Self::Go(Go::parse(words)?),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "bench" => Self::Bench(words.next().map(bench_depth).transpose()?),
            "genfens" => Self::GenFens(GenFens::parse(words)?),
            "eval" => Self::Eval,
            "d" => Self::Draw,
            "help" | "--help" => Self::Help,
            _ => return Err(TextError::UnknownCommand { found: escape(first) }),
        })
    }
}

fn debug(word: Option<&str>) -> Result<bool, TextError> {
    let command = "debug";
    match word {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(word) => {
            let (found, expected) = (escape(word), "`on` or `off`");
            Err(TextError::Unexpected { command, found, expected })
        }
        None => Err(TextError::Incomplete { command, expected: "`on` or `off` after it" }),
    }
}

fn bench_depth(word: &str) -> Result<u32, TextError> {
    number(word, 1, MAX_DEPTH.into())
        .map(|depth| depth as u32)
        .map_err(|fault| TextError::Number { command: "bench", fault })
}

/// Names have spaces, and so may values, which are files.
fn set_option(line: &str) -> Result<Command, TextError> {
    let command = "setoption";
    let rest = after_word(line, command).unwrap_or_default();
    let Some(rest) = after_word(rest, "name") else {
        return Err(TextError::Incomplete { command, expected: SET_OPTION });
    };
    let (name, value) = match split_at_word(rest, "value") {
        Some((name, value)) => (name, value.trim_ascii()),
        None => (rest, ""),
    };
    let name = joined(name);
    if name.is_empty() {
        return Err(TextError::Missing { command, part: "the name", expected: SET_OPTION });
    }
    Ok(Command::set_option(name, value))
}

impl Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "",
            Self::Uci => "uci",
            Self::Debug(true) => "debug on",
            Self::Debug(false) => "debug off",
            Self::IsReady => "isready",
            Self::SetOption { name, value: None } => return write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                return write!(f, "setoption name {name} value {value}");
            }
            Self::Register(words) if words.is_empty() => "register",
            Self::Register(words) => return write!(f, "register {words}"),
            Self::NewGame => "ucinewgame",
            Self::Position(position) => return position.fmt(f),
            Self::Go(go) => return go.fmt(f),
            Self::Stop => "stop",
            Self::PonderHit => "ponderhit",
            Self::Quit => "quit",
            Self::Bench(None) => "bench",
            Self::Bench(Some(depth)) => return write!(f, "bench {depth}"),
            Self::GenFens(genfens) => return genfens.fmt(f),
            Self::Eval => "eval",
            Self::Draw => "d",
            Self::Help => "help",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, TextError> {
        line.parse()
    }

    fn fault(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn plain_commands() {
        for (line, command) in [
            ("", Command::Empty),
            (" \t \r", Command::Empty),
            ("uci\r", Command::Uci),
            ("  isready  ", Command::IsReady),
            ("debug on", Command::Debug(true)),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("bench", Command::Bench(None)),
            ("bench 7", Command::Bench(Some(7))),
            ("register  later", Command::Register("later".into())),
            ("d", Command::Draw),
            ("eval", Command::Eval),
            ("help", Command::Help),
        ] {
            assert_eq!(parse(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_many_words() {
        let option = |name: &str, value: &str| Command::set_option(name, value);
        for (line, command) in [
            ("setoption name Hash value 16", option("Hash", "16")),
            ("setoption  name  Move   Overhead  value  10 ", option("Move Overhead", "10")),
            ("setoption name Clear Hash", option("Clear Hash", "")),
            ("setoption name EvalFile value /a b/c.nnue", option("EvalFile", "/a b/c.nnue")),
            ("setoption name EvalFile value", option("EvalFile", "")),
            ("setoption name valued value 1", option("valued", "1")),
        ] {
            assert_eq!(parse(line), Ok(command), "{line:?}");
        }
        assert!(fault("setoption name value value value").contains("name is missing"));
        assert!(fault("setoption").contains("setoption name NAME"));
        assert!(fault("setoption Hash 16").contains("setoption name NAME"));
        assert!(fault("setoption names Hash value 16").contains("setoption name NAME"));
    }

    #[test]
    fn positions_are_a_start_and_moves() {
        let position = |fen: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|&text| text.to_owned()).collect();
            Ok(Command::Position(PositionCommand { fen: fen.map(str::to_owned), moves }))
        };
        assert_eq!(parse("position startpos"), position(None, &[]));
        assert_eq!(parse("position startpos moves"), position(None, &[]));
        assert_eq!(parse("position startpos moves e2e4 e7e5"), position(None, &["e2e4", "e7e5"]));
        assert_eq!(
            parse("position fen 8/8  w - - moves a1a2"),
            position(Some("8/8 w - -"), &["a1a2"])
        );
    }

    #[test]
    fn what_is_not_a_command_is_named() {
        assert!(fault("fish").contains("unknown command `fish`"));
        assert!(fault("\0\u{1b}").contains("`\\u{0}\\u{1b}`"));
        assert!(fault("debug maybe").contains("`on` or `off`"));
        assert!(fault("debug").contains("`on` or `off`"));
        assert!(fault("bench x").contains("whole number"));
    }
}
