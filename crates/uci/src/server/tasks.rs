//! Tasks: what the search thread does for `go`, `go perft`, `bench` and `genfens`.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use games::{GameHistory, ToolkitGame};
use search::{Control, Limits, SearchMode};

use super::host::{BenchRequest, Host, OpeningsJob};
use super::output::{SharedWriter, info_string};
use super::report::ScoreDisplay;
use super::worker::Task;
use super::{perft, report};
use crate::text::BestMove;

/// A search that reports what it finds, and the best move last.
pub(super) fn search<G: ToolkitGame>(
    history: GameHistory<G>,
    limits: Limits<G>,
    display: ScoreDisplay,
    output: SharedWriter,
) -> Task<G> {
    Box::new(move |engine, control| {
        let position = history.position();
        let mut report = |found: &search::SearchInfo<G>| {
            output.line(report::info_line(position, found, &display));
        };
        let answer = engine.go(&history, &limits, control, &mut report);
        // A best move that comes too early is taken for the answer to the next `go`.
        while must_wait(&limits, control) {
            thread::sleep(POLL);
        }
        report::best_move(position, &answer).to_string()
    })
}

/// How often a search that has nothing left to do checks whether it may answer.
const POLL: Duration = Duration::from_millis(2);

/// Whether the best move may not be printed yet.
fn must_wait<G: ToolkitGame>(limits: &Limits<G>, control: &Control) -> bool {
    let pondering = limits.ponder && !control.is_ponder_hit();
    (limits.infinite || pondering) && !control.is_stopped()
}

/// What is printed if a search panics: a GUI must still have its move.
pub(super) fn failed_search<G: ToolkitGame>(position: &G) -> String {
    let first = position.legal_moves().first().map(|&mv| position.move_text(mv));
    let best = first.unwrap_or_else(|| BestMove::NONE.to_owned());
    let message =
        "the search failed, which is a fault of this program; the first legal move is played";
    format!("{}\n{}", info_string(message), BestMove { best, ponder: None })
}

/// Counts the positions after `depth` plies.
pub(super) fn perft<G: ToolkitGame>(position: G, depth: u32, output: SharedWriter) -> Task<G> {
    Box::new(move |_, control| perft::run(&position, depth, control, |line| output.line(line)))
}

/// The bench of the host, which has engines of its own. One that was stopped has no result.
pub(super) fn bench<G: ToolkitGame, H: Host>(
    host: Arc<H>,
    network: Option<H::Network>,
    mode: SearchMode,
    depth: Option<u32>,
) -> Task<G> {
    Box::new(move |_, control| {
        let request = BenchRequest { game: G::NAME, network: network.as_ref(), mode, depth };
        match host.bench(&request, control) {
            Ok(_) if control.is_stopped() => info_string("the bench was stopped").to_string(),
            Ok(bench) => format!("{} nodes {} nps", bench.nodes, bench.nps()),
            Err(error) => info_string(format_args!("bench: {error}")).to_string(),
        }
    })
}

/// Prints `count` openings.
pub(super) fn openings<G: ToolkitGame>(
    job: OpeningsJob<G>,
    count: u64,
    output: SharedWriter,
) -> Task<G> {
    Box::new(move |engine, control| {
        let mut printed = 0;
        let made = job(engine, control, &mut |position| {
            output.inform(format_args!("genfens {}", position.to_fen()));
            printed += 1;
            printed < count
        });
        let last = match made {
            Ok(()) => info_string(format_args!("{printed} openings")),
            Err(error) => info_string(format_args!("genfens: {error}")),
        };
        last.to_string()
    })
}
