//! `genfens`: openings for games that OpenBench's workers play.

use std::path::Path;

use anyhow::{Context, bail};
use arena::Openings;
use arena::datagen::{DatagenOptions, generate_openings};
use games::Game;

use super::input::shown;
use super::worker::Task;
use super::{go, say};

/// How the command is written.
pub(super) const USAGE: &str =
    "genfens N seed S book PATH|None [random-plies N] [max-score CP|none] [soft-nodes N]";

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GenFens<'a> {
    /// How many.
    count: u64,
    seed: u64,
    /// `None` for random moves from the start.
    book: Option<&'a str>,
    random_plies: Option<usize>,
    /// Centipawns; `None` if any score will do.
    max_score: Option<i32>,
    soft_nodes: Option<u64>,
}

/// The most openings for one line: more would take days.
const MOST: u64 = 100_000_000;

/// Reads the words after `genfens`.
pub(super) fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> anyhow::Result<GenFens<'a>> {
    let mut word = |what: &str| {
        words.next().with_context(|| format!("genfens: {what} is missing; expected `{USAGE}`"))
    };
    let number = |word: &str, least, most| {
        go::number(word, least, most).with_context(|| format!("genfens `{}`", shown(word)))
    };
    let count = number(word("the number of openings")?, 1, MOST)?;
    expect(word("`seed`")?, "seed")?;
    let seed = number(word("the seed")?, 0, u64::MAX)?;
    expect(word("`book`")?, "book")?;
    let book = Some(word("the book")?).filter(|book| !book.eq_ignore_ascii_case("none"));
    let max_score = DatagenOptions::default().max_opening_score;
    let (random_plies, soft_nodes) = (None, None);
    let mut asked = GenFens { count, seed, book, random_plies, max_score, soft_nodes };
    while let Some(name) = words.next() {
        let Some(value) = words.next() else {
            bail!("genfens: `{}` has no value; expected `{USAGE}`", shown(name));
        };
        match name {
            "random-plies" => asked.random_plies = Some(number(value, 0, 200)? as usize),
            "max-score" if value == "none" => asked.max_score = None,
            "max-score" => asked.max_score = Some(number(value, 0, 30_000)? as i32),
            "soft-nodes" => asked.soft_nodes = Some(number(value, 1, u64::MAX)?),
            _ => bail!("genfens: `{}` is not known; expected `{USAGE}`", shown(name)),
        }
    }
    Ok(asked)
}

fn expect(word: &str, expected: &str) -> anyhow::Result<()> {
    if word != expected {
        bail!("genfens: `{}` where `{expected}` should be; expected `{USAGE}`", shown(word));
    }
    Ok(())
}

/// Prints the openings. The engine says which of them are balanced.
pub(super) fn task<G: Game>(asked: &GenFens<'_>) -> anyhow::Result<Task<G>> {
    let &GenFens { count, seed, book, random_plies, max_score, soft_nodes } = asked;
    let openings = match book {
        None => Openings::start(G::start()),
        Some(book) => Openings::read(Path::new(book), None, &[])
            .map_err(anyhow::Error::from)
            .context("genfens")?
            .shuffled(seed),
    };
    let defaults = DatagenOptions::default();
    let options = DatagenOptions {
        seed,
        random_plies: random_plies.unwrap_or(if book.is_some() {
            4
        } else {
            defaults.random_plies
        }),
        max_opening_score: max_score,
        pace: soft_nodes.map_or(defaults.pace, DatagenOptions::soft),
        ..defaults
    };
    Ok(Box::new(move |engine, control| {
        let mut printed = 0_u64;
        let made = generate_openings(&options, &openings, engine, control, &mut |opening| {
            say(&format!("info string genfens {}", opening.line().position().to_fen()));
            printed += 1;
            printed < count
        });
        match made {
            Ok(()) => format!("info string {printed} openings"),
            Err(error) => format!("info string genfens: {error}"),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<GenFens<'_>> {
        parse(text.split_ascii_whitespace())
    }

    #[test]
    fn openbench_is_understood() {
        let asked = read("64 seed 18446744073709551615 book Books/8moves_v3.epd ").unwrap();
        assert_eq!((asked.count, asked.seed), (64, u64::MAX));
        assert_eq!(asked.book, Some("Books/8moves_v3.epd"));
        assert_eq!(read("1 seed 0 book None").unwrap().book, None);
        let asked = read("1 seed 0 book None random-plies 6 max-score none soft-nodes 9").unwrap();
        assert_eq!((asked.random_plies, asked.max_score), (Some(6), None));
        assert_eq!(asked.soft_nodes, Some(9));
    }

    #[test]
    fn anything_else_is_refused_with_what_was_expected() {
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
            let error = format!("{:#}", read(wrong).unwrap_err());
            assert!(error.starts_with("genfens"), "{wrong}: {error}");
        }
    }
}
