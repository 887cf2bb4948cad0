//! What is told at the end.

use arena::datagen::{DatagenOptions, DatagenReport};
use games::ToolkitGame;
use serde::Serialize;

use super::Args;
use crate::output;

/// What is told at the end.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    #[serde(rename = "type")]
    kind: &'static str,
    file: String,
    game: &'static str,
    seed: u64,
    shard: String,
    wanted: u64,
    #[serde(flatten)]
    pub(super) contents: Counts,
    /// Of this run alone.
    positions_now: u64,
    threads: usize,
    seconds: f64,
    positions_per_second: f64,
    nodes_per_second: f64,
    search_share: f64,
}

/// What is in the file.
#[derive(Debug, Serialize)]
pub(super) struct Counts {
    positions: u64,
    positions_from_trees: u64,
    games: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl Report {
    pub(super) fn new<G: ToolkitGame>(
        args: &Args,
        options: &DatagenOptions,
        threads: usize,
        report: &DatagenReport,
    ) -> Self {
        let DatagenReport { contents, before, complete, nodes, search_share, time } = *report;
        let seconds = time.as_secs_f64().max(1e-9);
        let positions_now = contents.positions - before.positions;
        let [white_wins, draws, black_wins] = contents.results;
        Self {
            kind: match (complete, positions_now) {
                (true, 0) => "finished before",
                (true, _) => "finished",
                (false, _) => "stopped",
            },
            file: args.out.display().to_string(),
            game: G::NAME,
            seed: options.seed,
            shard: options.shard.to_string(),
            wanted: options.shard.share(options.positions),
            contents: Counts {
                positions: contents.positions,
                positions_from_trees: contents.from_trees,
                games: contents.games,
                white_wins,
                draws,
                black_wins,
            },
            positions_now,
            threads,
            seconds,
            positions_per_second: positions_now as f64 / seconds,
            nodes_per_second: nodes as f64 / seconds,
            search_share,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.kind != "stopped"
    }

    /// Tells it on standard output.
    pub(super) fn tell(&self, json: bool) -> anyhow::Result<()> {
        if json { output::json(self) } else { output::lines(self.lines()) }
    }

    fn lines(&self) -> Vec<String> {
        let Self { file, wanted, contents, .. } = self;
        let Counts { positions, positions_from_trees, games, white_wins, draws, black_wins } =
            contents;
        let mut lines = Vec::new();
        match self.kind {
            "finished before" => lines.push(format!("{file} was finished before; nothing to do")),
            "finished" => {}
            _ => lines.push(format!(
                "stopped after {positions} of {wanted} positions; the same command goes on from there"
            )),
        }
        lines.push(format!(
            "{file}: {positions} positions of {games} games ({white_wins} won by White, {draws} drawn, {black_wins} won by Black)"
        ));
        if *positions_from_trees > 0 {
            lines.push(format!("{positions_from_trees} of the positions are from search trees"));
        }
        if self.positions_now > 0 {
            lines.push(format!(
                "{} positions in {:.1} s: {:.0} positions and {:.0} nodes a second on {} threads, {:.1} % of their time in search",
                self.positions_now,
                self.seconds,
                self.positions_per_second,
                self.nodes_per_second,
                self.threads,
                100.0 * self.search_share
            ));
        }
        lines
    }
}
