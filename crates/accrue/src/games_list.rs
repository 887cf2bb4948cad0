//! Games command: `accrue games` lists the games, their settings and their feature sets.

use dataset::DataGame;
use games::PerspectiveCount;
use serde::Serialize;

use crate::output;
use crate::toolkit::Toolkit;

/// List the games, their settings and their feature sets
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  accrue games\n  accrue games --json")]
pub(crate) struct Args {
    /// Print one JSON array instead of text
    #[arg(long)]
    json: bool,
}

/// One game.
#[derive(Serialize)]
struct Entry {
    game: &'static str,
    start: String,
    settings: Vec<SettingEntry>,
    feature_sets: Vec<SetEntry>,
}

#[derive(Serialize)]
struct SettingEntry {
    name: &'static str,
    values: &'static [&'static str],
    about: &'static str,
}

/// One feature set. A set that needs a parameter has no size until it is given.
#[derive(Serialize)]
struct SetEntry {
    name: String,
    size: Option<usize>,
    max_active: Option<usize>,
    perspectives: Option<u8>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let entries: Vec<Entry> = toolkit.games().iter().map(describe).collect();
    if args.json { output::json(&entries) } else { output::lines(entries.iter().flat_map(lines)) }
}

fn describe(game: &dyn DataGame) -> Entry {
    let settings = game.settings().iter().map(|setting| SettingEntry {
        name: setting.name,
        values: setting.values,
        about: setting.about,
    });
    Entry {
        game: game.name(),
        start: game.start_fen(),
        settings: settings.collect(),
        feature_sets: game
            .feature_set_names()
            .into_iter()
            .map(|name| describe_set(game, name))
            .collect(),
    }
}

fn describe_set(game: &dyn DataGame, name: String) -> SetEntry {
    let shape = game.feature_set_shape(&name).ok();
    SetEntry {
        name,
        size: shape.as_ref().map(|shape| shape.size),
        max_active: shape.as_ref().map(|shape| shape.max_active),
        perspectives: shape.map(|shape| match shape.perspectives {
            PerspectiveCount::One => 1,
            PerspectiveCount::Two => 2,
        }),
    }
}

fn lines(entry: &Entry) -> Vec<String> {
    let mut lines = vec![entry.game.to_owned(), format!("  start {}", entry.start)];
    for SettingEntry { name, values, about } in &entry.settings {
        lines.push(format!("  rule {name}={} — {about}", values.join("|")));
    }
    for set in &entry.feature_sets {
        lines.push(match (set.size, set.max_active, set.perspectives) {
            (Some(size), Some(most), Some(perspectives)) => {
                let perspectives =
                    if perspectives == 1 { "one perspective" } else { "two perspectives" };
                format!(
                    "  set {}: {size} features, at most {most} active, {perspectives}",
                    set.name
                )
            }
            _ => format!("  set {}", set.name),
        });
    }
    lines
}
