//! Quickstart recipe: the settings of self-play and training that work in minutes.

use std::borrow::Cow;

use games::ToolkitGame;

/// How games are played and how a network learns from them.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Where a search of the games stops deepening, in positions.
    pub soft_nodes: u64,
    /// Random moves at the beginning of games.
    pub random_plies: usize,
    /// The inputs.
    pub features: Cow<'static, str>,
    /// The width of the first layer: few positions teach few weights.
    pub accumulator: usize,
    /// What the first layer does to its sums.
    pub activation: &'static str,
    /// Sets of weights after the first layer, chosen by the number of pieces.
    pub buckets: usize,
    /// The share of the result in the target: results of few games are mostly chance, search scores are not.
    pub result_share: f32,
    /// The score that stands for a good chance to win: how `accrue data info` finds results to follow scores.
    pub score_scale: f32,
    /// Positions of one step of the training.
    pub batch: u64,
    /// How often each position is seen.
    pub epochs: u64,
    /// The first learning rate.
    pub rate: f32,
    /// Whether clear games of the match are ended early.
    pub adjudicate: bool,
    /// Whether the network also plays against random moves.
    pub random_opponent: bool,
}

impl Recipe {
    /// Without an activation it is a table of what a piece is worth on each square, by how many are left. Wider networks that
    /// are not linear count pieces less exactly, which costs more than they find in so few positions.
    pub(crate) const CHESS: Self = Self {
        soft_nodes: 100,
        random_plies: 8,
        features: Cow::Borrowed("chess.piece-square"),
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

    pub(crate) const HEXCHESS: Self =
        Self { features: Cow::Borrowed("hexchess.piece-cell"), ..Self::CHESS };

    /// No stone is worth anything by itself: what counts is how they stand together.
    pub(crate) const CONNECT_FOUR: Self = Self {
        random_plies: 6,
        features: Cow::Borrowed("connect_four.cells"),
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
        ..Self::CHESS
    };

    /// The recipe for a game that brings none: a small network of the game's first feature set.
    pub fn default_for<G: ToolkitGame>() -> Self {
        let features = G::feature_set_names().into_iter().next().unwrap_or_default();
        Self {
            random_plies: 4,
            features: Cow::Owned(features),
            accumulator: 64,
            activation: "screlu",
            buckets: 1,
            result_share: 0.3,
            batch: 1024,
            epochs: 10,
            rate: 0.002,
            adjudicate: false,
            random_opponent: false,
            ..Self::CHESS
        }
    }
}
