//! Loop status command: `accrue loop status` reports the generations of a loop.

use std::path::PathBuf;

use pipeline::looping::{
    LoopConfig, LoopFolder, LoopState, STATUS_PICTURE, TestedGeneration, current_stage,
    write_status,
};
use serde::Serialize;

use crate::output;
use crate::toolkit::Toolkit;

/// Report the generations of a loop, and draw their ratings
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes status.svg and status.html into the folder of the loop.\n\nExamples:\n  accrue loop status my.toml\n  accrue loop status runs/my --json"
)]
pub(super) struct StatusArgs {
    /// The configuration of the loop, or its folder
    #[arg(value_name = "CONFIG|FOLDER")]
    what: PathBuf,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The output with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    generations: &'a [TestedGeneration],
    best: u64,
    rating: f64,
    under_way: u64,
    step: &'static str,
    plot: String,
}

pub(super) fn run(args: &StatusArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let folder = if args.what.is_dir() {
        args.what.clone()
    } else {
        LoopConfig::read(&args.what, toolkit.games())?.folder(&args.what)
    };
    let shown = folder.display().to_string();
    let Some(folder) = LoopFolder::existing(folder) else {
        anyhow::bail!("{shown} holds no loop; `accrue loop CONFIG.toml` starts one");
    };
    let state = LoopState::read(&folder)?;
    write_status(&folder, &state)?;
    if !args.json {
        return output::lines(lines(&folder, &state));
    }
    output::json(&Report {
        generations: &state.generations,
        best: state.best(),
        rating: state.best_rating(),
        under_way: state.next(),
        step: current_stage(&folder, &state),
        plot: folder.file(STATUS_PICTURE).display().to_string(),
    })
}

/// The table.
pub(super) fn lines(folder: &LoopFolder, state: &LoopState) -> Vec<String> {
    let head = "generation  rating  against     Elo    +/-   games  points  SPRT       result";
    let mut lines = vec![
        head.to_owned(),
        "         0       0        –       –      –       –       –  –          start".to_owned(),
    ];
    for tested in &state.generations {
        let TestedGeneration { number, against, verdict, games, points, elo, rating, .. } = tested;
        let error = tested.error.map_or("?".to_owned(), |error| format!("{error:.0}"));
        let result = if tested.promoted { "promoted" } else { "rejected" };
        lines.push(format!(
            "{number:10} {rating:7.0} {against:8} {elo:7.0} {error:>6} {games:7} {points:7.1}  {verdict:<9}  {result}"
        ));
    }
    lines.push(format!(
        "best: generation {}, {}",
        state.best(),
        folder.network(state.best()).display()
    ));
    lines.push(format!(
        "generation {} is being made: {}",
        state.next(),
        current_stage(folder, state)
    ));
    lines.push(format!("plot: {}", folder.file(STATUS_PICTURE).display()));
    lines
}
