//! Built-in networks: the network files that are part of a program.

/// A network file that is part of a program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInNetwork {
    /// The game that it is for.
    pub game: &'static str,
    /// Its name, which may stand wherever a file is expected.
    pub name: &'static str,
    /// The bytes of the file.
    pub bytes: &'static [u8],
}

/// The network files that are part of a program. The first of a game is its default network.
#[derive(Clone, Debug, Default)]
pub struct BuiltInNetworks(Vec<BuiltInNetwork>);

impl BuiltInNetworks {
    /// No networks.
    pub fn new() -> Self {
        Self::default()
    }

    /// The default network of a game, if it has one.
    pub fn default_of(&self, game: &str) -> Option<&BuiltInNetwork> {
        self.0.iter().find(|network| network.game == game)
    }

    /// The network of that name.
    pub fn named(&self, name: &str) -> Option<&BuiltInNetwork> {
        self.0.iter().find(|network| network.name == name)
    }

    /// The names of all.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|network| network.name)
    }

    /// The networks, the default of a game before the game's others.
    pub fn iter(&self) -> impl Iterator<Item = &BuiltInNetwork> {
        self.0.iter()
    }
}

impl FromIterator<BuiltInNetwork> for BuiltInNetworks {
    fn from_iter<I: IntoIterator<Item = BuiltInNetwork>>(networks: I) -> Self {
        Self(networks.into_iter().collect())
    }
}
