//! Vectors that are indexed by an id, and have an answer for every id.

use super::task::{TaskCommId, TaskId};
use std::marker::PhantomData;

/// What a [`Table`] is indexed by: the number of a row.
pub(crate) trait Id: Copy {
    fn row(self) -> usize;
}

impl Id for TaskId {
    fn row(self) -> usize {
        self.0 as usize
    }
}

impl Id for TaskCommId {
    fn row(self) -> usize {
        self.0 as usize
    }
}

/// The number of a stream.
impl Id for usize {
    fn row(self) -> usize {
        self
    }
}

/// One row for each id, in the order of ids.
///
/// Ids are made when rows are added, so each has its row. All ids without a row, which only a mistake can bring about,
/// share a spare one: it says nothing about any task or CPU.
#[derive(Debug)]
pub(crate) struct Table<I, T> {
    rows: Vec<T>,
    spare: T,
    ids: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// A table without rows; `spare` is what ids without a row have.
    pub(crate) fn new(spare: T) -> Table<I, T> {
        Table {
            rows: Vec::new(),
            spare,
            ids: PhantomData,
        }
    }

    /// The number of rows, which is that of the next one.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row for the next id.
    pub(crate) fn push(&mut self, row: T) {
        self.rows.push(row);
    }

    /// The row of an id, if it has one.
    #[inline]
    pub(crate) fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.row())
    }

    /// The row of an id.
    #[inline]
    pub(crate) fn of(&self, id: I) -> &T {
        self.rows.get(id.row()).unwrap_or(&self.spare)
    }

    /// The row of an id, to change it.
    #[inline]
    pub(crate) fn of_mut(&mut self, id: I) -> &mut T {
        self.rows.get_mut(id.row()).unwrap_or(&mut self.spare)
    }

    /// All rows, in the order of ids.
    pub(crate) fn rows(&self) -> &[T] {
        &self.rows
    }

    /// The rows alone.
    pub(crate) fn into_rows(self) -> Vec<T> {
        self.rows
    }
}

impl<I, T> Extend<T> for Table<I, T> {
    fn extend<R: IntoIterator<Item = T>>(&mut self, rows: R) {
        self.rows.extend(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_without_a_row_share_the_spare_one() {
        let mut table = Table::<TaskId, u8>::new(7);
        table.push(1);
        assert_eq!([0, 1, u32::MAX].map(|id| *table.of(TaskId(id))), [1, 7, 7]);
        *table.of_mut(TaskId(9)) = 8;
        assert_eq!((table.get(TaskId(1)), *table.of(TaskId(1))), (None, 8));
        assert_eq!(table.into_rows(), [1]);
    }
}
