//! The first k of many items that come in any order.

use std::collections::BinaryHeap;

/// Keeps the `most` smallest of the items that are pushed; the items' order breaks ties.
#[derive(Debug)]
pub(crate) struct Top<T> {
    most: usize,
    /// A heap with the largest kept item on top.
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

    /// The item that the next one that is kept puts out, once all are kept that may be.
    pub(crate) fn last(&self) -> Option<&T> {
        self.kept.peek().filter(|_| self.most <= self.kept.len())
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

    /// The kept items, ascending.
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
            let last = sorted.last().filter(|_| sorted.len() == most);
            prop_assert_eq!(top.last(), last);
            prop_assert_eq!(top.into_sorted(), sorted);
        }
    }
}
