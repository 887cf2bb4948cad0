//! What is in a file, counted while it is written or read.

use dataset::Record;
use games::{Color, Game, Points};

/// What is in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Positions.
    pub positions: u64,
    /// Games that they come from.
    pub games: u64,
    /// Games that White won, that were drawn, that Black won: three quarters of the point are a win.
    pub results: [u64; 3],
    /// The last game's number.
    last: Option<u32>,
    /// How many positions there are before that game's, and the rest as it was then.
    before: Option<Before>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Before {
    positions: u64,
    games: u64,
    results: [u64; 3],
    last: Option<u32>,
}

impl Contents {
    /// Counts a record, which is of the last game or of a later one.
    pub(super) fn add<G: Game>(&mut self, record: &Record<G>) {
        if self.last != Some(record.game) {
            let Self { positions, games, results, last, .. } = *self;
            self.before = Some(Before { positions, games, results, last });
            self.games += 1;
            self.last = Some(record.game);
            if let Some(points) = record.result {
                let white = match record.position.side_to_move() {
                    Color::White => points,
                    Color::Black => points.rest(),
                };
                self.results[match white.cmp(&Points::DRAW) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                }] += 1;
            }
        }
        self.positions += 1;
    }

    /// The number of the last game.
    pub(super) fn last(&self) -> Option<u32> {
        self.last
    }

    /// Without the last game, of which nobody knows whether it is complete.
    pub(super) fn without_last(self) -> Self {
        let Some(Before { positions, games, results, last }) = self.before else { return self };
        Self { positions, games, results, last, before: None }
    }
}
