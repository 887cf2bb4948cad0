//! Search parameters of a network file: `accrue net params` shows, stores and removes them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use nnue::FittedParams;
use search::Params;

use crate::network::ForeignArgs;
use crate::output;
use crate::toolkit::Toolkit;

/// Show or change the search parameters that a network file stores
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ParamsArgs {
    /// The network file
    #[arg(value_name = "FILE")]
    net: PathBuf,

    /// Store this number; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "out")]
    set: Vec<String>,

    /// Remove this number; may be repeated
    #[arg(long, value_name = "NAME", requires = "out")]
    remove: Vec<String>,

    /// Remove all numbers first
    #[arg(long, requires = "out")]
    clear: bool,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
The learned mode of the search uses these numbers in place of the defaults. `accrue fit` derives them
from samples of searches; this command stores those that `accrue tune` found. docs/tuning.md has the
names.

Examples:
  accrue net params net.accrue
  accrue net params net.accrue --set lmr_policy=240 --set policy_blend=9000 --out tuned.accrue
  accrue net params net.accrue --clear --out plain.accrue";

pub(super) fn run(args: &ParamsArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let file = ForeignArgs::default().read_file(&args.net, toolkit)?;
    let mut numbers = BTreeMap::new();
    if let Some(stored) = file.fitted_params().filter(|_| !args.clear) {
        numbers.extend(stored.iter().map(|(name, value)| (name.to_owned(), value)));
    }
    for name in &args.remove {
        if numbers.remove(name).is_none() {
            bail!("--remove {name}: {} stores no such number", args.net.display());
        }
    }
    for text in &args.set {
        let (name, value) = parse(text).with_context(|| format!("--set {text}"))?;
        numbers.insert(name, value);
    }
    let Some(out) = &args.out else {
        return output::lines(numbers.iter().map(|(name, value)| format!("{name}={value}")));
    };
    let params = if numbers.is_empty() { None } else { Some(FittedParams::new(numbers)?) };
    super::write(out, &file.with_fitted_params(params))
}

/// A number of the search and its value, which must be in the range of that number.
fn parse(text: &str) -> anyhow::Result<(String, i32)> {
    let (name, value) = text.split_once('=').context("expected NAME=VALUE")?;
    let param = Params::find(name)?;
    let value: i32 = value.parse().with_context(|| format!("`{value}` is not a whole number"))?;
    if !(param.min..=param.max).contains(&value) {
        bail!("{value} is out of range; expected {} to {}", param.min, param.max);
    }
    Ok((name.to_owned(), value))
}
