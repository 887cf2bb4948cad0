//! Training reports: loss and learning-rate curves, figures, and the page of a training.

use maud::{Markup, html};

use crate::Picture;
use crate::chart::{Axis, Chart, Point, Series, Tone};
use crate::page::{Page, facts, figures, table, wide_figure};

/// One superbatch of a training log; values that the log lacks are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Superbatch {
    /// Its number, from 1.
    pub number: u64,
    /// Steps so far.
    pub step: u64,
    /// The mean training loss.
    pub loss: Option<f64>,
    /// The loss on games that are held out.
    pub validation_loss: Option<f64>,
    /// Whether that is the lowest so far.
    pub is_best: bool,
    /// The learning rate.
    pub rate: Option<f64>,
    /// Positions a second.
    pub speed: Option<f64>,
}

/// A training that has ended.
#[derive(Clone, Debug)]
pub struct TrainingReport {
    /// The architecture of the network.
    pub architecture: String,
    /// How it ended.
    pub ended: String,
    /// Weights and biases.
    pub parameters: usize,
    /// Steps made.
    pub step: u64,
    /// Steps planned.
    pub steps: u64,
    /// Positions seen, each as often as it was seen.
    pub positions: u64,
    /// Threads.
    pub threads: usize,
    /// The lowest validation loss, and the step after which it was measured.
    pub best_validation: Option<(f64, u64)>,
    /// The last training loss of each head, by name.
    pub head_losses: Vec<(String, f64)>,
    /// The log.
    pub superbatches: Vec<Superbatch>,
    /// The weights of some neurons, where the features have places on a board.
    pub neurons: Option<Picture>,
    /// The configuration, as TOML.
    pub config: String,
}

impl TrainingReport {
    /// The page.
    pub fn html(&self) -> String {
        Page::new(&*self.architecture)
            .lead(facts(self.figures()))
            .section("curves", "Curves", figures(&curves(&self.superbatches)))
            .section_if("neurons", "Accumulator neurons", self.neurons.as_ref().map(neurons))
            .section("superbatches", "Superbatches", superbatches(&self.superbatches))
            .section("configuration", "Configuration", html! { pre { (self.config) } })
            .html()
    }

    fn figures(&self) -> Vec<(String, String)> {
        let mut figures = vec![
            ("ended".to_owned(), self.ended.clone()),
            ("parameters".to_owned(), self.parameters.to_string()),
            ("steps".to_owned(), format!("{} of {}", self.step, self.steps)),
            ("positions".to_owned(), self.positions.to_string()),
            ("threads".to_owned(), self.threads.to_string()),
        ];
        let speeds: Vec<f64> = self.superbatches.iter().filter_map(|batch| batch.speed).collect();
        if !speeds.is_empty() {
            let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
            figures.push(("speed".to_owned(), speed_text(mean)));
        }
        if let Some(loss) = self.superbatches.last().and_then(|batch| batch.loss) {
            figures.push(("last training loss".to_owned(), format!("{loss:.6}")));
        }
        let heads = self.head_losses.iter();
        figures.extend(
            heads.map(|(name, loss)| (format!("training loss, {name} head"), format!("{loss:.6}"))),
        );
        if let Some((loss, step)) = self.best_validation {
            let text = format!("{loss:.6} after step {step}");
            figures.push(("best validation loss".to_owned(), text));
        }
        figures
    }
}

/// Positions a second, in the unit that fits.
pub fn speed_text(speed: f64) -> String {
    match speed {
        speed if speed >= 1e6 => format!("{:.2} M positions/s", speed / 1e6),
        speed if speed >= 1e4 => format!("{:.0} k positions/s", speed / 1e3),
        speed => format!("{speed:.0} positions/s"),
    }
}

