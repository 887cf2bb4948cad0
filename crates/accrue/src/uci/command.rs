//! What a line asks for.

use anyhow::{Context, bail};

use super::genfens::{self, GenFens};
use super::go::{self, Go};
use super::input::shown;

/// A line that can be understood. Whether it can be done here and now is the session's to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// An empty line.
    Nothing,
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<&'a str>,
    },
    NewGame,
    Position {
        /// `None` for the start of the game.
        fen: Option<String>,
        moves: Vec<&'a str>,
    },
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    /// To this depth, if one is given.
    Bench(Option<u32>),
    GenFens(GenFens<'a>),
    Eval,
    Draw,
    Help,
}

/// The commands, for `help` and for whoever mistypes one.
pub(super) const HELP: [(&str, &str); 17] = [
    ("uci", "say who the engine is and what can be set"),
    ("debug on|off", "also tell what each setoption did"),
    ("isready", "answer readyok when everything asked for is done"),
    ("setoption name NAME [value VALUE]", "set an option; `uci` lists them"),
    ("ucinewgame", "forget the last game"),
    ("position startpos|fen FEN [moves MOVE…]", "set the position"),
    ("go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]", "search"),
    ("   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves MOVE…]", ""),
    ("go perft N", "count the positions after N plies, by move"),
    ("stop", "end the search and give its best move"),
    ("ponderhit", "the move that was pondered on has been played"),
    ("d", "draw the board"),
    ("eval", "the static evaluation of the position"),
    ("bench [DEPTH]", "search a fixed set of positions; the last line is `N nodes M nps`"),
    (genfens::USAGE, "print openings for self-play, as OpenBench asks for them"),
    ("help", "this list"),
    ("quit", "end"),
];

/// Reads a line.
pub(super) fn parse(line: &str) -> anyhow::Result<Command<'_>> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(Command::Nothing) };
    Ok(match first {
        "uci" => Command::Uci,
        "debug" => Command::Debug(debug(words.next())?),
        "isready" => Command::IsReady,
        "setoption" => set_option(line)?,
        // The rest of this command belongs to engines that are sold.
        "register" => bail!("register: this engine needs no registration"),
        "ucinewgame" => Command::NewGame,
        "position" => position(words)?,
        "go" => Command::Go(go::parse(words)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "bench" => Command::Bench(words.next().map(bench_depth).transpose()?),
        "genfens" => Command::GenFens(genfens::parse(words)?),
        "eval" => Command::Eval,
        "d" => Command::Draw,
        "help" | "--help" => Command::Help,
        _ => bail!("unknown command `{}`; `help` lists the commands", shown(first)),
    })
}

fn debug(word: Option<&str>) -> anyhow::Result<bool> {
    match word {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(word) => bail!("debug `{}`: expected `on` or `off`", shown(word)),
        None => bail!("debug: expected `on` or `off` after it"),
    }
}

fn bench_depth(word: &str) -> anyhow::Result<u32> {
    go::number(word, 1, u64::from(go::MOST_DEPTH))
        .map(|depth| depth as u32)
        .with_context(|| format!("bench `{}`", shown(word)))
}

const SET_OPTION: &str = "expected `setoption name NAME value VALUE`";

/// Names have spaces, and so may values, which are files.
fn set_option(line: &str) -> anyhow::Result<Command<'_>> {
    let rest = after_word(line, "setoption").unwrap_or_default();
    let Some(rest) = after_word(rest, "name") else { bail!("setoption: {SET_OPTION}") };
    let (name, value) = match split_at_word(rest, "value") {
        Some((name, value)) => (name, Some(value.trim_ascii())),
        None => (rest, None),
    };
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        bail!("setoption: the name is missing; {SET_OPTION}");
    }
    Ok(Command::SetOption { name, value: value.filter(|value| !value.is_empty()) })
}

/// What follows `word`, if the text begins with it.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_ascii_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_whitespace()))
        .then_some(rest)
}

/// What comes before and after the first `word` that stands by itself.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let space = |letter: Option<char>| letter.is_none_or(|letter| letter.is_ascii_whitespace());
    text.match_indices(word).find_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let alone = space(before.chars().next_back()) && space(after.chars().next());
        alone.then_some((before, after))
    })
}

