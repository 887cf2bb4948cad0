//! Built-in networks: the network files that are part of the program. `nets/README.md` has their
//! origins.

use std::sync::LazyLock;

use arena::networks::BuiltInNetwork;
use games::ToolkitGame;
use nnue::Network;

use crate::toolkit::GameEntry;

/// Adds the networks of chess; the first is the default.
pub(crate) fn chess<G: ToolkitGame>(entry: GameEntry<G>) -> GameEntry<G> {
    entry
        .with_network("chess-small", include_bytes!("../../../nets/chess-small.accrue"))
        .with_network("chess-large", include_bytes!("../../../nets/chess-large.accrue"))
        .with_network("chess-linear", include_bytes!("../../../nets/chess-linear.accrue"))
}

/// Adds the networks of hexchess; the first is the default.
pub(crate) fn hexchess<G: ToolkitGame>(entry: GameEntry<G>) -> GameEntry<G> {
    entry
        .with_network("hexchess-small", include_bytes!("../../../nets/hexchess-small.accrue"))
        .with_network("hexchess-linear", include_bytes!("../../../nets/hexchess-linear.accrue"))
}

/// The network that `make EVALFILE=…` put into this program.
#[cfg(evalfile)]
const EVALFILE: Option<&[u8]> = Some(include_bytes!(env!("EVALFILE")));
#[cfg(not(evalfile))]
const EVALFILE: Option<&[u8]> = None;

/// The game of `EVALFILE`: the one that its feature set names, or chess.
static EVALFILE_GAME: LazyLock<String> = LazyLock::new(|| {
    let network = EVALFILE.and_then(|bytes| Network::from_bytes(bytes).ok());
    let features = network.map(|network| network.architecture().features.clone());
    match features.as_deref().and_then(|features| features.split_once('.')) {
        Some((game, _)) => game.to_owned(),
        None => "chess".to_owned(),
    }
});

/// The network that `make EVALFILE=…` put into this program, if it is for one of these games. It
/// comes before the others.
pub(crate) fn evalfile(games: &[&'static str]) -> Option<BuiltInNetwork> {
    let bytes = EVALFILE?;
    let game = games.iter().find(|game| **game == EVALFILE_GAME.as_str())?;
    Some(BuiltInNetwork { game, name: "EVALFILE", bytes })
}

#[cfg(test)]
mod tests {
    use nnue::Network;

    use crate::Toolkit;

    #[test]
    fn every_network_can_be_read_and_is_for_its_game() {
        let toolkit = Toolkit::new().with_builtin_games();
        let built_in = toolkit.networks().built_in();
        assert!(built_in.names().count() >= 5);
        for network in built_in.iter() {
            let (name, bytes) = (network.name, network.bytes);
            let read = Network::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let shape = toolkit.games().feature_set_shape(&read.architecture().features).unwrap();
            assert_eq!(shape.game, Some(network.game), "{name}");
            assert!(bytes.len() <= 4_000_000, "{name}");
        }
    }

    /// The learned search can be switched on without any file.
    #[test]
    fn default_networks_are_calibrated() {
        let toolkit = Toolkit::new().with_builtin_games();
        for game in ["chess", "hexchess"] {
            let network = toolkit.networks().built_in().default_of(game).unwrap();
            let read = Network::from_bytes(network.bytes).unwrap();
            assert!(read.calibration().is_some(), "{}", network.name);
        }
    }
}
