//! Tests of the regressions.

use super::*;

const LOGISTIC: [f64; 3] = [0.5, -1.0, 0.25];
const CHOICE: [f64; 2] = [1.0, -0.5];

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed ^ (mixed >> 31)) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }
    fn normal(&mut self) -> f32 {
        let angle = std::f64::consts::TAU * self.uniform();
        ((-2.0 * self.uniform().ln()).sqrt() * angle.cos()) as f32
    }
    fn outcomes(&mut self, count: usize) -> (Rows, Vec<bool>) {
        let (mut rows, mut outcomes) = (Rows::new(3), Vec::new());
        for index in 0..count {
            rows.push(&[1.0, self.normal(), 1.0 + 2.0 * self.normal()]);
            let score = score(rows.row(index), &LOGISTIC);
            outcomes.push(self.uniform() < 1.0 / (1.0 + (-score).exp()));
        }
        (rows, outcomes)
    }
    fn choices(&mut self, count: usize) -> (Rows, Vec<ChoiceGroup>) {
        let (mut rows, mut groups) = (Rows::new(2), Vec::new());
        for _ in 0..count {
            let (start, mut best) = (rows.len(), (f64::NEG_INFINITY, 0));
            for chosen in 0..2 + (self.uniform() * 4.0) as usize {
                rows.push(&[self.normal(), 5.0 + 2.0 * self.normal()]);
                let score = score(rows.row(start + chosen), &CHOICE);
                let gumbel = score - (-self.uniform().ln()).ln();
                best = if gumbel > best.0 { (gumbel, chosen) } else { best };
            }
            groups.push(ChoiceGroup { rows: start..rows.len(), chosen: best.1 });
        }
        (rows, groups)
    }
    /// The coefficients and errors of both regressions, on columns times a factor.
    fn fits(&mut self, count: usize, ridge: f64, factor: f32) -> Vec<(f64, f64)> {
        let ((mut rows, outcomes), (mut others, groups)) =
            (self.outcomes(count), self.choices(count));
        rows.values.chunks_mut(3).for_each(|row| row[1] *= factor);
        others.values.chunks_mut(2).for_each(|row| row[1] *= factor);
        let fit = logistic(&rows, &outcomes, &vec![1.0; count], ridge).unwrap();
        let choice = conditional(&others, &groups, ridge).unwrap();
        let values = fit.values.into_iter().chain(choice.values);
        values.zip(fit.errors.into_iter().chain(choice.errors)).collect()
    }
}

fn score(row: &[f32], coefficients: &[f64]) -> f64 {
    row.iter().zip(coefficients).map(|(&x, coefficient)| f64::from(x) * coefficient).sum()
}
fn table(rows: &[&[f32]]) -> Rows {
    Rows { columns: rows[0].len(), values: rows.concat() }
}

#[test]
fn known_coefficients_are_recovered() {
    let truth = LOGISTIC.iter().chain(&CHOICE);
    for ((value, error), truth) in Random(1).fits(20_000, 0.0, 1.0).into_iter().zip(truth) {
        assert!((value - truth).abs() < 4.0 * error && error < 0.05, "{value} {error} {truth}");
    }
}

#[test]
fn standard_errors_match_the_spread() {
    let mut random = Random(2);
    let fits: Vec<_> = (0..300).map(|_| random.fits(400, 0.0, 1.0)).collect();
    for column in 0..LOGISTIC.len() + CHOICE.len() {
        let mean = |of: &dyn Fn((f64, f64)) -> f64| {
            fits.iter().map(|fit| of(fit[column])).sum::<f64>() / fits.len() as f64
        };
        let centre = mean(&|(value, _)| value);
        let spread = mean(&|(value, _)| (value - centre).powi(2)).sqrt();
        let ratio = mean(&|(_, error)| error) / spread;
        assert!((0.85..1.18).contains(&ratio), "column {column}: {ratio}");
    }
}

#[test]
fn the_scale_of_a_column_does_not_matter() {
    let (plain, scaled) = (Random(3).fits(500, 2.0, 1.0), Random(3).fits(500, 2.0, 1000.0));
    for (factor, (a, b)) in [1.0, 1e3, 1.0, 1.0, 1e3].iter().zip(plain.iter().zip(&scaled)) {
        assert!((b.0 * factor / a.0 - 1.0).abs() < 1e-6, "{a:?} {b:?}");
        assert!((b.1 * factor / a.1 - 1.0).abs() < 1e-6, "{a:?} {b:?}");
    }
}

/// Checks that the gradient of the mean loss is zero with a ridge of 50 for 500 choices.
fn assert_stationary(fit: &Fit, variances: &[f64], loss: impl Fn(&[f64]) -> f64) {
    let values = &fit.as_ref().unwrap().values;
    for (column, variance) in variances.iter().enumerate() {
        let at = |change: f64| {
            let mut moved = values.clone();
            moved[column] += change;
            loss(&moved) + 0.5 * (50.0 / 500.0) * variance * moved[column].powi(2)
        };
        let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
        assert!(slope.abs() < 1e-7 && values[column].abs() > 0.05, "column {column}: {slope}");
    }
}

