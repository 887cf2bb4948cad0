//! The networks that are part of this program. `nets/README.md` tells where they come from.

/// Game, name and bytes of each.
const NETWORKS: &[(&str, &str, &[u8])] = &[];

/// The name and the bytes of the network for a game, if there is one.
pub(crate) fn network(game: &str) -> Option<(&'static str, &'static [u8])> {
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
