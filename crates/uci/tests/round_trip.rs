//! Parsing a printed value gives the value again, and no line panics.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use search::{Bound, Score};
use uci::text::{
    BestMove, Command, EngineLine, GenFens, Go, InfoLine, MAX_DEPTH, MaxScore, OptionKind,
    OptionLine, PositionCommand,
};

fn mv() -> impl Strategy<Value = String> {
    "[a-l][1-9][a-l][1-9][qrbn]?"
}

/// Words of a text that has spaces, none of them a keyword.
fn words() -> impl Strategy<Value = String> {
    "[A-Z0-9/.<>_-]{1,9}( [A-Z0-9/.<>_-]{1,9}){0,3}"
}

fn millis() -> impl Strategy<Value = Duration> {
    (0..=86_400_000_000_u64).prop_map(Duration::from_millis)
}

prop_compose! {
    fn go()(
        depth in of(1..=MAX_DEPTH),
        nodes in of(1..=u64::MAX),
        mate in of(1..=MAX_DEPTH / 2),
        movetime in of(millis()),
        time in [of(millis()), of(millis())],
        increment in [millis(), millis()],
        moves_to_go in of(1..=u32::MAX),
        flags in any::<[bool; 2]>(),
        search_moves in vec(mv(), 0..4),
        perft in of(0..=MAX_DEPTH),
    ) -> Go {
        let [infinite, ponder] = flags;
        Go {
            depth, nodes, mate, movetime, time, increment, moves_to_go, infinite, ponder,
            search_moves, perft, unknown: Vec::new(),
        }
    }
}

prop_compose! {
    fn genfens()(
        count in 1..=100_000_000_u64,
        seed in any::<u64>(),
        book in of("[A-Z0-9/.]{5,20}"),
        random_plies in of(0..=200_usize),
        max_score in of(prop_oneof![
            Just(MaxScore::Unlimited),
            (0..=30_000).prop_map(MaxScore::Centipawns),
        ]),
        soft_nodes in of(1..=u64::MAX),
    ) -> GenFens {
        GenFens { count, seed, book, random_plies, max_score, soft_nodes }
    }
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Empty),
        Just(Command::Uci),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        (words(), of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        of(words()).prop_map(|words| Command::Register(words.unwrap_or_default())),
        Just(Command::NewGame),
        (of(words()), vec(mv(), 0..9))
            .prop_map(|(fen, moves)| Command::Position(PositionCommand { fen, moves })),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
        of(1..=MAX_DEPTH).prop_map(Command::Bench),
        genfens().prop_map(Command::GenFens),
        Just(Command::Eval),
        Just(Command::Draw),
        Just(Command::Help),
    ]
}

fn score() -> impl Strategy<Value = (Option<Score>, Bound)> {
    let value =
        prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate),];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let scored = (value, bound).prop_map(|(value, bound)| (Some(value), bound));
    prop_oneof![Just((None, Bound::Exact)), scored]
}

prop_compose! {
    fn info()(
        [depth, seldepth, multipv, hashfull, currmovenumber] in any::<[Option<u32>; 5]>(),
        (score, bound) in score(),
        wdl in of(any::<[u16; 3]>()),
        [nodes, nps, tbhits] in any::<[Option<u64>; 3]>(),
        time in of(millis()),
        currmove in of(mv()),
        pv in vec(mv(), 0..6),
        string in of(words()),
    ) -> InfoLine {
        InfoLine {
            depth, seldepth, multipv, score, bound, wdl, nodes, nps, hashfull, tbhits, time,
            currmove, currmovenumber, pv, string,
        }
    }
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (words(), vec(words(), 0..4))
            .prop_map(|(default, values)| OptionKind::Combo { default, values }),
        of(words()).prop_map(|default| OptionKind::Text { default: default.unwrap_or_default() }),
        Just(OptionKind::Button),
    ]
}

fn engine_line() -> impl Strategy<Value = EngineLine> {
    prop_oneof![
        words().prop_map(EngineLine::IdName),
        words().prop_map(EngineLine::IdAuthor),
        (words(), of(option_kind()))
            .prop_map(|(name, kind)| EngineLine::Option(OptionLine { name, kind })),
        Just(EngineLine::UciOk),
        Just(EngineLine::ReadyOk),
        info().prop_map(|info| EngineLine::Info(Box::new(info))),
        (mv(), of(mv())).prop_map(|(best, ponder)| EngineLine::BestMove(BestMove { best, ponder })),
        words().prop_map(EngineLine::Other),
    ]
}

/// Lines of words that mean something, in any order.
fn confused_line() -> impl Strategy<Value = String> {
    const WORDS: &str = "uci debug on off isready setoption name value register position startpos fen \
        moves go depth nodes mate movetime wtime btime winc binc movestogo infinite ponder searchmoves \
        perft bench genfens seed book None random-plies max-score none soft-nodes info score cp lowerbound \
        upperbound wdl pv string currline multipv bestmove (none) option type check spin combo button \
        default min max var true false id author e2e4 7 1 0 -3 x";
    let words: Vec<_> = WORDS.split_ascii_whitespace().collect();
    vec(proptest::sample::select(words), 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands(command in command()) {
        prop_assert_eq!(command.to_string().parse(), Ok(command));
    }

    #[test]
    fn engine_lines(line in engine_line()) {
        prop_assert_eq!(EngineLine::parse(&line.to_string()), line);
    }

    /// Whatever can be read is printed in a form that means the same.
    #[test]
    fn confused_lines(line in confused_line()) {
        if let Ok(command) = line.parse::<Command>() {
            let leaves_out = matches!(&command, Command::Go(go) if !go.unknown.is_empty());
            if !leaves_out {
                prop_assert_eq!(command.to_string().parse(), Ok(command));
            }
        }
        let parsed = EngineLine::parse(&line);
        prop_assert_eq!(EngineLine::parse(&parsed.to_string()), parsed);
    }

    #[test]
    fn any_line_is_read_without_a_panic(line in "\\PC*", bytes in vec(any::<u8>(), 0..40)) {
        for line in [line, String::from_utf8_lossy(&bytes).into_owned()] {
            for prefix in ["", "go ", "position ", "setoption name ", "genfens ", "option name "] {
                let line = format!("{prefix}{line}");
                let _ = line.parse::<Command>();
                let _ = EngineLine::parse(&line);
            }
        }
    }
}
