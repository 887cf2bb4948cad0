//! Command-line options of `accrue tune`.

use std::path::PathBuf;
use std::time::Duration;

use arena::tune::{Gains, Spsa, TunedParam, TuningSettings};
use arena::{Adjudication, Openings, SearchLimits, file_identity};
use games::ToolkitGame;
use pipeline::stages::PlayMatch;
use search::SearchMode;

use super::params::{ParamArgs, SearchConditions};
use crate::matches::{AdjudicationArgs, LimitArgs, StartArgs};
use crate::network::EngineNetworkArgs;
use crate::toolkit::Toolkit;

/// Tune search parameters by SPSA over self-play games
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The state file; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,

    #[command(flatten)]
    choice: ParamArgs,

    /// SPSA iterations
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(super) iterations: u64,

    /// Pairs of games in each iteration: one opening, with colours swapped
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    pub(super) pairs: u64,

    /// The number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) concurrency: usize,

    #[command(flatten)]
    pub(super) network: EngineNetworkArgs,

    /// The size of each engine's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    pub(super) hash: usize,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    start: StartArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    #[command(flatten)]
    gains: GainArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub(super) json: bool,
}

const AFTER_HELP: &str = "\
The state is saved after every iteration. Ctrl-C (or SIGTERM, or a crash) loses at most the games of
one iteration; the same command resumes. At a fixed number of nodes the same command gives the same
values, whatever the concurrency and however often it was stopped. See docs/tuning.md.

Without --param and --group all numbers that a search in the mode reads are tuned; those of time
management only if there is a clock.

Exit codes: 0 done, 2 bad input, 130 or 143 stopped by a signal.

Examples:
  accrue tune --state all.json --tc 4+0.04 --concurrency 8 --adjudicate
  accrue tune --state futility.json --param futility_base --param futility_margin=60:8 --nodes 5000
  accrue tune --state lmr.json --group lmr --group history --nodes 5000
  accrue tune --state classical.json --mode classical --nodes 5000
  accrue tune --state hex.json --game hexchess --net hex.accrue --nodes 2000 --iterations 500";

/// The gain sequences of SPSA.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Gains")]
struct GainArgs {
    /// The perturbation in the last iteration, as a share of each range; at least half a unit
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    step: f64,

    /// How much of its step a value moves for each game won more than lost, in the last iteration
    #[arg(long, value_name = "R", default_value_t = Gains::default().rate)]
    rate: f64,

    /// The stability constant A, as a share of all iterations
    #[arg(long, value_name = "A", default_value_t = Gains::default().stability)]
    stability: f64,

    /// The exponent of the rate's decay
    #[arg(long, value_name = "P", default_value_t = Gains::default().alpha)]
    alpha: f64,

    /// The exponent of the perturbation's decay
    #[arg(long, value_name = "P", default_value_t = Gains::default().gamma)]
    gamma: f64,
}

impl Args {
    pub(super) fn game(&self) -> &str {
        &self.start.game
    }

    pub(super) fn seed(&self) -> u64 {
        self.start.seed
    }

    pub(super) fn openings<G: ToolkitGame>(&self) -> anyhow::Result<Openings<G>> {
        self.start.openings()
    }

    pub(super) fn limits(&self) -> SearchLimits {
        self.limits.limits(PlayMatch::DEFAULT_TIME)
    }

    pub(super) fn time_margin(&self) -> Duration {
        self.limits.margin()
    }

    pub(super) fn adjudication(&self) -> Adjudication {
        self.adjudication.rules()
    }

    pub(super) fn gains(&self) -> Gains {
        let &GainArgs { rate, stability, alpha, gamma, .. } = &self.gains;
        Gains { rate, stability, alpha, gamma }
    }

    pub(super) fn mode(&self) -> SearchMode {
        self.choice.mode
    }

    /// The parameters to tune in this mode, which is resolved.
    pub(super) fn tuned_params(&self, mode: SearchMode) -> anyhow::Result<Vec<TunedParam>> {
        let clock = self.limits().time.is_some();
        self.choice.tuned_params(SearchConditions { mode, clock }, self.gains.step)
    }

    /// Everything that the values depend on. Concurrency is not part of it.
    pub(super) fn settings<G: ToolkitGame>(
        &self,
        spsa: &Spsa,
        mode: SearchMode,
        toolkit: &Toolkit,
    ) -> anyhow::Result<TuningSettings> {
        let params = spsa.params().iter();
        let params = params.map(|param| format!("{}={}:{}", param.name, param.start, param.step));
        let book = self.start.openings.as_deref().map(file_identity).transpose()?;
        let net = toolkit.networks().evaluation_identity::<G>(self.network.source().as_ref())?;
        let StartArgs { rules, shuffle, random_plies, seed, .. } = &self.start;
        Ok(TuningSettings::from([
            ("version".into(), env!("CARGO_PKG_VERSION").into()),
            ("game".into(), G::NAME.into()),
            ("rules".into(), format!("{rules:?}")),
            ("openings".into(), book.unwrap_or_else(|| "start".into())),
            ("shuffle".into(), shuffle.to_string()),
            ("random plies".into(), format!("{random_plies:?}")),
            ("seed".into(), seed.to_string()),
            ("limits".into(), format!("{:?}", self.limits())),
            ("time margin".into(), format!("{:?}", self.time_margin())),
            ("adjudication".into(), format!("{:?}", self.adjudication())),
            ("evaluation".into(), net),
            ("mode".into(), mode.to_string()),
            ("hash".into(), self.hash.to_string()),
            ("iterations".into(), self.iterations.to_string()),
            ("pairs".into(), self.pairs.to_string()),
            ("gains".into(), format!("{:?}", self.gains())),
            ("params".into(), params.collect::<Vec<_>>().join(" ")),
        ]))
    }
}
