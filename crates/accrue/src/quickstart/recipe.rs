//! What was found to work in minutes, for each game.

/// How games are played and how a network learns from them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// Where a search of the games stops deepening, in positions.
    pub(super) soft_nodes: u64,
    /// Random moves at the beginning of games.
    pub(super) random_plies: usize,
    /// The inputs.
    pub(super) features: &'static str,
    /// The width of the first layer: few positions teach few weights.
    pub(super) accumulator: usize,
    /// What the first layer does to its sums.
    pub(super) activation: &'static str,
    /// Sets of weights after the first layer, chosen by the number of pieces.
    pub(super) buckets: usize,
    /// The share of the result in the target: results of few games are mostly chance, search scores are not.
    pub(super) result_share: f32,
    /// The score that stands for a good chance to win: how `accrue data info` finds results to follow scores.
    pub(super) score_scale: f32,
    /// Positions of one step of the training.
    pub(super) batch: u64,
    /// How often each position is seen.
    pub(super) epochs: u64,
    /// The first learning rate.
    pub(super) rate: f32,
    /// Whether clear games of the match are ended early.
    pub(super) adjudicate: bool,
    /// Whether the network also plays against random moves.
    pub(super) random_opponent: bool,
}

/// Without an activation it is a table of what a piece is worth on each square, by how many are left. Wider networks that
/// are not linear count pieces less exactly, which costs more than they find in so few positions.
const CHESS: Recipe = Recipe {
    soft_nodes: 100,
    random_plies: 8,
    features: "chess.piece-square",
    accumulator: 16,
    activation: "identity",
    buckets: 8,
    result_share: 0.0,
    score_scale: 400.0,
    batch: 8192,
    epochs: 27,
    rate: 0.01,
    adjudicate: true,
    random_opponent: false,
};

const HEXCHESS: Recipe = Recipe { features: "hexchess.piece-cell", ..CHESS };

/// No stone is worth anything by itself: what counts is how they stand together.
const CONNECT_FOUR: Recipe = Recipe {
    random_plies: 6,
    features: "connect_four.cells",
    accumulator: 128,
    activation: "screlu",
    buckets: 1,
    result_share: 0.5,
    score_scale: 30.0,
    batch: 128,
    epochs: 5,
    rate: 0.001,
    adjudicate: false,
    random_opponent: true,
    ..CHESS
};

impl Recipe {
    /// The recipe of a game.
    pub(super) fn of(game: &str) -> Option<Self> {
        match game {
            "chess" => Some(CHESS),
            "hexchess" => Some(HEXCHESS),
            "connect_four" => Some(CONNECT_FOUR),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use games::registry::{GAMES, feature_set_shape};

    use super::*;

    #[test]
    fn every_game_has_a_recipe_with_its_own_features() {
        for game in GAMES {
            let recipe = Recipe::of(game).expect(game);
            assert_eq!(feature_set_shape(recipe.features).unwrap().game, Some(game));
        }
    }
}
