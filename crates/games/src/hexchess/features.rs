//! Feature sets of hexchess: pieces on cells and double steps.
//!
//! An orientation has 12 × 91 inputs for the pieces and 18 for double steps. Each player sees the
//! board from their own side: for Black it is mirrored top to bottom, which maps the start onto
//! itself with the colours swapped.
//!
//! - own piece on a cell: 91 × piece + cell, pieces in the order P N B R Q K; theirs: 546 more;
//! - 1092 + file (b = 0 to k = 8) if an own pawn has just stepped twice; 1101 + file if one of
//!   theirs has.

use super::cell::{CELLS, Cell};
use super::piece::Piece;
use super::position::Hexchess;
use super::tables::PerCell;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FeatureSetError, FewFeatures, Update,
    unknown_feature_set,
};

/// The feature sets by name, simplest first.
pub(super) const NAMES: [&str; 2] = ["hexchess.piece-cell", "hexchess.piece-cell-mirrored"];

/// The number of inputs for own pieces, and for theirs.
const OWN: usize = 6 * CELLS;

/// The number of inputs for pieces.
const PIECES: usize = 2 * OWN;

/// The number of files that pawns start on.
const STARTS: usize = 9;

/// The pieces of both sides and one double step.
const MAX_ACTIVE: usize = 18 + 18 + 1;

/// The feature set of that name.
pub(super) fn named(name: &str) -> Result<Box<dyn FeatureSet<Hexchess>>, FeatureSetError> {
    let mirrored = NAMES.into_iter().position(|known| known == name);
    let mirrored = mirrored.ok_or_else(|| unknown_feature_set::<Hexchess>(name))?;
    Ok(Box::new(PieceCell { mirrored: mirrored == 1 }))
}

/// Pieces on cells, and double steps.
#[derive(Clone, Copy, Debug)]
struct PieceCell {
    /// Whether the board is mirrored left to right if the own king is on files g to l. This halves
    /// what there is to learn, at the cost of a refresh when the king crosses.
    mirrored: bool,
}

/// How a perspective orients the board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Orientation {
    perspective: Color,
    mirrored: bool,
}

/// The oriented numbers of the cells: by [`Orientation::refresh_bucket`], then by bit.
static ORIENTED: [PerCell<u8>; 4] = {
    let mut table = [[0; 128]; 4];
    let mut number = 0;
    while number < CELLS {
        let cell = Cell::numbered(number);
        let bit = cell.slot();
        table[0][bit] = cell.number() as u8;
        table[1][bit] = cell.left_right().number() as u8;
        table[2][bit] = cell.top_bottom().number() as u8;
        table[3][bit] = cell.top_bottom().left_right().number() as u8;
        number += 1;
    }
    table
};

/// The numbers of the cells on the board that is mirrored left to right.
static MIRRORED: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut number = 0;
    while number < CELLS {
        table[number] = Cell::numbered(number).left_right().number() as u8;
        number += 1;
    }
    table
};

impl Orientation {
    const fn refresh_bucket(self) -> usize {
        2 * self.perspective as usize + self.mirrored as usize
    }

    /// The input for a kind of piece on a cell.
    #[inline]
    fn index(self, piece: usize, white: bool, cell: Cell) -> FeatureIndex {
        let theirs = white != (self.perspective == Color::White);
        let oriented = ORIENTED[self.refresh_bucket()][cell.slot()];
        (usize::from(theirs) * OWN + piece * CELLS + usize::from(oriented)) as u32
    }

    /// The input for a double step in the last move, if there was one.
    fn double_step(self, position: &Hexchess) -> Option<FeatureIndex> {
        let cell = position.passed()?;
        let file = if self.mirrored { 10 - cell.file() } else { cell.file() };
        let theirs = usize::from(position.side() == self.perspective);
        Some((PIECES + theirs * STARTS + file - 1) as u32)
    }
}

