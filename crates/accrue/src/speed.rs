//! Speed command: `accrue speed` measures each operation of a network, compared with a copy of the
//! same bytes.

use arena::networks::{SpeedRow, SpeedTable, measure_speed, random_network};

use crate::network::ForeignArgs;
use crate::output;
use crate::toolkit::Toolkit;

/// Measure the speed of a network, for each kernel of this processor
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The network file; by default, networks of common shapes with random weights
    #[arg(long, value_name = "FILE")]
    net: Option<std::path::PathBuf>,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// The time of each measurement in seconds
    #[arg(long, value_name = "S", default_value_t = 0.2, value_parser = seconds)]
    seconds: f64,

    /// Print one JSON array instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Nanoseconds, medians. `hot` uses 32 rows of weights that stay in the cache, `cold` all of them at
random. The floor is a memory copy of the bytes that the operation must write (update), read
(refresh, evaluate), or both.

Examples:
  accrue speed
  accrue speed --net nn.nnue
  accrue speed --net quantised.bin --architecture '(768->256)x2->1 screlu' --json";

/// The networks to measure without a file.
const USUAL: [&str; 5] = [
    "(768→256)×2→1 screlu",
    "(768→512)×2→1 screlu",
    "(768→1024)×2→1 screlu",
    "(768→256)×2→32→1 screlu,crelu",
    "(768→1024)×2→16→32→1+64/64 pairwise,crelu",
];

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.001..=60.0).contains(value));
    value.ok_or_else(|| "expected a number from 0.001 to 60".to_owned())
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let networks = match &args.net {
        Some(path) => vec![(**args.foreign.load(path, toolkit)?.network()).clone()],
        None => USUAL
            .iter()
            .map(|text| Ok(random_network(text.parse()?)?))
            .collect::<anyhow::Result<_>>()?,
    };
    let tables: Vec<_> =
        networks.iter().map(|network| measure_speed(network, args.seconds)).collect();
    if args.json {
        return output::json(&tables);
    }
    output::lines(tables.iter().flat_map(lines))
}

fn lines(table: &SpeedTable) -> Vec<String> {
    let column = |text: String| format!("{text:>14}");
    let columns = |texts: Vec<String>| texts.into_iter().map(column).collect::<Vec<_>>().concat();
    let kernels = columns(table.kernels.iter().map(ToString::to_string).collect());
    let heading = format!("{:<34}{:>10}{kernels}{:>16}", "", "floor", "best / floor");
    let mut lines = vec![table.network.clone(), heading];
    for SpeedRow { operation, floor, nanoseconds } in &table.rows {
        let figures = columns(nanoseconds.iter().map(|ns| format!("{ns:.1}")).collect());
        let best = nanoseconds.iter().copied().fold(f64::INFINITY, f64::min);
        lines.push(format!("  {operation:<32}{floor:>10.1}{figures}{:>16.2}", best / floor));
    }
    lines.push(String::new());
    lines
}
