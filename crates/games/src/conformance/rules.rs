//! Conformance of rules: checks moves, null moves, policy indices and outcomes.

use std::collections::HashMap;

use super::board::pieces;
use super::{Failure, Property, Report, ensure, notation};
use crate::{Color, ToolkitGame};

/// Plays a move and returns the new position. Checks that the move is deterministic, leaves the
/// original unchanged, and matches its description.
pub(super) fn check_play<G: ToolkitGame>(
    position: &G,
    mv: G::Move,
    cells: usize,
    report: &mut Report,
) -> Result<G, Failure> {
    let text = || position.move_text(mv);
    let before = position.clone();
    let [child, again] = [(); 2].map(|()| {
        let mut child = position.clone();
        child.play(mv);
        child
    });
    ensure(*position == before, Property::Play, position, || {
        format!("playing `{}` on a clone changed the original", text())
    })?;
    let same = child == again && child.hash() == again.hash();
    ensure(same, Property::Play, position, || {
        format!("playing `{}` twice gave {child:?} and {again:?}", text())
    })?;
    let mover = position.side_to_move();
    ensure(child.side_to_move() != mover, Property::Play, position, || {
        format!("after `{}` it is still {mover}'s turn", text())
    })?;
    let (reach, most) = (child.reversible_plies(), position.reversible_plies() + 1);
    ensure(reach <= most, Property::Repetition, position, || {
        format!("after `{}` reversible_plies is {reach}; at most {most} is possible", text())
    })?;
    check_capture(position, mv, &child, cells)?;

    report.captures += usize::from(position.capture(mv).is_some());
    report.promotions += usize::from(position.promotion_gain(mv) != 0);
    report.checks += usize::from(child.is_check());
    Ok(child)
}

fn check_capture<G: ToolkitGame>(
    position: &G,
    mv: G::Move,
    child: &G,
    cells: usize,
) -> Result<(), Failure> {
    let mover = position.side_to_move();
    let [before, after] =
        [position, child].map(|position| pieces(position, cells, Some(!mover)).len());
    let capture = position.capture(mv);
    ensure((after < before) == capture.is_some(), Property::Capture, position, || {
        let text = position.move_text(mv);
        format!("`{text}` leaves {after} of {before} pieces, but its capture is {capture:?}")
    })?;
    let promotes = position.promotion_gain(mv) != 0;
    let changed = pieces(position, cells, Some(mover)) != pieces(child, cells, Some(mover));
    ensure(!promotes || changed, Property::Promotion, position, || {
        format!("`{}` promotes, but the mover's pieces are the same", position.move_text(mv))
    })
}

/// Checks that different moves lead to positions with different hashes, unless the positions are
/// equal.
pub(super) fn check_siblings<G: ToolkitGame>(position: &G, children: &[G]) -> Result<(), Failure> {
    let mut seen: HashMap<u64, &G> = HashMap::new();
    for child in children.iter().chain([position]) {
        if let Some(other) = seen.insert(child.hash(), child) {
            ensure(child.to_fen() == other.to_fen(), Property::Hash, position, || {
                format!("`{}` and `{}` have the same hash", child.to_fen(), other.to_fen())
            })?;
        }
    }
    Ok(())
}

/// Checks that the outcome follows from the legal moves and that the scores sum to one point.
pub(super) fn check_outcome<G: ToolkitGame>(position: &G) -> Result<(), Failure> {
    let expected = if position.legal_moves().is_empty() {
        Some(position.outcome_without_moves())
    } else {
        position.outcome_by_rule()
    };
    let outcome = position.outcome();
    ensure(outcome == expected, Property::Outcome, position, || {
        format!("is {outcome:?}; expected {expected:?}")
    })?;
    let Some(outcome) = outcome else { return Ok(()) };
    let shares = Color::BOTH.map(|side| outcome.score(side).as_quarters());
    ensure(shares[0] + shares[1] == 4, Property::Outcome, position, || {
        format!("the players get {shares:?} quarters; expected 4 in all")
    })?;
    ensure(!outcome.reason.is_empty(), Property::Outcome, position, || "has no reason".to_owned())
}

/// Checks that policy indices are in range, and that moves with equal indices are one promotion.
pub(super) fn check_policy<G: ToolkitGame>(position: &G, moves: &[G::Move]) -> Result<(), Failure> {
    let mut seen = HashMap::new();
    for &mv in moves {
        let index = position.policy_index(mv);
        let fits = index.from < G::POLICY.from && index.to < G::POLICY.to;
        ensure(fits, Property::Policy, position, || {
            format!("`{}` has {index:?} in {:?}", position.move_text(mv), G::POLICY)
        })?;
        let Some(other) = seen.insert((index.from, index.to), mv) else { continue };
        let promotions = [mv, other].iter().all(|&mv| position.promotion_gain(mv) != 0);
        ensure(promotions, Property::Policy, position, || {
            let [a, b] = [mv, other].map(|mv| position.move_text(mv));
            format!("`{a}` and `{b}` share {index:?} without both being promotions")
        })?;
    }
    Ok(())
}

/// Checks that a null move only switches the side to move and leads to a playable position.
pub(super) fn check_null_move<G: ToolkitGame>(
    position: &G,
    cells: usize,
    report: &mut Report,
) -> Result<Option<G>, Failure> {
    let Some(passed) = position.null_move() else { return Ok(None) };
    report.null_moves += 1;
    ensure(!position.is_check(), Property::NullMove, position, || {
        "is possible although there is check".to_owned()
    })?;
    ensure(passed.side_to_move() != position.side_to_move(), Property::NullMove, position, || {
        format!("leaves {} to move", position.side_to_move())
    })?;
    let moved = (0..cells).find(|&cell| passed.piece_on(cell) != position.piece_on(cell));
    ensure(moved.is_none(), Property::NullMove, position, || {
        format!("changes the piece on cell {moved:?}")
    })?;
    ensure(passed.hash() != position.hash(), Property::Hash, position, || {
        "is the same for either side to move".to_owned()
    })?;
    notation::check_fen(&passed)?;
    Ok(Some(passed))
}

/// Checks that every listed value can be set, that the default changes nothing, and that others are
/// rejected.
pub(super) fn check_settings<G: ToolkitGame>() -> Result<(), Failure> {
    let start = G::start();
    let refused = |name: &str, value: &str| {
        let accepted = start.clone().set(name, value).is_ok();
        ensure(!accepted, Property::Settings, &start, || format!("takes `{name}` = `{value}`"))
    };
    refused("no such setting", "true")?;
    for setting in G::settings() {
        refused(setting.name, "no such value")?;
        for (place, value) in setting.values.iter().enumerate() {
            let mut position = start.clone();
            let result = position.set(setting.name, value);
            ensure(result.is_ok(), Property::Settings, &start, || format!("{result:?}"))?;
            ensure(place > 0 || position == start, Property::Settings, &start, || {
                format!("setting `{}` to its default changes the start", setting.name)
            })?;
        }
    }
    Ok(())
}
