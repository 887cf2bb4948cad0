//! Search parameters by mode: a number that a mode is said not to read changes no search, and those
//! that it is said to read do.

use std::path::Path;
use std::sync::Arc;

use games::chess::Chess;
use games::{Game, GameHistory};
use nnue::Network;
use search::{
    Control, CutoffVerification, Engine, EngineOptions, Limits, NetworkEvaluator, Param, Params,
    SearchMode,
    Selectivity::{self, Both, Classical, Learned},
};

/// Positions in which pruning, reductions, extensions and checks matter.
const POSITIONS: [&str; 2] = [
    "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PPQ1BPPP/R1BR2K1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];
const DEPTH: usize = 7;

fn engine(mode: SearchMode) -> Engine<Chess> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/chess-small.accrue");
    let network = Arc::new(Network::from_bytes(&std::fs::read(path).unwrap()).unwrap());
    let mut engine =
        Engine::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() }).unwrap();
    engine.set_evaluator(move || NetworkEvaluator::new(Arc::clone(&network)).unwrap());
    engine.set_options(EngineOptions { mode, ..*engine.options() }).unwrap();
    engine
}

/// The node count of a search of a position.
fn nodes(engine: &mut Engine<Chess>, params: &Params, fen: &str) -> u64 {
    engine.set_params(params.clone());
    engine.new_game();
    let line = GameHistory::new(Chess::from_fen(fen).unwrap());
    engine.go(&line, &Limits::to_depth(DEPTH), &Control::new(), &mut |_| {}).nodes
}

/// The parameters with these numbers at the lower and at the upper end of their ranges.
fn ends(params: &Params, numbers: &[&Param]) -> [Params; 2] {
    let set = |end: fn(&Param) -> i32| {
        let mut params = params.clone();
        assert!(numbers.iter().all(|param| params.set(param.name, end(param))));
        params
    };
    [set(|param| param.min), set(|param| param.max)]
}

fn split(params: &Params, mode: SearchMode) -> (Vec<&'static Param>, Vec<&'static Param>) {
    Params::LIST.iter().partition(|param| params.reads(param, mode))
}

fn with_sources(ordering: Selectivity, reductions: Selectivity, cutoffs: Selectivity) -> Params {
    Params {
        learned_ordering: ordering,
        learned_reductions: reductions,
        learned_cutoffs: cutoffs,
        ..Params::default()
    }
}

/// The seed mode, and the learned mode with other choices than the default ones.
fn other_cases() -> Vec<(SearchMode, Params)> {
    let mut cases = vec![
        (SearchMode::Seed, Params::default()),
        (SearchMode::Learned, with_sources(Learned, Learned, Learned)),
        (SearchMode::Learned, with_sources(Classical, Both, Both)),
        (SearchMode::Learned, with_sources(Learned, Classical, Classical)),
        (SearchMode::Learned, with_sources(Classical, Classical, Learned)),
        (SearchMode::Learned, with_sources(Classical, Both, Learned)),
        (SearchMode::Learned, with_sources(Classical, Learned, Both)),
    ];
    let mut unverified = with_sources(Both, Both, Learned);
    unverified.learned_verification = CutoffVerification::Off;
    cases.push((SearchMode::Learned, unverified));
    cases
}

#[test]
fn numbers_that_a_mode_does_not_read_change_no_search() {
    let params = Params::default();
    for mode in [SearchMode::Classical, SearchMode::Learned] {
        let mut engine = engine(mode);
        let (_, unread) = split(&params, mode);
        for fen in POSITIONS {
            let usual = nodes(&mut engine, &params, fen);
            for param in &unread {
                let ends = ends(&params, &[param]).map(|end| nodes(&mut engine, &end, fen));
                assert_eq!(ends, [usual; 2], "{}, {mode}, {fen}", param.name);
            }
        }
    }
}

/// All numbers at once, for they are many.
#[test]
fn numbers_that_other_choices_do_not_read_change_no_search() {
    for (mode, params) in other_cases() {
        let mut engine = engine(mode);
        let (_, unread) = split(&params, mode);
        for fen in POSITIONS {
            let usual = nodes(&mut engine, &params, fen);
            let same = |engine: &mut Engine<Chess>, numbers: &[&Param]| {
                ends(&params, numbers).iter().all(|end| nodes(engine, end, fen) == usual)
            };
            if !same(&mut engine, &unread) {
                let read: Vec<_> =
                    unread.iter().filter(|param| !same(&mut engine, &[param])).collect();
                panic!("{mode} with {params:?} reads {read:?}");
            }
        }
    }
}

/// A sample of the numbers that a mode reads.
#[test]
fn numbers_that_a_mode_reads_change_searches() {
    let classical = ["rfp_margin", "lmr_base", "lmp_base", "futility_base", "history_bonus_max"];
    let learned = ["policy_blend", "policy_min_depth", "lmr_policy", "rfp_margin", "lmr_base"];
    let params = Params::default();
    for (mode, names) in [(SearchMode::Classical, classical), (SearchMode::Learned, learned)] {
        let mut engine = engine(mode);
        for name in names {
            let param = Params::find(name).unwrap();
            assert!(params.reads(param, mode), "{name}, {mode}");
            let mut differs = |fen: &str| {
                let [min, max] = ends(&params, &[param]).map(|end| nodes(&mut engine, &end, fen));
                min != max
            };
            assert!(POSITIONS.iter().any(|fen| differs(fen)), "{name}, {mode}");
        }
    }
}

#[test]
fn the_default_choices_read_the_policy_beside_the_classical_rules() {
    let params = Params::default();
    let read = |mode: SearchMode| {
        let learned = |param: &&Param| {
            matches!(param.group(), "policy" | "quantile" | "learned") || param.name == "lmr_policy"
        };
        let read = Params::LIST.iter().filter(learned).filter(|param| params.reads(param, mode));
        read.map(|param| param.name).collect::<Vec<_>>()
    };
    let (order, others): (Vec<_>, Vec<_>) =
        read(SearchMode::Learned).into_iter().partition(|name| name.starts_with("policy_order_"));
    assert_eq!(others, ["policy_blend", "policy_min_depth", "lmr_policy"]);
    assert_eq!(order.len(), 7, "six histories and checks: {order:?}");
    assert!(read(SearchMode::Classical).is_empty());
}
