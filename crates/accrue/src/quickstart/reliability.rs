//! Whether positions that the network takes for won are won.

use std::fmt::Write;
use std::path::Path;

use arena::Played;
use games::Game;
use search::Evaluator;

use crate::evaluation::Loaded;

/// How many parts the expected score is divided into.
const BINS: usize = 10;
/// Centipawns that are one unit of log-odds, as the training takes them.
const SCALE: f64 = 400.0;
/// Bins with fewer positions say nothing.
const FEWEST: u64 = 20;

/// What the network expected in the positions of the match, and what came of them. It was not trained on these games.
pub(super) struct Reliability<G: Game> {
    evaluator: Box<dyn Evaluator<G>>,
    bins: [Bin; BINS],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    positions: u64,
    expected: f64,
    made: f64,
}

impl<G: Game> Reliability<G> {
    /// For the network in a file.
    pub(super) fn new(net: &Path) -> anyhow::Result<Self> {
        let loaded = Loaded::read(&net.display().to_string())?;
        Ok(Self { evaluator: Box::new(loaded.evaluator::<G>()?), bins: Default::default() })
    }

    /// Counts the positions of a game after its opening.
    pub(super) fn see(&mut self, played: &Played<G>) {
        let mut line = played.course.opening().line();
        for turn in played.course.turns() {
            let position = line.position();
            self.evaluator.reset(position);
            let expected = 1.0 / (1.0 + (-f64::from(self.evaluator.evaluate()) / SCALE).exp());
            let made =
                f64::from(played.outcome.points(position.side_to_move()).as_quarters()) / 4.0;
            let bin = &mut self.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            bin.positions += 1;
            bin.expected += expected;
            bin.made += made;
            line.play(turn.mv);
        }
    }

    /// The plot.
    pub(super) fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing into a string does not fail.
        let _ = write_plot(&mut svg, &self.bins);
        svg
    }
}

const SIZE: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 12.0;

fn write_plot(svg: &mut String, bins: &[Bin]) -> std::fmt::Result {
    let (width, height) = (LEFT + SIZE + 30.0, TOP + SIZE + 50.0);
    let (right, bottom) = (LEFT + SIZE, TOP + SIZE);
    let x = |share: f64| LEFT + share * SIZE;
    let y = |share: f64| bottom - share * SIZE;
    write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="#222"><rect width="100%" height="100%" fill="white"/><rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/><line x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{TOP}" stroke="#bbb" stroke-dasharray="4 4"/>"##
    )?;
    for tenth in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let percent = 100.0 * tenth;
        write!(
            svg,
            r#"<text x="{:.0}" y="{:.0}" text-anchor="middle">{percent:.0} %</text><text x="{:.0}" y="{:.0}" text-anchor="end">{percent:.0} %</text>"#,
            x(tenth),
            bottom + 18.0,
            LEFT - 8.0,
            y(tenth) + 4.0
        )?;
    }
    write!(
        svg,
        r#"<text x="{:.0}" y="{:.0}" text-anchor="middle">expected score</text><text transform="translate(14 {:.0}) rotate(-90)" text-anchor="middle">points made</text>"#,
        x(0.5),
        bottom + 40.0,
        y(0.5)
    )?;
    let most = bins.iter().map(|bin| bin.positions).max().unwrap_or(1).max(1) as f64;
    for bin in bins.iter().filter(|bin| bin.positions >= FEWEST) {
        let count = bin.positions as f64;
        let radius = 3.0 + 7.0 * (count / most).sqrt();
        write!(
            svg,
            r##"<circle cx="{:.1}" cy="{:.1}" r="{radius:.1}" fill="#1f6fb4" fill-opacity="0.7"><title>{} positions: expected {:.1} %, made {:.1} %</title></circle>"##,
            x(bin.expected / count),
            y(bin.made / count),
            bin.positions,
            100.0 * bin.expected / count,
            100.0 * bin.made / count
        )?;
    }
    svg.write_str("</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_with_enough_positions_are_drawn_at_their_place() {
        let full = Bin { positions: 100, expected: 25.0, made: 50.0 };
        let empty = Bin { positions: 3, expected: 3.0, made: 3.0 };
        let mut svg = String::new();
        write_plot(&mut svg, &[full, empty]).unwrap();
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains(r#"cx="135.0" cy="162.0""#), "{svg}");
    }
}
