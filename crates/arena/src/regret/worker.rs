//! Worker: one thread of a regret measurement, with a player for each engine and the reference.

use std::sync::{Mutex, MutexGuard, PoisonError};

use games::ToolkitGame;
use search::{Control, Score};

use super::reference::{before_move, expected_score};
use super::{PositionRegret, ReferenceCache, ReferenceEntry, RegretError, RegretTest};
use crate::game_record::{GameRecord, Opening};
use crate::player::{ChosenMove, MoveRequest, Player, PlayerFault};
use crate::tournament::Entrant;

/// Searches positions, one after the other.
pub(super) struct Worker<'a, G: ToolkitGame> {
    test: &'a RegretTest<G>,
    cache: &'a Mutex<&'a mut ReferenceCache<G>>,
    control: &'a Control,
    players: Vec<Option<Box<dyn Player<G>>>>,
    reference: Option<Box<dyn Player<G>>>,
    /// Reference searches of this position.
    searches: u64,
}

/// `None` if the search was stopped.
type Stoppable<T> = Result<Option<T>, RegretError>;

/// Continues unless the search was stopped.
macro_rules! unless_stopped {
    ($result:expr) => {
        match $result? {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

impl<'a, G: ToolkitGame> Worker<'a, G> {
    pub(super) fn new(
        test: &'a RegretTest<G>,
        cache: &'a Mutex<&'a mut ReferenceCache<G>>,
        control: &'a Control,
    ) -> Self {
        let players = test.entrants.iter().map(|_| None).collect();
        Self { test, cache, control, players, reference: None, searches: 0 }
    }

    /// What the engines choose in a position, and how the reference scores it.
    pub(super) fn search(&mut self, position: &G) -> Stoppable<PositionRegret> {
        self.searches = 0;
        let record = GameRecord::new(Opening::at(position.clone()));
        let mut choices = Vec::new();
        for (entrant, player) in self.test.entrants.iter().zip(&mut self.players) {
            let choice = unless_stopped!(choose(entrant, player, &record, self.control));
            choices.push(choice.mv);
        }
        let best = unless_stopped!(self.best_move(position, &record));
        let mut scored: Vec<(u32, f64)> = Vec::new();
        // If all agree, every regret is 0 and nothing needs a score.
        let agree = choices.iter().all(|&mv| mv == best);
        for &mv in choices.iter().chain([&best]) {
            let code = G::move_code(mv);
            if scored.iter().all(|&(other, _)| other != code) {
                let expected =
                    if agree { 0.5 } else { unless_stopped!(self.expected(position, mv)) };
                scored.push((code, expected));
            }
        }
        let of = |code: u32| scored.iter().find(|&&(other, _)| other == code).map(|&(_, e)| e);
        let moves: Vec<u32> = choices.into_iter().map(G::move_code).collect();
        let expected = moves.iter().map(|&code| of(code).expect("every choice is scored"));
        Ok(Some(PositionRegret {
            best: G::move_code(best),
            expected: expected.collect(),
            highest: scored.iter().map(|&(_, expected)| expected).fold(0.0, f64::max),
            moves,
            searches: self.searches,
        }))
    }

    /// The best move of the reference search, from the cache if it is there.
    fn best_move(&mut self, position: &G, record: &GameRecord<G>) -> Stoppable<G::Move> {
        let identity = &self.test.reference.identity;
        if let Some(mv) = self.cache().best(identity, position) {
            return Ok(Some(mv));
        }
        let choice = unless_stopped!(self.ask_reference(record));
        self.cache().add(identity, position, ReferenceEntry::Best(choice.mv))?;
        Ok(Some(choice.mv))
    }

    /// The expected score of a legal move: of the game's end, of the cache, or of a new search.
    fn expected(&mut self, position: &G, mv: G::Move) -> Stoppable<f64> {
        let opening = Opening { start: position.clone(), moves: vec![mv] };
        let record = GameRecord::new(opening);
        if let Some(outcome) = record.line().outcome() {
            return Ok(Some(outcome.score(position.side_to_move()).as_f32().into()));
        }
        let reference = &self.test.reference;
        let cached = self.cache().score(&reference.identity, position, mv);
        let score = match cached {
            Some(score) => score,
            None => unless_stopped!(self.search_score(position, mv, &record)),
        };
        Ok(Some(expected_score(&reference.score_model, score, position.piece_count())))
    }

    fn search_score(
        &mut self,
        position: &G,
        mv: G::Move,
        record: &GameRecord<G>,
    ) -> Stoppable<Score> {
        let reference = &self.test.reference;
        let choice = unless_stopped!(self.ask_reference(record));
        let Some(after) = choice.score else {
            let (name, fen) = (reference.entrant.name.clone(), record.position().to_fen());
            return Err(RegretError::NoScore { name, fen });
        };
        let score = before_move(after);
        self.cache().add(&reference.identity, position, ReferenceEntry::Score(mv, score))?;
        Ok(Some(score))
    }

    fn ask_reference(&mut self, record: &GameRecord<G>) -> Stoppable<ChosenMove<G>> {
        self.searches += 1;
        choose(&self.test.reference.entrant, &mut self.reference, record, self.control)
    }

    fn cache(&self) -> MutexGuard<'a, &'a mut ReferenceCache<G>> {
        // A panic of another thread ends the measurement anyway.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets a player search from a clean state. The move is legal.
fn choose<G: ToolkitGame>(
    entrant: &Entrant<G>,
    player: &mut Option<Box<dyn Player<G>>>,
    record: &GameRecord<G>,
    control: &Control,
) -> Stoppable<ChosenMove<G>> {
    if control.is_stopped() {
        return Ok(None);
    }
    let chosen = chosen_by(entrant, player, record, control);
    if control.is_stopped() {
        return Ok(None);
    }
    let error = |fault| RegretError::Player {
        name: entrant.name.clone(),
        fen: record.position().to_fen(),
        fault,
    };
    chosen.map(Some).map_err(error)
}

fn chosen_by<G: ToolkitGame>(
    entrant: &Entrant<G>,
    player: &mut Option<Box<dyn Player<G>>>,
    record: &GameRecord<G>,
    control: &Control,
) -> Result<ChosenMove<G>, PlayerFault> {
    let player = match player {
        Some(player) => player,
        None => player.insert((entrant.make)()?),
    };
    player.new_game()?;
    let clock = entrant.limits.time.map(|time| time.clock());
    let limits = entrant.limits.with_clock(clock);
    let request = MoveRequest { record, limits, opponent: clock, control };
    let choice = player.choose(&request)?;
    if record.position().is_legal(choice.mv) {
        Ok(choice)
    } else {
        Err(PlayerFault::Illegal(format!("{:?}", choice.mv)))
    }
}
