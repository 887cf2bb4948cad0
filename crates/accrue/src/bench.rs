//! Bench command: `accrue bench` searches fixed positions; the node count identifies the search.

use arena::networks::LoadedNetwork;
use games::ToolkitGame;
use search::{BENCH_DEPTH, BenchResult, Control, Engine, EngineOptions};
use serde::Serialize;

use crate::output;
use crate::toolkit::{GameEntry, Toolkit};

/// Search fixed positions; the node count identifies the search
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The depth of each search
    #[arg(value_name = "DEPTH", default_value_t = BENCH_DEPTH as u32,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// Search only positions of this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `N nodes M nps`. Positions of every game, one thread, a transposition table of
16 MiB, the default evaluation: the node count is the same on every machine.

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
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let games = args.game.as_deref();
    let found = bench(games, None, args.depth as usize, &Control::new(), toolkit)?;
    if args.json {
        return output::json(&Report {
            depth: args.depth,
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
            nodes_per_second: found.nps(),
        });
    }
    output::lines([last_line(&found)])
}

/// Searches the positions of one game or of all, with the default evaluation of each, or with the
/// network where it fits.
pub(crate) fn bench(
    game: Option<&str>,
    network: Option<&LoadedNetwork>,
    depth: usize,
    control: &Control,
    toolkit: &Toolkit,
) -> anyhow::Result<BenchResult> {
    let chosen = |name: &str| game.is_none_or(|game| game == name);
    let entries = toolkit.entries().iter().filter(|entry| chosen(entry.name()));
    entries.map(|entry| entry.bench(toolkit, Run { network, depth, control })).sum()
}

/// The bench of one game.
pub(crate) struct Run<'a> {
    network: Option<&'a LoadedNetwork>,
    depth: usize,
    control: &'a Control,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<BenchResult> {
        let fitting = self.network.filter(|network| network.inputs::<G>().is_ok());
        let mut engine = Engine::<G>::new(EngineOptions::default())?;
        toolkit.networks().install(&mut engine, fitting, 100)?;
        Ok(search::bench(&mut engine, self.depth, self.control))
    }
}

/// The line that OpenBench parses.
pub(crate) fn last_line(found: &BenchResult) -> String {
    format!("{} nodes {} nps", found.nodes, found.nps())
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use nnue::Kernel;

    use super::*;

    #[test]
    fn every_kernel_does_the_same_work_also_in_parallel() {
        let toolkit = Toolkit::new().with_builtin_games();
        let nodes = |kernel: Option<Kernel>| {
            let network = toolkit.networks().default_network::<Chess>().unwrap();
            let network = network.zip(kernel).map(|(network, kernel)| network.with_kernel(kernel));
            bench(None, network.as_ref(), 5, &Control::new(), &toolkit).unwrap().nodes
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
