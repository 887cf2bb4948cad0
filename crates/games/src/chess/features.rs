//! Feature sets of chess: the registry and shared helpers, with one file per set.
//!
//! To add a set, write its file and add a line to [`SETS`].

mod halfka_hm;
mod piece_square;
mod piece_square_mirrored;
mod piece_square_stm;

use cozy_chess::{BitBoard, Piece, Square};

use super::kinds::Kinds;
use super::pack::Packed;
use super::{Board, Chess, color_of};
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FeatureSetError, FewFeatures, Game,
    PackedRows,
};

/// Builds a set from the parameter after the colon in its name, or returns the fault of the
/// parameter.
type Make = fn(Option<&str>) -> Result<Box<dyn FeatureSet<Chess>>, String>;

/// Every set by its name, simplest first.
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

/// Returns the set with this name. A parameter may follow a colon.
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

/// Wraps a set that takes no parameter.
fn plain(
    parameter: Option<&str>,
    set: impl FeatureSet<Chess> + 'static,
) -> Result<Box<dyn FeatureSet<Chess>>, String> {
    match parameter {
        None => Ok(Box::new(set)),
        Some(text) => Err(format!("this set takes no parameter; found `{text}`")),
    }
}

/// A piece on its square, as the numbers that feature indices are computed from.
#[derive(Clone, Copy)]
struct PlacedPiece {
    /// P N B R Q K from 0.
    piece: u32,
    /// 1 if the piece is not the perspective's own.
    theirs: u32,
    /// a1 = 0, b1 = 1, h8 = 63, in both perspectives.
    square: u32,
}

impl PlacedPiece {
    /// The location of this piece's feature within a bucket.
    fn place(self, bucket: u32) -> Option<FeaturePlace> {
        Some(FeaturePlace {
            bucket: bucket as usize,
            piece: char::from(*b"PNBRQK".get(self.piece as usize)?),
            theirs: self.theirs == 1,
            cell: self.square as usize,
        })
    }

    /// The same piece from the other perspective.
    #[inline]
    fn seen_by_other(self) -> Self {
        Self { theirs: 1 - self.theirs, ..self }
    }
}

/// The xor mask that flips ranks for Black's perspective: 56, or 0 for White's.
fn flip(perspective: Color) -> u32 {
    match perspective {
        Color::White => 0,
        Color::Black => 56,
    }
}

/// The own king's square of a perspective, a1 = 0.
#[inline]
fn own_king(board: &Board, perspective: Color) -> u32 {
    let kings = board.pieces(Piece::King) & board.colors(cozy_color(perspective));
    kings.0.trailing_zeros()
}

/// The squares of the mirrored board: a1 becomes h1.
static MIRRORED: [u8; 64] = {
    let mut squares = [0; 64];
    let mut square = 0;
    while square < 64 {
        squares[square] = square as u8 ^ 7;
        square += 1;
    }
    squares
};

/// The mirror of the side to move's perspective, if its king is on a file that `mirrors`.
fn mirror(position: &Chess, mirrors: impl Fn(u32) -> bool) -> Option<&'static [u8]> {
    let king = own_king(position.board(), position.side_to_move());
    mirrors(king & 7).then_some(&MIRRORED)
}

/// Whether neither king has moved.
#[inline]
fn same_kings(before: &Board, after: &Board) -> bool {
    let of = |board: &Board, color| (board.pieces(Piece::King) & board.colors(color)).0;
    cozy_chess::Color::ALL.iter().all(|&color| of(before, color) == of(after, color))
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
    index: impl Fn(PlacedPiece) -> FeatureIndex,
) {
    let theirs = board.colors(cozy_color(!perspective));
    let kinds = Kinds::of(board);
    for square in board.occupied() {
        features.push(index(kinds.placed_piece(theirs, square)));
    }
}

/// Appends the features of both perspectives of a packed position. `indexer` returns a
/// perspective's index function for the square of its king.
#[inline]
fn push_packed<I: Fn(PlacedPiece) -> FeatureIndex>(
    bytes: &mut &[u8],
    features: &mut Vec<FeatureIndex>,
    indexer: impl Fn(u32, Color) -> I,
) -> Option<PackedRows> {
    let packed = Packed::take(bytes)?;
    let side = color_of(packed.side);
    push_packed_perspective(&packed, side, features, &indexer);
    let middle = features.len();
    push_packed_perspective(&packed, !side, features, &indexer);
    Some(PackedRows { middle, pieces: packed.count() })
}

