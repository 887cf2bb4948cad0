//! The arguments that name a network, and reading it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use games::Game;
use games::registry::{GAMES, feature_set_shape};
use nnue::{Activation, Architecture, Dialect, Network, NetworkError, NetworkFile};
use search::GameInputs;

use crate::built_in;

/// What `--net` takes.
pub(crate) const NET_HELP: &str = "The network file: accrue's, Stockfish 15's, noru's, a matrix in JSON, or bullet's quantised.bin; \
     or the name of a built-in network, such as chess-large";

/// Which network.
#[derive(Debug)]
pub(crate) struct NetworkArgs {
    /// A file, or the name of a built-in network.
    pub(crate) net: PathBuf,
    pub(crate) foreign: ForeignArgs,
}

/// What files of others do not say themselves.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ForeignArgs {
    /// What bullet's quantised.bin holds, as in '(768→256)×2→1 screlu' ('->' and 'x' will do)
    #[arg(long, value_name = "TEXT")]
    architecture: Option<String>,

    /// The feature set of a file that does not name it
    #[arg(long, value_name = "NAME")]
    features: Option<String>,
}

/// The largest file that is read: more than any network that an architecture allows in practice.
const MOST_BYTES: u64 = 4 << 30;

impl NetworkArgs {
    /// Reads the file.
    pub(crate) fn load(&self) -> anyhow::Result<Network> {
        load(&self.net, &self.foreign)
    }

    /// The game that the network's feature set belongs to, if it says.
    pub(crate) fn game(&self, network: &Network) -> Option<&'static str> {
        let features = self.foreign.features.as_deref();
        let name = features.unwrap_or(&network.architecture().features);
        GAMES.into_iter().find(|game| name.split('.').next() == Some(game))
    }

    /// How the network reads positions of `G`.
    pub(crate) fn inputs<G: Game>(&self, network: &Network) -> anyhow::Result<GameInputs<G>> {
        let architecture = network.architecture();
        let file = self.net.display();
        match &self.foreign.features {
            Some(name) => {
                let set = G::feature_set(name).map_err(|error| anyhow!("--features: {error}"))?;
                GameInputs::from_set(set, architecture.inputs)
            }
            None if architecture.features.starts_with("raw:") => bail!(
                "{file} does not name its feature set ({}); name one of {} with --features",
                architecture.features,
                G::feature_set_names().join(", ")
            ),
            None => GameInputs::new(architecture),
        }
        .with_context(|| format!("{file} does not fit {}", G::NAME))
    }
}

fn load(path: &Path, foreign: &ForeignArgs) -> anyhow::Result<Network> {
    let bytes = read(path)?;
    let network = match unsaid(path, &bytes, foreign)? {
        Some(file) => file.to_network(),
        None => Network::from_bytes(&bytes),
    };
    network.map_err(|error| explain(path, &error))
}

/// Reads a file that says itself what it holds: accrue's, Stockfish's, noru's, or weights of chess in JSON.
pub(crate) fn load_alone(path: &Path) -> anyhow::Result<Network> {
    let bytes = read(path)?;
    let network = match unsaid(path, &bytes, &ForeignArgs::default())? {
        Some(file) => file.to_network(),
        None => Network::from_bytes(&bytes),
    };
    network.map_err(|error| {
        let advice = match error {
            NetworkError::UnknownFormat(_) => {
                "; for bullet's quantised.bin, `accrue net import` makes a file that can be read"
            }
            _ => "",
        };
        anyhow!("{}: {error}{advice}", path.display())
    })
}

/// Reads a file that can be written as ours: accrue's own, bullet's or JSON.
pub(crate) fn load_file(path: &Path, foreign: &ForeignArgs) -> anyhow::Result<NetworkFile> {
    let bytes = read(path)?;
    if let Some(file) = unsaid(path, &bytes, foreign)? {
        return Ok(file);
    }
    NetworkFile::read(&bytes).map_err(|_| match Network::from_bytes(&bytes) {
        // Not ours, but a network that can be read.
        Ok(network) => {
            let owner = if network.dialect() == Dialect::Noru { "noru" } else { "Stockfish" };
            let shown = path.display();
            anyhow!(
                "{shown} is a network of {owner}, which has an arithmetic of its own and cannot be written \
                 as one of accrue's\nIt needs no import: `accrue eval --net {shown}` reads it as it is"
            )
        }
        Err(error) => explain(path, &error),
    })
}

/// The bytes of a built-in network, or of a file, unless there are absurdly many.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if let Some(bytes) = built_in::named(path) {
        return Ok(bytes.to_vec());
    }
    let shown = path.display();
    let file = File::open(path).with_context(|| {
        let built_in: Vec<_> = built_in::names().collect();
        format!(
            "cannot open {shown}, which is not one of the built-in networks either ({})",
            built_in.join(", ")
        )
    })?;
    let mut bytes = Vec::new();
    // Counted while reading: pipes and devices do not say how long they are.
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    if read.with_context(|| format!("cannot read {shown}"))? as u64 > MOST_BYTES {
        bail!("{shown} is too long: a network has at most {MOST_BYTES} bytes");
    }
    Ok(bytes)
}

/// The network in a file that does not say what it holds, if the arguments or a first look tell.
fn unsaid(path: &Path, bytes: &[u8], foreign: &ForeignArgs) -> anyhow::Result<Option<NetworkFile>> {
    if let Some(text) = &foreign.architecture {
        let architecture: Architecture = text.parse().map_err(|error| {
            anyhow!("--architecture `{text}`: {error}\nIt looks like this: `{EXAMPLE}`")
        })?;
        return nnue::read_bullet(bytes, &architecture).map(Some).map_err(|error| {
            let shown = path.display();
            match Network::from_bytes(bytes) {
                Ok(_) => anyhow!("{shown} says itself what it holds; leave out --architecture"),
                Err(_) => anyhow!("{shown}: {error}"),
            }
        });
    }
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let features = foreign.features.as_deref().unwrap_or("chess.piece-square");
    let shape = feature_set_shape(features).map_err(|error| anyhow!("--features: {error}"))?;
    let file = nnue::read_json(bytes, features, Activation::Screlu)
        .with_context(|| format!("{}, read as weights in JSON", path.display()))?;
    let inputs = file.architecture().inputs;
    if inputs != shape.size {
        bail!(
            "{}: ft.weight has {inputs} columns, but feature set `{features}` has {} features; name \
             another with --features",
            path.display(),
            shape.size
        );
    }
    Ok(Some(file))
}

/// What `--architecture` takes.
const EXAMPLE: &str = "chess.piece-square (768->256)x2->1 screlu";

/// Adds to an error what the command line can do about it.
fn explain(path: &Path, error: &NetworkError) -> anyhow::Error {
    let advice = match error {
        NetworkError::UnknownFormat(_) => {
            format!("\nFor bullet's quantised.bin, say what it holds: --architecture '{EXAMPLE}'")
        }
        NetworkError::Length { .. } => {
            "\nThe file was cut off, or something was added to it: fetch or export it again".into()
        }
        _ => String::new(),
    };
    anyhow!("{}: {error}{advice}", path.display())
}
