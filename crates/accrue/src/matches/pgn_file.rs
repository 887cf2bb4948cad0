//! The games of a match as PGN.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::pgn::{Tags, pgn};
use arena::tournament::{Fixture, Tournament};
use arena::{Pace, Played, TimeControl};
use games::Game;

/// A file that games are added to.
pub(super) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Begins the file. One that is there already is replaced only if the match goes on: its games come again from the
    /// journal.
    pub(super) fn create(path: &Path, replace: bool) -> anyhow::Result<Self> {
        if !replace && path.exists() {
            bail!("{} exists; name another file for --pgn, or remove it", path.display());
        }
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub(super) fn write<G: Game>(
        &mut self,
        tournament: &Tournament<G>,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> anyhow::Result<()> {
        let players = fixture.players.map(|player| &tournament.entrants[player]);
        let [white, black] = players.map(|player| player.name.clone());
        let [first, second] = players.map(|player| pace_text(&player.pace));
        let tags = Tags {
            event: "accrue match".to_owned(),
            round: (fixture.opening + 1).to_string(),
            white,
            black,
            time_control: if first == second { first } else { format!("{first} | {second}") },
            ..Tags::default()
        };
        let written = self.file.write_all(pgn(&tags, played).as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// How long a player may think, in a few letters.
pub(super) fn pace_text(pace: &Pace) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(pace.time.map(|TimeControl { base, increment, moves }| {
        let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let plus = if increment.is_zero() {
            String::new()
        } else {
            format!("+{}", increment.as_secs_f64())
        };
        format!("{moves}{}{plus}", base.as_secs_f64())
    }));
    parts.extend(pace.movetime.map(|time| format!("{}/move", time.as_secs_f64())));
    parts.extend(pace.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(pace.soft_nodes.map(|nodes| format!("soft nodes {nodes}")));
    parts.extend(pace.depth.map(|depth| format!("depth {depth}")));
    parts.join(", ")
}
