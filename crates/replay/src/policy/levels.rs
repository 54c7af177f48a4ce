//! Queues of a few levels, from which any task can be taken: within a level, in order of arrival.

use super::TaskId;
use crate::table::Table;

/// Several queues of tasks. A task is in one of them at most. Everything takes the same time however many wait, but looking for
/// one that fits.
#[derive(Clone, Debug)]
pub struct LevelQueues {
    /// Of each queue, which of its levels have tasks: a bit each.
    used: Vec<u64>,
    /// The first and the last task of each level, of one queue after the other.
    ends: Vec<Ends>,
    links: Table<Link>,
}

/// How many levels a queue has.
pub const LEVELS: u32 = u64::BITS;

#[derive(Clone, Copy, Debug)]
struct Ends {
    first: u32,
    last: u32,
}

/// Beside nobody.
const NOBODY: u32 = u32::MAX;

/// A task between its neighbours.
#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    behind: u32,
    /// Its place in `ends`; `NOBODY` if it does not wait.
    list: u32,
}

impl Default for Link {
    fn default() -> Self {
        Link {
            before: NOBODY,
            behind: NOBODY,
            list: NOBODY,
        }
    }
}

impl LevelQueues {
    /// So many queues.
    pub fn new(queues: u32) -> LevelQueues {
        let nobody = Ends {
            first: NOBODY,
            last: NOBODY,
        };
        LevelQueues {
            used: vec![0; queues as usize],
            ends: vec![nobody; (queues * LEVELS) as usize],
            links: Table::default(),
        }
    }

    /// Adds a task behind the others of a level; the lowest level goes first.
    pub fn push(&mut self, queue: u32, level: u32, task: TaskId) {
        let list = queue * LEVELS + level;
        let Some(ends) = self.ends.get_mut(list as usize) else {
            return;
        };
        let before = std::mem::replace(&mut ends.last, task);
        if before == NOBODY {
            ends.first = task;
            self.set_used(list, true);
        } else {
            self.links[before].behind = task;
        }
        let behind = NOBODY;
        self.link(task, Link { before, behind, list });
    }

    /// Adds a task before the others of a level.
    pub fn push_front(&mut self, queue: u32, level: u32, task: TaskId) {
        let list = queue * LEVELS + level;
        let Some(ends) = self.ends.get_mut(list as usize) else {
            return;
        };
        let behind = std::mem::replace(&mut ends.first, task);
        if behind == NOBODY {
            ends.last = task;
            self.set_used(list, true);
        } else {
            self.links[behind].before = task;
        }
        let before = NOBODY;
        self.link(task, Link { before, behind, list });
    }

    fn link(&mut self, task: TaskId, link: Link) {
        while self.links.len() <= task as usize {
            self.links.push(Link::default());
        }
        self.links[task] = link;
    }

    /// Takes a task out of its queue; whether it was in one.
    pub fn remove(&mut self, task: TaskId) -> bool {
        if self.links.len() <= task as usize {
            return false;
        }
        let Link { before, behind, list } = std::mem::take(&mut self.links[task]);
        let Some(ends) = self.ends.get_mut(list as usize) else {
            return false;
        };
        match before {
            NOBODY => ends.first = behind,
            before => self.links[before].behind = behind,
        }
        match behind {
            NOBODY => ends.last = before,
            behind => self.links[behind].before = before,
        }
        if before == NOBODY && behind == NOBODY {
            self.set_used(list, false);
        }
        true
    }

    fn set_used(&mut self, list: u32, is_used: bool) {
        if let Some(used) = self.used.get_mut((list / LEVELS) as usize) {
            let bit = 1 << (list % LEVELS);
            *used = if is_used { *used | bit } else { *used & !bit };
        }
    }

    /// Whether a queue has no tasks.
    #[inline]
    pub fn is_empty(&self, queue: u32) -> bool {
        self.used(queue) == 0
    }

    /// The first task of a queue.
    #[inline]
    pub fn first(&self, queue: u32) -> Option<TaskId> {
        let used = self.used(queue);
        let level = (used != 0).then(|| used.trailing_zeros())?;
        self.ends.get((queue * LEVELS + level) as usize).map(|ends| ends.first)
    }

    #[inline]
    fn used(&self, queue: u32) -> u64 {
        self.used.get(queue as usize).copied().unwrap_or(0)
    }

    /// The first task of a queue that fits, and its level.
    pub fn first_that(&self, queue: u32, fits: impl Fn(TaskId) -> bool) -> Option<(u32, TaskId)> {
        self.tasks(queue).find(|&(_, task)| fits(task))
    }

    /// The tasks of a queue with their levels, in order.
    pub fn tasks(&self, queue: u32) -> impl Iterator<Item = (u32, TaskId)> + '_ {
        let mut left = self.used(queue);
        let levels = std::iter::from_fn(move || {
            let level = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(level)
        });
        levels.flat_map(move |level| {
            let first = self.ends.get((queue * LEVELS + level) as usize);
            let known = |task: u32| (task != NOBODY).then_some(task);
            let first = first.and_then(|ends| known(ends.first));
            std::iter::successors(first, move |&task| known(self.links[task].behind)).map(move |task| (level, task))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a list that is sorted again each time; a task may be in either queue.
        #[test]
        fn the_lowest_level_goes_first(
            steps in prop::collection::vec((0_u32..12, 0_u32..2, 60_u32..LEVELS, any::<bool>()), 0..200)
        ) {
            let mut queues = LevelQueues::new(2);
            let mut list: Vec<(u32, u32, i32, TaskId)> = Vec::new();
            for (number, (task, queue, level, front)) in (1..).zip(steps) {
                let before = list.len();
                list.retain(|item| item.3 != task);
                prop_assert_eq!(queues.remove(task), list.len() < before);
                if list.len() == before {
                    match front {
                        true => queues.push_front(queue, level, task),
                        false => queues.push(queue, level, task),
                    }
                    list.push((queue, level, if front { -number } else { number }, task));
                    list.sort_unstable();
                }
                for queue in 0..2 {
                    let naive: Vec<_> = list.iter().filter(|item| item.0 == queue).map(|item| (item.1, item.3)).collect();
                    let found: Vec<_> = queues.tasks(queue).collect();
                    prop_assert_eq!(&found, &naive);
                    prop_assert_eq!(queues.first(queue), naive.first().map(|item| item.1));
                    prop_assert_eq!(queues.is_empty(queue), naive.is_empty());
                    let odd = |task: TaskId| task % 2 == 1;
                    prop_assert_eq!(queues.first_that(queue, odd), naive.into_iter().find(|item| odd(item.1)));
                }
            }
        }
    }
}
