//! Openings: the positions and moves from which games start.

mod book;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use games::{Random, SettingError, ToolkitGame};

use crate::game_record::Opening;
use book::Book;

/// Why openings cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The operating system reported an error.
    #[error("cannot read the openings of {}", path.display())]
    Io {
        /// The book.
        path: PathBuf,
        /// The error.
        source: std::io::Error,
    },
    /// An entry cannot be used.
    #[error("{}, {place}: {fault}", path.display())]
    Entry {
        /// The book.
        path: PathBuf,
        /// The position in the file: `line 7`, or `game 2, line 40`.
        place: String,
        /// What is wrong with the entry.
        fault: String,
    },
    /// The book has no entries.
    #[error("{} has no openings; expected a FEN on each line, or games of PGN", path.display())]
    Empty {
        /// The book.
        path: PathBuf,
    },
    /// The book has more entries than can be numbered.
    #[error("{} has more than {most} openings; use a part of it", path.display())]
    TooLarge {
        /// The book.
        path: PathBuf,
        /// The maximum number of entries.
        most: usize,
    },
    /// The game ends before that many plies.
    #[error("no game lasts {plies} random plies from `{fen}`; use fewer")]
    TooLong {
        /// The requested number of plies.
        plies: usize,
        /// The start position.
        fen: String,
    },
    /// A rule of the game that does not have this setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// A numbered list of openings. The same number always returns the same opening.
#[derive(Clone, Debug)]
pub struct Openings<G: ToolkitGame> {
    base: Base<G>,
    /// The order of the entries of the book; empty for their own order.
    order: Vec<u32>,
    random: Option<RandomPlies>,
}

#[derive(Clone, Debug)]
enum Base<G: ToolkitGame> {
    Start(G),
    Book(Book<G>),
}

#[derive(Clone, Debug)]
struct RandomPlies {
    plies: RangeInclusive<usize>,
    seed: u64,
}

impl<G: ToolkitGame> Openings<G> {
    /// Every game starts from this position.
    pub fn start(position: G) -> Self {
        Self { base: Base::Start(position), order: Vec::new(), random: None }
    }

    /// Reads a book: a PGN file if its name ends in `.pgn`, otherwise a file with a FEN or EPD on
    /// each line. Empty lines and lines that begin with `#` are ignored.
    ///
    /// Of each PGN game that has moves, takes the first `plies` moves, or all of them. `rules` are
    /// settings of the game, by name and value, for every position.
    pub fn read(
        path: &Path,
        plies: Option<usize>,
        rules: &[(String, String)],
    ) -> Result<Self, OpeningsError> {
        let book = Book::read(path, plies, rules)?;
        Ok(Self { base: Base::Book(book), order: Vec::new(), random: None })
    }

    /// The same openings in a random order.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        self.order = order;
        self
    }

    /// The same openings, each followed by `plies` random moves.
    ///
    /// An entry of a book from which no game lasts that long is followed by fewer moves.
    pub fn with_random_plies(
        mut self,
        plies: RangeInclusive<usize>,
        seed: u64,
    ) -> Result<Self, OpeningsError> {
        let max = *plies.end();
        if let Base::Start(start) = &self.base
            && random_opening(start, max, &mut Random::new(seed)).is_none()
        {
            return Err(OpeningsError::TooLong { plies: max, fen: start.to_fen() });
        }
        self.random = Some(RandomPlies { plies, seed });
        Ok(self)
    }

    /// The number of openings before they repeat, not counting random moves.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        match &self.base {
            Base::Start(_) => 1,
            Base::Book(book) => book.len(),
        }
    }

    /// The opening with this number. Any number is valid: after its end, a book starts again.
    pub fn get(&self, number: u64) -> Opening<G> {
        let entry = (number % self.len() as u64) as usize;
        let entry = self.order.get(entry).map_or(entry, |&entry| entry as usize);
        let opening = match &self.base {
            Base::Start(start) => Opening::at(start.clone()),
            Base::Book(book) => book.get(entry),
        };
        match &self.random {
            Some(random) => random.extend(opening, number),
            None => opening,
        }
    }
}

