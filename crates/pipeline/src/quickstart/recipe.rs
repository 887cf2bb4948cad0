//! Quickstart recipe: the settings of self-play and training that work in minutes.

use std::borrow::Cow;

use games::ToolkitGame;

/// The settings of self-play and training of a quickstart.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The soft node limit of the searches of self-play.
    pub soft_nodes: u64,
    /// The number of random moves at the start of games.
    pub random_plies: usize,
    /// The feature set.
    pub features: Cow<'static, str>,
    /// The width of the accumulator. Few positions suffice for few weights.
    pub accumulator: usize,
    /// The activation of the accumulator.
    pub activation: &'static str,
    /// The number of output buckets, selected by the number of pieces.
    pub buckets: usize,
    /// The share of the result in the target. Results of few games are mostly noise, search scores
    /// are not.
    pub result_share: f32,
    /// The scale of scores in the target, as `accrue data info` fits it.
    pub score_scale: f32,
    /// The batch size of the training.
    pub batch: u64,
    /// The number of epochs of the training.
    pub epochs: u64,
    /// The initial learning rate.
    pub rate: f32,
    /// Whether clear games are adjudicated, in self-play and in the match. Only scores that are
    /// known to mean something can do that.
    pub adjudicate: bool,
    /// Whether the network also plays against random moves.
    pub random_opponent: bool,
}

impl Recipe {
    /// Chess: a linear network, which is a piece-square table for each output bucket. Wider networks
    /// with an activation count material less exactly, which costs more than they gain from so few
    /// positions.
    pub const CHESS: Self = Self {
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

    /// Gliński's hexagonal chess: the same network as chess.
    pub const HEXCHESS: Self =
        Self { features: Cow::Borrowed("hexchess.piece-cell"), ..Self::CHESS };

    /// Connect four: no disc has a value by itself, so the network needs an activation.
    pub const CONNECT_FOUR: Self = Self {
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

    /// The recipe for a game that brings none: a small network of the game's first feature set. The
    /// search scores of a few thousand games teach more than their results do.
    pub fn default_for<G: ToolkitGame>() -> Self {
        let features = G::feature_set_names().into_iter().next().unwrap_or_default();
        Self {
            random_plies: 4,
            features: Cow::Owned(features),
            accumulator: 64,
            activation: "screlu",
            buckets: 1,
            result_share: 0.05,
            batch: 1024,
            epochs: 10,
            rate: 0.002,
            adjudicate: false,
            random_opponent: false,
            ..Self::CHESS
        }
    }
}
