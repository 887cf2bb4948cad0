//! The words of UCI that are said and heard.

use std::fmt::Write;
use std::time::Duration;

use games::{Color, Game};
use search::{Clock, Limits, Score};

use crate::course::Course;
use crate::player::Situation;

/// What a program said of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Thought {
    pub(super) score: Option<Score>,
    pub(super) depth: usize,
    pub(super) nodes: u64,
    /// Whether the score is exact: bounds do not replace one that is.
    exact: bool,
}

impl Thought {
    /// Reads a line that begins with `info`. Whatever it does not understand, it leaves out.
    pub(super) fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut next = Self { nodes: self.nodes, ..Self::default() };
        let mut bound = false;
        while let Some(word) = words.next() {
            match word {
                // Anything may follow.
                "string" | "pv" | "refutation" | "currline" => break,
                "multipv" if words.next() != Some("1") => return,
                "depth" => next.depth = words.next().and_then(|w| w.parse().ok()).unwrap_or(0),
                "nodes" => next.nodes = words.next().and_then(|w| w.parse().ok()).unwrap_or(0),
                "score" => next.score = score(words.next(), words.next()),
                "lowerbound" | "upperbound" => bound = true,
                _ => {}
            }
        }
        self.nodes = next.nodes;
        next.exact = !bound;
        if next.score.is_some() && (next.exact || !self.exact) {
            *self = next;
        }
    }
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value: i32 = value?.parse().ok()?;
    match kind? {
        "cp" => Some(Score::Centipawns(value)),
        "mate" => Some(Score::Mate(value)),
        _ => None,
    }
}

/// The commands that set up a game as far as it has come.
pub(super) fn position<G: Game>(course: &Course<G>) -> String {
    let mut position = course.opening().start.clone();
    let fen = position.to_fen();
    let mut text = if fen == G::start().to_fen() {
        "position startpos".to_owned()
    } else {
        format!("position fen {fen}")
    };
    for (ply, mv) in course.moves().enumerate() {
        text += if ply == 0 { " moves " } else { " " };
        text += &position.move_text(mv);
        position.play(mv);
    }
    text.push('\n');
    text
}

/// The command to search.
pub(super) fn go<G: Game>(situation: &Situation<'_, G>) -> String {
    let Limits { depth, nodes, movetime, clock, .. } = &situation.limits;
    let mut text = "go".to_owned();
    let millis = |time: Duration| time.as_millis();
    if let Some(own) = clock {
        let mut clocks = [Some(*own), situation.opponent];
        if situation.course.side_to_move() == Color::Black {
            clocks.swap(0, 1);
        }
        for (letter, clock) in ["w", "b"].into_iter().zip(clocks) {
            let Some(Clock { remaining, increment, .. }) = clock else { continue };
            let (time, increment) = (millis(remaining), millis(increment));
            let _ = write!(text, " {letter}time {time} {letter}inc {increment}");
        }
        if let Some(moves) = own.moves_to_go {
            let _ = write!(text, " movestogo {moves}");
        }
    }
    for (name, value) in [
        ("depth", depth.map(|depth| depth as u128)),
        ("nodes", nodes.map(u128::from)),
        ("movetime", movetime.map(millis)),
    ] {
        if let Some(value) = value {
            let _ = write!(text, " {name} {value}");
        }
    }
    text.push('\n');
    text
}

/// The name of an option that a program lists.
pub(super) fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split_once(" type ").map_or(rest, |(name, _)| name).trim())
}

/// What a program said, short enough to be shown.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.chars().filter(|letter| !letter.is_control()).take(MOST).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use search::Control;

    use super::*;
    use crate::course::{Opening, Turn};

    #[test]
    fn thoughts_are_read() {
        let mut thought = Thought::default();
        for line in [
            "info depth 9 seldepth 12 multipv 1 score cp -31 nodes 1234 nps 5 pv e2e4 depth 77",
            "info depth 10 multipv 2 score cp 900 nodes 2000",
            "info depth 10 score cp 50 lowerbound nodes 3000 pv d2d4",
            "info string score cp 1000 depth 99",
            "info depth x score cp y nodes",
            "info score",
            "info",
        ] {
            thought.read(line);
        }
        assert_eq!(thought.score, Some(Score::Centipawns(-31)));
        assert_eq!(thought.depth, 9);
        thought.read("info depth 12 score mate -3 nodes 4000");
        assert_eq!((thought.score, thought.nodes), (Some(Score::Mate(-3)), 4000));
    }

    #[test]
    fn games_and_clocks_are_told() {
        let mut course = Course::new(Opening::at(Chess::start()));
        assert_eq!(position(&course), "position startpos\n");
        let mv = course.position().parse_move("e2e4").unwrap();
        course.play(Turn { mv, score: None, depth: 0, nodes: 0, time: Duration::ZERO });
        assert_eq!(position(&course), "position startpos moves e2e4\n");
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let other = Course::new(Opening::at(Chess::from_fen(fen).unwrap()));
        assert_eq!(position(&other), format!("position fen {fen}\n"));

        let clock = |seconds| Clock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(100),
            moves_to_go: Some(7),
        };
        let mut limits = Limits { clock: Some(clock(5)), ..Limits::default() };
        let control = Control::new();
        let situation = |limits| Situation {
            course: &course,
            limits,
            opponent: Some(clock(9)),
            control: &control,
        };
        let text = go(&situation(limits.clone()));
        assert_eq!(text, "go wtime 9000 winc 100 btime 5000 binc 100 movestogo 7\n");
        limits = Limits { depth: Some(3), nodes: Some(500), ..Limits::default() };
        assert_eq!(go(&situation(limits)), "go depth 3 nodes 500\n");
    }

    #[test]
    fn options_are_found() {
        assert_eq!(option_name("option name Clear Hash type button"), Some("Clear Hash"));
        assert_eq!(option_name("option name Hash"), Some("Hash"));
        assert_eq!(option_name("id name x"), None);
        assert_eq!(shown(&"x\u{7}".repeat(70)).chars().count(), 61);
    }
}
