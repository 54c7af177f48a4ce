//! Lanes for display while the rest of the trace still loads: one CPU at a time, with one provisional task per pid.

use super::lane::{Lane, Who};
use super::lane_sketch::LaneSketch;
use super::merge::since;
use super::pids::PidMap;
use super::table::Table;
use super::task::{CommId, Comms, TaskComm, TaskCommId, TaskComms, TaskId};
use schedrows::{CpuScan, Event, Named, Row, RowKind};

/// The lanes so far. Ids stay valid while lanes are added; the built trace has others.
#[derive(Debug)]
pub struct PreviewLanes {
    base_ns: u64,
    pids: PidMap,
    /// By provisional [`TaskId`].
    pub task_pids: Vec<i32>,
    /// All names so far.
    pub comms: Comms,
    names: TaskComms,
    /// The last pair of each provisional [`TaskId`]. Comms change rarely, and hashing at each switch would cost more
    /// than building the lane.
    last_pairs: Table<TaskId, (CommId, TaskCommId)>,
}

/// The names of a scan: those of tasks, of the idle one, and of files that were executed.
struct ScanComms<'a> {
    /// With the ids of those that a task had which ran.
    names: Vec<(&'a str, Option<CommId>)>,
}

impl ScanComms<'_> {
    fn id(&mut self, index: usize, comms: &mut Comms) -> CommId {
        match self.names.get_mut(index) {
            Some((name, id)) => *id.get_or_insert_with(|| comms.intern(name)),
            None => comms.intern(""),
        }
    }
}

impl PreviewLanes {
    /// `base_ns`: see [`TraceBuilder::new`](super::TraceBuilder::new).
    pub fn new(base_ns: u64) -> PreviewLanes {
        PreviewLanes {
            base_ns,
            pids: PidMap::default(),
            task_pids: Vec::new(),
            comms: Comms::default(),
            names: TaskComms::default(),
            last_pairs: Table::new((CommId::NONE, TaskCommId(u32::MAX))),
        }
    }

    /// The (task, comm) pairs so far, by [`TaskCommId`](super::TaskCommId).
    pub fn task_comms(&self) -> &[TaskComm] {
        self.names.pairs.rows()
    }

    /// The lane of one CPU, up to its own last record, without waits, which need the other CPUs' wakeups.
    pub fn lane(&mut self, scan: &CpuScan) -> Lane {
        let mut comms = ScanComms {
            names: scan.comms.names.iter().map(|name| (name.as_str(), None)).collect(),
        };
        let mut lane = LaneSketch::new(scan.rows.openings() as usize + scan.rows.breaks().len());
        let (mut last, mut latest) = (0, 0);
        // An exec that changes a pid looks like a break.
        let takeovers = scan.rows.takeovers();
        let swapped = |one, other| takeovers.contains(&(one, other)) || takeovers.contains(&(other, one));
        let mut breaks = scan.rows.breaks().iter().peekable();
        let mut openings = 0;
        let mut rows = scan.rows.reader();
        let mut row = Row::of(RowKind::Lost, 0);
        // Rows of other kinds do not change which task has the CPU.
        while rows.read_opening(&mut row, &mut latest) {
            last = since(self.base_ns, row.ts.max(latest)).max(last);
            match row.event() {
                Event::Switch(switch) => {
                    // Whom a switch takes off the CPU the one before has told, but for the first.
                    if lane.is_empty() {
                        let prev = switch.prev.map_or(Who::Unknown, |prev| self.who(&mut comms, prev));
                        lane.ran_before(last, prev);
                    }
                    lane.switch(last, self.who(&mut comms, switch.next));
                    let found = breaks.next_if(|found| found.opening == openings);
                    if found.is_some_and(|found| !swapped(found.prev, found.on)) {
                        lane.lost(last);
                    }
                }
                _ => lane.lost(last),
            }
            openings += 1;
        }
        last = since(self.base_ns, latest).max(last);
        let end = scan.last_ns.map_or(last, |ns| since(self.base_ns, ns).max(last));
        lane.finish(end)
    }

    fn who(&mut self, comms: &mut ScanComms, Named { pid, comm }: Named) -> Who {
        if pid == 0 {
            return Who::Idle;
        }
        let comm = comms.id(comm as usize, &mut self.comms);
        let task = self.pids.get(pid).unwrap_or_else(|| {
            let task = self.task_pids.len() as u32;
            self.pids.set(pid, task);
            self.task_pids.push(pid);
            self.last_pairs.push((
                comm,
                self.names.intern(TaskComm {
                    task: TaskId(task),
                    comm,
                }),
            ));
            task
        });
        let task = TaskId(task);
        let last = self.last_pairs.of_mut(task);
        if last.0 != comm {
            *last = (comm, self.names.intern(TaskComm { task, comm }));
        }
        Who::Run(last.1)
    }
}
