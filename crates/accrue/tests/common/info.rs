//! Reading `info` lines as strictly as the strictest of their readers.

use games::ToolkitGame;

/// What an `info` line with a line of play says.
#[derive(Debug, Default)]
pub(crate) struct Info {
    pub(crate) depth: u32,
    pub(crate) multipv: usize,
    /// `cp` or `mate`, and the number.
    pub(crate) score: (String, i32),
    pub(crate) exact: bool,
    pub(crate) wdl: Option<[u32; 3]>,
    pub(crate) nodes: u64,
    pub(crate) time: u64,
    pub(crate) pv: Vec<String>,
}

/// Reads a line; `None` for `info string`. Anything that is not understood, or not legal at `position`, fails.
pub(crate) fn read<G: ToolkitGame>(line: &str, position: &G) -> Option<Info> {
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("info"), "{line}");
    let mut info = Info { exact: true, ..Info::default() };
    let mut seen = Vec::new();
    while let Some(word) = words.next() {
        let mut number = || -> u64 {
            let number = words.next().and_then(|number| number.parse().ok());
            number.unwrap_or_else(|| panic!("`{word}` has no number in `{line}`"))
        };
        match word {
            "string" => return None,
            "depth" => info.depth = number() as u32,
            "multipv" => info.multipv = number() as usize,
            "nodes" => info.nodes = number(),
            "time" => info.time = number(),
            "hashfull" => assert!(number() <= 1000, "{line}"),
            "seldepth" | "nps" | "tbhits" => drop(number()),
            "wdl" => info.wdl = Some([number(), number(), number()].map(|part| part as u32)),
            "score" => {
                let kind = words.next().expect("a kind of score").to_owned();
                assert!(kind == "cp" || kind == "mate", "{line}");
                let value = words.next().and_then(|value| value.parse().ok());
                info.score = (kind, value.unwrap_or_else(|| panic!("no score in `{line}`")));
            }
            "lowerbound" | "upperbound" => {
                assert!(matches!(seen.last(), Some(&"score")), "{line}");
                info.exact = false;
            }
            "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
            unknown => panic!("`{unknown}` in `{line}`"),
        }
        assert!(!seen.contains(&word), "two `{word}` in `{line}`");
        seen.push(word);
    }
    for needed in
        ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time"]
    {
        assert!(seen.contains(&needed), "no `{needed}` in `{line}`");
    }
    let mut at = position.clone();
    for text in &info.pv {
        let mv = at.parse_move(text).unwrap_or_else(|error| panic!("{error} in `{line}`"));
        assert_eq!(at.move_text(mv), *text, "{line}");
        at.play(mv);
    }
    Some(info)
}

/// Checks everything that a search said, and gives what it said about lines of play.
pub(crate) fn check<G: ToolkitGame>(lines: &[String], position: &G) -> Vec<Info> {
    let (last, before) = lines.split_last().expect("a line");
    let infos: Vec<_> = before.iter().filter_map(|line| read(line, position)).collect();
    let mut words = last.split(' ');
    assert_eq!(words.next(), Some("bestmove"), "{last}");
    let best = words.next().expect("a move");
    if position.has_moves() {
        let mut after = position.clone();
        after.play(position.parse_move(best).unwrap_or_else(|error| panic!("{error}")));
        if let Some(word) = words.next() {
            assert_eq!(word, "ponder", "{last}");
            let reply = words.next().expect("a move to ponder on");
            after.parse_move(reply).unwrap_or_else(|error| panic!("{error}"));
        }
        let exact = infos.iter().rev().find(|info| info.multipv == 1 && info.exact);
        let exact = exact.unwrap_or_else(|| panic!("no exact score before `{last}`"));
        assert_eq!(exact.pv.first().map(String::as_str), Some(best), "{lines:#?}");
        let end = infos.iter().rev().find(|info| info.multipv == 1).map(|info| info.exact);
        assert_eq!(end, Some(true), "the last score is not exact: {lines:#?}");
    } else {
        assert_eq!(best, "(none)", "{last}");
    }
    assert_eq!(words.next(), None, "{last}");
    let falls = infos.windows(2).any(|pair| pair[0].nodes > pair[1].nodes);
    assert!(!falls, "the number of nodes falls: {lines:#?}");
    infos
}
