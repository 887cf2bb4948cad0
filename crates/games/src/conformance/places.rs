//! What features stand for.

use super::{Failure, Property, ensure};
use crate::{BoardGeometry, Color, FeaturePlace, FeatureSet, Game};

/// The ways to reflect a board onto itself: for each, the image of every cell. The board as it is comes first, then
/// left to right, which is all that White's view may do; Black's may turn it upside down too.
pub(super) struct Reflections(Vec<Vec<usize>>);

impl Reflections {
    pub(super) fn of(geometry: &BoardGeometry) -> Self {
        let ways = [(false, false), (true, false), (false, true), (true, true)];
        Self(ways.into_iter().filter_map(|way| reflect(geometry, way)).collect())
    }

    fn for_view(&self, view: Color) -> &[Vec<usize>] {
        match view {
            Color::White => &self.0[..self.0.len().min(2)],
            Color::Black => &self.0,
        }
    }
}

/// The image of every cell; `None` for a board that is not symmetric in this way.
fn reflect(geometry: &BoardGeometry, (across, over): (bool, bool)) -> Option<Vec<usize>> {
    const NEAR: f32 = 1e-3;
    let most = |of: fn(&crate::Cell) -> f32| geometry.cells.iter().map(of).fold(0.0, f32::max);
    let (right, top) = (most(|cell| cell.x), most(|cell| cell.y));
    let image = |cell: &crate::Cell| {
        let x = if across { right - cell.x } else { cell.x };
        let y = if over { top - cell.y } else { cell.y };
        let there = |c: &crate::Cell| (c.x - x).abs() < NEAR && (c.y - y).abs() < NEAR;
        geometry.cells.iter().position(there)
    };
    geometry.cells.iter().map(image).collect()
}

/// The places of the active features are of one bucket, on cells of their own, and hold what the board holds there.
pub(super) fn check<G: Game>(
    name: &str,
    set: &dyn FeatureSet<G>,
    position: &G,
    view: Color,
    reflections: &Reflections,
) -> Result<(), Failure> {
    let hold = |holds: bool, detail: &dyn Fn() -> String| {
        ensure(holds, Property::FeaturePlace, position, || format!("{name}, {view}: {}", detail()))
    };
    let beyond = set.place(set.size() as u32);
    hold(beyond.is_none(), &|| format!("{beyond:?} for a number that is no feature"))?;
    let mut features = Vec::new();
    set.active(position, view, &mut features);
    let mut places: Vec<_> = features.iter().filter_map(|&feature| set.place(feature)).collect();
    places.sort_unstable_by_key(|place| place.cell);
    let buckets = places.windows(2).find(|pair| pair[0].bucket != pair[1].bucket);
    hold(buckets.is_none(), &|| format!("{buckets:?} are of two buckets"))?;
    let shared = places.windows(2).find(|pair| pair[0].cell == pair[1].cell);
    hold(shared.is_none(), &|| format!("{shared:?} share a cell"))?;
    let fits = |cells: &Vec<usize>| {
        places.iter().all(|place| {
            let letter = cells.get(place.cell).and_then(|&cell| position.piece_on(cell));
            letter.is_some_and(|letter| stands_for(*place, letter, view))
        })
    };
    hold(reflections.for_view(view).iter().any(fits), &|| {
        format!("{places:?} are not the pieces on the board")
    })
}

/// Whether a place is right about the piece that `view` sees there. Letters are those that White sees: games may
/// name the same piece differently for each player.
fn stands_for(place: FeaturePlace, letter: char, view: Color) -> bool {
    let white = letter.is_ascii_uppercase();
    let theirs = white != (view == Color::White);
    let same = view == Color::Black || letter.to_ascii_uppercase() == place.piece;
    place.theirs == theirs && same
}
