//! A match of searches in this process spends its time in searching.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::tournament::{Entrant, Event, Schedule, Shape, Standings, Tournament};
use arena::{
    Adjudication, ChosenMove, EnginePlayer, MoveRequest, Openings, Player, PlayerFault,
    SearchLimits, pgn,
};
use games::Game;
use games::chess::Chess;
use search::{Engine, EngineOptions};

/// An engine that counts how long it searches.
struct Timed(EnginePlayer<Chess>, Arc<AtomicU64>);

impl Player<Chess> for Timed {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        self.0.new_game()
    }

    fn choose(
        &mut self,
        request: &MoveRequest<'_, Chess>,
    ) -> Result<ChosenMove<Chess>, PlayerFault> {
        let start = Instant::now();
        let choice = self.0.choose(request);
        self.1.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        choice
    }
}

/// The share of the time that is spent in searching, at a thousand nodes a move.
fn share() -> f64 {
    let searching = Arc::new(AtomicU64::new(0));
    let entrant = |name: &str| {
        let searching = Arc::clone(&searching);
        let make = move || -> Result<Box<dyn Player<Chess>>, PlayerFault> {
            let options = EngineOptions { hash_mib: 4, ..EngineOptions::default() };
            let engine = Engine::new(options).expect("a small engine");
            Ok(Box::new(Timed(EnginePlayer(engine), Arc::clone(&searching))))
        };
        let limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
        Entrant { name: name.into(), limits, make: Box::new(make) }
    };
    let entrants = vec![entrant("a"), entrant("b")];
    let openings = Openings::start(Chess::start()).with_random_plies(8..=8, 1).expect("short");
    let tournament = Tournament {
        schedule: Schedule::new(Shape::RoundRobin, 2, 2),
        entrants,
        openings,
        adjudication: Adjudication::default(),
        time_margin: Duration::ZERO,
        concurrency: 1,
    };
    let mut standings = Standings::new(&tournament.schedule, 2);
    let mut written = 0;
    let start = Instant::now();
    tournament.run(&AtomicBool::new(false), &mut |event| {
        if let Event::Finished(fixture, played) = event {
            standings.add(fixture, played);
            written += pgn::pgn(&pgn::Tags::default(), played).len();
        }
        ControlFlow::Continue(())
    });
    let total = start.elapsed();
    assert!(written > 1000);
    searching.load(Ordering::Relaxed) as f64 / total.as_nanos() as f64
}

#[test]
fn a_match_at_a_thousand_nodes_spends_its_time_in_searching() {
    // Whatever else the machine does can only make it worse.
    let shares: Vec<f64> = (0..3).map(|_| share()).collect();
    let best = shares.iter().copied().fold(0.0, f64::max);
    assert!(best > 0.95, "{shares:?}");
}
