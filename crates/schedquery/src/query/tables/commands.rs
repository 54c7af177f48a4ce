//! The commands table: the numbers of dat2graph's legend, as rows.

use crate::query::lanes::indexes::Indexes;
use crate::query::select::time_window::{TimeWindow, ALL_TIME};
use schedindex::RunSum;
use schedmodel::{CommId, TaskCommId, Trace};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::Range;
use ts_rs::TS;

/// A row of the commands table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CommandRow {
    /// The command.
    pub comm: String,
    /// Its comm id.
    pub comm_id: u32,
    /// First ns that it ran.
    #[ts(type = "Ns")]
    pub first: u64,
    /// End of the last ns that it ran.
    #[ts(type = "Ns")]
    pub last: u64,
    /// How long it ran.
    pub execution_ns: u64,
    /// How long its tasks were runnable but did not run.
    pub waiting_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Distinct thread ids.
    pub pids: u32,
}

impl Indexes {
    /// One row per comm that ran in the window (`None`: in the trace), longest execution first.
    pub fn commands(&self, window: Option<TimeWindow>) -> Vec<CommandRow> {
        let mut sums = CommandSums::new(self.trace());
        self.add_commands(window, 0..self.trace().task_comms.len(), &mut sums);
        sums.rows(self.trace())
    }

    /// Adds the sums of some (task, comm) pairs.
    pub(crate) fn add_commands(&self, window: Option<TimeWindow>, pairs: Range<usize>, sums: &mut CommandSums) {
        let window = window.map_or(ALL_TIME, Range::from);
        let pairs = pairs.map(|pair| TaskCommId(pair as u32));
        for pair in pairs.filter(|&pair| self.counting().has(pair)) {
            let (ran, waited) = self.ran_and_waited(pair, &window);
            sums.add(self.trace(), pair, ran, waited);
        }
    }

    /// How the runs of a pair that count ran in a window, and how long its task waited before them there.
    pub(crate) fn ran_and_waited(&self, pair: TaskCommId, window: &Range<u64>) -> (Option<RunSum>, u64) {
        let (trace, runs) = (self.trace(), self.runs());
        match self.counting().runs() {
            None => {
                let waits = self.sums().waits(trace, runs);
                (
                    runs.in_window(trace, pair, window),
                    waits.in_window(trace, runs, pair, window),
                )
            }
            Some(passing) => runs.passing_in_window(trace, pair, window, passing),
        }
    }
}

/// The runs and waits of (task, comm) pairs, added up by comm as they come.
#[derive(Debug, Default)]
pub(crate) struct CommandSums {
    /// By comm.
    sums: Vec<CommandSum>,
    /// PIDs that came back: of each comm they count once. Of all others, each has one task.
    reused: HashSet<i32>,
    /// Of those, the ones that have been counted, by comm.
    counted: HashSet<(CommId, i32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct CommandSum {
    ran: Option<RunSum>,
    waited: u64,
    pids: u32,
}

impl CommandSums {
    pub(crate) fn new(trace: &Trace) -> CommandSums {
        let again = trace.tasks.iter().filter(|task| 0 < task.generation);
        let mut reused = HashSet::with_capacity(again.clone().count());
        reused.extend(again.map(|task| task.pid));
        CommandSums {
            sums: vec![CommandSum::default(); trace.comms.names().len()],
            counted: HashSet::with_capacity(reused.len()),
            reused,
        }
    }

    /// Adds a pair, with what `Indexes::ran_and_waited` says of it.
    pub(crate) fn add(&mut self, trace: &Trace, pair: TaskCommId, ran: Option<RunSum>, waited: u64) {
        let comm = trace.task_comm(pair).comm;
        let Some(sum) = self.sums.get_mut(comm.0 as usize) else {
            return;
        };
        sum.waited += waited;
        let Some(ran) = ran else { return };
        sum.ran = Some(sum.ran.map_or(ran, |sum| sum.and(ran)));
        // One that only waited is not counted.
        let pid = trace.task_of(pair).pid;
        if !self.reused.contains(&pid) || self.counted.insert((comm, pid)) {
            sum.pids += 1;
        }
    }

    /// A comm that only waited has no row.
    pub(crate) fn rows(self, trace: &Trace) -> Vec<CommandRow> {
        let row = |(comm_id, sum): (u32, CommandSum)| {
            let ran = sum.ran?;
            Some(CommandRow {
                comm: trace.comms.name(CommId(comm_id)).to_owned(),
                comm_id,
                first: ran.first,
                last: ran.last,
                execution_ns: ran.execution,
                waiting_ns: sum.waited,
                switches_to: ran.switches_to(),
                pids: sum.pids,
            })
        };
        let mut rows: Vec<CommandRow> = (0..).zip(self.sums).filter_map(row).collect();
        rows.sort_by(|a, b| b.execution_ns.cmp(&a.execution_ns).then_with(|| a.comm.cmp(&b.comm)));
        rows
    }
}
