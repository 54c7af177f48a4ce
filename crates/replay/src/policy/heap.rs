//! A queue in order of a key, from which any task can be taken.

use super::TaskId;
use crate::table::Table;

/// Tasks by key, the least first; among equal keys, the one that came first.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// A binary heap.
    items: Vec<Item>,
    /// Where in the heap a task is, plus 1.
    places: Table<u32>,
    comings: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    key: i64,
    came: u64,
    task: TaskId,
}

impl Heap {
    /// How many tasks there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Adds a task.
    pub fn push(&mut self, task: TaskId, key: i64) {
        while self.places.len() <= task as usize {
            self.places.push(0);
        }
        self.comings += 1;
        let item = Item {
            key,
            came: self.comings,
            task,
        };
        self.items.push(item);
        self.up(self.items.len() - 1, item);
    }

    /// The first task, and its key.
    #[inline]
    pub fn first(&self) -> Option<(TaskId, i64)> {
        self.items.first().map(|item| (item.task, item.key))
    }

    /// The second task, and its key.
    pub fn second(&self) -> Option<(TaskId, i64)> {
        let rest = self.items.get(1..3.min(self.items.len()))?;
        rest.iter().min().map(|item| (item.task, item.key))
    }

    /// The first task that fits.
    pub fn first_that(&self, fits: impl Fn(TaskId) -> bool) -> Option<TaskId> {
        let first = self.items.first()?;
        if fits(first.task) {
            return Some(first.task);
        }
        let fitting = self.items.iter().filter(|item| fits(item.task));
        fitting.min().map(|item| item.task)
    }

    /// All tasks, in no order.
    pub fn tasks(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.items.iter().map(|item| item.task)
    }

    /// Whether a task is there.
    pub fn has(&self, task: TaskId) -> bool {
        self.places[task] != 0
    }

    /// The key of a task.
    pub fn key(&self, task: TaskId) -> Option<i64> {
        let at = (self.places[task] as usize).checked_sub(1)?;
        self.items.get(at).map(|item| item.key)
    }

    /// Takes a task out; whether it was there.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(at) = (self.places[task] as usize).checked_sub(1) else {
            return false;
        };
        self.places[task] = 0;
        let Some(last) = self.items.pop() else { return false };
        if let Some(&taken) = self.items.get(at) {
            if last < taken {
                self.up(at, last);
            } else {
                self.down(at, last);
            }
        }
        true
    }

    fn put(&mut self, at: usize, item: Item) {
        if let Some(place) = self.items.get_mut(at) {
            *place = item;
        }
        self.places[item.task] = at as u32 + 1;
    }

    fn up(&mut self, mut at: usize, item: Item) {
        while 0 < at {
            let parent = (at - 1) / 2;
            match self.items.get(parent) {
                Some(&above) if item < above => self.put(at, above),
                _ => break,
            }
            at = parent;
        }
        self.put(at, item);
    }

    fn down(&mut self, mut at: usize, item: Item) {
        loop {
            let left = 2 * at + 1;
            let Some(&first) = self.items.get(left) else { break };
            let (below, least) = match self.items.get(left + 1) {
                Some(&second) if second < first => (left + 1, second),
                _ => (left, first),
            };
            if item < least {
                break;
            }
            self.put(at, least);
            at = below;
        }
        self.put(at, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a list that is sorted again each time.
        #[test]
        fn the_least_is_first(steps in prop::collection::vec((0_u32..12, -4_i64..4), 0..200)) {
            let mut heap = Heap::default();
            let mut list: Vec<(i64, usize, u32)> = Vec::new();
            for (number, (task, key)) in steps.into_iter().enumerate() {
                let there = list.iter().any(|item| item.2 == task);
                prop_assert_eq!(heap.remove(task), there);
                if there {
                    list.retain(|item| item.2 != task);
                } else {
                    heap.push(task, key);
                    list.push((key, number, task));
                    list.sort_unstable();
                }
                let nth = |at: usize| list.get(at).map(|item| (item.2, item.0));
                prop_assert_eq!(heap.first(), nth(0));
                prop_assert_eq!(heap.second(), nth(1));
                prop_assert_eq!(heap.len(), list.len());
                let odd = list.iter().find(|item| item.2 % 2 == 1).map(|item| item.2);
                prop_assert_eq!(heap.first_that(|task| task % 2 == 1), odd);
            }
        }
    }
}
