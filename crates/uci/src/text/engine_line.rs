//! Engine lines: what an engine sends to a GUI.

use std::fmt::{self, Display};

use super::info::InfoLine;
use super::option::OptionLine;
use super::words::{after_word, joined};

/// A line of an engine.
///
/// ```
/// use uci::text::{BestMove, EngineLine};
///
/// let line = EngineLine::parse("bestmove e2e4 ponder e7e5");
/// let best = BestMove { best: "e2e4".into(), ponder: Some("e7e5".into()) };
/// assert_eq!(line, EngineLine::BestMove(best));
/// assert_eq!(line.to_string(), "bestmove e2e4 ponder e7e5");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum EngineLine {
    /// `id name`: the name of the engine.
    IdName(String),
    /// `id author`: who wrote it.
    IdAuthor(String),
    /// `option`: an option that can be set.
    Option(OptionLine),
    /// `uciok`: the end of the answer to `uci`.
    UciOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info`: the state of the search.
    Info(Box<InfoLine>),
    /// `bestmove`: the end of the search.
    BestMove(BestMove),
    /// A line that is not part of UCI.
    Other(String),
}

/// The result of a search, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move. [`BestMove::NONE`] where there is none; empty if the engine left it out.
    pub best: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
}

impl BestMove {
    /// The text for a position without legal moves.
    pub const NONE: &'static str = "(none)";
}

impl EngineLine {
    /// Parses a line. A line of no known form is [`EngineLine::Other`].
    pub fn parse(line: &str) -> Self {
        let line = line.trim_ascii();
        let mut words = line.split_ascii_whitespace();
        let parsed = match words.next() {
            Some("id") => {
                let rest = after_word(line, "id").unwrap_or_default();
                let name = after_word(rest, "name").map(|name| Self::IdName(joined(name)));
                name.or_else(|| after_word(rest, "author").map(|name| Self::IdAuthor(joined(name))))
            }
            Some("option") => OptionLine::parse(line).map(Self::Option),
            Some("uciok") if line == "uciok" => Some(Self::UciOk),
            Some("readyok") if line == "readyok" => Some(Self::ReadyOk),
            Some("info") => Some(Self::Info(Box::new(InfoLine::parse(line)))),
            Some("bestmove") => {
                let best = words.next().unwrap_or_default().to_owned();
                let ponder = words.next().filter(|&word| word == "ponder").and(words.next());
                Some(Self::BestMove(BestMove { best, ponder: ponder.map(str::to_owned) }))
            }
            _ => None,
        };
        parsed.unwrap_or_else(|| Self::Other(line.to_owned()))
    }
}

impl Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.best)?;
        self.ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
    }
}

impl Display for EngineLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(f, "id name {name}"),
            Self::IdAuthor(name) => write!(f, "id author {name}"),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(best) => best.fmt(f),
            Self::Other(line) => f.write_str(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines() {
        let name = EngineLine::IdName("Some Engine 3".into());
        assert_eq!(EngineLine::parse("id name  Some Engine 3\r"), name);
        let author = EngineLine::IdAuthor("A. N. Other".into());
        assert_eq!(EngineLine::parse("id author A. N. Other"), author);
        assert_eq!(EngineLine::parse(" uciok "), EngineLine::UciOk);
        assert_eq!(EngineLine::parse("readyok"), EngineLine::ReadyOk);
        for other in ["", "uciok now", "Stockfish 15.1 by the developers", "id", "option"] {
            assert_eq!(EngineLine::parse(other), EngineLine::Other(other.into()), "{other}");
        }
    }

    #[test]
    fn the_best_move_may_be_missing() {
        for (line, best) in
            [("bestmove", ""), ("bestmove (none)", BestMove::NONE), ("bestmove d4 x e5", "d4")]
        {
            let expected = BestMove { best: best.into(), ponder: None };
            assert_eq!(EngineLine::parse(line), EngineLine::BestMove(expected), "{line}");
        }
    }
}
