//! Linear systems: Cholesky decomposition of small dense symmetric matrices.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    /// Adds the Laplacian of an edge of this weight between two nodes: to both diagonal entries,
    /// minus it off the diagonal. A node that is `None` is fixed and has no row.
    pub(crate) fn connect(&mut self, a: Option<usize>, b: Option<usize>, strength: f64) {
        for place in [a, b].into_iter().flatten() {
            self.add(place, place, strength);
        }
        if let (Some(a), Some(b)) = (a, b) {
            self.add(a, b, -strength);
            self.add(b, a, -strength);
        }
    }

    /// The Cholesky factor, below the diagonal. The matrix must be positive definite; where
    /// rounding makes a pivot too small, the smallest significant pivot replaces it.
    pub(crate) fn factor(mut self) -> Factor {
        let largest = (0..self.size).map(|i| self.at(i, i)).fold(f64::MIN_POSITIVE, f64::max);
        for column in 0..self.size {
            for row in column..self.size {
                let known: f64 = (0..column).map(|k| self.at(row, k) * self.at(column, k)).sum();
                let rest = self.at(row, column) - known;
                self.values[row * self.size + column] = if row == column {
                    rest.max(largest * f64::EPSILON).sqrt()
                } else {
                    rest / self.at(column, column)
                };
            }
        }
        Factor(self)
    }
}

/// A factored matrix, ready to solve.
#[derive(Debug)]
pub(crate) struct Factor(Matrix);

impl Factor {
    /// Solves the system with the right-hand side `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(lower) = self;
        let mut solution = right.to_vec();
        for row in 0..lower.size {
            let known: f64 = (0..row).map(|k| lower.at(row, k) * solution[k]).sum();
            solution[row] = (solution[row] - known) / lower.at(row, row);
        }
        for row in (0..lower.size).rev() {
            let known: f64 = (row + 1..lower.size).map(|k| lower.at(k, row) * solution[k]).sum();
            solution[row] = (solution[row] - known) / lower.at(row, row);
        }
        solution
    }

    /// A row of the inverse.
    pub(crate) fn inverse_row(&self, row: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.0.size];
        unit[row] = 1.0;
        self.solve(&unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let mut matrix = Matrix::zero(3);
        matrix.connect(Some(0), Some(1), 2.0);
        matrix.connect(Some(1), Some(2), 0.5);
        matrix.connect(Some(0), None, 3.0);
        let right = [1.0, -2.0, 4.0];
        let solution = matrix.clone().factor().solve(&right);
        for (row, &right) in right.iter().enumerate() {
            let found: f64 = (0..3).map(|column| matrix.at(row, column) * solution[column]).sum();
            assert!((found - right).abs() < 1e-12, "row {row}: {found}, not {right}");
        }
    }
}
