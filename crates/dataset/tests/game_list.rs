//! The list of games: feature sets by name, and the places of their features.

use dataset::GameList;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Color, FeatureIndex, GameInfo, ToolkitGame, sorted_active};

/// The places of the features that White sees, as (piece, cell) with small letters for theirs.
fn seen<G: ToolkitGame>(set: &str, fen: &str) -> Vec<(char, String)> {
    let position = G::from_fen(fen).unwrap();
    let set = G::feature_set(set).unwrap();
    let cells = G::geometry().cells;
    let place = |&feature: &FeatureIndex| {
        let place = set.place(feature)?;
        let letter = if place.theirs { place.piece.to_ascii_lowercase() } else { place.piece };
        Some((letter, cells[place.cell].name.clone()))
    };
    let features = sorted_active(&*set, &position, Color::White);
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
    let list = GameList::new().with::<Chess>().with::<Hexchess>().with::<ConnectFour>();
    let buckets = "chess.piece-square-mirrored:0011/2222/3333/3333/3333/3333/3333/3333";
    let named = list.iter().flat_map(GameInfo::feature_set_names);
    for name in named.filter(|name| !name.contains('…')).chain([buckets.to_owned()]) {
        let name = name.as_str();
        let places = list.feature_places(name).unwrap();
        assert_eq!(places.len(), list.feature_set_shape(name).unwrap().size);
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
    assert_eq!(list.feature_places("raw:3"), Ok(vec![None; 3]));
}

#[test]
fn unknown_names_are_refused_with_what_there_is() {
    let list = GameList::new().with::<Chess>().with::<ConnectFour>();
    let error = list.feature_set_shape("go.stones").unwrap_err().to_string();
    assert!(error.contains("go.stones") && error.contains("connect_four.cells"), "{error}");
    assert!(error.contains("raw:N"), "{error}");
    let error = list.find("go").unwrap_err().to_string();
    assert!(error.contains("`go`") && error.contains("chess, connect_four"), "{error}");
    let error = list.decoder("raw:3", dataset::DecodeOptions::default()).err().unwrap().to_string();
    assert!(error.contains("raw:3"), "{error}");
}
