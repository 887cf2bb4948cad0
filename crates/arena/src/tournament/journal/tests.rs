//! Tests of the journal: its content, and its recovery from damage.

use std::fs;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use games::Random;
use games::chess::Chess;
use games::hexchess::Hexchess;

use super::super::tests::{engine, shown, tournament};
use super::super::{End, Event};
use super::*;

fn identity() -> MatchIdentity {
    [("engine 1", "a, b = c%"), ("nodes", "300"), ("empty", "")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec()
}

fn small<G: ToolkitGame>(concurrency: usize) -> Tournament<G> {
    let entrants = vec![engine("a", 60), engine("b", 90)];
    Tournament { concurrency, ..tournament(entrants, 4) }
}

/// Plays and stops after `games` new games. Returns all reported games, and the number of them that
/// come from the journal.
fn play<G: ToolkitGame>(
    tournament: &Tournament<G>,
    journal: Option<&mut Journal>,
    max: usize,
) -> (Vec<String>, usize, End) {
    let (mut all, mut resumed, mut new) = (Vec::new(), 0, 0);
    let end = tournament.run_with(journal, &AtomicBool::new(false), &mut |event| {
        match event {
            Event::Started(_) => return ControlFlow::Continue(()),
            Event::Resumed(_, played) => {
                resumed += 1;
                all.push(shown(played));
            }
            Event::Finished(_, played) => {
                new += 1;
                all.push(shown(played));
            }
        }
        if new >= max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (all, resumed, end.expect("a journal that can be written"))
}

fn stopped_and_resumed<G: ToolkitGame>() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, _, _) = play(&small::<G>(1), None, usize::MAX);
    for concurrency in [1, 3] {
        let path = folder.path().join(format!("{concurrency}.journal"));
        let mut kept = 0;
        for max in [1, 3, usize::MAX] {
            let mut journal = Journal::open(&path, &identity()).unwrap();
            assert!(journal.games() >= kept && journal.damaged() == 0);
            let (all, resumed, _) = play(&small::<G>(concurrency), Some(&mut journal), max);
            assert_eq!(all, whole[..all.len()]);
            assert!(resumed as u64 >= kept, "{resumed} of {kept}");
            kept = all.len() as u64;
        }
        assert_eq!(kept, 8);
        let mut journal = Journal::open(&path, &identity()).unwrap();
        let (all, resumed, end) = play(&small::<G>(1), Some(&mut journal), usize::MAX);
        assert_eq!((all, resumed, end), (whole.clone(), 8, End::Complete));
    }
}

#[test]
fn a_match_that_was_stopped_goes_on_as_if_it_had_not() {
    stopped_and_resumed::<Chess>();
    stopped_and_resumed::<Hexchess>();
}

#[test]
fn cuts_and_damage_cost_what_they_hit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let tournament = small::<Chess>(1);
    let (whole, _, _) = {
        let mut journal = Journal::open(&path, &identity()).unwrap();
        play(&tournament, Some(&mut journal), usize::MAX)
    };
    let bytes = fs::read(&path).unwrap();
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut random = Random::new(4);
    for round in 0..30 {
        let cut = if round == 0 { 5 } else { random.below(bytes.len() + 1) };
        let mut damaged = bytes[..cut].to_vec();
        if round % 3 == 2 && cut > header {
            damaged[header + random.below(cut - header)] ^= 1 << random.below(8);
        }
        fs::write(&path, &damaged).unwrap();
        let mut journal = Journal::open(&path, &identity()).unwrap();
        assert!(journal.games() <= 8);
        let (all, _, end) = play(&tournament, Some(&mut journal), usize::MAX);
        assert_eq!((&all, end), (&whole, End::Complete), "cut at {cut}");
    }
}

#[test]
fn another_match_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    drop(Journal::open(&path, &identity()).unwrap());
    let mut other = identity();
    other[1].1 = "301".to_owned();
    let fault = Journal::open(&path, &other).unwrap_err().to_string();
    assert!(fault.contains("its nodes is `300`, not `301`"), "{fault}");
    other.truncate(1);
    let fault = Journal::open(&path, &other).unwrap_err().to_string();
    assert!(fault.contains("its nodes is `300`, not `not given`"), "{fault}");
    let open = Journal::open(&path, &identity()).unwrap();
    let fault = Journal::open(&path, &identity()).unwrap_err();
    assert!(matches!(fault, JournalError::InUse { .. }), "{fault}");
    drop(open);
    for text in ["[Event \"x\"]\n", "accrue-match 2 #00000000\n", "accrue-match 1\n", "PGN"] {
        fs::write(&path, text).unwrap();
        let fault = Journal::open(&path, &identity()).unwrap_err();
        assert!(matches!(fault, JournalError::Foreign { .. }), "{fault}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
