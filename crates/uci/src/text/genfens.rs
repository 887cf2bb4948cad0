//! `genfens`: the command by which OpenBench's workers request openings.

use std::fmt::{self, Display};

use super::error::TextError;
use super::words::{escape, number};

/// The form of the command.
pub(super) const USAGE: &str =
    "genfens N seed S book PATH|None [random-plies N] [max-score CP|none] [soft-nodes N]";
/// The same, between quotes.
const FORM: &str =
    "`genfens N seed S book PATH|None [random-plies N] [max-score CP|none] [soft-nodes N]`";

/// The largest number of openings in one command: more would take days.
const MAX_OPENINGS: i128 = 100_000_000;
/// The largest score that can be a limit, in centipawns.
const MAX_SCORE: i128 = 30_000;
/// The largest number of random plies.
const MAX_RANDOM_PLIES: i128 = 200;

/// The limit of the score of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxScore {
    /// Any score will do.
    Unlimited,
    /// At most this many centipawns for either side.
    Centipawns(i32),
}

/// The words after `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    /// How many openings.
    pub count: u64,
    /// The seed of the random moves.
    pub seed: u64,
    /// The file of a book; `None` for the start of the game.
    pub book: Option<String>,
    /// How many random plies, if not as many as the program would play by itself.
    pub random_plies: Option<usize>,
    /// The limit of the score, if not the program's.
    pub max_score: Option<MaxScore>,
    /// The nodes of the search that finds the score, if not the program's.
    pub soft_nodes: Option<u64>,
}

impl GenFens {
    /// Parses the words after `genfens`.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, TextError> {
        let command = "genfens";
        let mut words = words.into_iter();
        let mut word =
            |part| words.next().ok_or(TextError::Missing { command, part, expected: FORM });
        let number = |word: &str, min, max| {
            number(word, min, max).map_err(|fault| TextError::Number { command, fault })
        };
        let count = number(word("the number of openings")?, 1, MAX_OPENINGS)? as u64;
        expect(word("`seed`")?, "seed", "where `seed` should be")?;
        let seed = number(word("the seed")?, 0, u64::MAX.into())? as u64;
        expect(word("`book`")?, "book", "where `book` should be")?;
        let book = Some(word("the book")?).filter(|book| !book.eq_ignore_ascii_case("none"));
        let mut genfens = Self {
            count,
            seed,
            book: book.map(str::to_owned),
            random_plies: None,
            max_score: None,
            soft_nodes: None,
        };
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| fault(name, "has no value"))?;
            match name {
                "random-plies" => {
                    genfens.random_plies = Some(number(value, 0, MAX_RANDOM_PLIES)? as usize);
                }
                "max-score" if value == "none" => genfens.max_score = Some(MaxScore::Unlimited),
                "max-score" => {
                    let score = number(value, 0, MAX_SCORE)? as i32;
                    genfens.max_score = Some(MaxScore::Centipawns(score));
                }
                "soft-nodes" => {
                    genfens.soft_nodes = Some(number(value, 1, u64::MAX.into())? as u64);
                }
                _ => return Err(fault(name, "is not known")),
            }
        }
        Ok(genfens)
    }
}

fn expect(word: &str, expected: &str, otherwise: &'static str) -> Result<(), TextError> {
    if word == expected { Ok(()) } else { Err(fault(word, otherwise)) }
}

fn fault(word: &str, fault: &'static str) -> TextError {
    TextError::GenFens { found: escape(word), fault, expected: FORM }
}

impl Display for GenFens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.book.as_deref().unwrap_or("None");
        write!(f, "genfens {} seed {} book {book}", self.count, self.seed)?;
        if let Some(plies) = self.random_plies {
            write!(f, " random-plies {plies}")?;
        }
        match self.max_score {
            None => {}
            Some(MaxScore::Unlimited) => f.write_str(" max-score none")?,
            Some(MaxScore::Centipawns(score)) => write!(f, " max-score {score}")?,
        }
        if let Some(nodes) = self.soft_nodes {
            write!(f, " soft-nodes {nodes}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GenFens, TextError> {
        GenFens::parse(text.split_ascii_whitespace())
    }

    #[test]
    fn the_form_of_openbench_is_parsed() {
        let genfens = read("64 seed 18446744073709551615 book Books/8moves_v3.epd ").unwrap();
        assert_eq!((genfens.count, genfens.seed), (64, u64::MAX));
        assert_eq!(genfens.book.as_deref(), Some("Books/8moves_v3.epd"));
        assert_eq!(read("1 seed 0 book None").unwrap().book, None);
        let text = "1 seed 0 book None random-plies 6 max-score none soft-nodes 9";
        let genfens = read(text).unwrap();
        assert_eq!(genfens.random_plies, Some(6));
        assert_eq!(genfens.max_score, Some(MaxScore::Unlimited));
        assert_eq!(genfens.soft_nodes, Some(9));
        assert_eq!(genfens.to_string(), format!("genfens {text}"));
        assert!(FORM.contains(USAGE));
    }

    #[test]
    fn anything_else_is_refused_with_the_form() {
        for wrong in [
            "",
            "0 seed 1 book None",
            "1 seed x book None",
            "1 seed 1",
            "1 seed 1 None",
            "1 book None seed 1",
            "1 seed 1 book None plies 4",
            "1 seed 1 book None random-plies",
            "1 seed 1 book None max-score -1",
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("genfens"), "{wrong}: {error}");
        }
    }
}
