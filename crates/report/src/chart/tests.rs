use super::axis::number;
use super::*;

fn drawn(chart: &Chart) -> String {
    chart.picture().inline().into_string()
}

fn ticks(axis: &Axis, values: &[f64]) -> Vec<String> {
    let fitted = axis.fit(values.iter().copied(), 300.0, 50.0);
    fitted.ticks.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn numbers_are_short() {
    for (value, text) in [
        (0.1, "0.1"),
        (0.1 + 0.2, "0.3"),
        (2.0, "2"),
        (0.00001, "1e-5"),
        (300.0, "300"),
        (-20.0, "−20"),
        (0.0, "0"),
    ] {
        assert_eq!(number(value), text);
    }
}

#[test]
fn ticks_are_round() {
    assert_eq!(ticks(&Axis::new(""), &[3.0, 97.0]), ["0", "20", "40", "60", "80", "100"]);
    assert_eq!(ticks(&Axis::new("").integers(), &[1.0, 3.0]), ["1", "2", "3"]);
    assert_eq!(
        ticks(&Axis::new("").percent(), &[]),
        ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    );
    assert_eq!(
        ticks(&Axis::new("").adaptive(), &[0.001, 0.09]),
        ["0.001", "0.002", "0.005", "0.01", "0.02", "0.05"]
    );
    assert_eq!(ticks(&Axis::new("").adaptive(), &[1e-5, 1.0]).len(), 6);
    let names = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(ticks(&Axis::new("").categories(names.clone()), &[]), names);
}

#[test]
fn any_values_can_be_drawn() {
    let endless = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e300, 1e-300];
    for axis in [Axis::new("y"), Axis::new("y").adaptive(), Axis::new("y").percent()] {
        for values in [&[][..], &[0.0], &[5.0, 5.0], &[1e300; 3], &endless] {
            let points = values
                .iter()
                .enumerate()
                .map(|(x, &y)| Point::new(x as f64, y).interval(y - 1.0, f64::INFINITY));
            let points: Vec<Point> = points.collect();
            let chart = Chart::new("t", Axis::new("x").integers(), axis.clone())
                .series(Series::line_and_dots("line", Tone::Blue, points.clone()))
                .series(Series::band("band", Tone::Gray, points.clone()))
                .series(Series::reference("", Tone::Red, points));
            let svg = drawn(&chart);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{axis:?} {values:?}");
            assert!(svg.len() < 10_000, "{axis:?} {values:?}");
        }
    }
}

#[test]
fn points_are_at_their_place() {
    let axis = || Axis::new("").percent();
    let dots = [Point::new(0.0, 0.0), Point::new(1.0, 1.0), Point::new(0.5, 1.5)];
    let chart = Chart::new("", axis(), axis()).series(Series::dots("", Tone::Blue, dots));
    let svg = drawn(&chart);
    let area =
        (480.0 - 30.0 - 26.0 - crate::picture::text_width("100 %", 13.0), 320.0 - 34.0 - 48.0);
    assert!(svg.contains(&format!("cx=\"0\" cy=\"{}\"", area.1)), "{svg}");
    assert!(svg.contains(&format!("cx=\"{:.1}\" cy=\"0\"", area.0)), "{svg}");
    // What is outside of the range is not drawn.
    assert_eq!(svg.matches("<circle").count(), 2);
}

#[test]
fn text_cannot_become_markup() {
    let line = Series::line("<b>", Tone::Blue, [Point::new(0.0, 1.0).tooltip("a & b")]);
    let svg = drawn(&Chart::new("\"t\"", Axis::new("<x>"), Axis::new("y")).series(line));
    for text in ["&lt;b&gt;", "a &amp; b", "&quot;t&quot;", "&lt;x&gt;"] {
        assert!(svg.contains(text), "{svg}");
    }
}

#[test]
fn charts_say_where_their_values_are() {
    let axis = || Axis::new("").percent();
    let svg = drawn(&Chart::new("", axis(), axis()));
    let left = 30.0 + crate::picture::text_width("100 %", 13.0);
    let plot = format!("data-plot=\"{left:.1} 34 {:.1} 238\" data-x=\"0 1\"", 480.0 - 26.0 - left);
    assert!(svg.contains(&plot), "{svg}");
    let wide = Series::line("", Tone::Blue, [1.0, 1000.0].map(|x| Point::new(x, x)));
    let svg = drawn(&Chart::new("", Axis::new("").adaptive(), Axis::new("")).series(wide));
    assert!(svg.contains("data-plot=") && !svg.contains("data-x="), "{svg}");
}
