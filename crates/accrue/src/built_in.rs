//! The networks that are part of this program. `nets/README.md` tells where they come from.

use std::sync::LazyLock;

use games::Game;
use games::chess::Chess;
use nnue::Network;

/// Game, name and bytes of each.
const NETWORKS: &[(&str, &str, &[u8])] = &[
    ("chess", "chess-linear", include_bytes!("../../../nets/chess-linear.accrue")),
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

#[cfg(test)]
mod tests {
    use games::registry::{GAMES, feature_set_shape};
    use nnue::Network;

    #[test]
    fn every_network_can_be_read_and_is_for_its_game() {
        for game in GAMES {
            let Some((name, bytes)) = super::network(game) else { continue };
            let network =
                Network::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let shape = feature_set_shape(&network.architecture().features).unwrap();
            assert_eq!(shape.game, Some(game), "{name}");
        }
    }
}