const POSITION: &str = "expected `position startpos moves …` or `position fen FEN moves …`";

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> anyhow::Result<Command<'a>> {
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(()),
        Some(word) => bail!("position `{}`: {POSITION}", shown(word)),
        None => bail!("position: {POSITION}"),
    };
    let mut fields = Vec::new();
    let mut moves = None;
    for word in words.by_ref() {
        if word == "moves" {
            moves = Some(());
            break;
        }
        fields.push(word);
    }
    let moves = moves.map(|()| words.collect()).unwrap_or_default();
    match fen {
        None if fields.is_empty() => Ok(Command::Position { fen: None, moves }),
        None => bail!("position startpos `{}`: expected `moves` or nothing", shown(fields[0])),
        Some(()) if fields.is_empty() => bail!("position fen: the FEN is missing; {POSITION}"),
        Some(()) => Ok(Command::Position { fen: Some(fields.join(" ")), moves }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    fn option<'a>(name: &str, value: Option<&'a str>) -> Command<'a> {
        Command::SetOption { name: name.into(), value }
    }

    #[test]
    fn plain_commands() {
        for (line, command) in [
            ("", Command::Nothing),
            (" \t \r", Command::Nothing),
            ("uci\r", Command::Uci),
            ("  isready  ", Command::IsReady),
            ("debug on", Command::Debug(true)),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("bench", Command::Bench(None)),
            ("bench 7", Command::Bench(Some(7))),
            ("d", Command::Draw),
            ("eval", Command::Eval),
            ("help", Command::Help),
        ] {
            assert_eq!(parse(line).unwrap(), command, "{line:?}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_many_words() {
        for (line, command) in [
            ("setoption name Hash value 16", option("Hash", Some("16"))),
            ("setoption  name  Move   Overhead  value  10 ", option("Move Overhead", Some("10"))),
            ("setoption name Clear Hash", option("Clear Hash", None)),
            ("setoption name EvalFile value /a b/c.nnue", option("EvalFile", Some("/a b/c.nnue"))),
            ("setoption name EvalFile value", option("EvalFile", None)),
            ("setoption name valued value 1", option("valued", Some("1"))),
            ("setoption name value value value", option("", None)),
        ] {
            match parse(line) {
                Ok(parsed) => assert_eq!(parsed, command, "{line:?}"),
                Err(error) => assert!(error.to_string().contains("name is missing"), "{error}"),
            }
        }
        assert!(fault("setoption").contains("setoption name NAME"));
        assert!(fault("setoption Hash 16").contains("setoption name NAME"));
        assert!(fault("setoption names Hash value 16").contains("setoption name NAME"));
    }

    #[test]
    fn positions_are_a_start_and_moves() {
        let start = |moves: &[&'static str]| Command::Position { fen: None, moves: moves.to_vec() };
        assert_eq!(parse("position startpos").unwrap(), start(&[]));
        assert_eq!(parse("position startpos moves").unwrap(), start(&[]));
        assert_eq!(parse("position startpos moves e2e4 e7e5").unwrap(), start(&["e2e4", "e7e5"]));
        let fen = Command::Position { fen: Some("8/8 w - -".into()), moves: vec!["a1a2"] };
        assert_eq!(parse("position fen 8/8  w - - moves a1a2").unwrap(), fen);
        assert!(fault("position").contains("expected `position startpos"));
        assert!(fault("position fen").contains("FEN is missing"));
        assert!(fault("position fen moves e2e4").contains("FEN is missing"));
        assert!(fault("position start").contains("`start`"));
        assert!(fault("position startpos e2e4").contains("`e2e4`: expected `moves`"));
    }

    #[test]
    fn what_is_not_a_command_is_named() {
        assert!(fault("fish").contains("unknown command `fish`"));
        assert!(fault("\0\u{1b}").contains("`\\u{0}\\u{1b}`"));
        assert!(fault("debug maybe").contains("`on` or `off`"));
        assert!(fault("debug").contains("`on` or `off`"));
        assert!(format!("{:#}", parse("bench x").unwrap_err()).contains("whole number"));
    }
}
