//! Time by task and by comm, summed over intervals.

use schedmodel::{TaskComm, TaskCommId};

/// Scratch sums by (task, comm), task and comm; cleared by visiting only the entries that were added to.
#[derive(Debug, Default)]
pub struct Tally {
    by_pair: Vec<u64>,
    by_task: Vec<u64>,
    by_comm: Vec<u64>,
    touched: Vec<u32>,
    /// What [`Tally::dominant`] takes.
    taken: Vec<(u32, u64)>,
}

/// The task and comm with most of the time; ties go to the smallest id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dominant {
    pub busy: u64,
    pub task: u32,
    pub comm: u32,
}

impl Tally {
    /// Makes room for the sums of pairs, of which more may come.
    pub fn fit(&mut self, pairs: &[TaskComm]) {
        for pair in pairs.get(self.by_pair.len()..).unwrap_or_default() {
            self.by_pair.push(0);
            for (sums, id) in [(&mut self.by_task, pair.task.0), (&mut self.by_comm, pair.comm.0)] {
                sums.resize(sums.len().max(id as usize + 1), 0);
            }
        }
    }

    /// Adds ns of a task.
    #[inline]
    pub fn add(&mut self, id: TaskCommId, ns: u64) {
        // Each id is that of one of the pairs.
        let Some(sum) = self.by_pair.get_mut(id.0 as usize) else {
            return;
        };
        if *sum == 0 && ns != 0 {
            self.touched.push(id.0);
        }
        *sum += ns;
    }

    /// Forgets the sums, and returns what has most of the time.
    pub fn dominant(&mut self, pairs: &[TaskComm]) -> Dominant {
        let mut taken = std::mem::take(&mut self.taken);
        taken.clear();
        let dominant = self.take(pairs, &mut taken);
        self.taken = taken;
        dominant
    }

    /// Moves the sums into `into` as (pair, ns), in no particular order, and returns what has most of the time. `pairs`: what the
    /// ids are of.
    pub fn take(&mut self, pairs: &[TaskComm], into: &mut Vec<(u32, u64)>) -> Dominant {
        let first = into.len();
        for id in self.touched.drain(..) {
            let ns = self.by_pair.get_mut(id as usize).map_or(0, std::mem::take);
            if let Some(pair) = pairs.get(id as usize) {
                add(&mut self.by_task, pair.task.0, ns);
                add(&mut self.by_comm, pair.comm.0, ns);
            }
            into.push((id, ns));
        }
        let mut best = Dominant {
            busy: 0,
            task: u32::MAX,
            comm: u32::MAX,
        };
        let (mut task_ns, mut comm_ns) = (0, 0);
        for &(id, ns) in into.iter().skip(first) {
            best.busy += ns;
            let Some(pair) = pairs.get(id as usize) else {
                continue;
            };
            let task = take(&mut self.by_task, pair.task.0);
            if task_ns < task || (task_ns == task && pair.task.0 < best.task) {
                (task_ns, best.task) = (task, pair.task.0);
            }
            let comm = take(&mut self.by_comm, pair.comm.0);
            if comm_ns < comm || (comm_ns == comm && pair.comm.0 < best.comm) {
                (comm_ns, best.comm) = (comm, pair.comm.0);
            }
        }
        best
    }
}

/// There is a sum for every task and comm of the pairs.
fn add(sums: &mut [u64], id: u32, ns: u64) {
    if let Some(sum) = sums.get_mut(id as usize) {
        *sum += ns;
    }
}

fn take(sums: &mut [u64], id: u32) -> u64 {
    sums.get_mut(id as usize).map_or(0, std::mem::take)
}
