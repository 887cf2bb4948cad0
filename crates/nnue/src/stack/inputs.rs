//! Inputs: what a stack needs of a game.

use alloc::vec::Vec;

/// How a network reads positions of type `P`. Perspectives are numbered 0, the first player's, and
/// 1.
///
/// Everything is derived from positions, not from moves: the stack asks for the difference between
/// any two of them, so that captures, castling or null moves are nothing special.
pub trait Inputs<P> {
    /// The perspective of the side to move.
    fn side_to_move(&self, position: &P) -> usize;

    /// How many pieces are on the board; chooses the output bucket.
    fn pieces(&self, position: &P) -> usize;

    /// How many refresh buckets there are; see [`refresh_bucket`](Inputs::refresh_bucket).
    fn refresh_buckets(&self) -> usize {
        1
    }

    /// Which part of the features a perspective reads, for example its king's bucket. Only
    /// positions of the same refresh bucket are compared.
    fn refresh_bucket(&self, _position: &P, _perspective: usize) -> usize {
        0
    }

    /// Appends the active features of a perspective.
    fn active(&self, position: &P, perspective: usize, active: &mut Vec<u32>);

    /// Replaces `added` and `removed` by the difference between two positions of the same refresh
    /// bucket.
    fn changes(
        &self,
        before: &P,
        after: &P,
        perspective: usize,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    );

    /// What comes and goes between two positions, in both perspectives at once: tells how many
    /// pairs of features it has put into `added` and how many into `removed`, perspective 0 first
    /// in each. What lies behind them there means nothing.
    ///
    /// `None` where the refresh buckets of a perspective differ, where more differs than there is
    /// room for, and wherever an implementation does not care: then [`changes`](Inputs::changes) is
    /// asked. Searches with two perspectives are quicker with it.
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

/// Room for as many features of both perspectives, perspective 0 first, as come or go in a move or
/// two.
pub type FeaturePairs = [[u32; 2]; 8];
