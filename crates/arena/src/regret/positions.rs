//! Positions of a regret measurement: distinct ones, taken from openings.

use std::collections::HashSet;

use games::ToolkitGame;

use crate::openings::Openings;

/// With random moves, this many openings are tried for each position.
const TRIES: usize = 20;

/// The first `count` distinct positions at the end of the openings, or fewer if there are no
/// others. `varies` states that openings with the same entry of a book differ, by random moves.
///
/// The positions have no history: a repetition of an earlier position of the opening is none.
pub fn distinct_positions<G: ToolkitGame>(
    openings: &Openings<G>,
    count: usize,
    varies: bool,
) -> Vec<G> {
    let tries = if varies { count.saturating_mul(TRIES) } else { openings.len() };
    let (mut positions, mut known) = (Vec::new(), HashSet::new());
    for number in 0..tries as u64 {
        if positions.len() == count {
            break;
        }
        let line = openings.get(number).line();
        let position = line.position();
        // A position that its own history ends is over with history only; others are searched.
        if line.outcome().is_none() && known.insert(position.to_fen()) {
            positions.push(position.clone());
        }
    }
    positions
}
