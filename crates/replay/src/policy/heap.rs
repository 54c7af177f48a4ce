//! Queues in order of a key, from which any task can be taken.

use super::TaskId;
use crate::table::Table;

/// Several queues of tasks by key, the least first; among equal keys, the one that came first. A task is in one of them at
/// most, so that all know its place from one table: adding a task that is in a queue moves it.
#[derive(Clone, Debug, Default)]
pub struct Heaps {
    /// Binary heaps.
    heaps: Vec<Vec<Item>>,
    /// By task.
    places: Table<Place>,
    comings: u32,
}

/// Where a task is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    heap: u32,
    /// Its index in the heap, plus 1; 0 if it is in none.
    at: u32,
}

/// A task in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// By what it is ordered.
    pub key: i64,
    /// Who came first has the least.
    pub came: u32,
    /// The task.
    pub task: TaskId,
}

impl Item {
    /// Whether it goes first. Which of two does is as good as random, and a branch on it would be guessed wrong half the
    /// time: hence none.
    #[inline]
    fn before(&self, other: &Item) -> bool {
        (self.key < other.key) | ((self.key == other.key) & (self.came < other.came))
    }

    fn order(&self) -> (i64, u32) {
        (self.key, self.came)
    }
}

impl Heaps {
    /// So many queues.
    pub fn new(heaps: u32) -> Heaps {
        Heaps {
            heaps: vec![Vec::new(); heaps as usize],
            ..Heaps::default()
        }
    }

    #[inline]
    fn items(&self, heap: u32) -> &[Item] {
        self.heaps.get(heap as usize).map_or(&[], Vec::as_slice)
    }

    /// How many tasks a queue has.
    #[inline]
    pub fn len(&self, heap: u32) -> usize {
        self.items(heap).len()
    }

    /// Adds a task as the latest that came.
    pub fn push(&mut self, heap: u32, task: TaskId, key: i64) {
        self.comings = self.comings.saturating_add(1);
        let came = self.comings;
        self.put(heap, Item { key, came, task });
    }

    /// Adds a task that has come already.
    pub fn put(&mut self, heap: u32, item: Item) {
        while self.places.len() <= item.task as usize {
            self.places.push(Place::default());
        }
        let Place { heap: old, at } = self.places[item.task];
        if at != 0 {
            self.remove(old, item.task);
        }
        if let Some(items) = self.heaps.get_mut(heap as usize) {
            items.push(item);
            let last = items.len() - 1;
            up(items, &mut self.places, heap, last, item);
        }
    }

    /// The first task.
    #[inline]
    pub fn first(&self, heap: u32) -> Option<Item> {
        self.items(heap).first().copied()
    }

    /// The second task.
    pub fn second(&self, heap: u32) -> Option<Item> {
        let items = self.items(heap);
        items
            .get(1..3.min(items.len()))?
            .iter()
            .min_by_key(|item| item.order())
            .copied()
    }

    /// The first task that fits.
    pub fn first_that(&self, heap: u32, fits: impl Fn(TaskId) -> bool) -> Option<Item> {
        let first = self.first(heap)?;
        if fits(first.task) {
            return Some(first);
        }
        let items = self.items(heap).iter();
        items
            .filter(|item| fits(item.task))
            .min_by_key(|item| item.order())
            .copied()
    }

    /// All tasks of a queue, in no order.
    pub fn tasks(&self, heap: u32) -> impl Iterator<Item = TaskId> + '_ {
        self.items(heap).iter().map(|item| item.task)
    }

    /// A task, if it is in this queue.
    #[inline]
    pub fn get(&self, heap: u32, task: TaskId) -> Option<Item> {
        let place = self.places[task];
        let at = (place.at as usize).checked_sub(1).filter(|_| place.heap == heap)?;
        self.items(heap).get(at).copied()
    }

    /// Takes a task out of a queue, if it is there.
    pub fn remove(&mut self, heap: u32, task: TaskId) -> Option<Item> {
        let item = self.get(heap, task)?;
        let at = (std::mem::take(&mut self.places[task]).at as usize).checked_sub(1)?;
        let items = self.heaps.get_mut(heap as usize)?;
        let last = items.pop()?;
        if at < items.len() {
            if last.before(&item) {
                up(items, &mut self.places, heap, at, last);
            } else {
                down(items, &mut self.places, heap, at, last);
            }
        }
        Some(item)
    }
}

