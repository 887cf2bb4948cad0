//! Tests of tournaments with players in this process.

use games::Game;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use search::{Engine, EngineOptions};

use super::*;
use crate::player::{ChosenMove, EnginePlayer, MoveRequest};
use crate::{Ending, Played};

pub(super) fn engine<G: ToolkitGame>(name: &str, nodes: u64) -> Entrant<G> {
    let make = || -> Result<Box<dyn Player<G>>, PlayerFault> {
        let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
        Ok(Box::new(EnginePlayer(Engine::new(options).expect("a small engine"))))
    };
    Entrant {
        name: name.into(),
        limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
        make: Box::new(make),
    }
}

pub(super) fn tournament<G: ToolkitGame>(entrants: Vec<Entrant<G>>, rounds: u64) -> Tournament<G> {
    let schedule = Schedule::new(Shape::RoundRobin, entrants.len(), rounds);
    let openings = Openings::start(G::start()).with_random_plies(4..=4, 1).expect("not too many");
    Tournament {
        entrants,
        schedule,
        openings,
        adjudication: Adjudication { max_plies: Some(60), ..Adjudication::default() },
        time_margin: Duration::ZERO,
        concurrency: 1,
    }
}

/// All reported games as text, without times.
fn games<G: ToolkitGame>(tournament: &Tournament<G>) -> Vec<(Fixture, String)> {
    let mut all = Vec::new();
    let end = tournament.run(&AtomicBool::new(false), &mut |event| {
        if let Event::Finished(fixture, played) = event {
            all.push((*fixture, shown(played)));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end, End::Complete);
    all
}

pub(super) fn shown<G: ToolkitGame>(played: &Played<G>) -> String {
    let played_moves: Vec<_> =
        played.record.played_moves().iter().map(|t| (t.mv, t.score, t.depth)).collect();
    format!("{:?} {:?} {played_moves:?}", played.outcome, played.ending)
}

#[test]
fn concurrency_changes_nothing() {
    let entrants = || vec![engine::<Chess>("a", 200), engine("b", 400), engine("c", 300)];
    let alone = games(&tournament(entrants(), 2));
    assert_eq!(alone.len(), 12);
    assert!(alone.iter().enumerate().all(|(at, (fixture, _))| fixture.number == at as u64));
    let together = Tournament { concurrency: 4, ..tournament(entrants(), 2) };
    assert_eq!(games(&together), alone);
}

#[test]
fn an_observer_ends_it_at_the_same_game() {
    for concurrency in [1, 3] {
        let entrants = vec![engine::<ConnectFour>("a", 50), engine("b", 80)];
        let tournament = Tournament { concurrency, ..tournament(entrants, 1000) };
        let mut count = 0;
        let end = tournament.run(&AtomicBool::new(false), &mut |event| {
            count += u32::from(matches!(event, Event::Finished(..)));
            if count == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((end, count), (End::Decided, 7));
    }
}

#[test]
fn it_can_be_stopped() {
    let stop = AtomicBool::new(false);
    let entrants = vec![engine::<Chess>("a", u64::MAX), engine("b", u64::MAX)];
    let end = tournament(entrants, 1).run(&stop, &mut |event| {
        assert!(matches!(event, Event::Started(_)));
        stop.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_eq!(end, End::Stopped);
}

/// A player that panics in its third game, and whose second construction fails.
struct Clumsy(u32);

impl Player<ConnectFour> for Clumsy {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        self.0 += 1;
        Ok(())
    }

    fn choose(
        &mut self,
        request: &MoveRequest<'_, ConnectFour>,
    ) -> Result<ChosenMove<ConnectFour>, PlayerFault> {
        assert!(self.0 < 3, "a bug");
        let mv = request.record.position().legal_moves()[0];
        Ok(ChosenMove { mv, score: None, depth: 0, nodes: 0, time: None })
    }
}

#[test]
fn a_player_that_is_lost_loses_and_is_made_again() {
    let made = std::sync::Arc::new(AtomicU64::new(0));
    let make = {
        let made = std::sync::Arc::clone(&made);
        move || -> Result<Box<dyn Player<ConnectFour>>, PlayerFault> {
            match made.fetch_add(1, Ordering::Relaxed) {
                1 => Err(PlayerFault::Crash("no room".into())),
                _ => Ok(Box::new(Clumsy(0))),
            }
        }
    };
    let clumsy =
        Entrant { name: "clumsy".into(), limits: SearchLimits::default(), make: Box::new(make) };
    let mut reasons = Vec::new();
    let played = tournament(vec![clumsy, engine("b", 50)], 3);
    played.run(&AtomicBool::new(false), &mut |event| {
        if let Event::Finished(_, game) = event
            && let Ending::PlayerFault { .. } = game.ending
        {
            reasons.push((game.result(), game.reason()));
        }
        ControlFlow::Continue(())
    });
    let expected = [
        ("0-1", "White disconnects: panicked: a bug".to_owned()),
        ("1-0", "Black disconnects: no room".to_owned()),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(made.load(Ordering::Relaxed), 3);
}
