//! Games and feature sets by name.

use crate::chess::Chess;
use crate::connect_four::ConnectFour;
use crate::hexchess::Hexchess;
use crate::{FeaturePlace, FeatureSetError, Game, Perspectives};

/// Something to do with a game whose name is known only at run time; see [`with_game`].
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Does it, for the game `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// The names of all games.
pub const GAMES: [&str; 3] = [Chess::NAME, Hexchess::NAME, ConnectFour::NAME];

/// There is no game of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is called `{name}`; known: {}", GAMES.join(", "))]
pub struct UnknownGame {
    /// The name that was asked for.
    pub name: String,
}

/// Calls `visitor` with the game of that name.
pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
    match name {
        Chess::NAME => Ok(visitor.visit::<Chess>()),
        Hexchess::NAME => Ok(visitor.visit::<Hexchess>()),
        ConnectFour::NAME => Ok(visitor.visit::<ConnectFour>()),
        _ => Err(UnknownGame { name: name.to_owned() }),
    }
}

/// What a network has to know of a feature set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureSetShape {
    /// Its full name.
    pub name: String,
    /// The game that it belongs to; `None` for `raw:N`.
    pub game: Option<&'static str>,
    /// How many features there are.
    pub size: usize,
    /// The most that can be active at once.
    pub max_active: usize,
    /// Which views a network uses.
    pub perspectives: Perspectives,
}

/// The most features that a `raw:N` set may have.
pub const MOST_RAW_FEATURES: usize = 1 << 20;

/// Describes the feature set of that name, of whichever game. `raw:N` has N features that the caller
/// numbers; it belongs to no game.
pub fn feature_set_shape(name: &str) -> Result<FeatureSetShape, FeatureSetError> {
    if let Some(count) = name.strip_prefix("raw:") {
        return raw_shape(name, count);
    }
    let game = name.split('.').next().unwrap_or_default();
    with_game(game, DescribeSet(name)).unwrap_or_else(|_| {
        let known = GAMES.iter().flat_map(|game| feature_set_names(game));
        let known: Vec<_> = known.copied().chain(["raw:N"]).collect();
        Err(FeatureSetError::Unknown { name: name.to_owned(), known: known.join(", ") })
    })
}

/// The names of a game's feature sets; none for an unknown game.
pub fn feature_set_names(game: &str) -> &'static [&'static str] {
    struct Names;
    impl GameVisitor for Names {
        type Output = &'static [&'static str];
        fn visit<G: Game>(self) -> Self::Output {
            G::feature_set_names()
        }
    }
    with_game(game, Names).unwrap_or_default()
}

struct DescribeSet<'a>(&'a str);

impl GameVisitor for DescribeSet<'_> {
    type Output = Result<FeatureSetShape, FeatureSetError>;

    fn visit<G: Game>(self) -> Self::Output {
        let set = G::feature_set(self.0)?;
        Ok(FeatureSetShape {
            name: set.name(),
            game: Some(G::NAME),
            size: set.size(),
            max_active: set.max_active(),
            perspectives: set.perspectives(),
        })
    }
}

/// What each feature of the set of that name stands for; see [`FeatureSet::place`](crate::FeatureSet::place).
pub fn feature_places(name: &str) -> Result<Vec<Option<FeaturePlace>>, FeatureSetError> {
    let shape = feature_set_shape(name)?;
    let Some(game) = shape.game else { return Ok(vec![None; shape.size]) };
    with_game(game, ListPlaces(name)).unwrap_or_else(|_| Ok(vec![None; shape.size]))
}

struct ListPlaces<'a>(&'a str);

impl GameVisitor for ListPlaces<'_> {
    type Output = Result<Vec<Option<FeaturePlace>>, FeatureSetError>;

    fn visit<G: Game>(self) -> Self::Output {
        let set = G::feature_set(self.0)?;
        Ok((0..set.size() as u32).map(|feature| set.place(feature)).collect())
    }
}

fn raw_shape(name: &str, count: &str) -> Result<FeatureSetShape, FeatureSetError> {
    let size = count.parse().ok().filter(|size| (1..=MOST_RAW_FEATURES).contains(size));
    let size = size.ok_or_else(|| FeatureSetError::Parameter {
        name: name.to_owned(),
        fault: format!("expected a whole number from 1 to {MOST_RAW_FEATURES} after `raw:`"),
    })?;
    Ok(FeatureSetShape {
        name: name.to_owned(),
        game: None,
        size,
        max_active: size,
        perspectives: Perspectives::One,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FeatureIndex, sorted_active};

    /// The places of the features that White sees, as (piece, cell) with small letters for theirs.
    fn seen<G: Game>(set: &str, fen: &str) -> Vec<(char, String)> {
        let position = G::from_fen(fen).unwrap();
        let set = G::feature_set(set).unwrap();
        let cells = G::geometry().cells;
        let place = |&feature: &FeatureIndex| {
            let place = set.place(feature)?;
            let letter = if place.theirs { place.piece.to_ascii_lowercase() } else { place.piece };
            Some((letter, cells[place.cell].name.clone()))
        };
        let features = sorted_active(&*set, &position, crate::Color::White);
        let mut places: Vec<_> = features.iter().filter_map(place).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn places_are_those_of_the_pieces() {
        // The king stands on the side that its set does not mirror: a to d, e to h.
        for (set, fen, king) in [
            ("chess.piece-square", "4k3/8/8/2p5/8/8/6N1/1K6 w - - 0 1", "b1"),
            ("chess.piece-square-stm", "4k3/8/8/2p5/8/8/6N1/1K6 b - - 0 1", "b1"),
            ("chess.piece-square-mirrored", "4k3/8/8/2p5/8/8/6N1/1K6 w - - 0 1", "b1"),
            ("chess.halfka-hm", "4k3/8/8/2p5/8/8/6N1/5K2 w - - 0 1", "f1"),
        ] {
            let expected =
                [('K', king), ('N', "g2"), ('k', "e8"), ('p', "c5")].map(|(p, c)| (p, c.into()));
            assert_eq!(seen::<Chess>(set, fen), expected, "{set}");
        }
    }

    #[test]
    fn each_place_has_one_feature() {
        let buckets = "chess.piece-square-mirrored:0011/2222/3333/3333/3333/3333/3333/3333";
        let named = GAMES.iter().flat_map(|game| feature_set_names(game)).copied();
        for name in named.filter(|name| !name.contains('…')).chain([buckets]) {
            let places = feature_places(name).unwrap();
            assert_eq!(places.len(), feature_set_shape(name).unwrap().size);
            let mut placed: Vec<_> = places
                .iter()
                .flatten()
                .map(|place| (place.bucket, place.piece, place.theirs, place.cell))
                .collect();
            let count = placed.len();
            placed.sort_unstable();
            placed.dedup();
            assert_eq!(placed.len(), count, "{name}");
            assert!(places.len() - count <= 18, "{name} has {count} places");
        }
        assert_eq!(feature_places("raw:3"), Ok(vec![None; 3]));
    }
}
