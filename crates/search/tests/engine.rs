//! Engine tests: limits, clocks, pondering, multi-PV, options and reports as a program uses them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, GameHistory, SearchGame};
use search::{
    Blend, Bound, Clock, Control, Engine, EngineError, EngineOptions, Evaluator, Limits, Linear,
    Params, Score, SearchInfo, SearchMode, SearchResult,
};

fn engine<G: SearchGame>(threads: usize) -> Engine<G> {
    let options = EngineOptions { threads, hash_mib: 4, ..EngineOptions::default() };
    Engine::new(options).expect("the options are usual")
}

fn chess(fen: &str) -> GameHistory<Chess> {
    GameHistory::new(Chess::from_fen(fen).expect(fen))
}

fn go<G: SearchGame>(
    engine: &mut Engine<G>,
    line: &GameHistory<G>,
    limits: &Limits<G>,
) -> SearchResult<G> {
    let mut last: Option<SearchInfo<G>> = None;
    let result = engine.go(line, limits, &Control::new(), &mut |info| {
        let mut position = line.position().clone();
        for &mv in &info.pv {
            assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
            position.play(mv);
        }
        if info.multipv == 1 {
            last = Some(info.clone());
        }
    });
    let last = last.expect("there is a report before the result");
    assert_eq!(last.bound, Bound::Exact);
    assert_eq!((last.score, last.pv.first().copied()), (result.score, result.best));
    result
}

fn is_deterministic<G: SearchGame>(depth: usize) {
    let line = GameHistory::new(G::start());
    let [first, second] = [(); 2].map(|()| go(&mut engine(1), &line, &Limits::to_depth(depth)));
    assert_eq!((first.nodes, first.best, first.score), (second.nodes, second.best, second.score));
    assert_eq!(first.depth, depth);
    // A new game is as good as a new engine.
    let mut used = engine(1);
    go(&mut used, &line, &Limits::to_depth(depth));
    used.new_game();
    assert_eq!(go(&mut used, &line, &Limits::to_depth(depth)).nodes, first.nodes);
}

#[test]
fn one_thread_repeats_itself() {
    is_deterministic::<Chess>(8);
    is_deterministic::<Hexchess>(5);
    is_deterministic::<ConnectFour>(10);
}

#[test]
fn node_limits_are_exact() {
    for nodes in [1, 2, 30, 1000, 5000] {
        let result =
            go(&mut engine(1), &GameHistory::new(Chess::start()), &Limits::of_nodes(nodes));
        assert!(result.nodes == nodes, "{} for {nodes}", result.nodes);
        assert!(result.best.is_some());
    }
    let soft = Limits { soft_nodes: Some(2000), ..Limits::default() };
    let result = go(&mut engine(1), &GameHistory::new(Chess::start()), &soft);
    assert!((2000..200_000).contains(&result.nodes), "{}", result.nodes);
}

#[test]
fn stopping_takes_milliseconds() {
    let control = Arc::new(Control::new());
    let stopper = Arc::clone(&control);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        stopper.stop();
        Instant::now()
    });
    let limits = Limits { infinite: true, ..Limits::default() };
    let result = engine(2).go(&GameHistory::new(Chess::start()), &limits, &control, &mut |_| {});
    let late = thread.join().expect("the stopper is fine").elapsed();
    assert!(result.best.is_some());
    assert!(late < Duration::from_millis(150), "{late:?}");
    // Stopped before it began, it still has a result.
    let result = engine(1).go(&GameHistory::new(Chess::start()), &limits, &control, &mut |_| {});
    assert!(result.best.is_some());
}

#[test]
fn infinite_waits_even_when_all_is_known() {
    let control = Arc::new(Control::new());
    let stopper = Arc::clone(&control);
    let start = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stopper.stop();
    });
    let limits = Limits { infinite: true, depth: Some(1), ..Limits::default() };
    engine(1).go(&GameHistory::new(Chess::start()), &limits, &control, &mut |_| {});
    assert!(start.elapsed() >= Duration::from_millis(50));
}

#[test]
fn pondering_ends_with_the_hit() {
    let control = Arc::new(Control::new());
    let player = Arc::clone(&control);
    let start = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(80));
        player.ponder_hit();
    });
    let movetime = Some(Duration::from_millis(30));
    let limits = Limits { ponder: true, movetime, ..Limits::default() };
    engine(1).go(&GameHistory::new(Chess::start()), &limits, &control, &mut |_| {});
    let took = start.elapsed();
    assert!((80..400).contains(&took.as_millis()), "{took:?}");
}

