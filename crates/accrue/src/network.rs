//! Network arguments: the options that name a network, and what errors say about these options.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use arena::networks::{LoadedNetwork, NetworkLoadError, NetworkSource};
use nnue::{NetworkError, NetworkFile};
use pipeline::PipelineError;

use crate::toolkit::Toolkit;

/// What `--net` takes.
pub(crate) const NET_HELP: &str = "The network file: accrue's, Stockfish 15's, noru's, a matrix in JSON, or bullet's quantised.bin; \
     or the name of a built-in network, such as chess-large";

/// What the files of other programs do not state themselves.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ForeignArgs {
    /// The architecture of bullet's quantised.bin, as in '(768→256)×2→1 screlu' ('->' and 'x' work too)
    #[arg(long, value_name = "TEXT")]
    architecture: Option<String>,

    /// The feature set of a file that does not name it
    #[arg(long, value_name = "NAME")]
    features: Option<String>,
}

impl ForeignArgs {
    /// Loads a network for evaluation.
    pub(crate) fn load(&self, net: &Path, toolkit: &Toolkit) -> anyhow::Result<LoadedNetwork> {
        let loaded = toolkit.networks().load(&self.source(net));
        loaded.map_err(|error| explain(&error, NetworkOption::Foreign))
    }

    /// Reads a network that can be written in accrue's own format.
    pub(crate) fn read_file(&self, net: &Path, toolkit: &Toolkit) -> anyhow::Result<NetworkFile> {
        let file = toolkit.networks().read_file(&self.source(net));
        file.map_err(|error| explain(&error, NetworkOption::Foreign))
    }

    /// The size of a network in bytes.
    pub(crate) fn bytes(&self, net: &Path, toolkit: &Toolkit) -> anyhow::Result<u64> {
        let bytes = toolkit.networks().read(&self.source(net));
        let bytes = bytes.map_err(|error| explain(&error, NetworkOption::Foreign))?;
        Ok(bytes.len() as u64)
    }

    fn source(&self, net: &Path) -> NetworkSource {
        NetworkSource {
            file: net.to_owned(),
            architecture: self.architecture.clone(),
            features: self.features.clone(),
        }
    }
}

/// The network of an engine.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct EngineNetworkArgs {
    /// The network that evaluates positions; without it, the default network of the game
    #[arg(long, value_name = "NET")]
    pub(crate) net: Option<PathBuf>,

    /// The feature set of a network file that does not name it
    #[arg(long, value_name = "NAME", requires = "net")]
    pub(crate) features: Option<String>,
}

impl EngineNetworkArgs {
    /// Loads the network, if one is named.
    pub(crate) fn load(&self, toolkit: &Toolkit) -> anyhow::Result<Option<LoadedNetwork>> {
        let loaded = self.source().map(|source| toolkit.networks().load(&source)).transpose();
        loaded.map_err(|error| explain(&error, NetworkOption::Engine))
    }

    /// The network, if one is named.
    pub(crate) fn source(&self) -> Option<NetworkSource> {
        let net = self.net.as_ref()?;
        Some(NetworkSource::new(net).with_features(self.features.clone()))
    }
}

/// Which options can state what a network file does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkOption {
    /// [`ForeignArgs`].
    Foreign,
    /// [`EngineNetworkArgs`].
    Engine,
    /// The key `features=` of an engine of a match.
    Spec,
    /// None: UCI's `EvalFile`.
    Uci,
}

/// What `--architecture` takes.
const EXAMPLE: &str = "chess.piece-square (768->256)x2->1 screlu";

/// An error of a stage together with the options that can do something about it.
pub(crate) fn explain_pipeline(error: PipelineError) -> anyhow::Error {
    match error {
        PipelineError::Network(error) => explain(&error, NetworkOption::Foreign),
        error => error.into(),
    }
}

/// An error together with the options that can do something about it.
pub(crate) fn explain(error: &NetworkLoadError, option: NetworkOption) -> anyhow::Error {
    use NetworkLoadError as E;
    let with_features = match option {
        NetworkOption::Foreign | NetworkOption::Engine => " with --features",
        NetworkOption::Spec => " with `features=NAME`",
        NetworkOption::Uci => "; `accrue net import FILE --features NAME` writes one that does",
    };
    match error {
        E::Architecture { .. } => anyhow!("--{error}\nIt looks like this: `{EXAMPLE}`"),
        E::ArchitectureStated { .. } => anyhow!("{error}; leave out --architecture"),
        E::Features { .. } if option == NetworkOption::Spec => anyhow!("`features=`: {error}"),
        E::Features { .. } => anyhow!("--features: {error}"),
        E::FeaturesUnnamed { .. } | E::Columns { .. } => anyhow!("{error}{with_features}"),
        E::Foreign { file, .. } => {
            anyhow!("{error}\nIt needs no import: `accrue eval --net {file}` reads it as it is")
        }
        E::LargeNotCalibrated { .. } => anyhow!("{error}: see `accrue calibrate --help`"),
        E::Format { error: NetworkError::UnknownFormat(_), .. } => match option {
            NetworkOption::Foreign => anyhow!(
                "{error}\nFor bullet's quantised.bin, give its architecture: --architecture '{EXAMPLE}'"
            ),
            _ => anyhow!(
                "{error}; for bullet's quantised.bin, `accrue net import` writes a file that can be read"
            ),
        },
        E::Format { error: NetworkError::Length { .. }, .. } => anyhow!(
            "{error}; the file was cut off, or something was added to it: fetch or export it again"
        ),
        _ => anyhow!("{error}"),
    }
}
