//! The first few of many, in any order of coming.

use std::collections::BinaryHeap;

/// Keeps the `most` smallest items of those it is shown; ties are for the items' own order to break.
#[derive(Debug)]
pub(crate) struct Top<T> {
    most: usize,
    /// The largest kept one on top.
    kept: BinaryHeap<T>,
}

impl<T: Ord> Top<T> {
    pub(crate) fn new(most: usize) -> Top<T> {
        Top {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Whether `item` would be kept now.
    pub(crate) fn takes(&self, item: &T) -> bool {
        self.kept.len() < self.most || self.kept.peek().is_some_and(|largest| item < largest)
    }

    pub(crate) fn push(&mut self, item: T) {
        if !self.takes(&item) {
            return;
        }
        if self.kept.len() == self.most {
            self.kept.pop();
        }
        self.kept.push(item);
    }

    /// What was kept, the smallest first.
    pub(crate) fn into_sorted(self) -> Vec<T> {
        self.kept.into_sorted_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::Top;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_smallest_are_kept(items in prop::collection::vec(0_u8..40, 0..60), most in 0_usize..70) {
            let mut top = Top::new(most);
            for &item in &items {
                top.push(item);
            }
            let mut sorted = items;
            sorted.sort_unstable();
            sorted.truncate(most);
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
