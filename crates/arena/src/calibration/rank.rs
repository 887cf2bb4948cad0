//! Rank correlation: Spearman's coefficient.

/// Spearman's rank correlation of two lists of numbers. NaN if either is constant. Equal numbers
/// share their rank.
pub fn spearman(first: &[f64], second: &[f64]) -> f64 {
    let (first, second) = (ranks(first), ranks(second));
    let mean = |ranks: &[f64]| ranks.iter().sum::<f64>() / ranks.len() as f64;
    let (a, b) = (mean(&first), mean(&second));
    let product = first.iter().zip(&second).map(|(x, y)| (x - a) * (y - b)).sum::<f64>();
    let square = |ranks: &[f64], mean: f64| ranks.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    product / (square(&first, a) * square(&second, b)).sqrt()
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    for equal in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        for &place in equal {
            ranks[place] = begin as f64 + (equal.len() as f64 - 1.0) / 2.0;
        }
        begin += equal.len();
    }
    ranks
}
