//! Tally: counts of game results, by game and by pair.

use std::ops::AddAssign;

use games::GameScore;

use super::distribution::Distribution;

/// Scores of a game: 0 to 4 quarters.
const GAME: usize = 5;
/// Scores of a pair of games: 0 to 8 quarters.
const PAIR: usize = 9;

/// The results of games between two engines, from the first engine's perspective.
///
/// Two games from the same opening with colours swapped are a pair. An opening that favours a side
/// makes the two games dependent, so the statistics count the sum of the pair: five outcomes, the
/// pentanomial. Gliński's stalemate scores three quarters for one side and one quarter for the
/// other; with it a pair has up to nine outcomes, which are counted separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs, by the first engine's score of both games in quarters.
    pairs: [u64; PAIR],
    /// Games without a partner, by score in quarters.
    singles: [u64; GAME],
    /// The single games of the pairs; unknown if only sums of pairs were given.
    inside: Inside,
}

/// The single games of the pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Inside {
    Known {
        /// By score in quarters.
        games: [u64; GAME],
        /// Pairs in which each engine won once.
        won_and_lost: u64,
    },
    Unknown,
}

impl Default for Inside {
    fn default() -> Self {
        Self::Known { games: [0; GAME], won_and_lost: 0 }
    }
}

impl Tally {
    /// An empty tally.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pairs by their sum: two losses, a loss and a draw, even, a win and a draw, two wins.
    pub fn from_pentanomial(counts: [u64; 5]) -> Self {
        let mut tally = Self { inside: Inside::Unknown, ..Self::default() };
        for (index, count) in counts.into_iter().enumerate() {
            tally.pairs[2 * index] = count;
        }
        tally
    }

    /// Single games whose pairs are unknown.
    pub fn from_games(wins: u64, draws: u64, losses: u64) -> Self {
        Self { singles: [losses, 0, draws, 0, wins], ..Self::default() }
    }

    /// Counts the two games of one opening with colours swapped, both from the first engine's
    /// perspective.
    pub fn add_pair(&mut self, first: GameScore, second: GameScore) {
        let (first, second) = (usize::from(first.as_quarters()), usize::from(second.as_quarters()));
        add(&mut self.pairs[first + second], 1);
        if let Inside::Known { games, won_and_lost } = &mut self.inside {
            add(&mut games[first], 1);
            add(&mut games[second], 1);
            add(won_and_lost, u64::from(first.abs_diff(second) == 4));
        }
    }

    /// Counts a game without its partner. If there are pairs, such games count in the score only,
    /// not in the statistics.
    pub fn add_single(&mut self, points: GameScore) {
        add(&mut self.singles[usize::from(points.as_quarters())], 1);
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        let singles = self.singles.iter().fold(0, |sum: u64, &count| sum.saturating_add(count));
        singles.saturating_add(self.pairs().saturating_mul(2))
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs.iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    /// The first engine's total score.
    pub fn points(&self) -> f64 {
        let quarters = |counts: &[u64]| -> f64 {
            counts.iter().enumerate().map(|(quarters, &count)| quarters as f64 * count as f64).sum()
        };
        (quarters(&self.pairs) + quarters(&self.singles)) / 4.0
    }

    /// The number of wins, if single games are known.
    pub fn wins(&self) -> Option<u64> {
        self.by_quarters().map(|games| games[4])
    }

    /// The number of draws, if single games are known.
    pub fn draws(&self) -> Option<u64> {
        self.by_quarters().map(|games| games[2])
    }

    /// The number of losses, if single games are known.
    pub fn losses(&self) -> Option<u64> {
        self.by_quarters().map(|games| games[0])
    }

    /// Games by score in quarters, 0 to 4, if single games are known.
    pub fn by_quarters(&self) -> Option<[u64; 5]> {
        let Inside::Known { games, .. } = &self.inside else { return None };
        let mut sum = self.singles;
        sum.iter_mut().zip(games).for_each(|(sum, &count)| add(sum, count));
        Some(sum)
    }

    /// Pairs by their sum: two losses, a loss and a draw, even, a win and a draw, two wins. `None`
    /// if quarter scores made other sums: see [`Tally::pairs_by_quarters`].
    pub fn pentanomial(&self) -> Option<[u64; 5]> {
        let odd = self.pairs.iter().skip(1).step_by(2).any(|&count| count > 0);
        (!odd).then(|| std::array::from_fn(|index| self.pairs[2 * index]))
    }

    /// Pairs by the score of both games in quarters, 0 to 8.
    pub fn pairs_by_quarters(&self) -> [u64; 9] {
        self.pairs
    }

    /// Pairs in which each engine won once, if single games are known.
    pub fn won_and_lost(&self) -> Option<u64> {
        match self.inside {
            Inside::Known { won_and_lost, .. } => Some(won_and_lost),
            Inside::Unknown => None,
        }
    }

    /// The same results from the second engine's perspective.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let mut swapped = self.clone();
        swapped.pairs.reverse();
        swapped.singles.reverse();
        if let Inside::Known { games, .. } = &mut swapped.inside {
            games.reverse();
        }
        swapped
    }

    /// The distribution of independent observations: pairs if there are any, else games.
    pub(super) fn distribution(&self) -> Option<Distribution> {
        if self.pairs() > 0 {
            Distribution::new(&self.pairs, 2)
        } else {
            Distribution::new(&self.singles, 1)
        }
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, count)| add(sum, count));
        self.singles.iter_mut().zip(other.singles).for_each(|(sum, count)| add(sum, count));
        match (&mut self.inside, &other.inside) {
            (
                Inside::Known { games, won_and_lost },
                Inside::Known { games: more, won_and_lost: more_split },
            ) => {
                games.iter_mut().zip(more).for_each(|(sum, &count)| add(sum, count));
                add(won_and_lost, *more_split);
            }
            _ => self.inside = Inside::Unknown,
        }
    }
}

/// Saturating: counts may come from a command line, and even absurd ones must not overflow.
fn add(sum: &mut u64, count: u64) {
    *sum = sum.saturating_add(count);
}
