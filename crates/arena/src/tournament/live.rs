//! Games in progress: shared between the threads that play and one that shows them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use games::ToolkitGame;
use serde::{Deserialize, Serialize};

use super::Fixture;
use crate::game_record::{GameRecord, Opening};

/// A game in progress. Moves are stored as codes, which need no position to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// The number of the game, from 0.
    pub number: u64,
    /// The players with White and Black.
    pub players: [usize; 2],
    /// The position before the first move of the opening.
    pub fen: String,
    /// The codes of all moves so far, those of the opening first.
    pub moves: Vec<u32>,
}

/// The games that are being played. A move costs a lock that is held for a few instructions.
#[derive(Debug, Default)]
pub struct LiveGames(Mutex<Games>);

#[derive(Debug, Default)]
struct Games {
    games: BTreeMap<u64, LiveGame>,
    /// The number of changes so far.
    changes: u64,
}

impl LiveGames {
    /// No games.
    pub fn new() -> Self {
        Self::default()
    }

    /// The games now, and the number of changes so far: equal numbers mean equal games.
    pub fn snapshot(&self) -> (u64, Vec<LiveGame>) {
        let games = self.lock();
        (games.changes, games.games.values().cloned().collect())
    }

    /// The number of changes so far.
    pub(crate) fn changes(&self) -> u64 {
        self.lock().changes
    }

    /// Adds a game before its first chosen move.
    pub(super) fn begin<G: ToolkitGame>(&self, fixture: &Fixture, opening: &Opening<G>) {
        let game = LiveGame {
            number: fixture.number,
            players: fixture.players,
            fen: opening.start.to_fen(),
            moves: opening.moves.iter().map(|&mv| G::move_code(mv)).collect(),
        };
        let mut games = self.lock();
        games.games.insert(fixture.number, game);
        games.changes += 1;
    }

    /// Adds the moves that were played since the last call.
    pub(super) fn update<G: ToolkitGame>(&self, fixture: &Fixture, record: &GameRecord<G>) {
        let (opening, played) = (record.opening().moves.len(), record.played_moves());
        let mut games = self.lock();
        let Some(game) = games.games.get_mut(&fixture.number) else { return };
        let known = game.moves.len().saturating_sub(opening);
        let Some(new) = played.get(known..).filter(|new| !new.is_empty()) else { return };
        game.moves.extend(new.iter().map(|played_move| G::move_code(played_move.mv)));
        games.changes += 1;
    }

    /// Removes a game.
    pub(super) fn end(&self, fixture: &Fixture) {
        let mut games = self.lock();
        games.games.remove(&fixture.number);
        games.changes += 1;
    }

    /// A player that panics holds no lock; even so, the games are only shown.
    fn lock(&self) -> MutexGuard<'_, Games> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
