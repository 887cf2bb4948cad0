//! The feature sets of chess, one file each, and what they share.
//!
//! To add one, write its file and add a line to [`SETS`].

mod halfka_hm;
mod piece_square;
mod piece_square_mirrored;
mod piece_square_stm;

use cozy_chess::{BitBoard, Board, Piece, Square};

use super::kinds::Kinds;
use super::pack::Packed;
use super::{Chess, color_of};
use crate::{Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FeatureSetError, PackedRows};

/// Makes a set from what follows the colon in its name, or says what is wrong there.
type Make = fn(Option<&str>) -> Result<Box<dyn FeatureSet<Chess>>, String>;

/// Every set by its name, the simplest first.
const SETS: [(&str, Make); 4] = [
    (piece_square::NAME, |parameter| plain(parameter, piece_square::PieceSquare)),
    (piece_square_stm::NAME, |parameter| plain(parameter, piece_square_stm::PieceSquareStm)),
    (piece_square_mirrored::NAME, piece_square_mirrored::make),
    (halfka_hm::NAME, |parameter| plain(parameter, halfka_hm::HalfKaHm)),
];

/// The names in [`SETS`].
pub(super) const NAMES: &[&str] = &{
    let mut names = [""; SETS.len()];
    let mut i = 0;
    while i < SETS.len() {
        names[i] = SETS[i].0;
        i += 1;
    }
    names
};

/// Finds a set, its parameter after a colon.
pub(super) fn by_name(full: &str) -> Result<Box<dyn FeatureSet<Chess>>, FeatureSetError> {
    let (name, parameter) = match full.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (full, None),
    };
    let found = SETS.iter().find(|(known, _)| *known == name);
    let (_, make) = found.ok_or_else(|| FeatureSetError::Unknown {
        name: full.to_owned(),
        known: NAMES.join(", "),
    })?;
    make(parameter).map_err(|fault| FeatureSetError::Parameter { name: full.to_owned(), fault })
}

/// A set that takes no parameter.
fn plain(
    parameter: Option<&str>,
    set: impl FeatureSet<Chess> + 'static,
) -> Result<Box<dyn FeatureSet<Chess>>, String> {
    match parameter {
        None => Ok(Box::new(set)),
        Some(text) => Err(format!("this set takes no parameter; found `{text}`")),
    }
}

/// A piece on its square, in the numbers that indices are made of.
#[derive(Clone, Copy)]
struct Man {
    /// P N B R Q K from 0.
    piece: u32,
    /// 1 if the piece is not the perspective's own.
    theirs: u32,
    /// a1 = 0, b1 = 1, h8 = 63, whoever looks.
    square: u32,
}

impl Man {
    /// The place of the feature that stands for this man in a bucket.
    fn place(self, bucket: u32) -> Option<FeaturePlace> {
        Some(FeaturePlace {
            bucket: bucket as usize,
            piece: char::from(*b"PNBRQK".get(self.piece as usize)?),
            theirs: self.theirs == 1,
            cell: self.square as usize,
        })
    }
}

/// 56 turns the board upside down (xor) for Black's perspective.
fn flip(perspective: Color) -> u32 {
    match perspective {
        Color::White => 0,
        Color::Black => 56,
    }
}

/// The square of a perspective's own king, a1 = 0.
fn own_king(board: &Board, perspective: Color) -> u32 {
    board.king(cozy_color(perspective)) as u32
}

fn cozy_color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// Appends the feature of every piece on the board.
#[inline]
fn push_all(
    board: &Board,
    perspective: Color,
    features: &mut Vec<FeatureIndex>,
    index: impl Fn(Man) -> FeatureIndex,
) {
    let theirs = board.colors(cozy_color(!perspective));
    let kinds = Kinds::of(board);
    for square in board.occupied() {
        features.push(index(kinds.man_on(theirs, square)));
    }
}

/// Appends the features of both views of a packed position. `indexer` makes a view's indices, given the square of its
/// king.
#[inline]
fn push_packed<I: Fn(Man) -> FeatureIndex>(
    bytes: &mut &[u8],
    features: &mut Vec<FeatureIndex>,
    indexer: impl Fn(u32, Color) -> I,
) -> Option<PackedRows> {
    let packed = Packed::take(bytes)?;
    let side = color_of(packed.side);
    push_packed_view(&packed, side, features, &indexer);
    let middle = features.len();
    push_packed_view(&packed, !side, features, &indexer);
    Some(PackedRows { middle, pieces: packed.count() })
}

/// Appends the features of one view of a packed position.
#[inline]
fn push_packed_view<I: Fn(Man) -> FeatureIndex>(
    packed: &Packed,
    perspective: Color,
    features: &mut Vec<FeatureIndex>,
    indexer: &impl Fn(u32, Color) -> I,
) {
    let own = perspective as u32;
    let index = indexer(packed.kings[perspective as usize].into(), perspective);
    features.extend(packed.men().map(|man| {
        let theirs = u32::from(man.color) ^ own;
        index(Man { piece: man.piece.into(), theirs, square: man.square.into() })
    }));
}

/// Replaces `changes` by the features of the pieces on squares where two boards differ.
///
/// Comparing the boards serves every kind of move and any number of them alike; a quiet move costs a look
/// at two squares.
#[inline]
fn push_changes(
    before: &Board,
    after: &Board,
    perspective: Color,
    changes: &mut Changes,
    index: impl Fn(Man) -> FeatureIndex,
) {
    changes.clear();
    let them = cozy_color(!perspective);
    let (theirs_before, theirs_after) = (before.colors(them), after.colors(them));
    // With every kind of piece in the same places, only owners can differ.
    let mut differ = theirs_before ^ theirs_after;
    for piece in Piece::ALL {
        differ |= before.pieces(piece) ^ after.pieces(piece);
    }
    // One list after the other: how many squares were left and entered is easier to predict than which
    // of them comes first.
    let kinds = Kinds::of(before);
    for square in differ & before.occupied() {
        changes.removed.push(index(kinds.man_on(theirs_before, square)));
    }
    let kinds = Kinds::of(after);
    for square in differ & after.occupied() {
        changes.added.push(index(kinds.man_on(theirs_after, square)));
    }
}

/// [`push_changes`] for both views, White's first. `index` is told which view it is.
#[inline]
fn push_changes_of_both(
    before: &Board,
    after: &Board,
    added: &mut [Vec<FeatureIndex>; 2],
    removed: &mut [Vec<FeatureIndex>; 2],
    index: impl Fn(Man, usize) -> FeatureIndex,
) {
    let (theirs_before, theirs_after) =
        [before, after].map(|board| board.colors(cozy_chess::Color::Black)).into();
    let mut differ = theirs_before ^ theirs_after;
    for piece in Piece::ALL {
        differ |= before.pieces(piece) ^ after.pieces(piece);
    }
    let list = |board: &Board, theirs: BitBoard, lists: &mut [Vec<FeatureIndex>; 2]| {
        lists[0].clear();
        lists[1].clear();
        let kinds = Kinds::of(board);
        for square in differ & board.occupied() {
            let man = kinds.man_on(theirs, square);
            lists[0].push(index(man, 0));
            lists[1].push(index(Man { theirs: 1 - man.theirs, ..man }, 1));
        }
    };
    list(before, theirs_before, removed);
    list(after, theirs_after, added);
}

impl Kinds {
    /// What stands on an occupied square.
    #[inline]
    fn man_on(&self, theirs: BitBoard, square: Square) -> Man {
        let theirs = u32::from(theirs.has(square));
        Man { piece: self.on(square) as u32, theirs, square: square as u32 }
    }
}
