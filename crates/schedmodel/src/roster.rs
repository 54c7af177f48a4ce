//! Maps pids to tasks, generations and comms at the current event.

use super::current_task::CurrentTask;
use super::pids::PidMap;
use super::prio::{kernel_prio, PrioRange};
use super::table::Table;
use super::task::{CommId, Comms, Task, TaskComm, TaskComms, TaskId};
use schedrows::{CpuScan, KnownTask, Named};
use std::collections::HashMap;

/// All tasks so far.
pub(crate) struct Roster {
    /// By stream.
    scans: Vec<ScanComms>,
    pids: PidMap,
    /// Exiting leaders that have the former pid of the thread which took over theirs, by that thread's former task.
    exiting: HashMap<TaskId, TaskId>,
    /// By task.
    pub(crate) live: Table<TaskId, CurrentTask>,
    pub(crate) tasks: Table<TaskId, Task>,
    pub(crate) comms: Comms,
    pub(crate) names: TaskComms,
}

/// A scan's names and their ids in the trace, [`CommId::NONE`] until first used: the table also holds names that are no
/// comms.
struct ScanComms {
    names: Vec<String>,
    ids: Vec<CommId>,
}

impl Roster {
    /// A roster without tasks. The names of the scans go over to it.
    pub(crate) fn new(scans: &mut [CpuScan]) -> Roster {
        let scan_comms = |scan: &mut CpuScan| {
            let names = std::mem::take(&mut scan.comms.names);
            let ids = vec![CommId::NONE; names.len()];
            ScanComms { names, ids }
        };
        Roster {
            scans: scans.iter_mut().map(scan_comms).collect(),
            pids: PidMap::default(),
            exiting: HashMap::new(),
            live: Table::new(CurrentTask::NONE),
            tasks: Table::new(Task::NONE),
            comms: Comms::default(),
            names: TaskComms::default(),
        }
    }

    /// The current state of a task.
    #[inline]
    pub(crate) fn live(&mut self, task: TaskId) -> &mut CurrentTask {
        self.live.of_mut(task)
    }

    /// The latest task that has `pid`, dead or alive, whatever its comm.
    #[inline]
    pub(crate) fn find(&self, pid: i32) -> Option<TaskId> {
        let task = TaskId(self.pids.get(pid)?);
        // Hardly any trace has one.
        if self.exiting.is_empty() {
            return Some(task);
        }
        let leader = self.exiting.get(&task);
        let alive = |leader: &&TaskId| self.live.of(**leader).state.dead_since().is_none();
        Some(leader.filter(alive).copied().unwrap_or(task))
    }

    /// The latest task that has `pid`, if it has the comm that an event of stream `source` gives it: so it is of nearly all events.
    #[inline(always)]
    fn usual(&self, source: usize, Named { pid, comm }: Named) -> Option<(TaskId, &CurrentTask)> {
        let task = TaskId(self.pids.get(pid)?);
        let live = self.live.get(task)?;
        let comm = *self.scans.get(source)?.ids.get(comm as usize)?;
        (live.comm == comm && self.exiting.is_empty()).then_some((task, live))
    }

    /// The latest task that has `pid`, dead or alive; creates one if there is none. An event of stream `source` gives
    /// it a comm.
    #[inline(always)]
    pub(crate) fn known(&mut self, source: usize, named: Named) -> TaskId {
        match self.usual(source, named) {
            Some((task, _)) => task,
            None => self.renamed_or_new(source, named),
        }
    }

    #[cold]
    fn renamed_or_new(&mut self, source: usize, Named { pid, comm }: Named) -> TaskId {
        let comm = self.comm(source, comm);
        self.named(self.find(pid), pid, comm)
    }

    /// The task that was found for `pid`, which an event gives `comm`; a new one if none was.
    fn named(&mut self, found: Option<TaskId>, pid: i32, comm: CommId) -> TaskId {
        match found {
            Some(task) => {
                self.name(task, comm);
                task
            }
            None => self.begin(pid, comm),
        }
    }

    /// The living task that has `pid`. If the latest one is dead, begins a new generation; also returns when that one
    /// died.
    #[inline(always)]
    pub(crate) fn living(&mut self, source: usize, named: Named) -> (TaskId, Option<u64>) {
        let usual = self.usual(source, named);
        match usual.filter(|(_, live)| live.state.dead_since().is_none()) {
            Some((task, _)) => (task, None),
            None => self.renamed_or_next(source, named),
        }
    }

