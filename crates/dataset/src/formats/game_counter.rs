//! Game counter: game numbers for formats that have none.

/// The number that parsers return for a record without a game number.
pub(super) const UNKNOWN_GAME: u32 = u32::MAX;

/// Guesses the starts of games: a position whose ply is not larger than the one before starts
/// another game.
///
/// In the order of play this finds the games; a shuffled file gets games of a few positions. Either
/// way there are games to hold out, which one number for the whole file would not give.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameCounter {
    games: u32,
    ply: Option<u16>,
}

impl GameCounter {
    /// The number of the game of a record, from 1.
    pub(super) fn number(&mut self, ply: u16) -> u32 {
        if self.ply.is_none_or(|before| ply <= before) {
            self.games = self.games.saturating_add(1).min(UNKNOWN_GAME - 1);
        }
        self.ply = Some(ply);
        self.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_that_does_not_grow_begins_a_game() {
        let mut counter = GameCounter::default();
        let games = [3, 4, 9, 9, 2, 3, 0, 0].map(|ply| counter.number(ply));
        assert_eq!(games, [1, 1, 1, 2, 3, 3, 4, 5]);
    }
}
