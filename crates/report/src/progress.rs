//! Loop progress: the rating of each generation, as a chart and as a page.

use crate::Picture;
use crate::chart::{Axis, Chart, Point, Series, Tone};
use crate::page::{Page, table, wide_figure};

/// A generation of a loop that has played its match.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Its number, from 1; 0 is the network that the loop started with.
    pub number: u64,
    /// The generation that it played against.
    pub against: u64,
    /// Whether it replaced that one.
    pub promoted: bool,
    /// What the sequential test decided.
    pub verdict: String,
    /// Games of the match.
    pub games: u64,
    /// Its score in them.
    pub score: f64,
    /// The Elo difference to its opponent.
    pub elo: f64,
    /// The error of that; `None` if the games do not determine it.
    pub elo_error: Option<f64>,
    /// The Elo difference to generation 0: the sum of all differences on the way.
    pub rating: f64,
}

impl Generation {
    /// What came of it, in a line.
    pub fn summary(&self) -> String {
        let Self { number, against, score, games, .. } = self;
        let what = if self.promoted { "promoted" } else { "rejected" };
        let match_text = format!("{score} of {games} points against generation {against}");
        format!("generation {number} is {what}: {match_text}, {} Elo", self.elo_text())
    }

    fn elo_text(&self) -> String {
        let error = self.elo_error.map_or(String::new(), |error| format!(" ± {error:.0}"));
        format!("{:+.0}{error}", self.elo)
    }
}

/// The ratings, with the error of each difference. Rings are generations that were rejected.
///
/// ```
/// let picture = report::progress::ratings(&[]);
/// assert!(picture.standalone().contains("Rating by generation"));
/// ```
pub fn ratings(generations: &[Generation]) -> Picture {
    let start = Point::new(0.0, 0.0).tooltip("generation 0 is the start");
    let point = |generation: &Generation| {
        let Generation { number, rating, elo_error, promoted, .. } = generation;
        let point = Point::new(*number as f64, *rating).tooltip(generation.summary());
        let point = if *promoted { point } else { point.hollow() };
        elo_error.map_or(point.clone(), |error| point.interval(rating - error, rating + error))
    };
    let promoted = generations.iter().filter(|generation| generation.promoted);
    let promoted =
        promoted.map(|generation| Point::new(generation.number as f64, generation.rating));
    Chart::new("Rating by generation", Axis::new("generation").integers(), Axis::new("Elo"))
        .series(Series::line("", Tone::Blue, [start.clone()].into_iter().chain(promoted)))
        .series(Series::dots(
            "",
            Tone::Blue,
            [start].into_iter().chain(generations.iter().map(point)),
        ))
        .size(760.0, 380.0)
        .picture()
}

/// The page of a loop.
pub fn html(title: &str, generations: &[Generation]) -> String {
    let row = |generation: &Generation| {
        [
            generation.number.to_string(),
            format!("{:.0}", generation.rating),
            generation.against.to_string(),
            generation.elo_text(),
            generation.games.to_string(),
            format!("{:.1}", generation.score),
            generation.verdict.clone(),
            if generation.promoted { "promoted" } else { "rejected" }.to_owned(),
        ]
    };
    let headings = ["generation", "rating", "against", "Elo", "games", "score", "SPRT", "result"];
    Page::new(title)
        .section("ratings", "Ratings", wide_figure(&ratings(generations)))
        .section("generations", "Generations", table(&headings, generations.iter().map(row)))
        .html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(number: u64, promoted: bool) -> Generation {
        Generation {
            number,
            against: 0,
            promoted,
            verdict: "H1".into(),
            games: 10,
            score: 5.0,
            elo: 10.0,
            elo_error: Some(30.0),
            rating: 40.0 * number as f64 - 60.0,
        }
    }

    #[test]
    fn every_generation_is_drawn() {
        let dots = |svg: &str| svg.matches("class=\"dot\"").count();
        assert_eq!(dots(&ratings(&[]).standalone()), 1);
        let all = [generation(1, true), generation(2, false), generation(3, true)];
        let svg = ratings(&all).standalone();
        assert_eq!((dots(&svg), svg.matches("class=\"hollow\"").count()), (3, 1));
        assert_eq!(svg.matches("class=\"error\"").count(), 3);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let page = html("loop", &all);
        assert!(page.contains("+10 ± 30") && page.contains("rejected"), "{page}");
    }
}
