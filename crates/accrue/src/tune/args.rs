//! The options of `accrue tune`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use arena::tune::{Gains, Knob, Spsa};
use arena::{Adjudication, Openings, Pace};
use games::Game;
use search::{Param, Params};

use super::state::Settings;
use crate::datagen;
use crate::matches::{AdjudicationArgs, DEFAULT_TIME, LimitArgs, StartArgs};

/// Find better numbers for the search by letting them play
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Where the run is kept; one that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,

    /// What to tune: NAME, NAME=START or NAME=START:STEP; may be repeated [default: all]
    #[arg(long = "param", value_name = "NAME")]
    params: Vec<String>,

    /// How often the values are changed
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) iterations: u64,

    /// Pairs of games for each change: one opening, colours swapped
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) pairs: u64,

    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) concurrency: usize,

    /// The network that values positions; without it the built-in evaluation does
    #[arg(long, value_name = "NET")]
    pub(super) net: Option<String>,

    /// The size of each engine's table in MiB
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
The state is saved after every iteration. Ctrl-C (or SIGTERM, or a crash) loses at most the games of one iteration; the
same command goes on from there. At a fixed number of nodes the same command gives the same values, whatever the
concurrency and however often it was stopped. docs/tuning.md tells more.

Exit codes: as always, and 130 or 143 if a signal stopped it.

Examples:
  accrue tune --state all.json --tc 4+0.04 --concurrency 8 --adjudicate
  accrue tune --state futility.json --param futility_base --param futility_margin=80:10 --nodes 5000
  accrue tune --state hex.json --game hexchess --net hex.accrue --nodes 2000 --iterations 500";

/// How fast values move.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Gains")]
struct GainArgs {
    /// How far values are moved up and down, as a share of their range, in the last iteration; half a unit at least
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    step: f64,

    /// How much of its step a value goes for each game won more than lost, in the last iteration
    #[arg(long, value_name = "R", default_value_t = Gains::default().rate)]
    rate: f64,

    /// Iterations before the rate shrinks in earnest, as a share of all
    #[arg(long, value_name = "A", default_value_t = Gains::default().stability)]
    stability: f64,

    /// How fast the rate shrinks
    #[arg(long, value_name = "P", default_value_t = Gains::default().alpha)]
    alpha: f64,

    /// How fast the steps shrink
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

    pub(super) fn openings<G: Game>(&self) -> anyhow::Result<Openings<G>> {
        self.start.openings()
    }

    pub(super) fn pace(&self) -> Pace {
        self.limits.pace(DEFAULT_TIME)
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

    /// What is tuned.
    pub(super) fn knobs(&self) -> anyhow::Result<Vec<Knob>> {
        let clock = self.pace().time.is_some();
        if self.params.is_empty() {
            let useful = |param: &&Param| clock || !is_about_time(param.name);
            let all = Params::LIST.iter().filter(useful);
            return Ok(all.map(|param| self.knob(param, None, None)).collect());
        }
        let knobs: Vec<Knob> =
            self.params.iter().map(|text| self.named(text)).collect::<anyhow::Result<_>>()?;
        if let Some(knob) = knobs.iter().find(|knob| !clock && is_about_time(&knob.name)) {
            bail!("--param {}: it has no effect without a clock; expected --tc", knob.name);
        }
        Ok(knobs)
    }

    /// One by `NAME`, `NAME=START` or `NAME=START:STEP`.
    fn named(&self, text: &str) -> anyhow::Result<Knob> {
        let (name, numbers) = text.split_once('=').map_or((text, None), |(n, v)| (n, Some(v)));
        let Some(param) = Params::LIST.iter().find(|param| param.name == name) else {
            let names: Vec<_> = Params::LIST.iter().map(|param| param.name).collect();
            bail!("--param {text}: there is no `{name}`; expected one of {}", names.join(", "));
        };
        let (start, step) = match numbers.map(|numbers| numbers.split_once(':')) {
            None => (None, None),
            Some(None) => (numbers, None),
            Some(Some((start, step))) => (Some(start), Some(step)),
        };
        let number = |text: Option<&str>| text.map(str::parse::<f64>).transpose();
        let numbers = number(start).and_then(|start| Ok((start, number(step)?)));
        let (start, step) = numbers.with_context(|| {
            format!("--param {text}: expected {name}=START:STEP, such as {name}={}", param.default)
        })?;
        Ok(self.knob(param, start, step))
    }

    fn knob(&self, param: &Param, start: Option<f64>, step: Option<f64>) -> Knob {
        let [start_of, least, most] = [param.default, param.least, param.most].map(f64::from);
        // Less than half a unit up and down would often be no difference at all.
        let usual = (self.gains.step * (most - least)).max(0.5);
        Knob {
            name: param.name.to_owned(),
            start: start.unwrap_or(start_of),
            least,
            most,
            step: step.unwrap_or(usual),
        }
    }

    /// Everything that the values follow from. How many games are played at the same time is not among it.
    pub(super) fn settings<G: Game>(&self, spsa: &Spsa) -> anyhow::Result<Settings> {
        let knobs = spsa.knobs().iter();
        let knobs = knobs.map(|knob| format!("{}={}:{}", knob.name, knob.start, knob.step));
        let book = self.start.openings.as_deref().map(datagen::named).transpose()?;
        let net = self.net.as_deref().map(Path::new).map(datagen::named_network).transpose()?;
        let StartArgs { rules, shuffle, random_plies, seed, .. } = &self.start;
        Ok(Settings::from([
            ("version".into(), env!("CARGO_PKG_VERSION").into()),
            ("game".into(), G::NAME.into()),
            ("rules".into(), format!("{rules:?}")),
            ("openings".into(), book.unwrap_or_else(|| "start".into())),
            ("shuffle".into(), shuffle.to_string()),
            ("random plies".into(), format!("{random_plies:?}")),
            ("seed".into(), seed.to_string()),
            ("limits".into(), format!("{:?}", self.pace())),
            ("time margin".into(), format!("{:?}", self.time_margin())),
            ("adjudication".into(), format!("{:?}", self.adjudication())),
            ("evaluation".into(), net.unwrap_or_else(datagen::built_in_evaluation::<G>)),
            ("hash".into(), self.hash.to_string()),
            ("iterations".into(), self.iterations.to_string()),
            ("pairs".into(), self.pairs.to_string()),
            ("gains".into(), format!("{:?}", self.gains())),
            ("params".into(), knobs.collect::<Vec<_>>().join(" ")),
        ]))
    }
}

/// Numbers that only a clock brings into play.
fn is_about_time(name: &str) -> bool {
    name.starts_with("time_")
}
