//! `accrue loop status`: how far a loop has come.

use std::path::PathBuf;

use report::progress::{self, Generation};
use serde::Serialize;

use super::config::LoopConfig;
use super::place::Place;
use super::state::{State, Tested};
use crate::output;
use crate::toolkit::Toolkit;
use pipeline::files;

/// Tell how far a loop has come, and draw it
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

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    generations: &'a [Tested],
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
    if !folder.join("gen-0000").is_dir() {
        anyhow::bail!("{} holds no loop; `accrue loop CONFIG.toml` begins one", folder.display());
    }
    let place = Place::look(folder);
    let state = State::read(&place)?;
    draw(&place, &state)?;
    if !args.json {
        return output::lines(lines(&place, &state));
    }
    output::json(&Report {
        generations: &state.generations,
        best: state.best(),
        rating: state.best_rating(),
        under_way: state.next(),
        step: step(&place, &state),
        plot: place.file(PLOT).display().to_string(),
    })
}

const PLOT: &str = "status.svg";
const PAGE: &str = "status.html";

/// Writes the ratings as a picture and as a page.
pub(super) fn draw(place: &Place, state: &State) -> anyhow::Result<()> {
    let generations: Vec<Generation> = state.generations.iter().map(Tested::generation).collect();
    let picture = progress::ratings(&generations);
    files::replace(&place.file(PLOT), picture.standalone().as_bytes())?;
    Ok(files::replace(&place.file(PAGE), progress::html("accrue loop", &generations).as_bytes())?)
}

/// The table.
pub(super) fn lines(place: &Place, state: &State) -> Vec<String> {
    let head = "generation  rating  against     Elo    +/-   games  points  SPRT       result";
    let mut lines = vec![
        head.to_owned(),
        "         0       0        –       –      –       –       –  –          start".to_owned(),
    ];
    for tested in &state.generations {
        let Tested { number, against, verdict, games, points, elo, rating, .. } = tested;
        let error = tested.error.map_or("?".to_owned(), |error| format!("{error:.0}"));
        let result = if tested.promoted { "promoted" } else { "rejected" };
        lines.push(format!(
            "{number:10} {rating:7.0} {against:8} {elo:7.0} {error:>6} {games:7} {points:7.1}  {verdict:<9}  {result}"
        ));
    }
    lines.push(format!(
        "best: generation {}, {}",
        state.best(),
        place.network(state.best()).display()
    ));
    lines.push(format!("generation {} is under way: {}", state.next(), step(place, state)));
    lines.push(format!("plot: {}", place.file(PLOT).display()));
    lines
}

/// What the generation under way has come to, as its files tell.
fn step(place: &Place, state: &State) -> &'static str {
    let folder = place.generation(state.next());
    let has = |name: &str| folder.join(name).exists();
    match () {
        () if has("held.data") => "correcting quantiles",
        () if has("heads") => "quantiles and policy",
        () if has("net.accrue") => "gate",
        () if has("training") => "training",
        () if has("games.data") => "games",
        () => "not begun",
    }
}
