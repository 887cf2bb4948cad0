//! Weight table: rows that are read at random, in large pages where there are any.

use alloc::vec::Vec;
use core::ops::Deref;

/// Many values, in large pages where the system gives them: a row of a large first layer is seldom
/// near the one before it, and to look up its address would take about as long as to read it.
#[derive(Debug)]
pub(crate) struct Table<T>(Vec<T>);

impl<T> Table<T> {
    /// A table of `length` values.
    pub(crate) fn new(length: usize, values: impl Iterator<Item = T>) -> Self {
        let mut table = Vec::with_capacity(length);
        crate::prefer_large_pages(table.spare_capacity_mut());
        table.extend(values);
        Self(table)
    }
}

/// The copy asks for large pages too.
impl<T: Clone> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self::new(self.0.len(), self.0.iter().cloned())
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}
