//! Limits: how much a page, or all pages together, may ask of the server.

use std::time::Duration;

/// The largest body of a request: a PGN of some hundred games.
pub(crate) const BODY_BYTES: usize = 1 << 20;
/// The largest message on a WebSocket: a line of the maximum length.
pub(crate) const MESSAGE_BYTES: usize = 64 << 10;
/// Open connections.
pub(crate) const CONNECTIONS: usize = 700;
/// Open pages.
pub(crate) const SESSIONS: usize = 256;
/// Searches of all pages that run or keep a transposition table.
pub(crate) const SEARCHES: usize = 48;
/// The transposition tables of all searches together in MiB, about.
pub(crate) const HASH_BUDGET_MIB: usize = 256;
/// The smallest transposition table in MiB.
pub(crate) const MIN_HASH_MIB: usize = 4;
/// The transposition table of an analysis in MiB.
pub(crate) const ANALYSIS_HASH_MIB: usize = 32;
/// The transposition table of a search that chooses a move in MiB.
pub(crate) const PLAY_HASH_MIB: usize = 16;
/// Lines of an analysis.
pub(crate) const MULTI_PV: usize = 8;
/// Moves of a line.
pub(crate) const MOVES: usize = 2000;
/// Nodes for each position of a review.
pub(crate) const REVIEW_NODES: u64 = 200_000;
/// Nodes of a hint.
pub(crate) const HINT_NODES: u64 = 100_000;
/// Games that are read from a PGN.
pub(crate) const PGN_GAMES: usize = 500;
/// How deep folders below the root are searched for runs and networks.
pub(crate) const FOLDER_DEPTH: usize = 6;
/// Entries of folders that such a search reads.
pub(crate) const FOLDER_ENTRIES: usize = 20_000;
/// Folders that it skips: they hold files of other programs.
pub(crate) const SKIPPED_FOLDERS: [&str; 2] = ["target", "node_modules"];
/// Requests that block, at the same time.
pub(crate) const BLOCKING_REQUESTS: usize = 8;
/// The time for the head of a request, and the time that a connection may be idle.
pub(crate) const REQUEST_TIME: Duration = Duration::from_secs(10);
/// The time for a request with its answer.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(30);
/// The time after which a connection that is not a WebSocket takes no further request.
pub(crate) const CONNECTION_TIME: Duration = Duration::from_mins(2);
/// The time in which a client must take a message.
pub(crate) const SEND_TIME: Duration = Duration::from_secs(10);
/// The shortest time between two reports of an analysis.
pub(crate) const REPORT_EVERY: Duration = Duration::from_millis(200);
/// The longest time between two reports of an analysis.
pub(crate) const REPORT_AT_LEAST: Duration = Duration::from_millis(500);
/// The time between two looks at what a page watches.
pub(crate) const WATCH_EVERY: Duration = Duration::from_millis(700);
