//! Vectors by number that answer for every number: what is not there reads as the default.

use std::ops::{Index, IndexMut};

/// Items by number. An item beyond the end reads as the default one; what is written there is lost.
#[derive(Clone, Debug, Default)]
pub struct Table<T> {
    items: Vec<T>,
    /// Read where there is no item.
    none: T,
    /// Written where there is no item.
    lost: T,
}

impl<T: Clone + Default> Table<T> {
    /// `len` default items.
    pub fn new(len: usize) -> Table<T> {
        Table::from(vec![T::default(); len])
    }
}

impl<T: Default> Table<T> {
    /// All items.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All items, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: Default> From<Vec<T>> for Table<T> {
    fn from(items: Vec<T>) -> Table<T> {
        Table {
            items,
            none: T::default(),
            lost: T::default(),
        }
    }
}

impl<T> Index<u32> for Table<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        self.items.get(at as usize).unwrap_or(&self.none)
    }
}

impl<T: Default> IndexMut<u32> for Table<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        match self.items.get_mut(at as usize) {
            Some(item) => item,
            None => {
                self.lost = T::default();
                &mut self.lost
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_the_default() {
        let mut table: Table<u32> = Table::new(2);
        table[1] = 7;
        table[2] = 9;
        assert_eq!((table[0], table[1], table[2]), (0, 7, 0));
        assert_eq!(table.len(), 2);
    }
}
