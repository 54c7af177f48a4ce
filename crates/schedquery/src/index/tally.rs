//! Time by task and by comm, summed over intervals.

use schedmodel::{TaskComm, TaskCommId};

/// Scratch sums by (task, comm), task and comm; cleared by visiting only the entries that were added to.
pub(crate) struct Tally<'a> {
    pairs: &'a [TaskComm],
    by_pair: Vec<u64>,
    by_task: Vec<u64>,
    by_comm: Vec<u64>,
    touched: Vec<u32>,
}

/// The task and comm with most of the time; ties go to the smallest id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dominant {
    pub(crate) busy: u64,
    pub(crate) task: u32,
    pub(crate) comm: u32,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(pairs: &'a [TaskComm]) -> Tally<'a> {
        let len = |id: fn(&TaskComm) -> u32| pairs.iter().map(id).max().map_or(0, |max| max as usize + 1);
        Tally {
            pairs,
            by_pair: vec![0; pairs.len()],
            by_task: vec![0; len(|pair| pair.task.0)],
            by_comm: vec![0; len(|pair| pair.comm.0)],
            touched: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, id: TaskCommId, ns: u64) {
        let sum = &mut self.by_pair[id.0 as usize];
        if *sum == 0 && ns != 0 {
            self.touched.push(id.0);
        }
        *sum += ns;
    }

    /// Moves the sums into `into` as (pair, ns), in no particular order, and returns what has most of the time.
    pub(crate) fn take(&mut self, into: &mut Vec<(u32, u64)>) -> Dominant {
        let first = into.len();
        for id in self.touched.drain(..) {
            let ns = std::mem::take(&mut self.by_pair[id as usize]);
            let pair = self.pairs[id as usize];
            self.by_task[pair.task.0 as usize] += ns;
            self.by_comm[pair.comm.0 as usize] += ns;
            into.push((id, ns));
        }
        let mut best = Dominant {
            busy: 0,
            task: u32::MAX,
            comm: u32::MAX,
        };
        let (mut task_ns, mut comm_ns) = (0, 0);
        for &(id, ns) in &into[first..] {
            let pair = self.pairs[id as usize];
            best.busy += ns;
            let task = std::mem::take(&mut self.by_task[pair.task.0 as usize]);
            if task_ns < task || (task_ns == task && pair.task.0 < best.task) {
                (task_ns, best.task) = (task, pair.task.0);
            }
            let comm = std::mem::take(&mut self.by_comm[pair.comm.0 as usize]);
            if comm_ns < comm || (comm_ns == comm && pair.comm.0 < best.comm) {
                (comm_ns, best.comm) = (comm, pair.comm.0);
            }
        }
        best
    }
}
