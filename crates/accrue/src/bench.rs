//! `accrue bench`: a search of fixed positions, whose number of nodes tells whether the search has changed.

use search::{BENCH_DEPTH, Bench};
use serde::Serialize;

use crate::output;

/// Search fixed positions; the number of nodes tells whether the search has changed
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// How deep to search each position
    #[arg(value_name = "DEPTH", default_value_t = BENCH_DEPTH as u32,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `N nodes M nps`. Positions of every game, one thread, a table of 16 MiB, the internal evaluation: the
number of nodes is the same on every machine.

Examples:
  accrue bench
  accrue bench 6 --json";

/// The result with `--json`.
#[derive(Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let found = search::bench(args.depth as usize)?;
    if args.json {
        return output::json(&Report {
            depth: args.depth,
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
            nodes_per_second: found.speed(),
        });
    }
    output::lines([last_line(&found)])
}

/// As OpenBench reads it.
pub(crate) fn last_line(found: &Bench) -> String {
    format!("{} nodes {} nps", found.nodes, found.speed())
}
