//! Tests of the search from inside: against plain minimax, and with a poisoned transposition table.

mod glossary;
mod hostile;
mod learned;
mod oracle;
mod repetition;

use std::time::{Duration, Instant};

use games::{GameHistory, SearchGame};

use crate::engine::SearchMode;
use crate::evaluator::Linear;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::result::{SearchInfo, SearchResult};
use crate::search::{Search, SearchJob, SharedState, Worker};
use crate::time_management::TimeManager;
use crate::transposition_table::TranspositionTable;

/// A reproducible random number generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// A game of up to that many random moves that does not end.
fn random_game<G: SearchGame>(random: &mut Random, plies: usize) -> GameHistory<G> {
    let mut game = GameHistory::new(G::start());
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let mut next = game.clone();
        next.play(moves[random.below(moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}

/// Searches by material; returns the result and the score inside.
fn search<G: SearchGame>(
    game: &GameHistory<G>,
    limits: &Limits<G>,
    table: Option<&TranspositionTable>,
    selective: bool,
    report: &mut dyn FnMut(&SearchInfo<G>),
) -> (SearchResult<G>, i32) {
    let moves = game.position().legal_moves();
    let params = Params::default();
    let time = TimeManager::new(limits, &params, Duration::ZERO, Instant::now());
    let control = Control::new();
    let shared = SharedState::new(1);
    let job = SearchJob {
        history: game,
        limits,
        moves: &moves,
        multi_pv: 1,
        table,
        control: &control,
        time,
        shared: &shared,
        selective,
        mode: SearchMode::Classical,
        sample: None,
    };
    let mut search = search_of::<G>();
    let result = search.search(&job, 0, report).result;
    (result, search.root_moves[0].score)
}

/// A search that evaluates by material.
fn search_of<G: SearchGame>() -> Search<G, Linear<G>> {
    Search::new(Linear::material().unwrap(), &Params::default())
}
