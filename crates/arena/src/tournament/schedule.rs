//! Schedule: the pairing, the colours and the opening of each game.

/// Which players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Round robin: every player meets every other player.
    #[default]
    RoundRobin,
    /// Gauntlet: the first player meets all others.
    Gauntlet,
}

/// The games of a tournament, in order. Games come in pairs: one opening, colours swapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of the game, from 0.
    pub number: u64,
    /// The index of the pairing in [`Schedule::pairings`].
    pub pairing: usize,
    /// The number of the opening.
    pub opening: u64,
    /// The players with White and Black.
    pub players: [usize; 2],
}

impl Fixture {
    /// Whether this is the second game of a pair, in which the second player of the pairing has
    /// White.
    pub fn is_return(&self) -> bool {
        self.number % 2 == 1
    }
}

impl Schedule {
    /// Schedules `rounds` rounds of that many players. In each round, every pairing plays two games
    /// from one opening, which all pairings of the round share.
    pub fn new(shape: Shape, players: usize, rounds: u64) -> Self {
        let meet = |first| (first + 1..players).map(move |second| [first, second]);
        let pairings = match shape {
            Shape::RoundRobin => (0..players).flat_map(meet).collect(),
            Shape::Gauntlet => meet(0).collect(),
        };
        Self { pairings, rounds }
    }

    /// The pairs of players that meet.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.rounds.saturating_mul(2 * self.pairings.len() as u64)
    }

    /// The game with that number; `None` after the last.
    pub fn fixture(&self, number: u64) -> Option<Fixture> {
        if number >= self.games() {
            return None;
        }
        let (pair, count) = (number / 2, self.pairings.len() as u64);
        let pairing = (pair % count) as usize;
        let [first, second] = self.pairings[pairing];
        let players = if number.is_multiple_of(2) { [first, second] } else { [second, first] };
        Some(Fixture { number, pairing, opening: pair / count, players })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn everyone_meets_everyone_with_both_colours_on_each_opening() {
        let schedule = Schedule::new(Shape::RoundRobin, 4, 3);
        assert_eq!((schedule.pairings().len(), schedule.games()), (6, 36));
        let mut met: HashMap<([usize; 2], u64), u32> = HashMap::new();
        for number in 0..36 {
            let fixture = schedule.fixture(number).unwrap();
            assert_eq!(fixture.number, number);
            *met.entry((fixture.players, fixture.opening)).or_default() += 1;
        }
        assert_eq!(schedule.fixture(36), None);
        assert_eq!(met.len(), 36);
        for ([white, black], opening) in met.keys() {
            assert!(white != black && met.contains_key(&([*black, *white], *opening)));
        }
    }

    #[test]
    fn a_gauntlet_is_of_the_first() {
        let schedule = Schedule::new(Shape::Gauntlet, 4, 2);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(schedule.games(), 12);
        let second = schedule.fixture(1).unwrap();
        assert!(second.is_return() && second.players == [1, 0] && second.pairing == 0);
        assert_eq!(schedule.fixture(7).unwrap().opening, 1);
    }
}
