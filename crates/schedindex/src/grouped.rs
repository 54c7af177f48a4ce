//! Items grouped by a dense key: all in one array, with the offset of each group.

use super::sort::release;
use schedmodel::stored::{stored, Reader, Stored, Writer};
use schedrows::sort_by_keys;
use std::io;
use std::ops::Range;

/// Items per step of [`Grouping`].
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 16 };

/// Where each group lies in an array that is in order of groups.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    /// Offset of each group's first item, and the end of the last group. Until [`Offsets::accumulate`]: 0, and the size of
    /// each group.
    offsets: Vec<u32>,
}

impl Offsets {
    /// For items that are yet to be counted.
    pub fn new(groups: usize) -> Offsets {
        Offsets {
            offsets: vec![0; groups + 1],
        }
    }

    /// Of items with these keys, which are less than `groups`.
    pub fn of(keys: impl Iterator<Item = u32>, groups: usize) -> Offsets {
        let mut offsets = Offsets::new(groups);
        keys.for_each(|key| offsets.count(key));
        offsets.accumulate();
        offsets
    }

    /// Counts an item.
    pub fn count(&mut self, key: u32) {
        // A key that is too large is the caller's mistake: it has no group.
        if let Some(size) = self.offsets.get_mut(key as usize + 1) {
            *size += 1;
        }
    }

    /// Counts an item of a group that may be larger than all so far.
    pub fn count_new(&mut self, key: u32) {
        self.offsets.resize(self.offsets.len().max(key as usize + 2), 0);
        self.count(key);
    }

    /// Turns counts into offsets, after the last item.
    pub fn accumulate(&mut self) {
        let mut end = 0;
        for offset in &mut self.offsets {
            end += *offset;
            *offset = end;
        }
    }

    /// Where each group's items begin, and the last one's end.
    pub fn starts(&self) -> Vec<u32> {
        self.offsets.clone()
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The slots of a group's items; none of a group that does not exist.
    pub fn slots(&self, group: usize) -> Range<usize> {
        let offset = |group: usize| self.offsets.get(group).or(self.offsets.last());
        let offset = |group: usize| offset(group).map_or(0, |&offset| offset as usize);
        offset(group)..offset(group.saturating_add(1))
    }

    /// The group that has a slot.
    pub fn group_of(&self, slot: usize) -> usize {
        let begun = self.offsets.partition_point(|&offset| offset as usize <= slot);
        begun.saturating_sub(1)
    }

    /// Places the counted items, each with its key, in order within a group.
    pub fn place<T: Copy>(&self, items: impl Iterator<Item = (u32, T)>) -> Vec<T> {
        let mut items = items.peekable();
        let Some(&(_, first)) = items.peek() else {
            return Vec::new();
        };
        let mut cursor = self.starts();
        let mut placed = vec![first; self.items()];
        for (key, item) in items {
            // The counted items, as promised, have a group and a slot each.
            if let Some(slot) = cursor.get_mut(key as usize) {
                if let Some(place) = placed.get_mut(*slot as usize) {
                    *place = item;
                }
                *slot += 1;
            }
        }
        placed
    }

    /// The items of a group, of all items in order of groups.
    pub fn part<'a, T>(&self, group: usize, items: &'a [T]) -> &'a [T] {
        items.get(self.slots(group)).unwrap_or_default()
    }

    /// The items of a group, likewise.
    pub fn part_mut<'a, T>(&self, group: usize, items: &'a mut [T]) -> &'a mut [T] {
        items.get_mut(self.slots(group)).unwrap_or_default()
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.capacity() * 4
    }
}

stored!(Offsets {
    offsets: Vec<u32>,
});

/// Items in order of their groups.
#[derive(Clone, Debug)]
pub struct Grouped<T> {
    items: Vec<T>,
    offsets: Offsets,
}

impl<T: Stored> Stored for Grouped<T> {
    const LEAST: usize = Vec::<T>::LEAST + Offsets::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.items.put(out)?;
        self.offsets.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Ok(Grouped {
            items: Stored::get(reader)?,
            offsets: Stored::get(reader)?,
        })
    }
}

impl<T> Default for Grouped<T> {
    fn default() -> Self {
        Grouped {
            items: Vec::new(),
            offsets: Offsets::new(0),
        }
    }
}

