//! `chess.piece-square-mirrored`: 768 inputs for each king bucket, on a board that is mirrored so
//! that the own king is on the files a–d.
//!
//! The name holds the table of king buckets: after a colon, eight groups separated by `/`, starting
//! with the own king's first rank. Each group has one character for each of the files a–d: a bucket
//! from `0` to `9`, then `a` to `z`. Without a table there is one bucket. This example has buckets
//! for a castled king, a king in the middle, one on its second rank and one further up the board:
//!
//! `chess.piece-square-mirrored:0011/2222/3333/3333/3333/3333/3333/3333`

use super::piece_square::Pair;
use super::{
    flip, list_changes_both, mirror, own_king, piece_square, push_all, push_changes, push_packed,
    same_kings,
};
use crate::chess::Chess;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Update,
};

pub(super) const NAME: &str = "chess.piece-square-mirrored";

const EXPECTED: &str = "expected 8 groups of 4 characters 0-9 a-z divided by `/`";

/// Index = 768 × bucket + index of `chess.piece-square`.
#[derive(Clone, Debug)]
pub(super) struct PieceSquareMirrored {
    /// The king bucket of an own king on relative rank r and file f of a–d: `table[r][f]`.
    table: [[u8; 4]; 8],
    buckets: u32,
    /// The orientation of each perspective by king square (a1 = 0 in both). Precomputed, because a
    /// search reads it at every update.
    orientations: [[Orientation; 64]; 2],
}

/// The part of every feature index that depends on the own king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Orientation {
    /// First index of the bucket.
    base: u32,
    /// Xor that reflects squares.
    flip: u32,
}

impl Orientation {
    #[inline]
    fn refresh_bucket(self) -> usize {
        (2 * (self.base / piece_square::SIZE) + (self.flip & 1)) as usize
    }

    #[inline]
    fn index(self, placed: super::PlacedPiece) -> FeatureIndex {
        self.base + piece_square::index(placed, self.flip)
    }
}

/// Builds the set for a table of king buckets, or for one bucket if there is no table.
pub(super) fn make(parameter: Option<&str>) -> Result<Box<dyn FeatureSet<Chess>>, String> {
    let table = parameter.map_or(Ok([[0; 4]; 8]), parse_table)?;
    let used = table.as_flattened();
    let last = used.iter().copied().max().unwrap_or_default();
    if let Some(gap) = (0..last).find(|bucket| !used.contains(bucket)) {
        return Err(format!("bucket {gap} is missing; expected all from 0 to {last}"));
    }
    let buckets = u32::from(last) + 1;
    let orientations = Color::BOTH.map(|perspective| {
        std::array::from_fn(|king| orientation_of(&table, king as u32, perspective))
    });
    Ok(Box::new(PieceSquareMirrored { table, buckets, orientations }))
}

fn parse_table(text: &str) -> Result<[[u8; 4]; 8], String> {
    let groups = text.split('/').count();
    if groups != 8 {
        return Err(format!("{groups} groups of king buckets; {EXPECTED}"));
    }
    let mut table = [[0; 4]; 8];
    for (group, row) in text.split('/').zip(&mut table) {
        if group.chars().count() != 4 {
            return Err(format!("`{group}` has not 4 characters; {EXPECTED}"));
        }
        for (letter, bucket) in group.chars().zip(row) {
            let value = letter.to_digit(36).filter(|_| !letter.is_ascii_uppercase());
            *bucket = value.ok_or_else(|| format!("`{letter}` is not a bucket; {EXPECTED}"))? as u8;
        }
    }
    Ok(table)
}

/// Whether the board is mirrored because the own king is on this file.
fn mirrors(file: u32) -> bool {
    file > 3
}

/// The orientation of a perspective whose king is on this square (a1 = 0 in both).
fn orientation_of(table: &[[u8; 4]; 8], king: u32, perspective: Color) -> Orientation {
    let upright = flip(perspective);
    let king = king ^ upright;
    let mirror = if mirrors(king & 7) { 7 } else { 0 };
    let seen = (king ^ mirror) as usize;
    let bucket = u32::from(table[seen / 8][seen % 8]);
    Orientation { base: piece_square::SIZE * bucket, flip: upright ^ mirror }
}

impl PieceSquareMirrored {
    #[inline]
    fn orientation(&self, position: &Chess, perspective: Color) -> Orientation {
        self.orientation_of(own_king(position.board(), perspective), perspective)
    }

    #[inline]
    fn orientation_of(&self, king: u32, perspective: Color) -> Orientation {
        self.orientations[perspective as usize][king as usize % 64]
    }
}

impl FeatureSet<Chess> for PieceSquareMirrored {
    /// The plain name if there is one bucket, so that each set has exactly one name.
    fn name(&self) -> String {
        let mut name = NAME.to_owned();
        if self.buckets > 1 {
            for (rank, row) in self.table.iter().enumerate() {
                name.push(if rank == 0 { ':' } else { '/' });
                name.extend(row.iter().filter_map(|&bucket| char::from_digit(bucket.into(), 36)));
            }
        }
        name
    }

    fn size(&self) -> usize {
        (piece_square::SIZE * self.buckets) as usize
    }

    fn max_active(&self) -> usize {
        32
    }

    fn mirror(&self, position: &Chess) -> Option<&'static [u8]> {
        mirror(position, mirrors)
    }

    /// One for each king bucket, mirrored or not.
    fn refresh_buckets(&self) -> usize {
        2 * self.buckets as usize
    }

    fn refresh_bucket(&self, position: &Chess, perspective: Color) -> usize {
        self.orientation(position, perspective).refresh_bucket()
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let bucket = feature / piece_square::SIZE;
        let placed = piece_square::placed(feature % piece_square::SIZE);
        if bucket < self.buckets { placed.place(bucket) } else { None }
    }

    /// The features of `chess.piece-square`, if there is more than one bucket to share them.
    fn factors(&self) -> usize {
        if self.buckets > 1 { piece_square::SIZE as usize } else { 0 }
    }

    fn factor(&self, feature: FeatureIndex) -> FeatureIndex {
        if self.buckets > 1 { feature % piece_square::SIZE } else { 0 }
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let orientation = self.orientation(position, perspective);
        push_all(position.board(), perspective, features, |placed| orientation.index(placed));
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        push_packed(bytes, features, |king, perspective| {
            let orientation = self.orientation_of(king, perspective);
            move |placed| orientation.index(placed)
        })
    }

    fn changes(
        &self,
        before: &Chess,
        after: &Chess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        let orientation = self.orientation(after, perspective);
        if orientation != self.orientation(before, perspective) {
            return Update::Refresh;
        }
        let (before, after) = (before.board(), after.board());
        push_changes(before, after, perspective, changes, |placed| orientation.index(placed));
        Update::Changes
    }

    fn changes_both(
        &self,
        before: &Chess,
        after: &Chess,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        // Kings rarely move, and the orientation depends only on the king.
        if !same_kings(before.board(), after.board())
            && Color::BOTH
                .iter()
                .any(|&side| self.orientation(before, side) != self.orientation(after, side))
        {
            return None;
        }
        let orientations = Color::BOTH.map(|perspective| self.orientation(after, perspective));
        let pair = Pair::new(
            orientations.map(|orientation| orientation.base),
            orientations.map(|orientation| orientation.flip),
        );
        let (before, after) = (before.board(), after.board());
        list_changes_both(before, after, added, removed, |placed| pair.indices(placed))
    }
}
