//! The referee of one game.

use std::time::{Duration, Instant};

use games::{Color, GameScore, Outcome, ToolkitGame};
use search::Control;

use crate::adjudication::Adjudication;
use crate::course::{Course, Opening, Turn};
use crate::pace::Pace;
use crate::player::{Choice, Fault, Situation};

/// What a game is played by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// How long White and Black may think.
    pub pace: [Pace; 2],
    /// By how much a clock may be overstepped: what the referee's own work may cost.
    pub time_margin: Duration,
    /// Which games are ended early.
    pub adjudication: Adjudication,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game, or by adjudication; the reason is in the outcome.
    Rules,
    /// This player could not go on, and lost.
    Fault {
        /// Who.
        by: Color,
        /// Why.
        fault: Fault,
    },
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Played<G: ToolkitGame> {
    /// All of it.
    pub course: Course<G>,
    /// How the point was shared.
    pub outcome: Outcome,
    /// Why it is over.
    pub ending: Ending,
}

impl<G: ToolkitGame> Played<G> {
    /// The player could not go on, and lost.
    pub fn lost(course: Course<G>, by: Color, fault: Fault) -> Self {
        let outcome = Outcome::new(by, GameScore::LOSS, reason(&fault));
        Self { course, outcome, ending: Ending::Fault { by, fault } }
    }
}

/// Plays one game. `choose` answers for both sides: the one to move is in the situation's course.
///
/// `None` if `control` asked to stop: a game that was not played to its end says nothing.
pub fn play<G: ToolkitGame>(
    opening: Opening<G>,
    rules: &Rules,
    control: &Control,
    mut choose: impl FnMut(Color, &Situation<'_, G>) -> Result<Choice<G>, Fault>,
) -> Option<Played<G>> {
    let mut course = Course::new(opening);
    let mut clocks = rules.pace.map(|pace| pace.time.map(|time| time.clock()));
    loop {
        let over = course.line().outcome().or_else(|| rules.adjudication.verdict(&course));
        if let Some(outcome) = over {
            return Some(Played { course, outcome, ending: Ending::Rules });
        }
        let side = course.side_to_move();
        let (own, other) = (side as usize, !side as usize);
        let pace = &rules.pace[own];
        let limits = pace.limits(clocks[own]);
        let situation = Situation { course: &course, limits, opponent: clocks[other], control };
        let start = Instant::now();
        let choice = choose(side, &situation);
        let elapsed = start.elapsed();
        if control.is_stopped() {
            return None;
        }
        let turn = choice.and_then(|choice| checked(&course, &choice, elapsed));
        let turn = turn.and_then(|turn| {
            clocks[own] = clock_after(pace, clocks[own], turn.time, rules.time_margin)?;
            Ok(turn)
        });
        match turn {
            Ok(turn) => course.play(turn),
            Err(fault) => return Some(Played::lost(course, side, fault)),
        }
    }
}

/// The turn, if its move is legal.
fn checked<G: ToolkitGame>(
    course: &Course<G>,
    choice: &Choice<G>,
    elapsed: Duration,
) -> Result<Turn<G::Move>, Fault> {
    let &Choice { mv, score, depth, nodes, time } = choice;
    if course.position().is_legal(mv) {
        Ok(Turn { mv, score, depth, nodes, time: time.unwrap_or(elapsed) })
    } else {
        Err(Fault::Illegal(format!("{mv:?}")))
    }
}

/// The clock after a move.
fn clock_after(
    pace: &Pace,
    clock: Option<search::Clock>,
    time: Duration,
    margin: Duration,
) -> Result<Option<search::Clock>, Fault> {
    if pace.movetime.is_some_and(|limit| time > limit + margin) {
        return Err(Fault::Time);
    }
    let Some((control, clock)) = pace.time.zip(clock) else { return Ok(None) };
    control.after(clock, time, margin).map(Some).ok_or(Fault::Time)
}

fn reason(fault: &Fault) -> &'static str {
    match fault {
        Fault::Crash(_) => "disconnects",
        Fault::Stall(_) => "stalls",
        Fault::Illegal(_) => "illegal move",
        Fault::Time => "time",
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;
    use search::{Engine, EngineOptions};

    use super::*;
    use crate::player::{EnginePlayer, Player};

    fn nodes(nodes: u64) -> Pace {
        Pace { nodes: Some(nodes), ..Pace::default() }
    }

    fn engine() -> EnginePlayer<Chess> {
        EnginePlayer(
            Engine::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() }).unwrap(),
        )
    }

    fn play_alone(rules: &Rules) -> Played<Chess> {
        let mut player = engine();
        let opening = Opening::at(Chess::start());
        play(opening, rules, &Control::new(), |_, situation| player.choose(situation)).unwrap()
    }

    #[test]
    fn a_game_is_played_to_its_end_and_the_same_again() {
        let rules = Rules { pace: [nodes(300); 2], ..Rules::default() };
        let [first, second] = [play_alone(&rules), play_alone(&rules)];
        assert_eq!(first.ending, Ending::Rules);
        assert_eq!(first.course.line().outcome(), Some(first.outcome));
        let moves = |game: &Played<Chess>| game.course.moves().collect::<Vec<_>>();
        assert_eq!(moves(&first), moves(&second));
        assert!(moves(&first).len() > 10);
    }

    #[test]
    fn an_illegal_move_loses() {
        let opening = Opening::at(Chess::start());
        let rules = Rules { pace: [nodes(1); 2], ..Rules::default() };
        let foreign = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let mv = foreign.parse_move("a1a8").unwrap();
        let game = play(opening, &rules, &Control::new(), |_, _| {
            Ok(Choice { mv, score: None, depth: 0, nodes: 0, time: None })
        });
        let game = game.unwrap();
        assert_eq!(game.outcome.white, GameScore::LOSS);
        assert!(matches!(
            game.ending,
            Ending::Fault { by: Color::White, fault: Fault::Illegal(_) }
        ));
    }

    #[test]
    fn a_clock_that_runs_out_loses() {
        let time = crate::TimeControl {
            base: Duration::from_millis(100),
            increment: Duration::ZERO,
            moves: None,
        };
        let pace = Pace { time: Some(time), ..Pace::default() };
        let rules = Rules { pace: [pace; 2], ..Rules::default() };
        let game = play(Opening::at(Chess::start()), &rules, &Control::new(), |side, situation| {
            let mv = situation.course.position().legal_moves()[0];
            let time = Duration::from_millis(if side == Color::White { 10 } else { 60 });
            Ok(Choice { mv, score: None, depth: 0, nodes: 0, time: Some(time) })
        });
        let game = game.unwrap();
        assert_eq!(game.course.turns().len(), 3);
        assert_eq!(game.ending, Ending::Fault { by: Color::Black, fault: Fault::Time });
    }

    #[test]
    fn a_game_that_was_stopped_does_not_count() {
        let control = Control::new();
        let mut player = engine();
        let rules = Rules { pace: [nodes(100); 2], ..Rules::default() };
        let game = play(Opening::at(Chess::start()), &rules, &control, |_, situation| {
            control.stop();
            player.choose(situation)
        });
        assert!(game.is_none());
    }
}
