//! Conformance of symmetries: checks that a position and its image play identically.

use super::feature_sets::Sets;
use super::{Failure, Property, Report, Symmetry, ensure};
use crate::{Color, ToolkitGame};

/// Checks that the image has the same moves, captures, checks and outcome, each mapped.
pub(super) fn check<G: ToolkitGame>(
    symmetry: &Symmetry<G>,
    position: &G,
    sets: &Sets<G>,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(image) = (symmetry.position)(position) else { return Ok(()) };
    report.images += 1;
    let hold = |holds: bool, detail: &dyn Fn() -> String| {
        ensure(holds, Property::Symmetry, position, || format!("{}: {}", symmetry.name, detail()))
    };
    let turned = |color: Color| if symmetry.swaps_colors { !color } else { color };

    let twice = (symmetry.position)(&image);
    hold(twice.as_ref() == Some(position), &|| format!("the image of the image is {twice:?}"))?;
    hold(image.side_to_move() == turned(position.side_to_move()), &|| {
        format!("{} is to move in the image", image.side_to_move())
    })?;
    hold(image.is_check() == position.is_check(), &|| {
        format!("is_check is {} and {}", position.is_check(), image.is_check())
    })?;

    let (here, there) = (position.outcome(), image.outcome());
    let expected = here.map(|end| (end.score(turned(Color::White)), end.reason));
    hold(there.map(|end| (end.white, end.reason)) == expected, &|| {
        format!("the outcomes are {here:?} and {there:?}")
    })?;

    let moves = position.legal_moves();
    let mut mapped: Vec<String> =
        moves.iter().map(|&mv| (symmetry.move_text)(&position.move_text(mv))).collect();
    let mut texts: Vec<String> =
        image.legal_moves().into_iter().map(|mv| image.move_text(mv)).collect();
    mapped.sort();
    texts.sort();
    hold(mapped == texts, &|| {
        format!("the moves {mapped:?} are expected in the image, which has {texts:?}")
    })?;

    for mv in moves {
        let text = position.move_text(mv);
        let Ok(other) = image.parse_move(&(symmetry.move_text)(&text)) else { continue };
        hold(position.capture(mv) == image.capture(other), &|| {
            format!("the capture of `{text}` differs")
        })?;
        let [mut child, mut image_child] = [position.clone(), image.clone()];
        child.play(mv);
        image_child.play(other);
        // Compared by hash: swapping the players cannot preserve the fullmove number.
        let hash = (symmetry.position)(&child).map(|child| child.hash());
        hold(hash == Some(image_child.hash()), &|| {
            format!("the image after `{text}` is not `{}`", image_child.to_fen())
        })?;
    }
    if symmetry.swaps_colors { sets.check_swapped(position, &image) } else { Ok(()) }
}
