//! Tests of what a contest shows to those who watch.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use games::Game;
use games::connect_four::ConnectFour;

use super::*;
use crate::player::{ChosenMove, MoveRequest, Player, PlayerFault, RandomPlayer};
use crate::tournament::{Entrant, JournalReader, Schedule, Shape};
use crate::{Adjudication, Model, Openings, SearchLimits};

/// A random player that takes its time.
struct Slow(Duration);

impl Player<ConnectFour> for Slow {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose(
        &mut self,
        request: &MoveRequest<'_, ConnectFour>,
    ) -> Result<ChosenMove<ConnectFour>, PlayerFault> {
        std::thread::sleep(self.0);
        RandomPlayer.choose(request)
    }
}

fn contest(journal: &Path, pause: Duration) -> Contest<ConnectFour> {
    let entrant = |name: &str| Entrant {
        name: name.to_owned(),
        limits: SearchLimits::default(),
        make: Box::new(move || Ok(Box::new(Slow(pause)))),
    };
    let openings = Openings::start(ConnectFour::start()).with_random_plies(4..=4, 1);
    Contest {
        tournament: Tournament {
            entrants: vec![entrant("a"), entrant("b")],
            schedule: Schedule::new(Shape::RoundRobin, 2, 3),
            openings: openings.unwrap(),
            adjudication: Adjudication { max_plies: Some(20), ..Adjudication::default() },
            time_margin: Duration::ZERO,
            concurrency: 2,
        },
        sprt: Some(Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap()),
        anchors: Vec::new(),
        rules: Vec::new(),
        files: ContestFiles {
            journal: Some((journal.to_owned(), vec![("game".into(), "connect_four".into())])),
            pgn: None,
            resume: true,
        },
    }
}

fn play(contest: &Contest<ConnectFour>, max: u64) -> (Vec<(u64, Played<ConnectFour>)>, End) {
    let mut games = Vec::new();
    let result = contest.play(&AtomicBool::new(false), &mut |event| {
        if let ContestEvent::Resumed(fixture, played) | ContestEvent::Finished(fixture, played, _) =
            event
        {
            games.push((fixture.number, played.clone()));
        }
        let is_enough = games.len() as u64 >= max;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (games, result.unwrap().end)
}

#[test]
fn games_in_progress_are_shown_and_finished_ones_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.journal");
    let watched = path.clone();
    let seen = std::thread::spawn(move || {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(30) {
            if let Ok(Some(status)) = MatchStatus::read(&watched)
                && let Some(game) = status.live.iter().find(|game| game.moves.len() > 4)
            {
                return Some((status.clone(), game.clone()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    });
    let slow = contest(&path, Duration::from_millis(60));
    let (_, end) = play(&slow, 3);
    assert_eq!(end, End::Stopped);
    let (status, game) = seen.join().unwrap().expect("a game in progress");
    assert_eq!((status.engines.as_slice(), status.games), (&["a".into(), "b".into()][..], 6));
    assert_eq!(
        (status.state, status.schedule()),
        (MatchState::Playing, Schedule::new(Shape::RoundRobin, 2, 3))
    );
    let mut position = ConnectFour::from_fen(&game.fen).unwrap();
    for code in game.moves {
        position.play(position.move_from_code(code).expect("a legal move"));
    }
    assert_eq!(MatchStatus::read(&path).unwrap().unwrap().state, MatchState::Stopped);

    // Openings that are missing are written again when the match is resumed.
    std::fs::remove_file(OpeningsReader::new(&path).path()).unwrap();
    let (games, end) = play(&contest(&path, Duration::ZERO), u64::MAX);
    assert_eq!((games.len(), end), (6, End::Complete));
    let status = MatchStatus::read(&path).unwrap().unwrap();
    assert_eq!((status.state, status.live.len()), (MatchState::Finished, 0));
    let mut journal = JournalReader::open(&path).unwrap();
    assert!(!journal.read_on(u64::MAX).unwrap());
    let mut openings = OpeningsReader::new(&path);
    openings.read_on(u64::MAX).unwrap();
    for (number, played) in games {
        let opening = openings.get(number / 2).unwrap().opening(&Vec::new()).unwrap();
        let replayed = journal.load::<ConnectFour>(number, opening).unwrap();
        assert_eq!(
            replayed.record.moves().collect::<Vec<_>>(),
            played.record.moves().collect::<Vec<_>>()
        );
        assert_eq!(replayed.outcome.white, played.outcome.white);
    }
}

#[test]
fn a_match_is_played_even_if_nobody_can_watch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.journal");
    std::fs::create_dir(MatchStatus::path(&path)).unwrap();
    std::fs::create_dir(OpeningsReader::new(&path).path()).unwrap();
    let (games, end) = play(&contest(&path, Duration::ZERO), u64::MAX);
    assert_eq!((games.len(), end), (6, End::Complete));
}