#[inline]
fn set(items: &mut [Item], places: &mut Table<Place>, heap: u32, at: usize, item: Item) {
    if let Some(place) = items.get_mut(at) {
        *place = item;
    }
    let at = at as u32 + 1;
    places[item.task] = Place { heap, at };
}

fn up(items: &mut [Item], places: &mut Table<Place>, heap: u32, mut at: usize, item: Item) {
    while 0 < at {
        let parent = (at - 1) / 2;
        match items.get(parent) {
            Some(&above) if item.before(&above) => set(items, places, heap, at, above),
            _ => break,
        }
        at = parent;
    }
    set(items, places, heap, at, item);
}

fn down(items: &mut [Item], places: &mut Table<Place>, heap: u32, mut at: usize, item: Item) {
    loop {
        let left = 2 * at + 1;
        let Some(first) = items.get(left) else { break };
        let right = items.get(left + 1).is_some_and(|second| second.before(first));
        let below = left + usize::from(right);
        let Some(&least) = items.get(below) else { break };
        if item.before(&least) {
            break;
        }
        set(items, places, heap, at, least);
        at = below;
    }
    set(items, places, heap, at, item);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A task that is put twice has moved: into another queue, or to its new key.
    #[test]
    fn a_task_is_in_one_queue() {
        let mut heaps = Heaps::new(2);
        for (heap, key) in [(0, 5), (1, 3), (1, 7)] {
            heaps.push(0, 1, 4);
            heaps.push(heap, 0, key);
            heaps.push(heap, 0, key + 1);
            assert_eq!(heaps.len(0) + heaps.len(1), 2);
            assert_eq!(heaps.get(heap, 0).map(|item| item.key), Some(key + 1));
            assert_eq!(heaps.get(1 - heap, 0), None);
        }
        assert!(heaps.remove(1, 0).is_some() && heaps.remove(1, 0).is_none());
        assert_eq!((heaps.len(0), heaps.len(1)), (1, 0));
    }

    proptest! {
        /// Against a list that is sorted again each time; a second queue is in between.
        #[test]
        fn the_least_is_first(steps in prop::collection::vec((0_u32..12, -4_i64..4), 0..200)) {
            let mut heaps = Heaps::new(2);
            let mut list: Vec<(i64, usize, u32)> = Vec::new();
            for (number, (task, key)) in steps.into_iter().enumerate() {
                heaps.push(1, 100 + number as u32, key);
                let there = list.iter().any(|item| item.2 == task);
                prop_assert_eq!(heaps.get(0, task).is_some(), there);
                prop_assert!(heaps.get(1, task).is_none());
                prop_assert_eq!(heaps.remove(0, task).is_some(), there);
                if there {
                    list.retain(|item| item.2 != task);
                } else {
                    heaps.push(0, task, key);
                    list.push((key, number, task));
                    list.sort_unstable();
                }
                let nth = |at: usize| list.get(at).map(|item| (item.2, item.0));
                let of = |item: Option<Item>| item.map(|item| (item.task, item.key));
                prop_assert_eq!(of(heaps.first(0)), nth(0));
                prop_assert_eq!(of(heaps.second(0)), nth(1));
                prop_assert_eq!(heaps.len(0), list.len());
                let odd = list.iter().find(|item| item.2 % 2 == 1).map(|item| item.2);
                prop_assert_eq!(heaps.first_that(0, |task| task % 2 == 1).map(|item| item.task), odd);
            }
        }
    }
}
