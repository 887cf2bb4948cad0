//! Conformance of repetition: checks recurring positions.

use super::{Failure, Property, Report, ensure};
use crate::{GameHistory, Random, ToolkitGame};

/// Checks that [`GameHistory::occurrences`] agrees with a count over the whole game, and that
/// positions do not recur in a game that rules it out.
pub(super) fn check_history<G: ToolkitGame>(
    line: &GameHistory<G>,
    past: &[G],
) -> Result<(), Failure> {
    let position = line.position();
    let hash = position.hash();
    let naive = 1 + past.iter().filter(|earlier| earlier.hash() == hash).count();
    ensure(line.occurrences() == naive, Property::Repetition, position, || {
        format!("the line counts {} occurrences; there were {naive}", line.occurrences())
    })?;
    ensure(naive == 1 || G::REPETITIONS.is_some(), Property::Repetition, position, || {
        "occurs again, which the game says cannot be".to_owned()
    })
}

/// Searches for two moves of each player that lead back to the position, and repeats them until the
/// game is drawn.
pub(super) fn check_cycle<G: ToolkitGame>(
    position: &G,
    random: &mut Random,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(limit) = G::REPETITIONS else { return Ok(()) };
    let Some(cycle) = find_cycle(position, random) else { return Ok(()) };
    report.repetitions += 1;
    let mut line = GameHistory::new(position.clone());
    for round in 2..=limit {
        for &mv in &cycle {
            if line.outcome().is_some() {
                return Ok(()); // by another rule, such as too many moves without progress
            }
            line.play(mv);
        }
        ensure(line.occurrences() == round, Property::Repetition, position, || {
            format!("the line counts {} occurrences; there were {round}", line.occurrences())
        })?;
        ensure(
            line.outcome().is_some() == (round >= limit),
            Property::Repetition,
            position,
            || format!("after {round} occurrences the outcome is {:?}", line.outcome()),
        )?;
    }
    Ok(())
}

/// Starts with a random move of each player and tries all ways back.
fn find_cycle<G: ToolkitGame>(position: &G, random: &mut Random) -> Option<[G::Move; 4]> {
    let out = *random.pick(&position.legal_moves())?;
    let first = played(position, out);
    let reply = *random.pick(&first.legal_moves())?;
    let second = played(&first, reply);
    for back in second.legal_moves() {
        let third = played(&second, back);
        for last in third.legal_moves() {
            let fourth = played(&third, last);
            if fourth.hash() == position.hash() && fourth.outcome().is_none() {
                return Some([out, reply, back, last]);
            }
        }
    }
    None
}

fn played<G: ToolkitGame>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}
