//! `go`: the command that starts a search, with its limits as text.

use std::fmt::{self, Display};
use std::time::Duration;

use games::Color;

use super::error::{GoError, NumberError};
use super::words::{escape, number};

/// The largest depth that `go` accepts; no search gets there.
pub const MAX_DEPTH: u32 = 255;
/// A thousand days, in milliseconds: longer than any game, and no sum overflows.
const MAX_TIME: i128 = 86_400_000_000;

/// The words after `go`, not yet compared with a position.
///
/// ```
/// use std::time::Duration;
/// use uci::text::Go;
///
/// let go = Go::parse("wtime 60000 winc 500 depth 12".split(' '))?;
/// assert_eq!(go.time[0], Some(Duration::from_secs(60)));
/// assert_eq!(go.to_string(), "go wtime 60000 winc 500 depth 12");
/// # Ok::<(), uci::text::GoError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// The mate to find, in moves, not plies.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// What is left on the clocks of White and Black.
    pub time: [Option<Duration>; 2],
    /// What each move adds to the clocks of White and Black.
    pub increment: [Duration; 2],
    /// The number of moves until the clocks are reset; `None` for never.
    pub moves_to_go: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Search these moves only, if any are given.
    pub search_moves: Vec<String>,
    /// Count the positions after that many plies instead of searching.
    pub perft: Option<u32>,
    /// Words that have no meaning. UCI has engines leave them out.
    pub unknown: Vec<String>,
}

const WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

impl Go {
    /// Parses the words after `go`.
    ///
    /// A known word without its value, or with a wrong one, is an error of the whole command: a
    /// depth that cannot be read must not become an infinite search. Unknown words are kept apart,
    /// if there is any known word.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, GoError> {
        let mut words = words.into_iter().peekable();
        let mut go = Self::default();
        let mut any_known = false;
        while let Some(word) = words.next() {
            let Some(word) = WORDS.into_iter().find(|known| *known == word) else {
                go.unknown.push(word.to_owned());
                continue;
            };
            any_known = true;
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|next| !WORDS.contains(next)) {
                        go.search_moves.push(text.to_owned());
                    }
                    if go.search_moves.is_empty() {
                        return Err(GoError::NoMoves);
                    }
                }
                word => {
                    let value = words.next().ok_or(GoError::Missing { word })?;
                    go.set(word, value).map_err(|fault| GoError::Number { word, fault })?;
                }
            }
        }
        match go.unknown.first() {
            Some(unknown) if !any_known => {
                Err(GoError::Unknown { found: escape(unknown), expected: WORDS.join(", ") })
            }
            _ => Ok(go),
        }
    }

    /// Sets the limit of that name to `value`.
    fn set(&mut self, word: &str, value: &str) -> Result<(), NumberError> {
        let [white, black] = [Color::White, Color::Black].map(|color| color as usize);
        let up_to = |min: i128, max: u32| number(value, min, max.into()).map(|value| value as u32);
        match word {
            "depth" => self.depth = Some(up_to(1, MAX_DEPTH)?),
            "nodes" => self.nodes = Some(number(value, 1, u64::MAX.into())? as u64),
            "mate" => self.mate = Some(up_to(1, MAX_DEPTH / 2)?),
            "movetime" => self.movetime = Some(clock(value)?),
            "wtime" => self.time[white] = Some(clock(value)?),
            "btime" => self.time[black] = Some(clock(value)?),
            "winc" => self.increment[white] = clock(value)?,
            "binc" => self.increment[black] = clock(value)?,
            // Some programs send 0 for never.
            "movestogo" => self.moves_to_go = Some(up_to(0, u32::MAX)?).filter(|&moves| moves > 0),
            _ => self.perft = Some(up_to(0, MAX_DEPTH)?),
        }
        Ok(())
    }
}

/// Milliseconds. A clock that has run out may be sent as a negative number.
fn clock(text: &str) -> Result<Duration, NumberError> {
    if let Some(digits) = text.strip_prefix('-') {
        return number(digits, 0, MAX_TIME).map(|_| Duration::ZERO);
    }
    number(text, 0, MAX_TIME).map(|millis| Duration::from_millis(millis as u64))
}

impl Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        // First, so that they are not taken for moves of `searchmoves`.
        for word in &self.unknown {
            write!(f, " {word}")?;
        }
        for (word, set) in [("ponder", self.ponder), ("infinite", self.infinite)] {
            if set {
                write!(f, " {word}")?;
            }
        }
        for (color, [time, increment]) in [["wtime", "winc"], ["btime", "binc"]].iter().enumerate()
        {
            if let Some(remaining) = self.time[color] {
                write!(f, " {time} {}", remaining.as_millis())?;
            }
            if self.time[color].is_some() || !self.increment[color].is_zero() {
                write!(f, " {increment} {}", self.increment[color].as_millis())?;
            }
        }
        for (word, value) in [
            ("movestogo", self.moves_to_go.map(u128::from)),
            ("depth", self.depth.map(u128::from)),
            ("nodes", self.nodes.map(u128::from)),
            ("mate", self.mate.map(u128::from)),
            ("movetime", self.movetime.map(|time| time.as_millis())),
            ("perft", self.perft.map(u128::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Go {
        Go::parse(text.split_ascii_whitespace()).unwrap()
    }

    fn fault(text: &str) -> String {
        Go::parse(text.split_ascii_whitespace()).unwrap_err().to_string()
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(read(""), Go::default());
        assert_eq!(read("infinite"), Go { infinite: true, ..Go::default() });
        assert_eq!(
            read("depth 5 nodes 100 mate 3"),
            Go { depth: Some(5), nodes: Some(100), mate: Some(3), ..Go::default() }
        );
        assert_eq!(read("perft 4"), Go { perft: Some(4), ..Go::default() });
    }

    #[test]
    fn clocks_are_read() {
        let millis = Duration::from_millis;
        let go = read("ponder wtime 1000 btime -7 winc 10 binc 20 movestogo 40");
        assert_eq!(go.time, [Some(millis(1000)), Some(millis(0))]);
        assert_eq!(go.increment, [millis(10), millis(20)]);
        assert_eq!(go.moves_to_go, Some(40));
        assert!(go.ponder);
        assert_eq!(read("wtime 1 btime 1 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn moves_end_at_the_next_word() {
        let go = read("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(go.depth, Some(3));
        assert!(fault("searchmoves").contains("expected moves"));
        assert!(fault("searchmoves depth 3").contains("expected moves"));
    }

    #[test]
    fn a_wrong_value_is_an_error_of_the_whole_command() {
        for text in [
            "depth",
            "depth abc",
            "depth 0",
            "depth -3",
            "depth +3",
            "depth 99999",
            "depth 3 nodes x",
            "nodes 18446744073709551616",
            "movetime soon",
            "wtime --5",
            "movestogo -1",
            "mate 0",
            "perft x",
        ] {
            assert!(fault(text).starts_with("go "), "{text}");
            assert!(fault(text).contains("number"), "{text}");
        }
    }

    #[test]
    fn unknown_words_are_kept_apart_if_something_is_left() {
        let go = read("deep 7 depth 3");
        assert_eq!((go.depth, &go.unknown[..]), (Some(3), &["deep".into(), "7".into()][..]));
        assert_eq!(go.to_string(), "go deep 7 depth 3");
        assert!(fault("deep 7").contains("`deep`"));
    }
}
