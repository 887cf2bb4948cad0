//! Benchmark lines: positions as a search visits them, with the feature changes of each move.

use games::chess::Chess;
use games::{Changes, Color, FeatureSet, Game, Update};

use crate::networks::RandomWeights;

/// Games of random legal moves, from the start to the end or the hundredth ply.
pub fn random_games(seed: u64, count: usize) -> Vec<Vec<Chess>> {
    let mut random = RandomWeights::new(seed);
    (0..count)
        .map(|_| {
            let mut game = vec![Chess::start()];
            while game.len() <= 100 {
                let mut position = game[game.len() - 1].clone();
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                game.push(position);
            }
            game
        })
        .collect()
}

/// A game as features: the first position, and the changes of each move.
#[derive(Clone, Debug)]
pub struct Line {
    /// The features of the first position, White's perspective first.
    pub root: [Vec<u32>; 2],
    /// The moves.
    pub steps: Vec<Step>,
}

/// The changes of a move, and the side to move after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// White's perspective first.
    pub views: [StepView; 2],
    /// 0 or 1.
    pub side_to_move: usize,
}

/// At most two features are added and two removed, by castling. Stored inline.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepView {
    added: [u32; 2],
    removed: [u32; 2],
    counts: [u8; 2],
}

impl StepView {
    /// # Panics
    ///
    /// If more than two features are added or removed.
    pub fn new(added: &[u32], removed: &[u32]) -> Self {
        let mut view = Self::default();
        view.added[..added.len()].copy_from_slice(added);
        view.removed[..removed.len()].copy_from_slice(removed);
        view.counts = [added.len() as u8, removed.len() as u8];
        view
    }

    /// Added features.
    #[inline]
    pub fn added(&self) -> &[u32] {
        &self.added[..usize::from(self.counts[0])]
    }

    /// Removed features.
    #[inline]
    pub fn removed(&self) -> &[u32] {
        &self.removed[..usize::from(self.counts[1])]
    }
}

/// Random games as features of `set`, which must never need a refresh.
///
/// # Panics
///
/// If the set needs a refresh.
pub fn lines_of_games(set: &dyn FeatureSet<Chess>, games: &[Vec<Chess>]) -> Vec<Line> {
    let mut changes = Changes::default();
    let mut view = |before: &Chess, after: &Chess, color| {
        let update = set.changes(before, after, color, &mut changes);
        assert_eq!(update, Update::Changes, "{} needs refreshes", set.name());
        StepView::new(&changes.added, &changes.removed)
    };
    let line = |game: &Vec<Chess>| Line {
        root: Color::BOTH.map(|color| games::sorted_active(set, &game[0], color)),
        steps: game
            .windows(2)
            .map(|pair| Step {
                views: Color::BOTH.map(|color| view(&pair[0], &pair[1], color)),
                side_to_move: pair[1].side_to_move() as usize,
            })
            .collect(),
    };
    games.iter().map(line).collect()
}

/// Random replacements among the first `features` features: not a board, but they touch any share
/// of the weights.
pub fn random_lines(seed: u64, features: usize, count: usize) -> Vec<Line> {
    let mut random = RandomWeights::new(seed);
    let line = |_| {
        let mut active: [Vec<u32>; 2] =
            [0; 2].map(|_| (0..features as u32).step_by(features.div_ceil(16)).collect());
        let root = active.clone();
        let steps = (0..100)
            .map(|ply| Step {
                views: [0, 1].map(|view: usize| {
                    let place = random.below(active[view].len());
                    let added = loop {
                        let feature = random.below(features) as u32;
                        if !active[view].contains(&feature) {
                            break feature;
                        }
                    };
                    let removed = std::mem::replace(&mut active[view][place], added);
                    StepView::new(&[added], &[removed])
                }),
                side_to_move: (ply + 1) % 2,
            })
            .collect();
        Line { root, steps }
    };
    (0..count).map(line).collect()
}