/// Appends the features of one perspective of a packed position.
#[inline]
fn push_packed_perspective<I: Fn(PlacedPiece) -> FeatureIndex>(
    packed: &Packed,
    perspective: Color,
    features: &mut Vec<FeatureIndex>,
    indexer: &impl Fn(u32, Color) -> I,
) {
    let own = perspective as u32;
    let index = indexer(packed.kings[perspective as usize].into(), perspective);
    features.extend(packed.pieces().map(|placed| {
        let theirs = u32::from(placed.color) ^ own;
        index(PlacedPiece { piece: placed.piece.into(), theirs, square: placed.square.into() })
    }));
}

/// Replaces `changes` with the features of the pieces on squares where two boards differ.
///
/// Comparing boards works for every kind of move and for any number of moves. For a quiet move it
/// visits two squares.
#[inline]
fn push_changes(
    before: &Board,
    after: &Board,
    perspective: Color,
    changes: &mut Changes,
    index: impl Fn(PlacedPiece) -> FeatureIndex,
) {
    changes.clear();
    let them = cozy_color(!perspective);
    let (theirs_before, theirs_after) = (before.colors(them), after.colors(them));
    // If every kind of piece is on the same squares, only owners can differ.
    let mut differ = theirs_before ^ theirs_after;
    for piece in Piece::ALL {
        differ |= before.pieces(piece) ^ after.pieces(piece);
    }
    // One list after the other: the number of vacated and entered squares is easier to predict than
    // their order.
    let kinds = Kinds::of(before);
    for square in differ & before.occupied() {
        changes.removed.push(index(kinds.placed_piece(theirs_before, square)));
    }
    let kinds = Kinds::of(after);
    for square in differ & after.occupied() {
        changes.added.push(index(kinds.placed_piece(theirs_after, square)));
    }
}

/// [`FeatureSet::changes_both`] between boards with equal refresh buckets. `index` returns both
/// features of a piece, White's first; the owner is given from White's perspective.
///
/// Squares are plain integers here: a conversion to the enum `Square` would add a branch.
#[inline]
fn list_changes_both(
    before: &Board,
    after: &Board,
    added: &mut FewFeatures,
    removed: &mut FewFeatures,
    index: impl Fn(PlacedPiece) -> [FeatureIndex; 2],
) -> Option<[u8; 2]> {
    let (old, new) = (Layout::of(before), Layout::of(after));
    let differ = old.differs_from(&new);
    let removed = old.list(differ, removed, &index)?;
    let added = new.list(differ, added, &index)?;
    Some([added, removed])
}

/// The placement of pieces: owners, and the kinds of pieces encoded as in [`Kinds`]. Pawns are kind
/// 0 and need no bitboard.
struct Layout {
    owners: [u64; 2],
    kinds: [u64; 3],
}

impl Layout {
    #[inline]
    fn of(board: &Board) -> Self {
        let owners = cozy_chess::Color::ALL.map(|color| board.colors(color).0);
        Self { owners, kinds: Kinds::of(board).bits() }
    }

    /// The squares whose contents differ.
    #[inline]
    fn differs_from(&self, other: &Self) -> u64 {
        let owners = (self.owners[0] ^ other.owners[0]) | (self.owners[1] ^ other.owners[1]);
        let kinds = self.kinds.iter().zip(&other.kinds);
        kinds.fold(owners, |differ, (one, other)| differ | (one ^ other))
    }

    /// Lists the pieces on some squares. Returns their number, or `None` if the list is too short.
    #[inline]
    fn list(
        &self,
        squares: u64,
        list: &mut FewFeatures,
        index: impl Fn(PlacedPiece) -> [FeatureIndex; 2],
    ) -> Option<u8> {
        let mut left = squares & (self.owners[0] | self.owners[1]);
        let mut count = 0;
        for place in list {
            if left == 0 {
                break;
            }
            let square = left.trailing_zeros();
            let [theirs, first, second, third] =
                [self.owners[1], self.kinds[0], self.kinds[1], self.kinds[2]]
                    .map(|set| (set >> square) as u32 & 1);
            *place = index(PlacedPiece { piece: first + 2 * second + 4 * third, theirs, square });
            left &= left - 1;
            count += 1;
        }
        (left == 0).then_some(count)
    }
}

impl Kinds {
    /// The piece on an occupied square.
    #[inline]
    fn placed_piece(&self, theirs: BitBoard, square: Square) -> PlacedPiece {
        let theirs = u32::from(theirs.has(square));
        PlacedPiece { piece: self.on(square) as u32, theirs, square: square as u32 }
    }
}