    #[cold]
    fn renamed_or_next(&mut self, source: usize, Named { pid, comm }: Named) -> (TaskId, Option<u64>) {
        let comm = self.comm(source, comm);
        let latest = self.find(pid);
        let dead = latest.and_then(|task| self.live.of(task).state.dead_since());
        let task = match dead {
            Some(_) => self.begin(pid, comm),
            None => self.named(latest, pid, comm),
        };
        (task, dead)
    }

    /// Begins the next generation of `pid` for the thread of `caller`, which keeps everything but its state.
    pub(crate) fn succeed(&mut self, caller: TaskId, pid: i32) -> TaskId {
        let before = self.tasks.of(caller).clone();
        let heir = self.begin(pid, self.live.of(caller).comm);
        let task = self.tasks.of_mut(heir);
        (task.forked, task.parent, task.continues) = (before.forked, before.parent, Some(caller));
        let CurrentTask {
            waking, numa, place, ..
        } = *self.live.of(caller);
        let live = self.live.of_mut(heir);
        (live.waking, live.numa, live.place) = (waking, numa, place);
        heir
    }

    /// Records that `leader` exits under the former pid of `caller`.
    pub(crate) fn exits_as(&mut self, leader: TaskId, caller: TaskId) {
        self.exiting.insert(caller, leader);
    }

    /// The task that an event only names by pid.
    pub(crate) fn mentioned(&mut self, pid: i32) -> TaskId {
        self.find(pid).unwrap_or_else(|| {
            let nameless = self.comms.intern("");
            self.begin(pid, nameless)
        })
    }

    /// Begins a generation.
    pub(crate) fn begin(&mut self, pid: i32, comm: CommId) -> TaskId {
        let task = TaskId(self.tasks.len() as u32);
        let old = self.pids.get(pid);
        let generation = old.map_or(0, |old| self.tasks.of(TaskId(old)).generation + 1);
        self.pids.set(pid, task.0);
        self.tasks.push(Task {
            pid,
            generation,
            forked: false,
            parent: None,
            continues: None,
            comm,
            migrations: 0,
            prio: None,
        });
        let name = self.names.intern(TaskComm { task, comm });
        self.live.push(CurrentTask {
            pid,
            comm,
            name,
            ..CurrentTask::NONE
        });
        task
    }

    /// Sets the comm that an event gives `task`.
    #[inline]
    fn name(&mut self, task: TaskId, comm: CommId) {
        let live = self.live.of_mut(task);
        if live.comm != comm {
            (live.comm, live.name) = (comm, self.names.intern(TaskComm { task, comm }));
        }
    }

    /// Records the [`Row::prio`](schedrows::Row::prio) of a switch-in.
    pub(crate) fn saw_prio(&mut self, task: TaskId, code: u8) {
        let last = std::mem::replace(&mut self.live.of_mut(task).prio, code);
        if code != last {
            self.note_prio(task, code);
        }
    }

    /// The same, of a code that is not the last one, which is in the range already.
    pub(crate) fn note_prio(&mut self, task: TaskId, code: u8) {
        if let Some(prio) = kernel_prio(code) {
            let range = &mut self.tasks.of_mut(task).prio;
            *range = Some(PrioRange::with(*range, prio));
        }
    }

    /// Gives the tasks that no event named the names that the file knows.
    pub(crate) fn name_known(&mut self, known: &[KnownTask]) {
        for KnownTask { pid, comm, .. } in known {
            let Some(task) = self.find(*pid) else { continue };
            if self.comms.name(self.live.of(task).comm).is_empty() && !comm.is_empty() {
                let comm = self.comms.intern(comm);
                self.name(task, comm);
            }
        }
    }

    /// All tasks, with their last comms.
    pub(crate) fn finish(&mut self) -> Vec<Task> {
        let mut tasks = std::mem::replace(&mut self.tasks, Table::new(Task::NONE)).into_rows();
        for (task, live) in tasks.iter_mut().zip(self.live.rows()) {
            task.comm = live.comm;
        }
        tasks
    }

    /// The trace's id for a comm of a scan.
    #[inline]
    pub(crate) fn comm(&mut self, source: usize, index: u32) -> CommId {
        let scan = self.scans.get(source);
        match scan.and_then(|scan| scan.ids.get(index as usize)) {
            Some(&id) if id != CommId::NONE => id,
            _ => self.first_comm(source, index),
        }
    }

    /// The id for a comm that no event of the stream had before.
    #[cold]
    fn first_comm(&mut self, source: usize, index: u32) -> CommId {
        let Some(scan) = self.scans.get_mut(source) else {
            return self.comms.intern("");
        };
        let id = self
            .comms
            .intern(scan.names.get(index as usize).map_or("", String::as_str));
        if let Some(known) = scan.ids.get_mut(index as usize) {
            *known = id;
        }
        id
    }
}