impl RandomPlies {
    /// Extends an opening by random moves, which depend on its number.
    fn extend<G: ToolkitGame>(&self, opening: Opening<G>, number: u64) -> Opening<G> {
        let mut numbers = Random::new(self.seed ^ Random::new(number).next_u64());
        let (min, max) = (*self.plies.start(), *self.plies.end());
        let plies = min + numbers.below(max.saturating_sub(min) + 1);
        let mut lengths = (1..=plies).rev();
        lengths.find_map(|plies| extend(&opening, plies, &mut numbers)).unwrap_or(opening)
    }
}

/// An opening of `plies` random moves from `start`, none of which ends the game. The same arguments
/// return the same opening.
///
/// Returns `None` if the game always ends earlier, for example from a position without moves.
pub fn random_opening<G: ToolkitGame>(
    start: &G,
    plies: usize,
    random: &mut Random,
) -> Option<Opening<G>> {
    extend(&Opening::at(start.clone()), plies, random)
}

/// Extends an opening by `plies` random moves, none of which ends the game.
pub(crate) fn extend<G: ToolkitGame>(
    base: &Opening<G>,
    plies: usize,
    random: &mut Random,
) -> Option<Opening<G>> {
    // A random game that ends early is tried again. If all tries end early, the number of plies is
    // unreasonable.
    const TRIES: usize = 1000;
    let begin = base.line();
    if begin.outcome().is_some() {
        return None;
    }
    'games: for _ in 0..TRIES {
        let mut opening = base.clone();
        let mut line = begin.clone();
        for _ in 0..plies {
            let Some(&mv) = random.pick(&line.position().legal_moves()) else { continue 'games };
            line.play(mv);
            opening.moves.push(mv);
            if line.outcome().is_some() {
                continue 'games;
            }
        }
        return Some(opening);
    }
    None
}

#[cfg(test)]
mod tests {
    use games::Game;
    use std::collections::HashSet;

    use games::chess::Chess;
    use games::connect_four::ConnectFour;

    use super::*;

    #[test]
    fn random_openings_are_legal_differ_and_repeat() {
        let make = |seed| random_opening(&Chess::start(), 8, &mut Random::new(seed)).unwrap();
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        assert_eq!(make(1).moves.len(), 8);
        assert_eq!(make(1).line().plies(), 8);
    }

    #[test]
    fn no_opening_ends_the_game() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let opening = random_opening(&ConnectFour::start(), 12, &mut random).unwrap();
            assert_eq!(opening.line().outcome(), None);
        }
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        let mated = Chess::from_fen(mated).unwrap();
        assert_eq!(random_opening(&mated, 0, &mut random), None);
    }

    #[test]
    fn numbers_name_openings() {
        let openings = Openings::start(Chess::start());
        assert_eq!(openings.get(7), Opening::at(Chess::start()));
        let openings = openings.with_random_plies(8..=9, 5).unwrap();
        assert_eq!(openings.get(3), openings.get(3));
        let all: Vec<_> = (0..200).map(|number| openings.get(number)).collect();
        let distinct: HashSet<_> = all.iter().map(|o| o.line().position().to_fen()).collect();
        assert!(distinct.len() > 195, "{}", distinct.len());
        let lengths: HashSet<_> = all.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(lengths, HashSet::from([8, 9]));
        let other = Openings::start(Chess::start()).with_random_plies(8..=9, 6).unwrap();
        assert_ne!(other.get(3), openings.get(3));
    }

    #[test]
    fn more_plies_than_the_game_has_are_refused() {
        let openings = Openings::start(ConnectFour::start());
        let fault = openings.with_random_plies(0..=60, 1).unwrap_err().to_string();
        assert!(fault.contains("60 random plies"), "{fault}");
    }
}
