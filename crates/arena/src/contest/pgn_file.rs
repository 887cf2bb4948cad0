//! PGN file of a contest.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use games::ToolkitGame;

use super::ContestError;
use crate::pgn::{Tags, pgn};
use crate::play::Played;
use crate::tournament::{Fixture, Tournament};

/// A file to which games are appended.
pub(super) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Creates the file. An existing file is replaced only if the match is resumed: its games are
    /// written again from the journal.
    pub(super) fn create(path: &Path, replace: bool) -> Result<Self, ContestError> {
        let path = path.to_owned();
        if !replace && path.exists() {
            return Err(ContestError::PgnExists { path });
        }
        match OpenOptions::new().write(true).create(true).truncate(true).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(ContestError::Pgn { path, source }),
        }
    }

    pub(super) fn write<G: ToolkitGame>(
        &mut self,
        tournament: &Tournament<G>,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> Result<(), ContestError> {
        let players = fixture.players.map(|player| &tournament.entrants[player]);
        let [white, black] = players.map(|player| player.name.clone());
        let [first, second] = players.map(|player| player.limits.to_string());
        let tags = Tags {
            event: "accrue match".to_owned(),
            round: (fixture.opening + 1).to_string(),
            white,
            black,
            time_control: if first == second { first } else { format!("{first} | {second}") },
            ..Tags::default()
        };
        let written = self.file.write_all(pgn(&tags, played).as_bytes());
        written.map_err(|source| ContestError::Pgn { path: self.path.clone(), source })
    }
}
