//! Game list: the games of a program as a value, with the functions that data and training need.
//!
//! Nothing here names a game. A program builds the list and passes it on; the decoder of a game is
//! monomorphic behind one virtual call for a whole block of records.

use std::path::Path;
use std::sync::Arc;

use games::{Described, FeaturePlace, FeatureSetError, FeatureSetShape, GameInfo, ToolkitGame};

use crate::formats::{Format, FormatError};
use crate::{Batch, DataError, DecodeOptions, Decoder, Header, RandomPlay};

/// A game as data and training see it, without its type. [`Described`] implements it for every
/// game.
pub trait DataGame: GameInfo {
    /// The decoder for one of the game's feature sets.
    fn decoder(
        &self,
        features: &str,
        options: DecodeOptions,
    ) -> Result<Box<dyn Decoder>, FeatureSetError>;

    /// Positions of random play, as a feature set sees them.
    fn random_positions(&self, features: &str, play: RandomPlay) -> Result<Batch, FeatureSetError>;

    /// Whether PGN's `Variant` tag, or its absence, names this game.
    fn reads_variant(&self, tag: Option<&str>) -> bool;
}

impl<G: ToolkitGame> DataGame for Described<G> {
    fn decoder(
        &self,
        features: &str,
        options: DecodeOptions,
    ) -> Result<Box<dyn Decoder>, FeatureSetError> {
        crate::decoder::decoder::<G>(features, options)
    }

    fn random_positions(&self, features: &str, play: RandomPlay) -> Result<Batch, FeatureSetError> {
        play.positions::<G>(features)
    }

    fn reads_variant(&self, tag: Option<&str>) -> bool {
        G::settings_of_variant(tag).is_some()
    }
}

/// There is no game of that name in the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is called `{name}`; known: {known}")]
pub struct UnknownGame {
    /// The name.
    pub name: String,
    /// The names of the games in the list.
    pub known: String,
}

/// The games of a program.
///
/// ```
/// use dataset::GameList;
/// use games::chess::Chess;
/// use games::connect_four::ConnectFour;
///
/// let games = GameList::new().with::<Chess>().with::<ConnectFour>();
/// assert_eq!(games.names(), ["chess", "connect_four"]);
/// assert_eq!(games.feature_set_shape("chess.piece-square")?.size, 768);
/// # Ok::<(), games::FeatureSetError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameList(Vec<Arc<dyn DataGame>>);

impl GameList {
    /// No games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the game `G`.
    #[must_use]
    pub fn with<G: ToolkitGame>(mut self) -> Self {
        self.0.push(Arc::new(Described::<G>::new()));
        self
    }

    /// The games, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &dyn DataGame> {
        self.0.iter().map(|game| &**game)
    }

    /// The names of the games.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(GameInfo::name).collect()
    }

    /// The game of that name.
    pub fn find(&self, name: &str) -> Result<&dyn DataGame, UnknownGame> {
        self.iter()
            .find(|game| game.name() == name)
            .ok_or_else(|| UnknownGame { name: name.to_owned(), known: self.names().join(", ") })
    }

    /// The game that a feature set belongs to, by its name; `None` for `raw:N` and unknown games.
    pub fn of_features(&self, features: &str) -> Option<&dyn DataGame> {
        let (game, _) = features.split_once('.')?;
        self.find(game).ok()
    }

    /// The game that PGN's `Variant` tag names.
    pub fn of_variant(&self, tag: Option<&str>) -> Option<&dyn DataGame> {
        self.iter().find(|game| game.reads_variant(tag))
    }

    /// The shape of the feature set of that name, of any game or `raw:N`.
    pub fn feature_set_shape(&self, name: &str) -> Result<FeatureSetShape, FeatureSetError> {
        match FeatureSetShape::raw(name) {
            Some(raw) => raw,
            None => self.game_of_features(name)?.feature_set_shape(name),
        }
    }

    /// The piece and the cell of each feature of the set of that name.
    pub fn feature_places(&self, name: &str) -> Result<Vec<Option<FeaturePlace>>, FeatureSetError> {
        match FeatureSetShape::raw(name) {
            Some(raw) => Ok(vec![None; raw?.size]),
            None => self.game_of_features(name)?.feature_places(name),
        }
    }

    /// The decoder for the feature set of that name.
    pub fn decoder(
        &self,
        features: &str,
        options: DecodeOptions,
    ) -> Result<Box<dyn Decoder>, DataError> {
        Ok(self.game_with_positions(features)?.decoder(features, options)?)
    }

    /// Positions of random play, as the feature set of that name sees them.
    pub fn random_positions(
        &self,
        features: &str,
        play: RandomPlay,
    ) -> Result<Batch, FeatureSetError> {
        self.game_with_positions(features)?.random_positions(features, play)
    }

    /// What a file of records states about its game and its origin; `None` if its format has no
    /// place for it or the game is not in the list.
    pub fn file_header(&self, path: &Path, format: Format) -> Result<Option<Header>, FormatError> {
        crate::formats::header(path, format, self)
    }

    fn game_of_features(&self, name: &str) -> Result<&dyn DataGame, FeatureSetError> {
        self.of_features(name).ok_or_else(|| {
            let known = self.iter().flat_map(GameInfo::feature_set_names);
            let known: Vec<_> = known.chain(["raw:N".to_owned()]).collect();
            FeatureSetError::Unknown { name: name.to_owned(), known: known.join(", ") }
        })
    }

    fn game_with_positions(&self, features: &str) -> Result<&dyn DataGame, FeatureSetError> {
        if let Some(raw) = FeatureSetShape::raw(features) {
            return Err(FeatureSetError::Parameter {
                name: raw?.name,
                fault: "belongs to no game, so positions do not have its features".to_owned(),
            });
        }
        self.game_of_features(features)
    }
}

impl FromIterator<Arc<dyn DataGame>> for GameList {
    fn from_iter<I: IntoIterator<Item = Arc<dyn DataGame>>>(games: I) -> Self {
        Self(games.into_iter().collect())
    }
}
