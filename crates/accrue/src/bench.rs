//! Bench command: `accrue bench` searches fixed positions; the node count identifies the search.

use arena::networks::LoadedNetwork;
use games::ToolkitGame;
use search::{BENCH_DEPTH, BenchResult, Control, EngineOptions, SearchMode};
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

    /// The game whose positions are searched
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,

    /// The search mode: auto (as the engine plays), classical, learned or seed
    #[arg(long, value_name = "MODE", default_value_t = SearchMode::Auto, hide_default_value = true)]
    mode: SearchMode,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `N nodes M nps`. One thread, a transposition table of 16 MiB, the default
evaluation and, without --mode, the mode in which the engine plays: learned where the network
supports it. The node count is the same on every machine.

Examples:
  accrue bench
  accrue bench 8 --mode classical
  accrue bench 6 --game hexchess --json";

/// The result with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    mode: &'static str,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let (mode, depth) = (args.mode, args.depth as usize);
    let job = Run { network: None, mode, depth, control: &Control::new() };
    let found = toolkit.find(&args.game)?.bench(toolkit, job)?;
    if args.json {
        return output::json(&Report {
            game: &args.game,
            mode: mode.name(),
            depth: args.depth,
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
            nodes_per_second: found.nps(),
        });
    }
    output::lines([last_line(&found)])
}

/// The bench of one game, with the network where it fits and with the default evaluation elsewhere.
pub(crate) struct Run<'a> {
    pub(crate) network: Option<&'a LoadedNetwork>,
    pub(crate) mode: SearchMode,
    pub(crate) depth: usize,
    pub(crate) control: &'a Control,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<BenchResult> {
        let fitting = self.network.filter(|network| network.inputs::<G>().is_ok());
        let options = EngineOptions { mode: self.mode, ..EngineOptions::default() };
        let mut engine = toolkit.networks().engine::<G>(options, fitting, 100)?;
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
            let (network, mode, control) = (network.as_ref(), SearchMode::Auto, &Control::new());
            let job = Run { network, mode, depth: 5, control };
            toolkit.find("chess").unwrap().bench(&toolkit, job).unwrap().nodes
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
