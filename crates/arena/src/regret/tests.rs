//! Tests of whole measurements, with the games' default evaluation.

use std::sync::atomic::AtomicBool;

use dataset::GameList;
use games::Game;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use nnue::ScoreModel;
use tempfile::TempDir;

use super::*;
use crate::engine_spec::EngineSpec;
use crate::networks::{BuiltInNetworks, NetworkLoader};
use crate::openings::Openings;
use crate::search_limits::SearchLimits;
use crate::tournament::entrants;

const MODEL: ScoreModel = ScoreModel::constant(154.0, 116.0);

fn test<G: ToolkitGame>(specs: &[&str], reference: &str, count: usize) -> RegretTest<G> {
    let networks = NetworkLoader::new(GameList::new().with::<G>(), BuiltInNetworks::new());
    let parse = |text: &&str| text.parse::<EngineSpec>().unwrap();
    let specs: Vec<EngineSpec> = specs.iter().map(parse).collect();
    let spec: EngineSpec = reference.parse().unwrap();
    let limits = SearchLimits { nodes: Some(200), ..SearchLimits::default() };
    let entrant = entrants(std::slice::from_ref(&spec), limits, &networks).unwrap().remove(0);
    let identity = reference_identity(&spec, &entrant, &networks).unwrap();
    let score_model = Reference::<G>::score_model(&spec, &networks, &MODEL).unwrap();
    let openings = Openings::start(G::start()).with_random_plies(10..=12, 3).unwrap();
    RegretTest {
        entrants: entrants(&specs, limits, &networks).unwrap(),
        reference: Reference { entrant, identity, score_model },
        positions: distinct_positions(&openings, count, true),
        concurrency: 1,
    }
}

fn report<G: ToolkitGame>(test: &RegretTest<G>, cache: &mut ReferenceCache<G>) -> RegretReport {
    test.run(cache, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap()
}

#[test]
fn an_engine_against_itself_differs_by_exactly_nothing() {
    let engines = ["name=a,hash=1", "name=b,hash=1"];
    let report =
        report(&test::<Chess>(&engines, "hash=1,nodes=2000", 25), &mut ReferenceCache::new());
    let comparison = &report.comparisons[0];
    assert_eq!((comparison.moves_differ, comparison.difference.mean), (0, 0.0));
    assert_eq!((comparison.difference.error, comparison.t), (Some(0.0), None));
    assert_eq!(report.engines[0].regret, report.engines[1].regret);
    assert!(report.engines[0].regret.mean > 0.0);
    assert!((1..25).contains(&report.engines[0].best_moves));
}

#[test]
fn more_nodes_and_fewer_random_moves_have_less_regret() {
    let engines = ["hash=1,nodes=3000", "hash=1,nodes=20", "moves=random"];
    let report =
        report(&test::<Chess>(&engines, "hash=1,nodes=6000", 60), &mut ReferenceCache::new());
    let means: Vec<f64> = report.engines.iter().map(|engine| engine.regret.mean).collect();
    assert!(means.is_sorted() && means[0] < means[1], "{means:?}");
    assert!(report.comparisons.iter().all(|of| of.t.unwrap() < -2.0), "{report:?}");
}

/// Neither the number of threads nor what the cache has changes a digit.
#[test]
fn concurrency_and_cache_do_not_change_the_result() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    let engines = ["hash=1", "moves=random"];
    let mut test = test::<ConnectFour>(&engines, "hash=1,nodes=1500", 30);
    let expected = report(&test, &mut ReferenceCache::new());
    assert!(expected.reference_searches > 30);
    test.concurrency = 4;
    let written = report(&test, &mut ReferenceCache::open(&path, &[]).unwrap());
    assert_eq!(written, expected);
    let cached = report(&test, &mut ReferenceCache::open(&path, &[]).unwrap());
    assert_eq!(cached, RegretReport { reference_searches: 0, ..expected });
}

#[test]
fn a_stopped_measurement_is_resumed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cache");
    let test = test::<ConnectFour>(&["hash=1", "moves=random"], "hash=1,nodes=500", 20);
    let expected = report(&test, &mut ReferenceCache::new());
    let stop = AtomicBool::new(false);
    let mut cache = ReferenceCache::open(&path, &[]).unwrap();
    let stopped = test.run(&mut cache, &stop, &mut |done| {
        stop.store(done >= 5, Ordering::Relaxed);
    });
    assert_eq!(stopped.unwrap(), None);
    let entries = cache.entries() as u64;
    assert!(entries >= 5, "{entries}");
    drop(cache);
    let resumed = report(&test, &mut ReferenceCache::open(&path, &[]).unwrap());
    let reference_searches = expected.reference_searches - entries;
    assert_eq!(resumed, RegretReport { reference_searches, ..expected });
}

/// A move that mates needs no reference search, and nothing is better.
#[test]
fn the_end_of_the_game_is_an_exact_score() {
    let mut test = test::<Chess>(&["hash=1", "moves=random"], "hash=1,nodes=500", 1);
    test.positions = vec![Chess::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap()];
    let report = report(&test, &mut ReferenceCache::new());
    assert_eq!((report.engines[0].regret.mean, report.engines[0].best_moves), (0.0, 1));
    assert!(report.engines[1].regret.mean > 0.0);
    // The reference's best move, and the random one.
    assert_eq!(report.reference_searches, 2);
}

#[test]
fn a_reference_without_scores_is_refused() {
    let test = test::<Chess>(&["hash=1", "hash=1,nodes=20"], "moves=random", 10);
    let error = test.run(&mut ReferenceCache::new(), &AtomicBool::new(false), &mut |_| {});
    let error = error.unwrap_err().to_string();
    assert!(error.contains("random reports no score"), "{error}");
}

#[test]
fn identities_follow_the_meaning() {
    let identity = |spec| test::<ConnectFour>(&["hash=1", "hash=1"], spec, 1).reference.identity;
    assert_eq!(identity("name=a,hash=1,nodes=9"), identity("nodes=9,hash=1,name=b"));
    assert_eq!(identity("hash=1,nodes=9").len(), 16);
    assert_ne!(identity("hash=1,nodes=9"), identity("hash=1,nodes=10"));
    assert_ne!(identity("hash=1,nodes=9"), identity("hash=2,nodes=9"));
}

#[test]
fn positions_are_distinct() {
    let openings = Openings::start(ConnectFour::start()).with_random_plies(1..=1, 1).unwrap();
    // Seven columns.
    assert_eq!(distinct_positions(&openings, 100, true).len(), 7);
    assert_eq!(distinct_positions(&openings, 3, true).len(), 3);
    assert_eq!(distinct_positions(&Openings::start(ConnectFour::start()), 3, false).len(), 1);
}
