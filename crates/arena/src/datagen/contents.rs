//! File contents: counts of positions, games and results.

use std::cmp::Ordering;

use dataset::Record;
use games::{Color, GameScore, ToolkitGame};

/// The contents of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Positions.
    pub positions: u64,
    /// Those that searches visited and no game reached.
    pub from_trees: u64,
    /// The games of these positions.
    pub games: u64,
    /// Games won by White, drawn, and won by Black. A score of three quarters counts as a win.
    pub results: [u64; 3],
    /// The number of the last game.
    pub(super) last: Option<u32>,
}

impl Contents {
    /// Counts a record, which is of the last game or a later one.
    pub(super) fn add<G: ToolkitGame>(&mut self, record: &Record<G>) {
        self.positions += 1;
        self.from_trees += u64::from(record.result.is_none());
        if self.last.replace(record.game) == Some(record.game) {
            return;
        }
        self.games += 1;
        if let Some(points) = record.result {
            let white = match record.position.side_to_move() {
                Color::White => points,
                Color::Black => points.rest(),
            };
            self.results[match white.cmp(&GameScore::DRAW) {
                Ordering::Greater => 0,
                Ordering::Equal => 1,
                Ordering::Less => 2,
            }] += 1;
        }
    }
}
