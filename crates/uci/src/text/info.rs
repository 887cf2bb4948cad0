//! `info`: the line by which an engine reports the state of its search.

use std::fmt::{self, Display};
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use search::{Bound, Score};

use super::words::split_at_word;

/// An `info` line. Everything in it may be missing.
///
/// ```
/// use search::Score;
/// use uci::text::InfoLine;
///
/// let info = InfoLine::parse("info depth 9 score cp -31 nodes 1234 pv e7e5 g1f3");
/// assert_eq!(info.score, Some(Score::Centipawns(-31)));
/// assert_eq!(info.pv, ["e7e5", "g1f3"]);
/// assert_eq!(info.to_string(), "info depth 9 score cp -31 nodes 1234 pv e7e5 g1f3");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InfoLine {
    /// Plies that were searched in full.
    pub depth: Option<u32>,
    /// The largest number of plies of any line.
    pub seldepth: Option<u32>,
    /// Which of the best lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score, for the side to move.
    pub score: Option<Score>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Wins, draws and losses to be expected of a thousand games.
    pub wdl: Option<[u16; 3]>,
    /// Nodes that were searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// How long the search has taken, in whole milliseconds.
    pub time: Option<Duration>,
    /// The move that is being searched.
    pub currmove: Option<String>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// A text for the user.
    pub string: Option<String>,
}

impl Default for InfoLine {
    fn default() -> Self {
        Self {
            depth: None,
            seldepth: None,
            multipv: None,
            score: None,
            bound: Bound::Exact,
            wdl: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            time: None,
            currmove: None,
            currmovenumber: None,
            pv: Vec::new(),
            string: None,
        }
    }
}

impl InfoLine {
    /// Parses a line that begins with `info`. What it cannot read it leaves out.
    pub fn parse(line: &str) -> Self {
        let (line, string) = match split_at_word(line, "string") {
            Some((line, string)) => (line, Some(string.trim_ascii().to_owned())),
            None => (line, None),
        };
        let mut info = Self { string, ..Self::default() };
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = value(&mut words),
                "seldepth" => info.seldepth = value(&mut words),
                "multipv" => info.multipv = value(&mut words),
                "score" => info.score = score(words.next(), words.next()),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => info.wdl = wdl(&mut words),
                "nodes" => info.nodes = value(&mut words),
                "nps" => info.nps = value(&mut words),
                "hashfull" => info.hashfull = value(&mut words),
                "tbhits" => info.tbhits = value(&mut words),
                "time" => info.time = value(&mut words).map(Duration::from_millis),
                "currmove" => info.currmove = value(&mut words),
                "currmovenumber" => info.currmovenumber = value(&mut words),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                // Moves without an end that could be found.
                "refutation" | "currline" => break,
                _ => {}
            }
        }
        if info.score.is_none() {
            info.bound = Bound::Exact;
        }
        info
    }
}

/// The next word, if it can be read.
fn value<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next().and_then(|word| word.parse().ok())
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value: i32 = value?.parse().ok()?;
    match kind? {
        "cp" => Some(Score::Centipawns(value)),
        "mate" => Some(Score::Mate(value)),
        _ => None,
    }
}

fn wdl(words: &mut SplitAsciiWhitespace<'_>) -> Option<[u16; 3]> {
    let [win, draw, loss] = [(); 3].map(|()| value(words));
    Some([win?, draw?, loss?])
}

impl Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn word(
            f: &mut fmt::Formatter<'_>,
            name: &str,
            value: Option<impl Display>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        word(f, "depth", self.depth)?;
        word(f, "seldepth", self.seldepth)?;
        word(f, "multipv", self.multipv)?;
        if let Some(score) = self.score {
            match score {
                Score::Centipawns(centipawns) => write!(f, " score cp {centipawns}")?,
                Score::Mate(moves) => write!(f, " score mate {moves}")?,
            }
            f.write_str(match self.bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            })?;
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        word(f, "nodes", self.nodes)?;
        word(f, "nps", self.nps)?;
        word(f, "hashfull", self.hashfull)?;
        word(f, "tbhits", self.tbhits)?;
        word(f, "time", self.time.map(|time| time.as_millis()))?;
        word(f, "currmove", self.currmove.as_ref())?;
        word(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        word(f, "string", self.string.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_is_printed_as_it_was_read() {
        let line = "info depth 7 seldepth 12 multipv 2 score cp -50 upperbound wdl 1 2 997 nodes 4000 \
                    nps 2000000 hashfull 31 tbhits 0 time 2 currmove e2e4 currmovenumber 3 \
                    pv e1g1 e8c8 string  a  text";
        let info = InfoLine::parse(line);
        assert_eq!(info.bound, Bound::Upper);
        assert_eq!(info.to_string(), line.replace("string  a", "string a"));
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        for (line, printed) in [
            ("info", "info"),
            ("info score", "info"),
            ("info score cp", "info"),
            ("info score cp x lowerbound depth 3", "info depth 3"),
            ("info depth x score mate -3 nodes", "info score mate -3"),
            ("info wdl 1 2 colour red depth 4", "info depth 4"),
            ("info depth 9 currline 1 e2e4 depth 7", "info depth 9"),
            ("info depth 9 pv e2e4 depth 7", "info depth 9 pv e2e4 depth 7"),
            ("info string score cp 1000 depth 99", "info string score cp 1000 depth 99"),
        ] {
            assert_eq!(InfoLine::parse(line).to_string(), printed);
        }
        assert_eq!(InfoLine::parse("info depth 9 pv e2e4 depth 7").depth, Some(9));
    }
}
