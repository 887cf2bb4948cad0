//! Referee: plays one game between two players.

use std::time::{Duration, Instant};

use games::{Color, GameScore, Outcome, ToolkitGame};
use search::Control;

use crate::adjudication::Adjudication;
use crate::game_record::{GameRecord, Opening, PlayedMove};
use crate::player::{ChosenMove, MoveRequest, PlayerFault};
use crate::search_limits::SearchLimits;

/// The conditions of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The search limits of White and Black.
    pub limits: [SearchLimits; 2],
    /// The time by which a clock may be exceeded, for the overhead of the referee.
    pub time_margin: Duration,
    /// The games that end by adjudication.
    pub adjudication: Adjudication,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game, or by adjudication; the reason is in the outcome.
    Rules,
    /// The player failed, and lost.
    PlayerFault {
        /// The player.
        by: Color,
        /// The fault.
        fault: PlayerFault,
    },
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<G: ToolkitGame> {
    /// The moves.
    pub record: GameRecord<G>,
    /// The outcome.
    pub outcome: Outcome,
    /// Why the game is over.
    pub ending: Ending,
}

impl<G: ToolkitGame> Played<G> {
    /// A game that a player lost by a fault.
    pub fn lost(record: GameRecord<G>, by: Color, fault: PlayerFault) -> Self {
        let outcome = Outcome::new(by, GameScore::LOSS, reason(&fault));
        Self { record, outcome, ending: Ending::PlayerFault { by, fault } }
    }
}

/// Plays one game. `choose` answers for both sides: the side to move is in the record of the
/// request.
///
/// Returns `None` if `control` stops it: an unfinished game has no result.
pub fn play<G: ToolkitGame>(
    opening: Opening<G>,
    rules: &Rules,
    control: &Control,
    mut choose: impl FnMut(Color, &MoveRequest<'_, G>) -> Result<ChosenMove<G>, PlayerFault>,
) -> Option<Played<G>> {
    let mut record = GameRecord::new(opening);
    let mut clocks = rules.limits.map(|limits| limits.time.map(|time| time.clock()));
    loop {
        let over = record.line().outcome().or_else(|| rules.adjudication.verdict(&record));
        if let Some(outcome) = over {
            return Some(Played { record, outcome, ending: Ending::Rules });
        }
        let side = record.side_to_move();
        let (own, other) = (side as usize, !side as usize);
        let limits = &rules.limits[own];
        let request = MoveRequest {
            record: &record,
            limits: limits.with_clock(clocks[own]),
            opponent: clocks[other],
            control,
        };
        let start = Instant::now();
        let choice = choose(side, &request);
        let elapsed = start.elapsed();
        if control.is_stopped() {
            return None;
        }
        let played_move = choice.and_then(|choice| checked(&record, &choice, elapsed));
        let played_move = played_move.and_then(|played_move| {
            clocks[own] = clock_after(limits, clocks[own], played_move.time, rules.time_margin)?;
            Ok(played_move)
        });
        match played_move {
            Ok(played_move) => record.play(played_move),
            Err(fault) => return Some(Played::lost(record, side, fault)),
        }
    }
}

/// The chosen move as a record entry, if it is legal.
fn checked<G: ToolkitGame>(
    record: &GameRecord<G>,
    choice: &ChosenMove<G>,
    elapsed: Duration,
) -> Result<PlayedMove<G::Move>, PlayerFault> {
    let &ChosenMove { mv, score, depth, nodes, time } = choice;
    if record.position().is_legal(mv) {
        Ok(PlayedMove { mv, score, depth, nodes, time: time.unwrap_or(elapsed) })
    } else {
        Err(PlayerFault::Illegal(format!("{mv:?}")))
    }
}

/// The clock after a move.
fn clock_after(
    limits: &SearchLimits,
    clock: Option<search::Clock>,
    time: Duration,
    margin: Duration,
) -> Result<Option<search::Clock>, PlayerFault> {
    if limits.movetime.is_some_and(|limit| time > limit + margin) {
        return Err(PlayerFault::Time);
    }
    let Some((control, clock)) = limits.time.zip(clock) else { return Ok(None) };
    control.after(clock, time, margin).map(Some).ok_or(PlayerFault::Time)
}

fn reason(fault: &PlayerFault) -> &'static str {
    match fault {
        PlayerFault::Crash(_) => "disconnects",
        PlayerFault::Stall(_) => "stalls",
        PlayerFault::Illegal(_) => "illegal move",
        PlayerFault::Time => "time",
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;
    use search::{Engine, EngineOptions};

    use super::*;
    use crate::player::{EnginePlayer, Player};

    fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }

    fn engine() -> EnginePlayer<Chess> {
        EnginePlayer(
            Engine::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() }).unwrap(),
        )
    }

    fn play_alone(rules: &Rules) -> Played<Chess> {
        let mut player = engine();
        let opening = Opening::at(Chess::start());
        play(opening, rules, &Control::new(), |_, request| player.choose(request)).unwrap()
    }

    #[test]
    fn a_game_is_played_to_its_end_and_the_same_again() {
        let rules = Rules { limits: [nodes(300); 2], ..Rules::default() };
        let [first, second] = [play_alone(&rules), play_alone(&rules)];
        assert_eq!(first.ending, Ending::Rules);
        assert_eq!(first.record.line().outcome(), Some(first.outcome));
        let moves = |game: &Played<Chess>| game.record.moves().collect::<Vec<_>>();
        assert_eq!(moves(&first), moves(&second));
        assert!(moves(&first).len() > 10);
    }

    #[test]
    fn an_illegal_move_loses() {
        let opening = Opening::at(Chess::start());
        let rules = Rules { limits: [nodes(1); 2], ..Rules::default() };
        let foreign = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let mv = foreign.parse_move("a1a8").unwrap();
        let game = play(opening, &rules, &Control::new(), |_, _| {
            Ok(ChosenMove { mv, score: None, depth: 0, nodes: 0, time: None })
        });
        let game = game.unwrap();
        assert_eq!(game.outcome.white, GameScore::LOSS);
        assert!(matches!(
            game.ending,
            Ending::PlayerFault { by: Color::White, fault: PlayerFault::Illegal(_) }
        ));
    }

    #[test]
    fn a_clock_that_runs_out_loses() {
        let time = crate::TimeControl {
            base: Duration::from_millis(100),
            increment: Duration::ZERO,
            moves: None,
        };
        let limits = SearchLimits { time: Some(time), ..SearchLimits::default() };
        let rules = Rules { limits: [limits; 2], ..Rules::default() };
        let game = play(Opening::at(Chess::start()), &rules, &Control::new(), |side, request| {
            let mv = request.record.position().legal_moves()[0];
            let time = Duration::from_millis(if side == Color::White { 10 } else { 60 });
            Ok(ChosenMove { mv, score: None, depth: 0, nodes: 0, time: Some(time) })
        });
        let game = game.unwrap();
        assert_eq!(game.record.played_moves().len(), 3);
        assert_eq!(game.ending, Ending::PlayerFault { by: Color::Black, fault: PlayerFault::Time });
    }

    #[test]
    fn a_game_that_was_stopped_does_not_count() {
        let control = Control::new();
        let mut player = engine();
        let rules = Rules { limits: [nodes(100); 2], ..Rules::default() };
        let game = play(Opening::at(Chess::start()), &rules, &control, |_, request| {
            control.stop();
            player.choose(request)
        });
        assert!(game.is_none());
    }
}
