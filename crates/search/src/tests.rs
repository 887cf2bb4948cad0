//! Proofs that need to look inside: against plain minimax, and with a table that lies.

mod hostile;
mod learned;
mod oracle;
mod repetition;

use std::time::{Duration, Instant};

use games::{Game, Line};

use crate::engine::SearchMode;
use crate::evaluator::Linear;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::report::{Answer, Info};
use crate::search::{Job, Search, Shared, Worker};
use crate::table::Table;
use crate::time::Timer;

/// The same numbers each time.
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

/// A line of up to that many random moves that does not end the game.
fn random_line<G: Game>(random: &mut Random, plies: usize) -> Line<G> {
    let mut line = Line::new(G::start());
    for _ in 0..plies {
        let moves = line.position().legal_moves();
        let mut next = line.clone();
        next.play(moves[random.below(moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        line = next;
    }
    line
}

/// Searches with the worth of the pieces as evaluation; gives the answer and the score inside.
fn search<G: Game>(
    line: &Line<G>,
    limits: &Limits<G>,
    table: Option<&Table>,
    selective: bool,
    report: &mut dyn FnMut(&Info<G>),
) -> (Answer<G>, i32) {
    let moves = line.position().legal_moves();
    let params = Params::default();
    let timer = Timer::new(limits, &params, Duration::ZERO, Instant::now());
    let control = Control::new();
    let shared = Shared::new(1);
    let job = Job {
        line,
        limits,
        moves: &moves,
        multi_pv: 1,
        table,
        control: &control,
        timer,
        shared: &shared,
        selective,
        mode: SearchMode::Classical,
        sample: None,
    };
    let mut search = search_of::<G>();
    let answer = search.search(&job, 0, report).answer;
    (answer, search.root_moves[0].score)
}

/// A search with the worth of the pieces as evaluation.
fn search_of<G: Game>() -> Search<G, Linear<G>> {
    Search::new(Linear::material().unwrap(), &Params::default())
}
