//! Conformance of feature places: checks the piece and the cell of each feature.

use super::{Failure, Property, ensure};
use crate::{BoardGeometry, Color, FeaturePlace, FeatureSet, ToolkitGame};

/// The reflections of a board: for each, the image of every cell. The identity comes first, then
/// left-right; White's perspective may use only these two. Black's may also flip the board
/// vertically.
pub(super) struct Reflections(Vec<Vec<usize>>);

impl Reflections {
    pub(super) fn of(geometry: &BoardGeometry) -> Self {
        let ways = [(false, false), (true, false), (false, true), (true, true)];
        Self(
            ways.into_iter()
                .filter_map(|(across, over)| geometry.reflected(across, over))
                .collect(),
        )
    }

    fn for_perspective(&self, perspective: Color) -> &[Vec<usize>] {
        match perspective {
            Color::White => &self.0[..self.0.len().min(2)],
            Color::Black => &self.0,
        }
    }
}

/// Checks that the places of the active features share one bucket, are on distinct cells, and match
/// the pieces on the board.
pub(super) fn check<G: ToolkitGame>(
    name: &str,
    set: &dyn FeatureSet<G>,
    position: &G,
    perspective: Color,
    reflections: &Reflections,
) -> Result<(), Failure> {
    let hold = |holds: bool, detail: &dyn Fn() -> String| {
        ensure(holds, Property::FeaturePlace, position, || {
            format!("{name}, {perspective}: {}", detail())
        })
    };
    let beyond = set.place(set.size() as u32);
    hold(beyond.is_none(), &|| format!("{beyond:?} for a number that is no feature"))?;
    let mut features = Vec::new();
    set.active(position, perspective, &mut features);
    let mut places: Vec<_> = features.iter().filter_map(|&feature| set.place(feature)).collect();
    places.sort_unstable_by_key(|place| place.cell);
    let buckets = places.windows(2).find(|pair| pair[0].bucket != pair[1].bucket);
    hold(buckets.is_none(), &|| format!("{buckets:?} are of two buckets"))?;
    let shared = places.windows(2).find(|pair| pair[0].cell == pair[1].cell);
    hold(shared.is_none(), &|| format!("{shared:?} share a cell"))?;
    let fits = |cells: &Vec<usize>| {
        places.iter().all(|place| {
            let letter = cells.get(place.cell).and_then(|&cell| position.piece_on(cell));
            letter.is_some_and(|letter| stands_for(*place, letter, perspective))
        })
    };
    hold(reflections.for_perspective(perspective).iter().any(fits), &|| {
        format!("{places:?} are not the pieces on the board")
    })
}

/// Whether a place matches the piece that `perspective` sees there. Letters are those of White's
/// perspective, because games may name the same piece differently for each player.
fn stands_for(place: FeaturePlace, letter: char, perspective: Color) -> bool {
    let white = letter.is_ascii_uppercase();
    let theirs = white != (perspective == Color::White);
    let same = perspective == Color::Black || letter.to_ascii_uppercase() == place.piece;
    place.theirs == theirs && same
}
