//! Network loader: network files of every kind, and the built-in networks by name.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use dataset::GameList;
use games::{GameInfo, ToolkitGame};
use nnue::{Activation, Architecture, Dialect, MoveEncoding, Network, NetworkFile, ScoreModel};

use super::{BuiltInNetwork, BuiltInNetworks, LoadedNetwork, NetworkLoadError};

/// The maximum length of a network file: more than any architecture needs in practice.
pub const MAX_NETWORK_BYTES: u64 = 4 << 30;

/// A network to load: a file, and what the file does not state itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkSource {
    /// A file, or the name of a built-in network.
    pub file: PathBuf,
    /// The architecture of bullet's `quantised.bin`, as in `(768→256)×2→1 screlu`.
    pub architecture: Option<String>,
    /// The feature set of a file that does not name it.
    pub features: Option<String>,
}

impl NetworkSource {
    /// A file that states everything itself, or a built-in network.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// The same with the feature set of a file that does not name it.
    #[must_use]
    pub fn with_features(mut self, features: Option<String>) -> Self {
        self.features = features;
        self
    }

    /// The file, for messages.
    fn shown(&self) -> String {
        self.file.display().to_string()
    }
}

/// A format whose networks have an arithmetic of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFormat {
    /// Stockfish 15's `.nnue`.
    Stockfish,
    /// The crate noru.
    Noru,
}

impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stockfish => "Stockfish",
            Self::Noru => "noru",
        })
    }
}

/// Loads networks. Holds the games of a program and its built-in networks.
#[derive(Clone, Debug, Default)]
pub struct NetworkLoader {
    games: GameList,
    built_in: BuiltInNetworks,
    /// By the name of the game.
    score_models: Vec<(&'static str, ScoreModel)>,
}

impl NetworkLoader {
    /// A loader for networks of these games.
    pub fn new(games: GameList, built_in: BuiltInNetworks) -> Self {
        Self { games, built_in, score_models: Vec::new() }
    }

    /// The same with a score model for networks of a game that have none of their own, in place of
    /// [`ScoreModel::DEFAULT`].
    #[must_use]
    pub fn with_score_model(mut self, game: &'static str, model: ScoreModel) -> Self {
        self.score_models.push((game, model));
        self
    }

    /// The score model of networks with this feature set that have none of their own.
    fn default_score_model(&self, features: &str) -> ScoreModel {
        let game = self.games.of_features(features).map(GameInfo::name);
        let mut models = self.score_models.iter().rev();
        let found = models.find(|(name, _)| Some(*name) == game);
        found.map_or(ScoreModel::DEFAULT, |(_, model)| model.clone())
    }

    /// The games whose feature sets a network may have.
    pub fn games(&self) -> &GameList {
        &self.games
    }

    /// The built-in networks.
    pub fn built_in(&self) -> &BuiltInNetworks {
        &self.built_in
    }

    /// Loads a network.
    pub fn load(&self, source: &NetworkSource) -> Result<LoadedNetwork, NetworkLoadError> {
        let bytes = self.read(source)?;
        let file = source.shown();
        if let Some(features) = &source.features {
            let known = self.games.feature_set_shape(features);
            known.map_err(|error| NetworkLoadError::Features { file: file.clone(), error })?;
        }
        let network = match self.import(source, &bytes)? {
            Some(file) => file.to_network(),
            None => Network::from_bytes(&bytes),
        };
        let network =
            network.map_err(|error| NetworkLoadError::Format { file: file.clone(), error })?;
        let loaded = LoadedNetwork::new(file, Arc::new(network));
        let loaded = loaded.with_features(source.features.clone());
        let model = self.default_score_model(loaded.features());
        Ok(loaded.with_default_score_model(model))
    }

    /// Reads a network that can be written in accrue's own format: accrue's, bullet's or JSON.
    pub fn read_file(&self, source: &NetworkSource) -> Result<NetworkFile, NetworkLoadError> {
        let bytes = self.read(source)?;
        if let Some(file) = self.import(source, &bytes)? {
            return Ok(file);
        }
        let file = source.shown();
        let read = NetworkFile::read(&bytes).map(|file| self.name_move_encoding(file));
        read.map_err(|_| match Network::from_bytes(&bytes) {
            Ok(network) => {
                let noru = network.dialect() == Dialect::Noru;
                let format = if noru { ForeignFormat::Noru } else { ForeignFormat::Stockfish };
                NetworkLoadError::Foreign { file, format }
            }
            Err(error) => NetworkLoadError::Format { file, error },
        })
    }