#[test]
fn the_penalised_gradient_is_zero() {
    let variance = |rows: &Rows, range: Range<usize>, column: usize| {
        let values = || range.clone().map(|index| f64::from(rows.row(index)[column]));
        let mean = values().sum::<f64>() / range.len() as f64;
        values().map(|x| (x - mean).powi(2)).sum::<f64>() / range.len() as f64
    };
    let ((rows, outcomes), weights) = (Random(4).outcomes(500), [1.0; 500]);
    let variances = [0, 1, 2].map(|column| variance(&rows, 0..500, column));
    let fit = logistic(&rows, &outcomes, &weights, 50.0);
    assert_stationary(&fit, &variances, |x| logistic_loss(&rows, &outcomes, &weights, x));
    let (rows, groups) = Random(5).choices(500);
    let within = |column, group: &ChoiceGroup| variance(&rows, group.rows.clone(), column);
    let variances = [0, 1].map(|i| groups.iter().map(|g| within(i, g)).sum::<f64>() / 500.0);
    let fit = conditional(&rows, &groups, 50.0);
    assert_stationary(&fit, &variances, |x| conditional_loss(&rows, &groups, x));
}

#[test]
fn a_weight_counts_the_row_as_often() {
    let (mut rows, mut outcomes) = Random(6).outcomes(300);
    let weights: Vec<f32> = (0..300).map(|index| if index < 200 { 2.0 } else { 0.0 }).collect();
    let weighted = logistic(&rows, &outcomes, &weights, 1.0).unwrap();
    rows.values.truncate(200 * 3);
    rows.values.extend_from_within(..);
    outcomes.truncate(200);
    outcomes.extend_from_within(..);
    let plain = logistic(&rows, &outcomes, &[1.0; 400], 1.0).unwrap();
    for (a, b) in weighted.values.iter().zip(&plain.values) {
        assert!((a - b).abs() < 1e-9, "{weighted:?} {plain:?}");
    }
}

#[test]
fn columns_without_information_are_zero() {
    let (rows, outcomes) = Random(7).outcomes(400);
    let mut wider = Rows::new(6);
    (0..400).for_each(|i| wider.push(&[&[0.0], rows.row(i), &[3.0, rows.row(i)[1]]].concat()));
    let plain = logistic(&rows, &outcomes, &[1.0; 400], 0.0).unwrap();
    let fit = logistic(&wider, &outcomes, &[1.0; 400], 0.0).unwrap();
    for column in [0, 4, 5] {
        assert!(fit.values[column] == 0.0 && fit.errors[column].is_infinite(), "{fit:?}");
    }
    assert!((fit.values[2] - plain.values[1]).abs() < 1e-9, "{fit:?} {plain:?}");
    let rows = table(&[&[1.0, 7.0], &[0.0, 7.0], &[0.0, 8.0], &[1.0, 8.0], &[1.0, 8.0]]);
    let groups = [(0..2, 0), (2..5, 0)].map(|(rows, chosen)| ChoiceGroup { rows, chosen });
    let fit = conditional(&rows, &groups, 0.0).unwrap();
    assert!(fit.errors[0].is_finite() && fit.values[1] == 0.0 && fit.errors[1].is_infinite());
}

#[test]
fn a_ridge_keeps_a_perfect_separation_finite() {
    let rows = table(&[&[1.0, -2.0], &[1.0, -1.0], &[1.0, 1.5], &[1.0, 1e6]]);
    let fit = |ridge| logistic(&rows, &[false, false, true, true], &[1.0; 4], ridge);
    assert!(fit(0.1).unwrap().values.iter().all(|x| x.is_finite()));
    assert_eq!(fit(0.0).unwrap_err(), NoConvergence);
    let groups = [(0..2, 1), (2..4, 1)].map(|(rows, chosen)| ChoiceGroup { rows, chosen });
    assert!(conditional(&rows, &groups, 0.1).unwrap().values[1] > 0.0);
    assert_eq!(conditional(&rows, &groups, 0.0).unwrap_err(), NoConvergence);
    assert!((conditional_loss(&rows, &groups, &[0.0, -1e3]) / 5e8 - 1.0).abs() < 1e-5);
    assert!(logistic_loss(&rows, &[false; 4], &[1.0; 4], &[0.0, 1e6]).is_finite());
}

#[test]
fn invalid_input_is_an_error() {
    let (rows, bad) = (table(&[&[1.0], &[2.0]]), table(&[&[1.0], &[f32::NAN]]));
    let fit = |x: &Rows, y: &[bool], w, ridge| logistic(x, y, &[w; 2], ridge).unwrap_err();
    assert_eq!(fit(&Rows::new(1), &[], 1.0, 0.0), NoRows);
    assert_eq!(fit(&rows, &[true], 1.0, 0.0), NoRows);
    assert_eq!(fit(&rows, &[true, false], 0.0, 0.0), NoRows);
    assert_eq!(fit(&rows, &[true, true], 1.0, 0.0), OneOutcome);
    assert_eq!(fit(&rows, &[true, false], -1.0, 0.0), NotFinite);
    assert_eq!(fit(&rows, &[true, false], 1.0, -1.0), NotFinite);
    assert_eq!(fit(&bad, &[true, false], 1.0, 0.0), NotFinite);
    for (range, chosen) in [(0..2, 2), (1..3, 0), (1..1, 0)] {
        let groups = [ChoiceGroup { rows: range, chosen }];
        assert_eq!(conditional(&rows, &groups, 0.0).unwrap_err(), NoRows);
    }
    assert_eq!(conditional(&rows, &[], 0.0).unwrap_err(), NoRows);
}
