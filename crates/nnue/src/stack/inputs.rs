//! Inputs: the interface between a game's positions and the features of a network.

use alloc::vec::Vec;

/// How a network reads positions of type `P`. Perspective 0 is the first player's, perspective 1
/// the second's.
///
/// Everything is derived from positions, not from moves: the stack requests the difference between
/// any two positions, so captures, castling and null moves need no special handling.
pub trait Inputs<P> {
    /// The perspective of the side to move.
    fn side_to_move(&self, position: &P) -> usize;

    /// The number of pieces on the board, which selects the output bucket.
    fn pieces(&self, position: &P) -> usize;

    /// The number of refresh buckets; see [`refresh_bucket`](Inputs::refresh_bucket).
    fn refresh_buckets(&self) -> usize {
        1
    }

    /// The part of the features that a perspective reads, for example its king bucket. Only
    /// positions of the same refresh bucket are compared.
    fn refresh_bucket(&self, _position: &P, _perspective: usize) -> usize {
        0
    }

    /// Appends the active features of a perspective.
    fn active(&self, position: &P, perspective: usize, active: &mut Vec<u32>);

    /// Replaces `added` and `removed` with the difference between two positions of the same refresh
    /// bucket.
    fn changes(
        &self,
        before: &P,
        after: &P,
        perspective: usize,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    );

    /// The difference between two positions in both perspectives at once. Writes pairs of features
    /// to the front of `added` and `removed`, perspective 0 first in each pair, and returns the two
    /// numbers of pairs. The entries after them are unspecified.
    ///
    /// Returns `None` if the refresh buckets of a perspective differ or if the changes do not fit.
    /// An implementation may always return `None`; the stack then calls
    /// [`changes`](Inputs::changes). An implementation makes searches with two perspectives faster.
    fn changes_both(
        &self,
        _before: &P,
        _after: &P,
        _added: &mut FeaturePairs,
        _removed: &mut FeaturePairs,
    ) -> Option<[u8; 2]> {
        None
    }
}

/// A buffer for the features of both perspectives, perspective 0 first, that change in a move or
/// two.
pub type FeaturePairs = [[u32; 2]; 8];
