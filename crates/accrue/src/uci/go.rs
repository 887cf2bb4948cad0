//! What a search is asked for: `go` and its many words.

use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use games::Color;

use super::input::shown;

/// The deepest search that can be asked for; no search gets there.
pub(super) const MOST_DEPTH: u32 = 255;
/// A thousand days, in milliseconds: more than any game lasts, and nothing overflows.
const MOST_TIME: u64 = 86_400_000_000;

/// The words after `go`, read but not yet compared with a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// In moves, not plies.
    pub(super) mate: Option<u32>,
    pub(super) movetime: Option<Duration>,
    /// What is left on the clocks of White and Black.
    pub(super) time: [Option<Duration>; 2],
    pub(super) increment: [Duration; 2],
    /// How many moves until the clocks are set anew; `None` for never.
    pub(super) moves_left: Option<u32>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) search_moves: Option<Vec<String>>,
    pub(super) perft: Option<u32>,
    /// Words that mean nothing.
    pub(super) skipped: Vec<String>,
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

/// Reads the words after `go`.
///
/// A word that is known but has no value, or a wrong one, refuses the whole command: a depth that cannot be read
/// must not become a search without end. Words that are not known are left out, as UCI has it, if anything else is
/// said.
pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> anyhow::Result<Go> {
    let mut words = words.peekable();
    let mut go = Go::default();
    let mut said = false;
    while let Some(word) = words.next() {
        said |= WORDS.contains(&word);
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let list = go.search_moves.get_or_insert_default();
                while let Some(text) = words.next_if(|next| !WORDS.contains(next)) {
                    list.push(text.to_owned());
                }
                if list.is_empty() {
                    bail!("go searchmoves: expected moves after it; nothing is searched");
                }
            }
            word if WORDS.contains(&word) => {
                set(&mut go, word, words.next())
                    .with_context(|| format!("go {word}"))
                    .map_err(|error| anyhow!("{error:#}; nothing is searched"))?;
            }
            unknown => go.skipped.push(shown(unknown)),
        }
    }
    if !go.skipped.is_empty() && !said {
        let unknown = &go.skipped[0];
        bail!("go `{unknown}`: expected one of {}; nothing is searched", WORDS.join(", "));
    }
    Ok(go)
}

/// Sets what `word` stands for to `value`.
fn set(go: &mut Go, word: &str, value: Option<&str>) -> anyhow::Result<()> {
    let value = value.context("expected a number after it")?;
    let [white, black] = [Color::White, Color::Black].map(|color| color as usize);
    match word {
        "depth" => go.depth = Some(number(value, 1, MOST_DEPTH.into())? as u32),
        "nodes" => go.nodes = Some(number(value, 1, u64::MAX)?),
        "mate" => go.mate = Some(number(value, 1, u64::from(MOST_DEPTH / 2))? as u32),
        "movetime" => go.movetime = Some(clock(value)?),
        "wtime" => go.time[white] = Some(clock(value)?),
        "btime" => go.time[black] = Some(clock(value)?),
        "winc" => go.increment[white] = clock(value)?,
        "binc" => go.increment[black] = clock(value)?,
        // 0 is what some send for «never».
        "movestogo" => {
            go.moves_left = Some(number(value, 0, u32::MAX.into())? as u32).filter(|&n| n > 0);
        }
        "perft" => go.perft = Some(number(value, 0, MOST_DEPTH.into())? as u32),
        _ => bail!("not a limit"),
    }
    Ok(())
}

/// Milliseconds. A clock that has run out may be sent as a negative number.
fn clock(text: &str) -> anyhow::Result<Duration> {
    if let Some(digits) = text.strip_prefix('-') {
        return number(digits, 0, MOST_TIME).map(|_| Duration::ZERO);
    }
    number(text, 0, MOST_TIME).map(Duration::from_millis)
}

/// A whole number from `least` to `most`.
pub(super) fn number(text: &str, least: u64, most: u64) -> anyhow::Result<u64> {
    // `parse` alone would take a sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && (least..=most).contains(value));
    value.with_context(|| format!("`{}` is not a whole number from {least} to {most}", shown(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Go {
        parse(text.split_ascii_whitespace()).unwrap()
    }

    fn fault(text: &str) -> String {
        parse(text.split_ascii_whitespace()).unwrap_err().to_string()
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
        assert_eq!(go.moves_left, Some(40));
        assert!(go.ponder);
        assert_eq!(read("wtime 1 btime 1 movestogo 0").moves_left, None);
    }

    #[test]
    fn moves_end_at_the_next_word() {
        let go = read("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(go.search_moves, Some(vec!["e2e4".into(), "d2d4".into()]));
        assert_eq!(go.depth, Some(3));
        assert!(fault("searchmoves").contains("expected moves"));
        assert!(fault("searchmoves depth 3").contains("expected moves"));
    }

    #[test]
    fn wrong_values_refuse_the_whole_search() {
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
            assert!(fault(text).contains("nothing is searched"), "{text}");
            assert!(fault(text).contains("number"), "{text}");
        }
    }

    #[test]
    fn unknown_words_are_left_out_if_something_is_left() {
        let go = read("deep 7 depth 3");
        assert_eq!((go.depth, go.skipped), (Some(3), vec!["deep".into(), "7".into()]));
        assert!(fault("deep 7").contains("`deep`"));
    }
}
