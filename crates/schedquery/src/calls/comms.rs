//! What threads are called when they enter a call: finer than the comms of runs, since tasks exec and rename themselves, and
//! call, without being switched.

use schedindex::{RunId, Runs};
use schedmodel::{CommId, Comms, TaskId, Trace};
use schedrows::KernelLog;
use std::collections::HashMap;

/// The names so far.
pub(super) struct Namer<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    pub(super) comms: Comms,
    /// By log and number of its names: the name, once it was used.
    ids: Vec<HashMap<i32, CommId>>,
    /// The last name that an event other than a switch gave a pid, and when.
    told: HashMap<i32, (u64, CommId)>,
}

/// The name of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) comm: CommId,
    /// No event before tells: it is the first name that the thread was seen to have.
    pub(super) guessed: bool,
    /// Until when it has this name, unless another is told.
    pub(super) until: u64,
}

impl<'a> Namer<'a> {
    pub(super) fn new(trace: &'a Trace, runs: &'a Runs, logs: usize) -> Namer<'a> {
        Namer {
            trace,
            runs,
            comms: trace.comms.clone(),
            ids: vec![HashMap::new(); logs],
            told: HashMap::new(),
        }
    }

    /// The id of a log's name.
    pub(super) fn id(&mut self, source: usize, log: &KernelLog, number: i32) -> CommId {
        let comms = &mut self.comms;
        match self.ids.get_mut(source) {
            Some(ids) => *ids.entry(number).or_insert_with(|| comms.intern(log.name(number))),
            None => comms.intern(log.name(number)),
        }
    }

    /// An event other than a switch names a thread.
    pub(super) fn tell(&mut self, pid: i32, at: u64, comm: CommId) {
        self.told.insert(pid, (at, comm));
    }

    /// The name of the thread that has `pid`, and was born at `since`.
    pub(super) fn at(&mut self, task: Option<TaskId>, pid: i32, since: u64, at: u64) -> Name {
        let told = self.told.get(&pid).filter(|(told, _)| since <= *told);
        let around = task.map(|task| self.runs.around(self.trace, task, at));
        let (run, until) = around.unwrap_or((None, u64::MAX));
        let switched = run.and_then(|RunId { lane, index }| {
            let lane = self.trace.lane_at(lane);
            let comm = self.trace.task_comm(lane.run(index)?).comm;
            Some((lane.start_of(index), comm, lane.inferred(index)))
        });
        match (told, switched) {
            (Some(&(told, comm)), Some((start, _, inferred))) if start <= told || inferred => Name {
                comm,
                guessed: false,
                until,
            },
            (_, Some((_, comm, guessed))) => Name { comm, guessed, until },
            (Some(&(_, comm)), None) => Name {
                comm,
                guessed: false,
                until,
            },
            (None, None) => Name {
                comm: self.first(task),
                guessed: true,
                until,
            },
        }
    }

    /// The first name that a task was seen to have.
    fn first(&mut self, task: Option<TaskId>) -> CommId {
        let Some(task) = task else {
            return self.comms.intern("");
        };
        // A task that was only mentioned so far has no name at first.
        let comms = self
            .runs
            .pairs_of(task)
            .iter()
            .map(|&pair| self.trace.task_comm(pair).comm);
        let mut named = comms.filter(|&comm| !self.trace.comms.name(comm).is_empty());
        named.next().unwrap_or(self.trace.task(task).comm)
    }
}
