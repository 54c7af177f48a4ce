//! Lanes while the rest of a trace still loads: one CPU at a time, one provisional task for each pid.

use super::lane::{Lane, Who};
use super::lane_builder::{LaneBuilder, Party};
use super::merge::since;
use super::pids::PidMap;
use super::task::{Comms, TaskComm, TaskComms, TaskId};
use crate::scan::{CpuScan, RowKind};

/// The lanes so far. Ids stay valid as lanes are added, and end when the trace is built.
#[derive(Debug)]
pub struct PreviewLanes {
    base_ns: u64,
    pids: PidMap,
    /// By provisional [`TaskId`].
    pub task_pids: Vec<i32>,
    /// All names so far.
    pub comms: Comms,
    names: TaskComms,
}

impl PreviewLanes {
    /// `base_ns`: as for [`TraceBuilder::new`](super::TraceBuilder::new).
    pub fn new(base_ns: u64) -> PreviewLanes {
        PreviewLanes {
            base_ns,
            pids: PidMap::default(),
            task_pids: Vec::new(),
            comms: Comms::default(),
            names: TaskComms::default(),
        }
    }

    /// The (task, comm) pairs so far, by [`TaskCommId`](super::TaskCommId).
    pub fn task_comms(&self) -> &[TaskComm] {
        &self.names.pairs
    }

    /// The lane of one CPU, up to its own last record. Waits are left out: they need the other CPUs' wakeups.
    pub fn lane(&mut self, scan: &CpuScan) -> Lane {
        let mut lane = LaneBuilder::new(scan.rows.len());
        let mut last = 0;
        for row in &scan.rows {
            last = since(self.base_ns, row.ts).max(last);
            if row.kind == RowKind::Lost as u8 {
                lane.lost(last);
            } else if row.kind == RowKind::Switch as u8 {
                let (prev, next) = (
                    self.party(scan, row.pid, row.comm),
                    self.party(scan, row.arg, row.comm2),
                );
                lane.switch(last, prev, row.state, next, row.prio, None);
            }
        }
        let end = scan.last_ns.map_or(last, |ns| since(self.base_ns, ns).max(last));
        lane.finish(end)
    }

    fn party(&mut self, scan: &CpuScan, pid: i32, comm: u32) -> Party {
        if pid == 0 {
            return Party::IDLE;
        }
        let task = self.pids.get(pid).unwrap_or_else(|| {
            let task = self.task_pids.len() as u32;
            self.pids.set(pid, task);
            self.task_pids.push(pid);
            task
        });
        let comm = self
            .comms
            .intern(scan.comms.names.get(comm as usize).map_or("", String::as_str));
        Party {
            key: task,
            who: Who::Run(self.names.intern(TaskComm {
                task: TaskId(task),
                comm,
            })),
        }
    }
}