    /// Names the move encoding of a policy whose file does not, so that a rewritten file names it.
    fn name_move_encoding(&self, file: NetworkFile) -> NetworkFile {
        let architecture = file.architecture();
        let form = architecture.policy().and_then(|head| {
            let game = self.games.of_features(&architecture.features)?;
            game.policy_form(head.encoding_name(), head.from, head.to)
        });
        match form.and_then(|form| MoveEncoding::from_name(form.name())) {
            Some(encoding) => file.with_move_encoding(encoding),
            None => file,
        }
    }

    /// The bytes of a network: of a file, or of the built-in one of that name.
    pub fn read(&self, source: &NetworkSource) -> Result<Cow<'static, [u8]>, NetworkLoadError> {
        if let Some(network) = source.file.to_str().and_then(|name| self.built_in.named(name)) {
            return Ok(Cow::Borrowed(network.bytes));
        }
        let file = source.shown();
        // Check before opening: opening a pipe blocks, and a device may never end.
        if std::fs::metadata(&source.file).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(NetworkLoadError::NotAFile { file });
        }
        let opened = File::open(&source.file).and_then(|open| {
            let bytes = open.metadata()?.len();
            Ok((open, bytes))
        });
        let (open, length) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let built_in = self.built_in.names().collect::<Vec<_>>().join(", ");
                return Err(NetworkLoadError::Open { file, built_in, error });
            }
        };
        if length > MAX_NETWORK_BYTES {
            return Err(NetworkLoadError::TooLong { file, bytes: length });
        }
        let mut bytes = Vec::new();
        // Limit the bytes while reading as well: the file may grow.
        match open.take(MAX_NETWORK_BYTES + 1).read_to_end(&mut bytes) {
            Err(error) => Err(NetworkLoadError::Read { file, error }),
            Ok(read) if read as u64 > MAX_NETWORK_BYTES => {
                Err(NetworkLoadError::TooLong { file, bytes: read as u64 })
            }
            Ok(_) => Ok(Cow::Owned(bytes)),
        }
    }

    /// The default network of the game `G`, if it has one.
    pub fn default_network<G: ToolkitGame>(
        &self,
    ) -> Result<Option<LoadedNetwork>, NetworkLoadError> {
        self.built_in.default_of(G::NAME).map(load_built_in).transpose()
    }

    /// The built-in network `GAME-linear` of the game `G`, if there is one.
    pub fn linear_network<G: ToolkitGame>(
        &self,
    ) -> Result<Option<LoadedNetwork>, NetworkLoadError> {
        self.built_in.named(&format!("{}-linear", G::NAME)).map(load_built_in).transpose()
    }

    /// The network in a file that does not state its architecture: bullet's, by the architecture
    /// that was given, or a matrix in JSON. `None` if the file states it.
    fn import(
        &self,
        source: &NetworkSource,
        bytes: &[u8],
    ) -> Result<Option<NetworkFile>, NetworkLoadError> {
        let file = source.shown();
        if let Some(text) = &source.architecture {
            let architecture: Architecture = text
                .parse()
                .map_err(|error| NetworkLoadError::Architecture { text: text.clone(), error })?;
            return match nnue::read_bullet(bytes, &architecture) {
                Ok(network) => Ok(Some(network)),
                Err(_) if Network::from_bytes(bytes).is_ok() => {
                    Err(NetworkLoadError::ArchitectureStated { file })
                }
                Err(error) => Err(NetworkLoadError::Format { file, error }),
            };
        }
        if bytes.trim_ascii_start().starts_with(b"{") {
            return self.import_json(source, bytes).map(Some);
        }
        Ok(None)
    }

    fn import_json(
        &self,
        source: &NetworkSource,
        bytes: &[u8],
    ) -> Result<NetworkFile, NetworkLoadError> {
        let file = source.shown();
        let Some(features) = &source.features else {
            let known: Vec<_> = self.games.iter().flat_map(GameInfo::feature_set_names).collect();
            let (inputs, known) = (String::new(), known.join(", "));
            return Err(NetworkLoadError::FeaturesUnnamed { file, inputs, known });
        };
        let shape = self.games.feature_set_shape(features);
        let shape =
            shape.map_err(|error| NetworkLoadError::Features { file: file.clone(), error })?;
        match nnue::read_json(bytes, features, Activation::Screlu) {
            Err(error) => Err(NetworkLoadError::Json { file, error }),
            Ok(network) if network.architecture().inputs != shape.size => {
                Err(NetworkLoadError::Columns {
                    file,
                    inputs: network.architecture().inputs,
                    features: features.clone(),
                    size: shape.size,
                })
            }
            Ok(network) => Ok(network),
        }
    }
}

fn load_built_in(network: &BuiltInNetwork) -> Result<LoadedNetwork, NetworkLoadError> {
    let file = network.name.to_owned();
    match Network::from_bytes(network.bytes) {
        Ok(network) => Ok(LoadedNetwork::new(file, Arc::new(network))),
        Err(error) => Err(NetworkLoadError::Format { file, error }),
    }
}