impl PieceCell {
    fn orientation(self, position: &Hexchess, perspective: Color) -> Orientation {
        let mirrored = self.mirrored && position.king(perspective).file() > 5;
        Orientation { perspective, mirrored }
    }
}

impl FeatureSet<Hexchess> for PieceCell {
    fn name(&self) -> String {
        NAMES[usize::from(self.mirrored)].to_owned()
    }

    fn size(&self) -> usize {
        PIECES + 2 * STARTS
    }

    fn max_active(&self) -> usize {
        MAX_ACTIVE
    }

    fn mirror(&self, position: &Hexchess) -> Option<&'static [u8]> {
        let mirrored = self.orientation(position, position.side()).mirrored;
        mirrored.then_some(&MIRRORED)
    }

    fn refresh_buckets(&self) -> usize {
        1 + usize::from(self.mirrored)
    }

    fn refresh_bucket(&self, position: &Hexchess, perspective: Color) -> usize {
        usize::from(self.orientation(position, perspective).mirrored)
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let feature = feature as usize;
        if feature >= PIECES {
            return None;
        }
        let piece = Piece::ALL[feature % OWN / CELLS];
        Some(FeaturePlace {
            bucket: 0,
            piece: char::from(piece.letter_of(Color::White)),
            theirs: feature >= OWN,
            cell: feature % CELLS,
        })
    }

    fn active(&self, position: &Hexchess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let orientation = self.orientation(position, perspective);
        let white = position.color(Color::White);
        for piece in Piece::ALL {
            let cells = position.pieces(piece).into_iter();
            features
                .extend(cells.map(|cell| orientation.index(piece as usize, white.has(cell), cell)));
        }
        features.extend(orientation.double_step(position));
    }

    fn changes(
        &self,
        before: &Hexchess,
        after: &Hexchess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        changes.clear();
        let orientation = self.orientation(before, perspective);
        if orientation != self.orientation(after, perspective) {
            return Update::Refresh;
        }
        let changed = before.difference(after);
        let list = |position: &Hexchess, features: &mut Vec<FeatureIndex>| {
            let white = position.color(Color::White);
            for cell in changed & position.occupied() {
                features.push(orientation.index(position.kind_at(cell), white.has(cell), cell));
            }
        };
        list(before, &mut changes.removed);
        list(after, &mut changes.added);
        let (old, new) = (orientation.double_step(before), orientation.double_step(after));
        if old != new {
            changes.removed.extend(old);
            changes.added.extend(new);
        }
        Update::Changes
    }

    fn changes_both(
        &self,
        before: &Hexchess,
        after: &Hexchess,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        let orientations = Color::BOTH.map(|perspective| self.orientation(after, perspective));
        if orientations != Color::BOTH.map(|perspective| self.orientation(before, perspective)) {
            return None;
        }
        let changed = before.difference(after);
        // If the double step differs, its feature precedes those of the pieces.
        let steps = [before, after].map(|position| {
            let [white, black] = orientations.map(|orientation| orientation.double_step(position));
            white.zip(black)
        });
        let list = |position: &Hexchess, step: Option<(u32, u32)>, list: &mut FewFeatures| {
            let white = position.color(Color::White);
            let mut left = changed & position.occupied();
            let mut places = list.iter_mut();
            let mut count = 0;
            if let (Some((white, black)), true) = (step, steps[0] != steps[1]) {
                *places.next()? = [white, black];
                count += 1;
            }
            for place in places {
                if left.is_empty() {
                    break;
                }
                let cell = left.first();
                let (kind, white) = (position.kind_at(cell), white.has(cell));
                *place = orientations.map(|orientation| orientation.index(kind, white, cell));
                left.0 &= left.0 - 1;
                count += 1;
            }
            left.is_empty().then_some(count)
        };
        let removed = list(before, steps[0], removed)?;
        let added = list(after, steps[1], added)?;
        Some([added, removed])
    }
}
