//! Ratings by generation, as a picture.

use std::fmt::Write;

use super::state::Tested;

const SIZE: (f64, f64) = (760.0, 380.0);
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 44.0;

/// The ratings, with the error of each step. What was rejected is hollow.
pub(super) fn svg(generations: &[Tested]) -> String {
    let mut svg = String::new();
    // Writing into a string does not fail.
    let _ = write_plot(&mut svg, generations);
    svg
}

fn write_plot(svg: &mut String, generations: &[Tested]) -> std::fmt::Result {
    let (width, height) = SIZE;
    let last = generations.last().map_or(1, |tested| tested.number).max(1) as f64;
    let heights = generations.iter().map(|tested| tested.rating);
    let (low, high) =
        heights.fold((0.0f64, 100.0f64), |(a, b), rating| (a.min(rating), b.max(rating)));
    let step = grid((high - low) / 6.0);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |number: f64| LEFT + number / last * (width - LEFT - RIGHT);
    let y = |rating: f64| height - BOTTOM - (rating - low) / (high - low) * (height - TOP - BOTTOM);
    write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="#222"><rect width="100%" height="100%" fill="white"/><text x="{LEFT}" y="24" font-size="15" font-weight="bold">rating by generation</text>"##
    )?;
    let mut line = low;
    while line <= high + step / 2.0 {
        let at = y(line);
        write!(
            svg,
            r##"<line x1="{LEFT}" y1="{at:.1}" x2="{:.1}" y2="{at:.1}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{line:.0}</text>"##,
            width - RIGHT,
            LEFT - 8.0,
            at + 4.0
        )?;
        line += step;
    }
    let every = (last / 12.0).ceil().max(1.0) as u64;
    for number in (0..=last as u64).step_by(every as usize) {
        let at = x(number as f64);
        write!(
            svg,
            r#"<text x="{at:.1}" y="{:.1}" text-anchor="middle">{number}</text>"#,
            height - 24.0
        )?;
    }
    let mut path = format!("{:.1},{:.1}", x(0.0), y(0.0));
    for tested in generations.iter().filter(|tested| tested.promoted) {
        write!(path, " {:.1},{:.1}", x(tested.number as f64), y(tested.rating))?;
    }
    write!(svg, r##"<polyline points="{path}" fill="none" stroke="#1f6fb4" stroke-width="2"/>"##)?;
    write!(svg, r##"<circle cx="{:.1}" cy="{:.1}" r="4" fill="#1f6fb4"/>"##, x(0.0), y(0.0))?;
    for tested in generations {
        let (at, up) = (x(tested.number as f64), y(tested.rating));
        if let Some(error) = tested.error {
            let [above, below] =
                [error, -error].map(|error| y((tested.rating + error).clamp(low, high)));
            write!(
                svg,
                r##"<line x1="{at:.1}" y1="{above:.1}" x2="{at:.1}" y2="{below:.1}" stroke="#1f6fb4" stroke-opacity="0.5"/>"##
            )?;
        }
        let fill = if tested.promoted { "#1f6fb4" } else { "white" };
        write!(
            svg,
            r##"<circle cx="{at:.1}" cy="{up:.1}" r="4" fill="{fill}" stroke="#1f6fb4"><title>{}</title></circle>"##,
            tested.sentence()
        )?;
    }
    svg.write_str("</svg>\n")
}

/// A round distance between lines, about as large as `wanted`.
fn grid(wanted: f64) -> f64 {
    let unit = 10f64.powf(wanted.max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * unit)
        .into_iter()
        .find(|&step| step >= wanted)
        .unwrap_or(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_is_drawn() {
        let tested = |number: u64, promoted| Tested {
            number,
            against: 0,
            promoted,
            verdict: "H1".into(),
            games: 10,
            points: 5.0,
            elo: 10.0,
            error: Some(30.0),
            rating: 40.0 * number as f64 - 60.0,
        };
        assert_eq!(svg(&[]).matches("<circle").count(), 1);
        let drawn = svg(&[tested(1, true), tested(2, false), tested(3, true)]);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert_eq!(drawn.matches("fill=\"white\" stroke").count(), 1);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn grids_are_round() {
        let steps = [0.2, 3.0, 17.0, 60.0].map(|wanted| grid(wanted) as u64);
        assert_eq!(steps, [1, 5, 20, 100]);
    }
}
