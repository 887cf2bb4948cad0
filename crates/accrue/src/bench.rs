//! `accrue bench`: a search of fixed positions, whose number of nodes tells whether the search has changed.

use games::Game;
use search::{BENCH_DEPTH, Bench, BenchEngines, Control, Engine};
use serde::Serialize;

use crate::evaluation::{self, Loaded};
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
    let found = bench(None, args.depth as usize, &Control::new())?;
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

/// The work for engines with their built-in evaluation, or with the network for the game that it fits.
pub(crate) fn bench(
    loaded: Option<&Loaded>,
    depth: usize,
    control: &Control,
) -> anyhow::Result<Bench> {
    fn prepare<G: Game>(engine: &mut Engine<G>, loaded: Option<&Loaded>) -> anyhow::Result<()> {
        let fitting = loaded.filter(|loaded| loaded.inputs::<G>().is_ok());
        evaluation::install(engine, fitting, 100)
    }
    let mut engines = BenchEngines::new()?;
    prepare(&mut engines.chess, loaded)?;
    prepare(&mut engines.hexchess, loaded)?;
    prepare(&mut engines.connect_four, loaded)?;
    Ok(search::bench(&mut engines, depth, control))
}

/// As OpenBench reads it.
pub(crate) fn last_line(found: &Bench) -> String {
    format!("{} nodes {} nps", found.nodes, found.speed())
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use nnue::Kernel;

    use super::*;

    #[test]
    fn every_kernel_does_the_same_work_also_in_parallel() {
        let nodes = |kernel: Option<Kernel>| {
            let network = Loaded::built_in::<Chess>();
            let network = network.zip(kernel).map(|(network, kernel)| network.with_kernel(kernel));
            bench(network.as_ref(), 5, &Control::new()).unwrap().nodes
        };
        let expected = nodes(None);
        assert!(expected > 10_000, "{expected}");
        std::thread::scope(|scope| {
            let copies = Kernel::available().into_iter().map(|kernel| {
                let nodes = &nodes;
                (kernel.name(), scope.spawn(move || nodes(Some(kernel))))
            });
            for (kernel, copy) in copies.collect::<Vec<_>>() {
                assert_eq!(copy.join().unwrap(), expected, "{kernel}");
            }
        });
    }
}
