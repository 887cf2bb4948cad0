//! Conformance report: the properties, the counts of checks, and the first failure.

use std::fmt;

/// A property that every game must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A position's FEN parses to an equal position.
    Fen,
    /// A packed position unpacks to an equal position; damaged bytes never unpack to an unplayable
    /// one.
    Pack,
    /// The hash equals that of the position parsed from its FEN, and distinguishes positions.
    Hash,
    /// A legal move's text parses to that move; every other text is rejected.
    MoveText,
    /// A legal move's code maps to that move; every other code maps to none.
    MoveCode,
    /// `is_legal` and `has_moves` agree with the list of legal moves.
    Legality,
    /// Playing the same move on equal positions gives equal positions with the other player to
    /// move.
    Play,
    /// The outcome without moves applies exactly if there are no moves; the scores sum to one
    /// point.
    Outcome,
    /// Captures, and only captures, reduce the number of the opponent's pieces.
    Capture,
    /// A promotion changes the pieces of the side that moves.
    Promotion,
    /// Policy indices are in range; only promotions share one.
    Policy,
    /// A null move changes the side to move but not the pieces; there is none in check.
    NullMove,
    /// Cells have unique names and positions.
    Geometry,
    /// The pieces on the cells are the letters of the FEN.
    Pieces,
    /// Positions recur only within `reversible_plies`, and enough of them end the game.
    Repetition,
    /// Listed values can be set, others are rejected, and the default changes nothing.
    Settings,
    /// The image of a position plays like the position.
    Symmetry,
    /// Names find their feature sets, and the error for an unknown name lists the known ones.
    FeatureNames,
    /// Active features are distinct, in range and at most `max_active`.
    FeatureActive,
    /// The places of active features match the pieces on the board, up to reflection.
    FeaturePlace,
    /// Changes lead exactly from one position's features to the other's.
    FeatureChanges,
    /// A packed position has the features of the position.
    FeaturePacked,
    /// The factor of each feature is in range.
    FeatureFactors,
    /// A refresh is requested exactly between positions of different refresh buckets.
    FeatureRefreshBuckets,
    /// Some moves need no refresh.
    FeatureRefresh,
    /// Black sees a position as White sees it with colours swapped.
    FeaturePerspective,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fen => "FEN",
            Self::Pack => "pack",
            Self::Hash => "hash",
            Self::MoveText => "move text",
            Self::MoveCode => "move code",
            Self::Legality => "legality",
            Self::Play => "play",
            Self::Outcome => "outcome",
            Self::Capture => "capture",
            Self::Promotion => "promotion",
            Self::Policy => "policy",
            Self::NullMove => "null move",
            Self::Geometry => "geometry",
            Self::Pieces => "pieces",
            Self::Repetition => "repetition",
            Self::Settings => "settings",
            Self::Symmetry => "symmetry",
            Self::FeatureNames => "feature set names",
            Self::FeatureActive => "active features",
            Self::FeaturePlace => "feature places",
            Self::FeatureChanges => "feature changes",
            Self::FeaturePacked => "features of packed positions",
            Self::FeatureFactors => "feature factors",
            Self::FeatureRefreshBuckets => "feature refresh buckets",
            Self::FeatureRefresh => "feature refresh",
            Self::FeaturePerspective => "feature perspective",
        })
    }
}

/// A property that a game violates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{property}, at `{fen}`: {detail}")]
pub struct Failure {
    /// The property.
    pub property: Property,
    /// The position that violates it.
    pub fen: String,
    /// The expected and the actual result.
    pub detail: String,
}

/// Counts of what was checked. A test asserts the counts that must not be zero for its game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played.
    pub games: usize,
    /// Positions checked.
    pub positions: usize,
    /// Legal moves checked.
    pub moves: usize,
    /// Moves that captured.
    pub captures: usize,
    /// Moves that gave check.
    pub checks: usize,
    /// Moves that promoted.
    pub promotions: usize,
    /// Positions with a null move.
    pub null_moves: usize,
    /// Positions that were repeated until a draw.
    pub repetitions: usize,
    /// Feature differences that were returned as changes.
    pub changes: usize,
    /// Feature differences that required a refresh.
    pub refreshes: usize,
    /// Images of positions under a symmetry.
    pub images: usize,
}

impl std::ops::AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.moves += other.moves;
        self.captures += other.captures;
        self.checks += other.checks;
        self.promotions += other.promotions;
        self.null_moves += other.null_moves;
        self.repetitions += other.repetitions;
        self.changes += other.changes;
        self.refreshes += other.refreshes;
        self.images += other.images;
    }
}