#[test]
fn clocks_are_kept() {
    let mut engine = engine(1);
    for remaining in [15, 50, 200] {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(10),
            moves_to_go: None,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let start = Instant::now();
        go(&mut engine, &GameHistory::new(Chess::start()), &limits);
        // Other tests run beside this one: what is asserted is the order of magnitude.
        assert!(start.elapsed() < Duration::from_millis(remaining + 60), "{:?}", start.elapsed());
    }
}

#[test]
fn several_lines_come_in_order() {
    let options = EngineOptions { multi_pv: 4, hash_mib: 4, ..EngineOptions::default() };
    let mut engine = Engine::<Chess>::new(options).unwrap();
    let mut lines = Vec::new();
    let line = chess("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3");
    engine.go(&line, &Limits::to_depth(5), &Control::new(), &mut |info| {
        if info.depth == 5 {
            lines.push(info.clone());
        }
    });
    assert_eq!(lines.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(lines[0].score, Score::Mate(1));
    let value = |score| match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) => 100_000 * moves.signum() - moves,
    };
    assert!(lines.windows(2).all(|pair| value(pair[0].score) >= value(pair[1].score)));
    let mut firsts: Vec<_> = lines.iter().map(|info| info.pv[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn only_the_search_moves_are_played() {
    let line = GameHistory::new(Chess::start());
    let moves = ["a2a3", "h2h4"].map(|text| line.position().parse_move(text).unwrap());
    let limits = Limits { search_moves: moves.to_vec(), ..Limits::to_depth(4) };
    assert!(moves.contains(&go(&mut engine(1), &line, &limits).best.unwrap()));
    // Moves of another position are no moves.
    let other = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    let foreign = other.parse_move("a1a8").unwrap();
    let limits = Limits { search_moves: vec![foreign], ..Limits::to_depth(2) };
    assert!(go(&mut engine(1), &line, &limits).best.is_some());
}

#[test]
fn finished_games_have_no_move() {
    let result = go(&mut engine(1), &chess("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), &Limits::default());
    assert_eq!((result.best, result.score), (None, Score::Mate(0)));
    let result = go(&mut engine(1), &chess("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), &Limits::default());
    assert_eq!((result.best, result.score), (None, Score::Centipawns(0)));
    // Drawn by rule, with moves left: a program that asks for one gets one.
    let bare = chess("7k/5K2/8/8/8/8/8/8 b - - 0 1");
    assert!(go(&mut engine(1), &bare, &Limits::to_depth(3)).best.is_some());
    let fifty = chess("7k/5K2/8/8/8/8/8/R7 w - - 100 80");
    assert!(go(&mut engine(1), &fifty, &Limits::to_depth(3)).best.is_some());
}

#[test]
fn draws_are_taken_when_lost_and_avoided_when_won() {
    // Black is a rook down, but checks for ever.
    let line = chess("7k/Q4ppp/8/8/4q3/8/5P1P/5RK1 b - - 0 1");
    let result = go(&mut engine(1), &line, &Limits::to_depth(12));
    assert_eq!(result.score, Score::Centipawns(0), "{result:?}");
    // Twice already; the third time would be a draw, and White is winning.
    let mut line = chess("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    for text in ["b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8", "b2b1", "g8h8"] {
        line.play_text(text).expect(text);
    }
    let result = go(&mut engine(1), &line, &Limits::to_depth(6));
    assert_ne!(line.position().move_text(result.best.unwrap()), "b1b2");
    assert_ne!(result.score, Score::Centipawns(0));
}

#[test]
fn absurd_options_are_refused_and_change_nothing() {
    let mut engine = engine::<Chess>(1);
    let before = *engine.options();
    for options in [
        EngineOptions { hash_mib: 0, ..before },
        EngineOptions { hash_mib: usize::MAX, ..before },
        EngineOptions { hash_mib: search::MAX_HASH_MIB + 1, ..before },
        EngineOptions { threads: 0, ..before },
        EngineOptions { threads: usize::MAX, ..before },
        EngineOptions { multi_pv: 0, ..before },
    ] {
        assert!(engine.set_options(options).is_err(), "{options:?}");
        assert_eq!(*engine.options(), before);
    }
    let learned = EngineOptions { mode: SearchMode::Learned, ..before };
    assert_eq!(engine.set_options(learned), Err(EngineError::NotCalibrated));
    assert!(
        go(&mut engine, &GameHistory::new(Chess::start()), &Limits::to_depth(3)).best.is_some()
    );
}

#[test]
fn threads_share_the_work() {
    let mut engine = engine::<Chess>(2);
    let limits = Limits { movetime: Some(Duration::from_millis(150)), ..Limits::default() };
    let mut last = 0;
    let result =
        engine.go(&GameHistory::new(Chess::start()), &limits, &Control::new(), &mut |info| {
            assert!(info.nodes >= last);
            last = info.nodes;
        });
    assert!(result.nodes >= last && result.best.is_some());
}

#[test]
fn blends_lie_between_their_parts() {
    struct Constant(i32);
    impl Evaluator<Chess> for Constant {
        fn reset(&mut self, _: &Chess) {}
        fn push(&mut self, _: &Chess) {}
        fn pop(&mut self) {}
        fn evaluate(&mut self) -> i32 {
            self.0
        }
    }
    for (share, expected) in
        [(0.0, 100), (0.25, 75), (1.0, 0), (7.0, 0), (-1.0, 100), (f32::NAN, 100)]
    {
        assert_eq!(Blend::new(Constant(100), Constant(0), share).evaluate(), expected);
    }
    let mut engine = engine::<Chess>(1);
    engine.set_evaluator(|| Blend::new(Linear::material().unwrap(), Constant(0), 0.5));
    assert!(
        go(&mut engine, &GameHistory::new(Chess::start()), &Limits::to_depth(4)).best.is_some()
    );
}

#[test]
fn extreme_params_do_not_bring_the_search_down() {
    let mut params = Params::default();
    for extreme in [|p: &search::Param| p.min, |p: &search::Param| p.max] {
        for param in Params::LIST {
            params.set(param.name, extreme(param));
        }
        let mut engine = engine::<Chess>(1);
        engine.set_params(params.clone());
        let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        assert!(go(&mut engine, &line, &Limits::of_nodes(20_000)).best.is_some());
    }
}

#[test]
fn material_is_counted_the_same_step_by_step() {
    fn check<G: SearchGame>() {
        let mut line = GameHistory::new(G::start());
        let mut stepped = Linear::<G>::material().unwrap();
        stepped.reset(line.position());
        let mut state = 12345u64;
        for ply in 0..60 {
            let moves = line.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            line.play(moves[(state >> 33) as usize % moves.len()]);
            stepped.push(line.position());
            if ply % 3 != 0 {
                let mut fresh = stepped.another();
                fresh.reset(line.position());
                assert_eq!(stepped.evaluate(), fresh.evaluate(), "{}", line.position().to_fen());
            }
        }
    }
    check::<Chess>();
    check::<Hexchess>();
    check::<ConnectFour>();
}

#[test]
fn scores_outside_the_window_are_reported_as_bounds() {
    let mut engine = engine::<Chess>(1);
    let mut bounds = 0;
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ] {
        let line = chess(fen);
        let mut reports = Vec::new();
        let limits = Limits::of_nodes(300_000);
        let keep = &mut |info: &SearchInfo<Chess>| reports.push(info.clone());
        let result = engine.go(&line, &limits, &Control::new(), keep);
        for info in reports.iter().filter(|info| info.bound != Bound::Exact) {
            assert!(info.nodes >= 100_000 && !info.pv.is_empty());
            bounds += 1;
        }
        let last = reports.last().unwrap();
        assert_eq!((last.bound, last.score), (Bound::Exact, result.score));
        assert_eq!(last.pv.first(), result.best.as_ref());
    }
    assert!(bounds > 0);
}

#[test]
fn sampling_shows_positions_of_the_tree_and_changes_nothing() {
    let line = GameHistory::new(Chess::start());
    let limits = Limits::of_nodes(20_000);
    let expected = go(&mut engine(1), &line, &limits);
    let seen = std::sync::Mutex::new(Vec::new());
    let look = |position: &Chess, ply: usize| seen.lock().unwrap().push((position.to_fen(), ply));
    let result = engine(1).go_sampling(&line, &limits, &Control::new(), &mut |_| {}, &look);
    assert_eq!(
        (result.best, result.score, result.nodes),
        (expected.best, expected.score, expected.nodes)
    );
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len() as u64, result.nodes / search::SAMPLE_EVERY);
    assert!(seen.iter().all(|(fen, _)| Chess::from_fen(fen).is_ok()));
    assert!(seen.iter().any(|&(_, ply)| ply > 2));
}

#[test]
fn a_full_window_gives_each_depth_the_same_score_however_deep_the_search_goes() {
    let line = GameHistory::new(Chess::start());
    let full = |depth| Limits { full_window: true, ..Limits::to_depth(depth) };
    let mut scores = Vec::new();
    engine(1)
        .go(&line, &full(8), &Control::new(), &mut |info| scores.push((info.depth, info.score)));
    for depth in [5, 6, 7] {
        let score = go(&mut engine(1), &line, &full(depth)).score;
        assert!(scores.contains(&(depth, score)), "{depth}: {score:?} of {scores:?}");
    }
}
