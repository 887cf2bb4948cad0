//! Material evaluation: piece values and a bonus near the centre, for games without a network.

use std::sync::Arc;

use games::{Color, FeatureSetError, SearchGame};

use super::{Evaluator, Linear, LinearError};

/// The bonus of a piece in the centre over one at the rim, in normalised centipawns.
const CENTRE_BONUS: f32 = 24.0;

/// The value of a piece (upper-case letter) on a cell, in normalised centipawns.
pub(super) fn piece_square_value<G: SearchGame>() -> impl Fn(char, usize) -> i32 {
    let nearness = nearness_to_centre::<G>();
    move |piece, cell| {
        let Some(value) = G::piece_value(piece) else { return 0 };
        let centre = CENTRE_BONUS * nearness.get(cell).copied().unwrap_or(0.0);
        value + centre.round() as i32
    }
}

/// For each cell 1 in the centre of the board, down to 0 at the cell farthest from it.
fn nearness_to_centre<G: SearchGame>() -> Vec<f32> {
    let cells = G::geometry().cells;
    let count = cells.len().max(1) as f32;
    let (x, y) = cells.iter().fold((0.0, 0.0), |(x, y), cell| (x + cell.x, y + cell.y));
    let distance = cells.iter().map(|cell| (cell.x - x / count).hypot(cell.y - y / count));
    let distance: Vec<f32> = distance.collect();
    let max = distance.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    distance.into_iter().map(|distance| 1.0 - distance / max).collect()
}

/// Material and centre bonus of every game, without a network. The game's piece values are
/// normalised centipawns by declaration.
///
/// Where the game's first feature set gives the place of its features, it is a [`Linear`]
/// evaluation, which is updated incrementally. Where it does not, every evaluation scans the board:
/// slower, and the same values.
///
/// ```
/// use games::{Game, chess::Chess};
/// use search::{Evaluator, Material};
///
/// let mut material = Material::<Chess>::new()?;
/// material.reset(&Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?);
/// assert!((450..550).contains(&material.evaluate()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Material<G: SearchGame>(Method<G>);

#[derive(Debug)]
enum Method<G: SearchGame> {
    Features(Linear<G>),
    Scan(BoardScan<G>),
}

impl<G: SearchGame> Material<G> {
    /// The material evaluation of the game. Fails if the game has no feature set.
    pub fn new() -> Result<Self, FeatureSetError> {
        match Linear::material() {
            Ok(linear) => Ok(Self(Method::Features(linear))),
            Err(LinearError::NoPlaces { .. }) => Ok(Self(Method::Scan(BoardScan::new()))),
            Err(LinearError::FeatureSet(error)) => Err(error),
        }
    }

    /// An evaluator with the same values, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        Self(match &self.0 {
            Method::Features(linear) => Method::Features(linear.another()),
            Method::Scan(scan) => Method::Scan(scan.another()),
        })
    }
}

impl<G: SearchGame> Evaluator<G> for Material<G> {
    fn reset(&mut self, position: &G) {
        match &mut self.0 {
            Method::Features(linear) => linear.reset(position),
            Method::Scan(scan) => scan.positions = vec![position.clone()],
        }
    }

    #[inline]
    fn push(&mut self, position: &G) {
        match &mut self.0 {
            Method::Features(linear) => linear.push(position),
            Method::Scan(scan) => scan.positions.push(position.clone()),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match &mut self.0 {
            Method::Features(linear) => linear.pop(),
            Method::Scan(scan) => drop(scan.positions.pop()),
        }
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        match &mut self.0 {
            Method::Features(linear) => linear.evaluate(),
            Method::Scan(scan) => scan.evaluate(),
        }
    }
}

/// Evaluates by the pieces on all cells of the board.
struct BoardScan<G: SearchGame> {
    cells: usize,
    value: Arc<dyn Fn(char, usize) -> i32 + Send + Sync>,
    positions: Vec<G>,
}

impl<G: SearchGame> std::fmt::Debug for BoardScan<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoardScan").field("cells", &self.cells).finish_non_exhaustive()
    }
}

impl<G: SearchGame> BoardScan<G> {
    fn new() -> Self {
        let value = Arc::new(piece_square_value::<G>());
        Self { cells: G::geometry().cells.len(), value, positions: Vec::new() }
    }

    fn another(&self) -> Self {
        let value = Arc::clone(&self.value);
        Self { cells: self.cells, value, positions: Vec::new() }
    }

    fn evaluate(&self) -> i32 {
        let Some(position) = self.positions.last() else { return 0 };
        let value = |cell: usize| {
            let Some(letter) = position.piece_on(cell) else { return 0 };
            let value = (self.value)(letter.to_ascii_uppercase(), cell);
            if letter.is_ascii_uppercase() { value } else { -value }
        };
        let white: i32 = (0..self.cells).map(value).sum();
        if position.side_to_move() == Color::White { white } else { -white }
    }
}

#[cfg(test)]
mod tests {
    use games::Random;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::*;

    fn scan_equals_features<G: SearchGame>() {
        let mut features = Linear::<G>::material().unwrap();
        let mut scan = BoardScan::<G>::new();
        let mut random = Random::new(17);
        for _ in 0..20 {
            let mut position = G::start();
            for _ in 0..60 {
                features.reset(&position);
                scan.positions = vec![position.clone()];
                assert_eq!(scan.evaluate(), features.evaluate(), "{}", position.to_fen());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn a_scan_of_the_board_has_the_values_of_the_features() {
        scan_equals_features::<Chess>();
        scan_equals_features::<Hexchess>();
        scan_equals_features::<ConnectFour>();
    }
}
