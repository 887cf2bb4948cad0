//! Tests of the PGN writer: our reader and pgn-extract read its games.

use games::chess::Chess;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use dataset::formats::{Format, open_source};
use dataset::{MATE_SCORE, Record};
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, GameScore, Outcome, Random};

use super::*;
use crate::game_record::{GameRecord, Opening};
use crate::play::Ending;
use crate::player::PlayerFault;
use crate::random_opening;

/// A random game of at most `plies` moves, with random scores.
fn random_game<G: ToolkitGame>(start: &G, plies: usize, random: &mut Random) -> Played<G> {
    let opening = random_opening(start, random.below(4), random).unwrap();
    let mut record = GameRecord::new(opening);
    for ply in 0..plies {
        let Some(&mv) = random.pick(&record.position().legal_moves()) else { break };
        let score = match ply % 7 {
            0 => None,
            1 => Some(Score::Mate(random.below(9) as i32 + 1)),
            2 => Some(Score::Mate(-(random.below(9) as i32))),
            _ => Some(Score::Centipawns(random.below(4000) as i32 - 2000)),
        };
        let time = Duration::from_micros(random.below(9_000_000) as u64);
        record.play(PlayedMove { mv, score, depth: random.below(60), nodes: 0, time });
        if record.line().outcome().is_some() {
            break;
        }
    }
    let outcome = record.line().outcome();
    match outcome {
        Some(outcome) => Played { record, outcome, ending: Ending::Rules },
        None => {
            Played::lost(record, Color::Black, PlayerFault::Crash("{rubbish}\n\"\\ 1-0".into()))
        }
    }
}

fn tags() -> Tags {
    Tags { white: "a \"b\" \\".into(), black: "]\n[Result \"*\"".into(), ..Tags::default() }
}

fn read<G: ToolkitGame>(text: &str) -> Vec<Record<G>> {
    let mut file = tempfile::Builder::new().suffix(".pgn").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let mut source = open_source::<G>(file.path(), Format::Pgn, &[]).unwrap();
    let mut records = Vec::new();
    while let Some(record) = source.next().unwrap() {
        records.push(record);
    }
    assert!(source.faults().is_empty(), "{:?}\n{text}", source.faults());
    records
}

/// The score that the reader must return.
fn score_of(score: Score) -> i16 {
    match score {
        Score::Centipawns(score) => score as i16,
        Score::Mate(moves) if moves > 0 => MATE_SCORE + 2000 - (2 * moves as i16 - 1),
        Score::Mate(moves) => -(MATE_SCORE + 2000 + 2 * moves as i16),
    }
}

fn check<G: ToolkitGame>(starts: &[G], seed: u64) {
    let mut random = Random::new(seed);
    let games: Vec<_> =
        (0..40).map(|at| random_game(&starts[at % starts.len()], 90, &mut random)).collect();
    let text: String = games.iter().map(|game| pgn(&tags(), game)).collect();
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    let mut records = read::<G>(&text).into_iter();
    for game in &games {
        let mut position = game.record.opening().start.clone();
        let opening = game.record.opening().moves.len();
        for (ply, mv) in game.record.moves().enumerate() {
            let record = records.next().expect("as many as were written");
            assert!(record.position == position && record.best_move == Some(mv));
            let side = position.side_to_move();
            assert_eq!(record.result, Some(game.outcome.score(side)));
            let played_move = ply.checked_sub(opening).map(|at| &game.record.played_moves()[at]);
            assert_eq!(
                record.score,
                played_move.and_then(|played_move| played_move.score).map(score_of)
            );
            position.play(mv);
        }
    }
    assert_eq!(records.next(), None);
}

#[test]
fn games_are_read_back() {
    let black = Chess::from_fen("r3k2r/1P4p1/8/2pP4/4p3/8/3P2P1/R3K2R b KQkq - 3 17").unwrap();
    check(&[Chess::start(), black], 1);
    let chess960: Vec<_> =
        [0, 518, 700].map(|number| Chess::chess960_start(number).unwrap()).into();
    check(&chess960, 2);
    check(&[Hexchess::start()], 3);
    check(&[ConnectFour::start()], 4);
}

#[test]
fn a_game_looks_as_others_write_it() {
    let mut record = GameRecord::new(Opening::at(Chess::start()));
    for (text, score) in [("f2f3", -31), ("e7e5", 45), ("g2g4", -900)] {
        let mv = record.position().parse_move(text).unwrap();
        let score = Some(Score::Centipawns(score));
        record.play(PlayedMove { mv, score, depth: 12, nodes: 0, time: Duration::from_millis(51) });
    }
    let mv = record.position().parse_move("d8h4").unwrap();
    let score = Some(Score::Mate(1));
    record.play(PlayedMove { mv, score, depth: 20, nodes: 0, time: Duration::from_millis(51) });
    let outcome = Outcome::new(Color::Black, GameScore::WIN, "checkmate");
    let played = Played { record, outcome, ending: Ending::Rules };
    let tags = Tags { white: "a".into(), black: "b".into(), ..Tags::default() };
    let text = pgn(&tags, &played);
    let end = "\n\n1. f3 {-0.31/12 0.051s} e5 {+0.45/12 0.051s} 2. g4 {-9.00/12 0.051s} Qh4#\n\
        {+M1/20 0.051s, Black mates} 0-1\n\n";
    assert!(text.ends_with(end), "{text}");
    assert!(text.contains("[Result \"0-1\"]") && text.contains("[Termination \"normal\"]"));
}

#[test]
fn another_program_reads_them_too() {
    let Some(program) = std::env::var_os("ACCRUE_PGN_EXTRACT") else { return };
    let mut random = Random::new(9);
    let games: Vec<_> = (0..100).map(|_| random_game(&Chess::start(), 120, &mut random)).collect();
    let text: String = games.iter().map(|game| pgn(&tags(), game)).collect();
    let mut file = tempfile::Builder::new().suffix(".pgn").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    // -Wlalg: every move as the squares that it leaves and enters, which the program derives by the
    // rules.
    let mut command = Command::new(program);
    command.args(["-Wlalg", "-C", "-N", "-V", "--nochecks", "-w", "100000", "--notags"]);
    let output = command.arg(file.path()).stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = format!("{} games matched out of {}.", games.len(), games.len());
    assert!(errors.contains(&expected), "{errors}");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<_> = lines.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(lines.len(), games.len(), "{errors}");
    for (line, game) in lines.iter().zip(&games) {
        let words = line.split(' ').filter(|word| !word.ends_with('.'));
        let moves: Vec<String> = words.map(|word| word.replace('=', "").to_lowercase()).collect();
        let mut position = game.record.opening().start.clone();
        let mut expected = Vec::new();
        for mv in game.record.moves() {
            expected.push(position.move_text(mv));
            position.play(mv);
        }
        expected.push(game.result().to_owned());
        assert_eq!(moves, expected, "{errors}");
    }
}
