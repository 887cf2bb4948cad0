//! UCI as the programs that show a board speak it.

#[path = "common/conversation.rs"]
mod conversation;
#[path = "uci/hostile.rs"]
mod hostile;
#[path = "common/info.rs"]
mod info;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/networks.rs"]
mod networks;

use std::time::{Duration, Instant};

use conversation::{Conversation, best_move};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, GameHistory, ToolkitGame};
use info::check;
use networks::{FLOAT, FULL, Library, SIMPLE, native, noru, put};

/// The script that a careful program would run before it lets an engine play.
#[test]
fn the_protocol_is_kept() {
    let mut engine = Conversation::new();
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name accrue ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("id author ")), "{lines:?}");
    for option in
        ["Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_Variant", "EvalFile"]
    {
        let start = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{option}");
    }
    let known =
        |line: &String| ["id ", "option ", "uciok"].iter().any(|word| line.starts_with(word));
    assert!(lines.iter().all(known), "{lines:?}");
    engine.say("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    assert_eq!(engine.ask("ucinewgame"), [""; 0]);

    let start = Chess::start();
    engine.say("position startpos");
    for go in [
        "go depth 3",
        "go nodes 2000",
        "go movetime 50",
        "go wtime 500 btime 500",
        "go wtime 500 btime 500 winc 100 binc 100",
        "go wtime 500 btime 500 movestogo 5",
        "go wtime 10 btime 10",
        "go wtime 0 btime 0",
        "go wtime -20 btime 10",
        "go movetime 0",
        "go nodes 1",
        "go depth 3 nodes 100 movetime 1000",
    ] {
        check(&engine.search(go), &start);
    }
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    engine.say(&format!("position fen {fen} moves e2e4 h4g3"));
    let mut line = GameHistory::new(Chess::from_fen(fen).expect("a FEN"));
    for text in ["e2e4", "h4g3"] {
        line.play_text(text).expect("a legal move");
    }
    check(&engine.search("go depth 4"), line.position());
    engine.say("quit");
    assert_eq!(engine.end(), (vec![], Some(0)));
}

#[test]
fn a_game_without_moves_has_none_to_give() {
    let mut engine = Conversation::new();
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", ("mate", 0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ("cp", 0)),
    ] {
        engine.say(&format!("position fen {fen}"));
        let infos = check(&engine.search("go depth 3"), &Chess::from_fen(fen).expect("a FEN"));
        let last = infos.last().expect("a score");
        assert_eq!((last.score.0.as_str(), last.score.1), score, "{fen}");
    }
}

