//! Conformance of boards: checks cells and pieces.

use std::collections::HashSet;

use super::{Failure, Property, ensure};
use crate::{Color, ToolkitGame};

/// Checks that every cell has a unique name and position.
pub(super) fn check_geometry<G: ToolkitGame>() -> Result<(), Failure> {
    let start = G::start();
    let cells = G::geometry().cells;
    ensure(!cells.is_empty(), Property::Geometry, &start, || "there are no cells".to_owned())?;
    let (mut names, mut places) = (HashSet::new(), HashSet::new());
    for cell in &cells {
        let placed = cell.x.is_finite() && cell.y.is_finite();
        let own = placed && places.insert((cell.x.to_bits(), cell.y.to_bits()));
        ensure(own, Property::Geometry, &start, || {
            format!("cell {} at {}, {} has no place of its own", cell.name, cell.x, cell.y)
        })?;
        let named = !cell.name.is_empty() && names.insert(&cell.name);
        ensure(named, Property::Geometry, &start, || {
            format!("`{}` is not the name of one cell", cell.name)
        })?;
    }
    Ok(())
}

/// Checks that the pieces on the cells match the letters in the first field of the FEN and the
/// piece count.
pub(super) fn check_pieces<G: ToolkitGame>(position: &G, cells: usize) -> Result<(), Failure> {
    let on_cells = pieces(position, cells, None);
    let fen = position.to_fen();
    let field = fen.split_whitespace().next().unwrap_or_default();
    let mut in_fen: Vec<char> = field.chars().filter(char::is_ascii_alphabetic).collect();
    in_fen.sort_unstable();
    ensure(on_cells == in_fen, Property::Pieces, position, || {
        format!("the cells hold {on_cells:?}, the FEN {in_fen:?}")
    })?;
    let count = position.piece_count();
    ensure(count == on_cells.len(), Property::Pieces, position, || {
        format!("the cells hold {} pieces, piece_count is {count}", on_cells.len())
    })
}

/// The sorted letters of the pieces on a board with this many cells, of one player or of both.
pub(super) fn pieces<G: ToolkitGame>(position: &G, cells: usize, of: Option<Color>) -> Vec<char> {
    let wanted = |letter: &char| match of {
        None => true,
        Some(Color::White) => letter.is_ascii_uppercase(),
        Some(Color::Black) => letter.is_ascii_lowercase(),
    };
    let letters = (0..cells).filter_map(|cell| position.piece_on(cell));
    let mut letters: Vec<char> = letters.filter(wanted).collect();
    letters.sort_unstable();
    letters
}
