//! Engine spec: an engine of a match as `KEY=VALUE,…` text.

mod parse;

use search::{EngineOptions, ParamError, Params, SearchMode};
use uci::client::EngineCommand;

use crate::search_limits::SearchLimits;
use crate::time_control::TimeControlError;

/// An engine of a match.
///
/// ```
/// use arena::{EngineSpec, PlayerSpec};
///
/// let spec: EngineSpec = "name=new,net=nets/new.accrue,hash=64,nodes=5000".parse()?;
/// assert_eq!((spec.name.as_str(), spec.limits.nodes), ("new", Some(5000)));
/// let PlayerSpec::Search(search) = &spec.player else { panic!("not a search") };
/// assert_eq!(search.net.as_deref(), Some("nets/new.accrue"));
///
/// // A word alone is the file of a network.
/// assert_eq!("nets/old.accrue".parse::<EngineSpec>()?.name, "old");
/// let external: EngineSpec = "cmd=stockfish,option.Threads=1".parse()?;
/// assert!(matches!(external.player, PlayerSpec::External(_)));
/// # Ok::<(), arena::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// The text.
    pub text: String,
    /// The name of the engine; by default that of its network or program.
    pub name: String,
    /// Its own search limits, if it has any.
    pub limits: SearchLimits,
    /// The player.
    pub player: PlayerSpec,
}

/// The player behind an [`EngineSpec`].
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// A search in this process.
    Search(Box<SearchSpec>),
    /// Another program, by UCI.
    External(EngineCommand),
    /// Random moves.
    Random,
}

/// A search in this process.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// The network; without one, the default evaluation of the game.
    pub net: Option<String>,
    /// The feature set of a network file that does not name it.
    pub features: Option<String>,
    /// A larger network behind it.
    pub large: Option<String>,
    /// The share of the network in the evaluation, in percent.
    pub blend: u64,
    /// The options of the engine.
    pub options: EngineOptions,
    /// The parameters of the search.
    pub params: Params,
}

impl Default for SearchSpec {
    fn default() -> Self {
        Self {
            net: None,
            features: None,
            large: None,
            blend: 100,
            options: EngineOptions { mode: SearchMode::Auto, ..EngineOptions::default() },
            params: Params::default(),
        }
    }
}

impl EngineSpec {
    /// A search with the network in a file, limited by soft nodes.
    ///
    /// ```
    /// use arena::EngineSpec;
    /// use search::SearchMode;
    ///
    /// let spec = EngineSpec::of_network("new", "net.accrue", SearchMode::Classical, 500, 4);
    /// assert_eq!(spec.text, "name=new,net=net.accrue,mode=classical,softnodes=500,hash=4");
    /// assert_eq!(spec.text.parse(), Ok(spec));
    /// ```
    pub fn of_network(
        name: &str,
        net: &str,
        mode: SearchMode,
        soft_nodes: u64,
        hash_mib: usize,
    ) -> Self {
        let options = EngineOptions { mode, hash_mib, ..SearchSpec::default().options };
        let search = SearchSpec { net: Some(net.to_owned()), options, ..SearchSpec::default() };
        Self {
            text: format!(
                "name={name},net={net},mode={mode},softnodes={soft_nodes},hash={hash_mib}"
            ),
            name: name.to_owned(),
            limits: SearchLimits { soft_nodes: Some(soft_nodes), ..SearchLimits::default() },
            player: PlayerSpec::Search(Box::new(search)),
        }
    }

    /// A player that makes random moves.
    ///
    /// ```
    /// use arena::EngineSpec;
    ///
    /// assert_eq!("moves=random".parse(), Ok(EngineSpec::random()));
    /// ```
    pub fn random() -> Self {
        Self {
            text: "moves=random".to_owned(),
            name: "random".to_owned(),
            limits: SearchLimits::default(),
            player: PlayerSpec::Random,
        }
    }
}

/// Why a text is not an [`EngineSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine `{text}`: {fault}")]
pub struct EngineSpecError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub fault: EngineSpecFault,
}

/// What is wrong with the text of an [`EngineSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineSpecFault {
    /// A key without a value.
    #[error("`{key}=` has no value")]
    NoValue {
        /// The key.
        key: String,
    },
    /// A key that does not exist.
    #[error("there is no key `{key}`; known: {KEYS}")]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A value that its key does not take.
    #[error("`{part}`: expected {expected}")]
    Value {
        /// The key and the value.
        part: String,
        /// What the key takes.
        expected: String,
    },
    /// A value that is not a time control.
    #[error("`{part}`: {error}")]
    TimeControl {
        /// The key and the value.
        part: String,
        /// What is wrong with it.
        error: TimeControlError,
    },
    /// A search parameter that does not exist, or a value that it does not take.
    #[error("`{part}`: {error}")]
    Param {
        /// The key and the value.
        part: String,
        /// What is wrong with it.
        error: ParamError,
    },
    /// A key that random moves do not use.
    #[error("`moves=random` does not search: `{key}` does not apply to it")]
    RandomWith {
        /// The key.
        key: String,
    },
    /// Keys of a search in this process together with keys of an external engine.
    #[error("`{search}` is for a search in this process and `{external}` for an external engine")]
    Mixed {
        /// A key of the first.
        search: String,
        /// A key of the second.
        external: String,
    },
    /// An external engine without a program.
    #[error("`cmd=` is missing: expected the program of the engine")]
    NoCommand,
}

const KEYS: &str = "name, tc, nodes, softnodes, depth, movetime; for a search in this process net, \
    features, large, blend, hash, threads, overhead, mode, param.NAME; for an external engine cmd, \
    arg, dir, option.NAME; moves=random";