#[test]
fn the_input_is_read_during_a_search() {
    let mut engine = Conversation::new();
    engine.say("go infinite");
    for _ in 0..20 {
        let begun = Instant::now();
        engine.ask("");
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
    engine.search("stop");
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let mut engine = Conversation::new();
    // Nothing to find out: mated, or one legal move and a depth that is soon reached.
    for position in [
        "position startpos moves f2f3 e7e5 g2g4 d8h4",
        "position fen 7k/8/8/8/8/8/r7/1K6 w - - 0 1",
    ] {
        engine.say(position);
        for go in ["go infinite", "go ponder depth 1", "go infinite depth 1"] {
            engine.say(go);
            while !engine.is_silent_for(Duration::from_millis(150)) {}
            let lines = engine.search("stop");
            assert!(lines.last().is_some_and(|line| line.starts_with("bestmove")), "{lines:?}");
        }
    }
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut engine = Conversation::new();
    engine.say("setoption name Ponder value true");
    let clocks = "wtime 400 btime 400 winc 0 binc 0";
    engine.say("position startpos moves e2e4 e7e5");
    let mut line = GameHistory::new(Chess::start());
    for text in ["e2e4", "e7e5"] {
        line.play_text(text).expect("a legal move");
    }
    for end in ["ponderhit", "stop"] {
        engine.say(&format!("go ponder {clocks}"));
        std::thread::sleep(Duration::from_millis(600));
        // It has thought for longer than its clock allows, and must have said no move.
        let begun = Instant::now();
        engine.say(end);
        let lines = engine.until("bestmove");
        assert!(begun.elapsed() < Duration::from_secs(1), "{end}: {:?}", begun.elapsed());
        check(&lines, line.position());
        let said = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(said, 1);
        engine.say("isready");
        assert_eq!(engine.until("readyok"), ["readyok"], "{end}");
    }
}

#[test]
fn several_lines_are_in_order() {
    let mut engine = Conversation::new();
    engine.ask("setoption name MultiPV value 4");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    engine.say(&format!("position fen {fen}"));
    let infos = check(&engine.search("go depth 4"), &Chess::from_fen(fen).expect("a FEN"));
    let deepest: Vec<_> = infos.iter().filter(|info| info.depth == 4 && info.exact).collect();
    let last = &deepest[deepest.len() - 4..];
    let numbers: Vec<_> = last.iter().map(|info| info.multipv).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let firsts: Vec<_> = last.iter().map(|info| &info.pv[0]).collect();
    for (count, first) in firsts.iter().enumerate() {
        assert!(!firsts[..count].contains(first), "{firsts:?}");
    }
    let scores: Vec<_> = last.iter().map(|info| info.score.1).collect();
    assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}");
    // More lines than moves.
    engine.ask("setoption name MultiPV value 500");
    check(&engine.search("go depth 2"), &Chess::from_fen(fen).expect("a FEN"));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Conversation::new();
    for depth in 1..=4 {
        let lines = engine.search(&format!("go searchmoves a2a3 h2h4 depth {depth}"));
        check(&lines, &Chess::start());
        assert!(["a2a3", "h2h4"].contains(&best_move(&lines)), "{lines:?}");
    }
    assert_eq!(best_move(&engine.search("go depth 2 searchmoves b1a3")), "b1a3");
}

#[test]
fn mates_are_counted_in_moves() {
    let mut engine = Conversation::new();
    for (fen, depth, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 3, 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 9, 2),
        ("7k/1R6/8/8/8/8/8/R5K1 b - - 0 1", 4, -1),
    ] {
        engine.say(&format!("ucinewgame\nposition fen {fen}"));
        let infos = check(
            &engine.search(&format!("go depth {depth}")),
            &Chess::from_fen(fen).expect("a FEN"),
        );
        let score = &infos.last().expect("a score").score;
        assert_eq!((score.0.as_str(), score.1), ("mate", mate), "{fen}");
    }
    engine.say("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    let lines = engine.search("go mate 2");
    assert!(lines.iter().any(|line| line.contains("score mate 2 ")), "{lines:?}");
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut engine = Conversation::new();
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    engine.say(&format!("position fen {fen}"));
    assert_eq!(best_move(&engine.search("go depth 1 searchmoves e1g1")), "e1g1");
    // The option changes the position that is set, too.
    engine.ask("setoption name UCI_Chess960 value true");
    assert_eq!(best_move(&engine.search("go depth 1 searchmoves e1g1")), "e1h1");
    engine.say(&format!("position fen {fen} moves e1h1"));
    let fen_after = engine.ask("d").into_iter().find(|line| line.starts_with("Fen: "));
    assert!(fen_after.expect("a FEN").contains("/5RK1 b"));
    engine.ask("setoption name UCI_Chess960 value false");
    // Castling that only Chess960 has is written its way in any case.
    engine.say("position fen 1k6/8/8/8/8/8/8/1K4R1 w G - 0 1");
    assert_eq!(best_move(&engine.search("go depth 1 searchmoves b1g1")), "b1g1");
}

#[test]
fn chances_are_shown_when_asked_for() {
    let mut engine = Conversation::new();
    let plain = check(&engine.search("go depth 2"), &Chess::start());
    assert!(plain.iter().all(|info| info.wdl.is_none()));
    engine.ask("setoption name UCI_ShowWDL value true");
    for info in check(&engine.search("go depth 3"), &Chess::start()) {
        assert_eq!(info.wdl.expect("chances").iter().sum::<u32>(), 1000);
    }
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    engine.say(&format!("position fen {fen}"));
    let infos = check(&engine.search("go depth 3"), &Chess::from_fen(fen).expect("a FEN"));
    assert_eq!(infos.last().expect("a score").wdl, Some([1000, 0, 0]));
}

