//! What is done on the thread that searches.

use std::thread;
use std::time::Duration;

use games::{Game, Line};
use search::{Control, Limits};

use super::worker::Task;
use super::{info, perft, say};
use crate::bench;
use crate::evaluation::Loaded;

/// A search that says what it finds, and the best move last.
pub(super) fn search<G: Game>(line: Line<G>, limits: Limits<G>, show_wdl: bool) -> Task<G> {
    Box::new(move |engine, control| {
        let position = line.position();
        let mut report = |found: &search::Info<G>| say(&info::line(position, found, show_wdl));
        let answer = engine.go(&line, &limits, control, &mut report);
        // Whatever the search makes of it: an answer that comes too early is taken for that to the next question.
        while must_wait(&limits, control) {
            thread::sleep(PAUSE);
        }
        info::best_move(position, &answer)
    })
}

/// How soon a search that has nothing left to do hears that it may answer.
const PAUSE: Duration = Duration::from_millis(2);

/// Whether the answer may not be given yet.
fn must_wait<G: Game>(limits: &Limits<G>, control: &Control) -> bool {
    let pondering = limits.ponder && !control.is_ponder_hit();
    (limits.infinite || pondering) && !control.is_stopped()
}

/// What is said if a search breaks: a program must still have its move.
pub(super) fn failed_search<G: Game>(position: &G) -> String {
    let first = position.legal_moves().first().map(|&mv| position.move_text(mv));
    format!(
        "info string the search failed, which is a fault of this program; the first legal move is played\n\
         bestmove {}",
        first.as_deref().unwrap_or("(none)")
    )
}

/// Counts the positions after `depth` plies.
pub(super) fn perft<G: Game>(position: G, depth: u32) -> Task<G> {
    Box::new(move |_, control| perft::run(&position, depth, control, say))
}

/// The bench of `accrue bench`, which has engines of its own. A stopped one is not a bench.
pub(super) fn bench<G: Game>(loaded: Option<Loaded>, depth: Option<u32>) -> Task<G> {
    Box::new(move |_, control| {
        let depth = depth.map_or(search::BENCH_DEPTH, |depth| depth as usize);
        match bench::bench(loaded.as_ref(), depth, control) {
            Ok(_) if control.is_stopped() => "info string the bench was stopped".to_owned(),
            Ok(found) => bench::last_line(&found),
            Err(error) => format!("info string bench: {error:#}"),
        }
    })
}
