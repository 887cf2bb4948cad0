//! Perft command: `accrue perft` counts the leaf nodes of the move tree, to test a move generator.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use games::ToolkitGame;
use rayon::prelude::*;
use serde::Serialize;

use crate::Answer;
use crate::output;
use crate::position::PositionArgs;
use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};

/// Count the leaf nodes after N plies, to test a move generator
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// The depth in plies, 0 to 255
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=255))]
    depth: u32,

    /// Also print the count below each move
    #[arg(long)]
    divide: bool,

    /// The number of threads; by default one for each core
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The last line is `nodes N`. The count is the same for any number of threads.

Examples:
  accrue perft --depth 6
  accrue perft --game hexchess --depth 4 --divide
  accrue perft --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' --depth 5 --threads 1
  accrue perft --rule chess960=true --depth 5 --divide";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.position.game)?.perft(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let position: G = args.position.position()?;
        let start = Instant::now();
        let moves = count(&position, args.depth, args.threads)?;
        report(args, &position, moves, start.elapsed())?;
        Ok(Answer::Yes)
    }
}

/// The count below one move.
#[derive(Serialize)]
struct MoveCount {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
}

/// A subtree that one thread counts.
struct Subtree<G> {
    /// The index of the root move above it.
    root: usize,
    position: G,
    depth: u32,
}

/// The stack size of a thread: the recursion is as deep as `--depth`, however few lines the
/// position has.
const STACK: usize = 32 << 20;

/// Counts below each legal move, ordered by text; empty at depth 0.
fn count<G: ToolkitGame>(
    position: &G,
    depth: u32,
    threads: Option<u16>,
) -> anyhow::Result<Vec<MoveCount>> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let mut moves: Vec<_> =
        position.legal_moves().into_iter().map(|mv| (position.move_text(mv), mv)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));

    let children = moves.iter().enumerate().map(|(root, &(_, mv))| Subtree {
        root,
        position: played(position, mv),
        depth: below,
    });
    // The subtrees of single moves differ so much in size that threads would wait for the last one.
    let subtrees: Vec<_> =
        if below >= 2 { children.flat_map(split).collect() } else { children.collect() };

    // 0 lets rayon choose: one thread for each core.
    let threads = threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    let pool = pool.context("cannot start the threads; try fewer with --threads")?;
    let nodes: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let progress = Progress::new("perft", subtrees.len() as u64);
    pool.install(|| {
        subtrees.par_iter().with_max_len(1).for_each(|subtree| {
            let count = games::perft(&subtree.position, subtree.depth);
            nodes[subtree.root].fetch_add(count, Ordering::Relaxed);
            progress.step();
        });
    });
    progress.finish();
    let nodes = nodes.into_iter().map(AtomicU64::into_inner);
    Ok(moves.into_iter().zip(nodes).map(|((text, _), nodes)| MoveCount { text, nodes }).collect())
}

/// The subtrees one ply deeper.
fn split<G: ToolkitGame>(subtree: Subtree<G>) -> Vec<Subtree<G>> {
    let Subtree { root, position, depth } = subtree;
    let moves = position.legal_moves().into_iter();
    moves.map(|mv| Subtree { root, position: played(&position, mv), depth: depth - 1 }).collect()
}

fn played<G: ToolkitGame>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// The result with `--json`.
#[derive(Serialize)]
struct Report {
    game: &'static str,
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    /// Only with `--divide`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveCount>>,
}

fn report<G: ToolkitGame>(
    args: &Args,
    position: &G,
    moves: Vec<MoveCount>,
    time: Duration,
) -> anyhow::Result<()> {
    let nodes = if args.depth == 0 { 1 } else { moves.iter().map(|count| count.nodes).sum() };
    // Avoid a division by zero if the clock has not advanced.
    let seconds = time.as_secs_f64().max(1e-9);
    let nodes_per_second = (nodes as f64 / seconds).round();
    if args.json {
        return output::json(&Report {
            game: G::NAME,
            fen: position.to_fen(),
            depth: args.depth,
            nodes,
            seconds,
            nodes_per_second,
            moves: args.divide.then_some(moves),
        });
    }
    let divided = moves.iter().filter(|_| args.divide);
    let mut lines: Vec<String> =
        divided.map(|MoveCount { text, nodes }| format!("{text}: {nodes}")).collect();
    lines.push(format!("time {seconds:.3} s, {nodes_per_second:.0} nodes/s"));
    lines.push(format!("nodes {nodes}"));
    output::lines(lines)
}