#[test]
fn one_program_plays_every_game() {
    fn play<G: ToolkitGame>(engine: &mut Conversation) {
        let said = engine.ask(&format!("setoption name UCI_Variant value {}", G::NAME));
        assert!(G::NAME == "chess" || said[0].contains(&G::start().to_fen()), "{said:?}");
        let mut line = GameHistory::new(G::start());
        let mut moves = String::new();
        while line.plies() < 12 && line.outcome().is_none() {
            engine.say(&format!("position startpos moves{moves}"));
            let lines = engine.search("go nodes 300");
            check(&lines, line.position());
            let best = best_move(&lines);
            moves = format!("{moves} {best}");
            line.play_text(best).expect("a legal move");
        }
        let drawn = engine.ask(&format!("position startpos moves{moves}\nd"));
        assert!(drawn.contains(&format!("Fen: {}", line.position().to_fen())), "{drawn:#?}");
    }
    let mut engine = Conversation::new();
    play::<Chess>(&mut engine);
    play::<Hexchess>(&mut engine);
    play::<ConnectFour>(&mut engine);
    play::<Chess>(&mut engine);
}

#[test]
fn perft_counts() {
    let mut engine = Conversation::new();
    engine.say("go perft 4");
    let lines = engine.until("Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 197281"));
    assert_eq!(lines.len(), 21);
    assert!(lines.contains(&"e2e4: 13160".to_owned()), "{lines:?}");
}

#[test]
fn a_network_values_positions_as_the_library_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
    let mut engine = Conversation::new();
    engine.say(&format!("position fen {fen}"));
    let eval = |engine: &mut Conversation| -> i32 {
        let lines = engine.ask("eval");
        let last = lines.last().and_then(|line| line.strip_prefix("eval "));
        last.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{lines:?}"))
    };
    let material = eval(&mut engine);
    for (name, set, bytes) in [
        ("simple network", "chess.piece-square", native(SIMPLE).write()),
        ("full", "chess.piece-square", native(FULL).write()),
        ("float", "chess.piece-square-stm", native(FLOAT).write()),
    ] {
        let network = nnue::Network::from_bytes(&bytes).expect("a network");
        // An engine shows normalised centipawns.
        let unit = nnue::ScoreModel::DEFAULT.search_unit();
        let expected = unit.normalise(Library::<Chess>::new(&network, set).value(fen));
        let path = put(folder.path(), name, &bytes);
        let said = engine.ask(&format!("setoption name EvalFile value {path}"));
        assert!(said[0].starts_with("info string EvalFile "), "{said:?}");
        assert_eq!(eval(&mut engine), expected, "{name}");
        check(&engine.search("go depth 3"), &Chess::from_fen(fen).expect("a FEN"));
        engine.ask("setoption name EvalBlend value 0");
        assert_eq!(eval(&mut engine), material, "{name}");
        engine.ask("setoption name EvalBlend value 50");
        let half = f64::from(material + expected) / 2.0;
        assert!((f64::from(eval(&mut engine)) - half).abs() <= 0.5, "{name}");
        engine.ask("setoption name EvalBlend value 100");
    }
    // A feature set is not guessed from its size.
    let path = put(folder.path(), "noru", noru());
    let said = engine.ask(&format!("setoption name EvalFile value {path}"));
    let words = ["does not name its feature set", "768 inputs", "`accrue net import"];
    assert!(words.iter().all(|words| said[0].contains(words)), "{said:?}");
    engine.ask("setoption name EvalFile value <internal>");
    assert_eq!(eval(&mut engine), material);
}

#[test]
fn a_bench_repeats_and_can_be_stopped() {
    let mut engine = Conversation::new();
    let mut nodes = || -> u64 {
        engine.say("bench 3");
        let line = engine.until("").pop().expect("a line");
        let count = line.strip_suffix(" nps").and_then(|line| line.split_once(" nodes "));
        let count = count.and_then(|(nodes, _)| nodes.parse().ok());
        count.unwrap_or_else(|| panic!("`{line}` is not `N nodes M nps`"))
    };
    assert_eq!(nodes(), nodes());
    engine.say("bench 60");
    assert_eq!(engine.ask("stop"), ["info string the bench was stopped"]);
}
