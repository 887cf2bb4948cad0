//! Matrix multiplication, by the crate `gemm`.

use crate::real::Real;

/// A borrowed matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix<'a, T> {
    data: &'a [T],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a, T> Matrix<'a, T> {
    /// A row-major matrix without gaps.
    pub(crate) fn new(data: &'a [T], rows: usize, columns: usize) -> Self {
        assert_eq!(data.len(), rows * columns, "a matrix of {rows} rows and {columns} columns");
        Self { data, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// The transpose.
    pub(crate) fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// `sum += left × right`, where `sum` is row-major.
pub(crate) fn add_product<T: Real>(sum: &mut [T], left: Matrix<'_, T>, right: Matrix<'_, T>) {
    product(sum, left, right, true);
}

/// `to = left × right`, where `to` is row-major.
pub(crate) fn set_product<T: Real>(to: &mut [T], left: Matrix<'_, T>, right: Matrix<'_, T>) {
    product(to, left, right, false);
}

fn product<T: Real>(to: &mut [T], left: Matrix<'_, T>, right: Matrix<'_, T>, add: bool) {
    let (m, k, n) = (left.rows, left.columns, right.columns);
    assert_eq!(k, right.rows, "columns of the left matrix and rows of the right one");
    assert_eq!(to.len(), m * n, "the product has {m} rows and {n} columns");
    #[expect(unsafe_code, reason = "gemm takes pointers; this is the one place that calls it")]
    // SAFETY: `to` holds m·n values and is borrowed mutably, so nothing else reads or writes it. A
    // `Matrix` is made of a slice of exactly rows·columns values, and transposing swaps sizes
    // together with strides, so every address that gemm forms from sizes and strides lies in its
    // slice. gemm supports f32 and f64, the only implementations of the crate's own trait `Real`.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            to.as_mut_ptr(),
            1,
            n as isize,
            add,
            left.data.as_ptr(),
            left.column_stride as isize,
            left.row_stride as isize,
            right.data.as_ptr(),
            right.column_stride as isize,
            right.row_stride as isize,
            T::ONE,
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(left: Matrix<'_, f64>, right: Matrix<'_, f64>) -> Vec<f64> {
        let at =
            |m: Matrix<'_, f64>, i: usize, j: usize| m.data[i * m.row_stride + j * m.column_stride];
        let mut product = Vec::new();
        for i in 0..left.rows {
            for j in 0..right.columns {
                product.push((0..left.columns).map(|k| at(left, i, k) * at(right, k, j)).sum());
            }
        }
        product
    }

    #[test]
    fn products_of_all_orders_are_right() {
        for (m, k, n) in [(1, 1, 1), (3, 5, 2), (17, 33, 9), (64, 40, 1), (1, 70, 31)] {
            let a: Vec<f64> = (0..m * k).map(|i| ((i * 7 + 3) % 11) as f64 - 5.0).collect();
            let b: Vec<f64> = (0..k * n).map(|i| ((i * 5 + 1) % 13) as f64 - 6.0).collect();
            let lefts = [Matrix::new(&a, m, k), Matrix::new(&a, k, m).transposed()];
            let rights = [Matrix::new(&b, k, n), Matrix::new(&b, n, k).transposed()];
            for left in lefts {
                for right in rights {
                    let expected = naive(left, right);
                    let mut to = vec![f64::NAN; m * n];
                    set_product(&mut to, left, right);
                    assert_eq!(to, expected);
                    add_product(&mut to, left, right);
                    assert_eq!(to, expected.iter().map(|x| 2.0 * x).collect::<Vec<_>>());
                }
            }
        }
    }
}