impl<T: Copy> Grouped<T> {
    /// Groups items by their key, which is less than `groups`; they stay in order within a group.
    pub fn new(items: impl Iterator<Item = (u32, T)> + Clone, groups: usize) -> Grouped<T> {
        let offsets = Offsets::of(items.clone().map(|(key, _)| key), groups);
        Grouped {
            items: offsets.place(items),
            offsets,
        }
    }
}

/// Groups items that are in order of their keys, in steps.
#[derive(Debug)]
pub struct Grouping<T> {
    sorted: Vec<(u32, T)>,
    groups: usize,
    items: Vec<T>,
    /// Of the groups so far.
    offsets: Vec<u32>,
}

impl<T: Copy> Grouping<T> {
    /// Of items whose keys are less than `groups`.
    pub fn new(sorted: Vec<(u32, T)>, groups: usize) -> Grouping<T> {
        Grouping {
            items: Vec::with_capacity(sorted.len()),
            offsets: Vec::with_capacity(groups + 1),
            sorted,
            groups,
        }
    }

    /// Takes some items; the groups, once all are taken.
    pub fn step(&mut self) -> Option<Grouped<T>> {
        let (items, offsets) = (&mut self.items, &mut self.offsets);
        // Begins all groups up to this one, if they have not begun.
        let begin = |offsets: &mut Vec<u32>, group: usize, at: usize| {
            if offsets.len() <= group {
                offsets.resize(group + 1, at as u32);
            }
        };
        for &(key, item) in self.sorted.iter().skip(items.len()).take(STEP) {
            begin(offsets, key as usize, items.len());
            items.push(item);
        }
        if items.len() < self.sorted.len() || release(&mut self.sorted) {
            return None;
        }
        begin(offsets, self.groups, items.len());
        let offsets = std::mem::take(&mut self.offsets);
        Some(Grouped {
            items: std::mem::take(&mut self.items),
            offsets: Offsets { offsets },
        })
    }
}

impl<T> Grouped<T> {
    /// Of items that are in order of groups.
    pub fn of_parts(items: Vec<T>, offsets: Offsets) -> Grouped<T> {
        Grouped { items, offsets }
    }

    /// Sorts each group by a key; equal items stay in order.
    pub fn sort_each(&mut self, key: impl Fn(&T) -> u64) {
        for group in 0..self.offsets.groups() {
            sort_by_keys(self.of_mut(group), |item| [key(item), 0]);
        }
    }

    /// The slots of a group among [`Grouped::all`].
    pub fn slots(&self, group: usize) -> Range<usize> {
        self.offsets.slots(group)
    }

    /// The items of a group.
    pub fn of(&self, group: usize) -> &[T] {
        self.offsets.part(group, &self.items)
    }

    /// The items of a group; empty if there is no such group.
    pub fn of_mut(&mut self, group: usize) -> &mut [T] {
        self.offsets.part_mut(group, &mut self.items)
    }

    /// The items of all groups.
    pub fn all(&self) -> &[T] {
        &self.items
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>() + self.offsets.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_are_what_a_filter_finds(keys in prop::collection::vec(0_u32..9, 0..60)) {
            let items = keys.iter().copied().zip(0_usize..);
            let mut grouped = Grouped::new(items.clone(), 9);
            let mut sorted: Vec<(u32, usize)> = items.clone().collect();
            sorted.sort_by_key(|&(key, _)| key);
            let mut grouping = Grouping::new(sorted, 9);
            let in_steps = (0..).find_map(|_: u32| grouping.step()).unwrap_or_default();
            prop_assert_eq!(in_steps.all(), grouped.all());
            prop_assert!((0..=9).all(|group| in_steps.of(group) == grouped.of(group)));
            let mut all = Vec::new();
            for group in 0..9 {
                let expected: Vec<usize> = items.clone().filter(|&(key, _)| key == group).map(|(_, item)| item).collect();
                prop_assert_eq!(grouped.of(group as usize), &expected[..]);
                prop_assert_eq!(grouped.slots(group as usize).start, all.len());
                all.extend(expected);
            }
            prop_assert_eq!(grouped.all(), &all[..]);
            prop_assert!(grouped.of(9).is_empty() && grouped.of(usize::MAX).is_empty());
            grouped.sort_each(|&item| !(item as u64 / 2));
            for group in 0..9 {
                let mut expected: Vec<usize> = items.clone().filter(|&(key, _)| key == group).map(|(_, item)| item).collect();
                expected.sort_by_key(|&item| std::cmp::Reverse(item / 2));
                prop_assert_eq!(grouped.of(group as usize), &expected[..]);
            }
        }
    }
}
