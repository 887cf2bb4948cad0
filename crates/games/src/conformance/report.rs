//! Conformance report: the properties, what was checked, and the first failure.

use std::fmt;

/// What every game must hold to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A position's FEN reads back as an equal position.
    Fen,
    /// A packed position reads back as an equal position; damaged bytes give none that cannot be
    /// played.
    Pack,
    /// The hash is the one that the position's FEN would have, and distinguishes positions.
    Hash,
    /// A legal move's text reads back as that move; every other text is refused.
    MoveText,
    /// A legal move's code finds that move; every other code finds none.
    MoveCode,
    /// `is_legal` and `has_moves` agree with the list of legal moves.
    Legality,
    /// Playing the same move on equal positions gives equal positions and the other player's turn.
    Play,
    /// The outcome is the one for no moves exactly when there are none; shares add up to the point.
    Outcome,
    /// Captures leave the opponent with fewer pieces, and nothing else does.
    Capture,
    /// A promotion changes the pieces of the mover.
    Promotion,
    /// Policy indices are in range; only promotions share one.
    Policy,
    /// A null move changes the side to move and not the pieces; there is none in check.
    NullMove,
    /// Cells have names and places of their own.
    Geometry,
    /// The pieces on the cells are the letters of the FEN.
    Pieces,
    /// Positions recur only within `reversible_plies`, and enough of them end the game.
    Repetition,
    /// Listed values can be set, others are refused, the default changes nothing.
    Settings,
    /// The image of a position plays like the position.
    Symmetry,
    /// Names find their feature sets, and a name that finds none is answered with those that do.
    FeatureNames,
    /// Active features are distinct, in range and no more than promised.
    FeatureActive,
    /// The places of active features are those of the pieces on the board, perhaps reflected.
    FeaturePlace,
    /// Changes lead exactly from one position's features to the other's.
    FeatureChanges,
    /// A packed position has the features of the position.
    FeaturePacked,
    /// The factor behind each feature is in range.
    FeatureFactors,
    /// A refresh is asked for between positions of different refresh buckets, and only there.
    FeatureSlots,
    /// Some moves can be followed without a refresh.
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
            Self::FeatureSlots => "feature refresh_buckets",
            Self::FeatureRefresh => "feature refresh",
            Self::FeaturePerspective => "feature perspective",
        })
    }
}

/// A property that a game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{property}, at `{fen}`: {detail}")]
pub struct Failure {
    /// The property.
    pub property: Property,
    /// The position where that shows, as the game writes it.
    pub fen: String,
    /// What was expected and what was found.
    pub detail: String,
}

/// How much was looked at. A test asserts the counts that its game should not leave at zero.
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
    /// Positions in which passing was possible.
    pub null_moves: usize,
    /// Positions that were made to recur.
    pub repetitions: usize,
    /// Feature differences that were given as changes.
    pub changes: usize,
    /// Feature differences that asked for a refresh.
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
