//! The networks that are part of this program. `nets/README.md` tells where they come from.

use std::path::Path;
use std::sync::LazyLock;

use games::Game;
use games::chess::Chess;
use nnue::Network;

/// Game, name and bytes of each. The first of a game is the one that it is played with.
const NETWORKS: &[(&str, &str, &[u8])] = &[
    ("chess", "chess-small", include_bytes!("../../../nets/chess-small.accrue")),
    ("chess", "chess-large", include_bytes!("../../../nets/chess-large.accrue")),
    ("chess", "chess-linear", include_bytes!("../../../nets/chess-linear.accrue")),
    ("hexchess", "hexchess-small", include_bytes!("../../../nets/hexchess-small.accrue")),
    ("hexchess", "hexchess-linear", include_bytes!("../../../nets/hexchess-linear.accrue")),
];

/// The network that `make EVALFILE=…` put into this program; it comes before the others.
#[cfg(evalfile)]
const GIVEN: Option<&[u8]> = Some(include_bytes!(env!("EVALFILE")));
#[cfg(not(evalfile))]
const GIVEN: Option<&[u8]> = None;

/// The game that the given network is for: the one of its feature set, or chess if it does not name that.
static GIVEN_GAME: LazyLock<String> = LazyLock::new(|| {
    let network = GIVEN.and_then(|bytes| Network::from_bytes(bytes).ok());
    let features = network.map(|network| network.architecture().features.clone());
    match features.as_deref().and_then(|features| features.split_once('.')) {
        Some((game, _)) => game.to_owned(),
        None => Chess::NAME.to_owned(),
    }
});

/// The name and the bytes of the network for a game, if there is one.
pub(crate) fn network(game: &str) -> Option<(&'static str, &'static [u8])> {
    if let Some(bytes) = GIVEN.filter(|_| *GIVEN_GAME == game) {
        return Some(("EVALFILE", bytes));
    }
    NETWORKS.iter().find(|network| network.0 == game).map(|&(_, name, bytes)| (name, bytes))
}

/// The bytes of the network with this name: it may stand wherever a file is expected.
pub(crate) fn named(name: &Path) -> Option<&'static [u8]> {
    NETWORKS.iter().find(|network| name == Path::new(network.1)).map(|network| network.2)
}

/// The names of all.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NETWORKS.iter().map(|network| network.1)
}

#[cfg(test)]
mod tests {
    use games::registry::feature_set_shape;
    use nnue::Network;

    #[test]
    fn every_network_can_be_read_and_is_for_its_game() {
        for &(game, name, bytes) in super::NETWORKS {
            let network =
                Network::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let shape = feature_set_shape(&network.architecture().features).unwrap();
            assert_eq!(shape.game, Some(game), "{name}");
            assert!(bytes.len() <= 4_000_000, "{name}");
        }
    }

    /// The learned search can be switched on without any file.
    #[test]
    fn what_is_played_with_is_calibrated() {
        for game in ["chess", "hexchess"] {
            let (name, bytes) = super::network(game).unwrap();
            assert!(Network::from_bytes(bytes).unwrap().calibration().is_some(), "{name}");
        }
    }
}
