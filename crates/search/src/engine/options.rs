//! Engine options: hash size, threads, multi-PV, search mode, and why an engine refuses them.

use games::FeatureSetError;

use crate::named::named_enum;

/// The largest transposition table, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 20;
/// The maximum number of threads.
pub const MAX_THREADS: usize = 1024;
/// The maximum number of lines (multi-PV).
pub const MAX_MULTI_PV: usize = 512;

named_enum! {
    "a search mode";
    /// What the selectivity of a search is based on: which nodes and moves are pruned, reduced or
    /// extended.
    ///
    /// ```
    /// use search::SearchMode;
    ///
    /// assert_eq!("learned".parse(), Ok(SearchMode::Learned));
    /// assert_eq!(SearchMode::Auto.to_string(), "auto");
    /// assert!("fast".parse::<SearchMode>().is_err());
    /// ```
    #[derive(Default)]
    pub enum SearchMode {
        /// Margins, histories and tables of reductions.
        #[default]
        Classical = "classical",
        /// The policy and the calibrated quantiles of the network, beside the classical rules.
        Learned = "learned",
        /// The plain rules that the learned mode grew from: raw quantiles as bounds, and a ply less
        /// or more at fixed widths. A reference to beat.
        Seed = "seed",
        /// [`Learned`](Self::Learned) where the evaluator supports it,
        /// [`Classical`](Self::Classical) where it does not.
        Auto = "auto",
    }
}

impl SearchMode {
    /// Whether the mode needs a calibrated network.
    pub(super) fn needs_calibration(self) -> bool {
        matches!(self, Self::Learned | Self::Seed)
    }
}

/// The options of an engine.
///
/// ```
/// use games::chess::Chess;
/// use search::{Engine, EngineError, EngineOptions};
///
/// let options = EngineOptions { threads: 2, hash_mib: 64, ..EngineOptions::default() };
/// let engine = Engine::<Chess>::new(options)?;
/// assert_eq!(engine.options().threads, 2);
///
/// let none = EngineOptions { threads: 0, ..options };
/// assert!(matches!(Engine::<Chess>::new(none), Err(EngineError::Option { value: 0, .. })));
/// # Ok::<(), EngineError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The size of the transposition table in MiB, from 1 to [`MAX_HASH_MIB`] and to the memory of
    /// the machine.
    pub hash_mib: usize,
    /// The number of search threads, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// The number of best lines to report (multi-PV), from 1 to [`MAX_MULTI_PV`].
    pub multi_pv: usize,
    /// The time between a result and its arrival at the opponent's clock, in milliseconds.
    pub move_overhead: u64,
    /// What the selectivity of the search is based on.
    pub mode: SearchMode,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            mode: SearchMode::Classical,
        }
    }
}

impl EngineOptions {
    pub(super) fn check(&self) -> Result<(), EngineError> {
        for (option, value, max) in [
            ("the size of the transposition table in MiB", self.hash_mib, MAX_HASH_MIB),
            ("the number of threads", self.threads, MAX_THREADS),
            ("the number of lines", self.multi_pv, MAX_MULTI_PV),
        ] {
            if !(1..=max).contains(&value) {
                return Err(EngineError::Option { option, value, max });
            }
        }
        Ok(())
    }
}

/// Why an engine refuses its options. The engine stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// An option is outside its range.
    #[error("{option} is {value}; expected 1 to {max}")]
    Option {
        /// Its name.
        option: &'static str,
        /// The value that was given.
        value: usize,
        /// The largest value.
        max: usize,
    },
    /// The system has not that much memory.
    #[error("there is no memory for a transposition table of {mib} MiB: use a smaller one")]
    Memory {
        /// The size that was given.
        mib: usize,
    },
    /// The mode needs a calibrated network with quantiles and policy.
    #[error(
        "the learned search needs a calibrated network with quantile and policy heads: use the \
         classical mode, or calibrate the network"
    )]
    NotCalibrated,
    /// The game has no feature set to evaluate material by.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
}
