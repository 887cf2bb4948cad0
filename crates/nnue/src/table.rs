//! Weight table: rows with random access, in huge pages if available.

use alloc::vec::Vec;
use core::ops::Deref;

/// A large array, in huge pages if the system provides them. Successive rows of a large first layer
/// are rarely close to each other, and a TLB miss would cost about as much as reading the row.
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

/// The copy also requests huge pages.
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
