//! What the fuzz targets check, as plain functions: they can be called with a saved input from any
//! program, without a fuzzer.

pub mod data;
pub mod net;

use games::{Game, ToolkitGame};
use games::conformance::{AlsoReads, Plan, check_text};

/// Reads arbitrary text as a FEN. If the game accepts it, the position must pass the conformance suite:
/// its FEN reads back, its moves are generated, written, read and played, its features are followed.
///
/// # Panics
///
/// If the game fails the suite. That is the finding.
pub fn fen<G: ToolkitGame>(data: &[u8], also_reads: AlsoReads) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let plan = Plan { also_reads, ..Plan::default() };
    if let Err(failure) = check_text::<G>(text, &plan) {
        panic!("{}: {failure}", G::NAME);
    }
}

/// Every way to write a move is the way that the game writes it.
pub fn strictly(_text: &str, _written: &str) -> bool {
    false
}

/// Chess reads castling in two forms and writes one; both begin with the king's square.
pub fn both_forms_of_castling(text: &str, written: &str) -> bool {
    text.len() == 4 && text.get(..2) == written.get(..2)
}