/// The charts of a training: losses, and the learning rate.
pub fn curves(superbatches: &[Superbatch]) -> [Picture; 2] {
    let points = |value: fn(&Superbatch) -> Option<f64>| -> Vec<Point> {
        let point = |batch: &Superbatch| Some(Point::new(batch.number as f64, value(batch)?));
        superbatches.iter().filter_map(point).collect()
    };
    let x = || Axis::new("superbatch").integers();
    let (training, validation) =
        (points(|batch| batch.loss), points(|batch| batch.validation_loss));
    let loss = Axis::new("loss").adaptive();
    let loss = match late_range(&[&training, &validation]) {
        Some((low, high)) => loss.range(low, high),
        None => loss,
    };
    let losses = Chart::new("Loss", x(), loss)
        .series(Series::line("training", Tone::Blue, training))
        .series(Series::line("validation", Tone::Orange, validation));
    let rate = Chart::new("Learning rate", x(), Axis::new("learning rate").adaptive())
        .series(Series::line("", Tone::Gray, points(|batch| batch.rate)));
    [losses.picture(), rate.picture()]
}

/// A range that holds each curve without its first tenth: the loss of an untrained network is so
/// large that everything after it would look flat.
fn late_range(curves: &[&[Point]]) -> Option<(f64, f64)> {
    let late = curves.iter().flat_map(|points| {
        let fall = if points.len() > 1 { points.len().div_ceil(10) } else { 0 };
        points.iter().skip(fall).map(|point| point.y).filter(|y| *y > 0.0)
    });
    let (low, high) =
        late.fold((f64::INFINITY, 0.0f64), |(low, high), y| (low.min(y), high.max(y)));
    (low <= high).then_some((low / 1.03, high * 1.03))
}

/// The weights of neurons, with an explanation.
pub(crate) fn neurons(picture: &Picture) -> Markup {
    html! {
        p {
            "Each row is a neuron of the accumulator, each board one kind of piece: blue where the \
             piece raises the sum of the neuron, red where it lowers it."
        }
        (wide_figure(picture))
    }
}

fn superbatches(superbatches: &[Superbatch]) -> Markup {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.6}"));
    let row = |batch: &Superbatch| {
        let best = if batch.is_best { " ★" } else { "" };
        [
            batch.number.to_string(),
            batch.step.to_string(),
            number(batch.loss),
            number(batch.validation_loss) + best,
            batch.speed.map_or("–".to_owned(), speed_text),
        ]
    };
    let headings = ["superbatch", "step", "training loss", "validation loss", "speed"];
    table(&headings, superbatches.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(number: u64, loss: f64) -> Superbatch {
        Superbatch { number, loss: Some(loss), rate: Some(0.001), ..Superbatch::default() }
    }

    #[test]
    fn the_first_loss_does_not_flatten_the_rest() {
        let points = |values: &[f64]| -> Vec<Point> {
            values.iter().zip(1..).map(|(&y, x)| Point::new(f64::from(x), y)).collect()
        };
        let (low, high) = late_range(&[&points(&[9.0, 0.3, 0.2, 0.1])]).unwrap();
        assert!(high < 0.4 && high > 0.3 && low < 0.1 && low > 0.09, "{low} {high}");
        assert_eq!(late_range(&[&[], &[]]), None);
        assert!(late_range(&[&points(&[9.0])]).unwrap().1 > 9.0);
    }

    #[test]
    fn curves_are_drawn_for_any_log() {
        let validated = Superbatch { validation_loss: Some(0.2), ..batch(3, 0.1) };
        for log in [
            vec![],
            vec![batch(1, 0.5)],
            vec![batch(1, 0.0), batch(2, 0.0)],
            vec![batch(1, 0.5), batch(2, 0.25), validated],
            vec![Superbatch::default()],
        ] {
            let svg = Picture::stack(&curves(&log)).standalone();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("Learning rate") && !svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn speeds_have_units() {
        let texts = [2.5e6, 12_345.0, 900.0].map(speed_text);
        assert_eq!(texts, ["2.50 M positions/s", "12 k positions/s", "900 positions/s"]);
    }
}
