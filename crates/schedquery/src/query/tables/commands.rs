//! The commands table: the numbers of dat2graph's legend, as rows.

use crate::query::lanes::indexes::Indexes;
use crate::query::select::time_window::{TimeWindow, ALL_TIME};
use schedindex::RunSum;
use schedmodel::{CommId, TaskCommId, Trace};
use serde::Serialize;
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
        let mut sums = CommandSums::default();
        self.add_commands(window, 0..self.trace().task_comms.len(), &mut sums);
        sums.rows(self.trace())
    }

    /// Adds the sums of some (task, comm) pairs.
    pub(crate) fn add_commands(&self, window: Option<TimeWindow>, pairs: Range<usize>, sums: &mut CommandSums) {
        let window = window.map_or(ALL_TIME, Range::from);
        let pairs = pairs.map(|pair| TaskCommId(pair as u32));
        let shown = pairs.filter(|&pair| self.counting().has(pair));
        sums.of_pairs.extend(shown.map(|pair| {
            let (ran, waited) = self.ran_and_waited(pair, &window);
            (pair, ran, waited)
        }));
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

/// The runs and waits of (task, comm) pairs, of which the table is made.
#[derive(Debug, Default)]
pub(crate) struct CommandSums {
    of_pairs: Vec<(TaskCommId, Option<RunSum>, u64)>,
}

impl CommandSums {
    pub(crate) fn rows(self, trace: &Trace) -> Vec<CommandRow> {
        table(trace, self.of_pairs.into_iter())
    }
}

/// Sums the runs and waits of (task, comm) pairs by comm. A comm that only waited has no row.
pub(crate) fn table(trace: &Trace, sums: impl Iterator<Item = (TaskCommId, Option<RunSum>, u64)>) -> Vec<CommandRow> {
    let sums: Vec<_> = sums.filter(|&(_, ran, waited)| ran.is_some() || 0 < waited).collect();
    // What is sorted is small: a machine with hundreds of CPUs has a hundred thousand pairs.
    let names = |pair: TaskCommId| (trace.task_comm(pair).comm, trace.task_of(pair).pid);
    let mut by_comm: Vec<((CommId, i32), usize)> = sums.iter().map(|&(pair, ..)| names(pair)).zip(0..).collect();
    by_comm.sort_unstable();
    let has_run = |index: usize| sums.get(index).is_some_and(|sum| sum.1.is_some());
    let mut rows: Vec<CommandRow> = by_comm
        .chunk_by(|a, b| a.0 .0 == b.0 .0)
        .filter_map(|of_comm| {
            let ((comm, _), _) = *of_comm.first()?;
            let of = || of_comm.iter().filter_map(|&(_, index)| sums.get(index));
            let sum = of().filter_map(|sum| sum.1).reduce(RunSum::and)?;
            Some(CommandRow {
                comm: trace.comms.name(comm).to_owned(),
                comm_id: comm.0,
                first: sum.first,
                last: sum.last,
                execution_ns: sum.execution,
                waiting_ns: of().map(|sum| sum.2).sum(),
                switches_to: sum.switches_to(),
                // A reused pid is one pid; one that only waited is none.
                pids: of_comm
                    .chunk_by(|a, b| a.0 == b.0)
                    .filter(|of_pid| of_pid.iter().any(|&(_, index)| has_run(index)))
                    .count() as u32,
            })
        })
        .collect();
    rows.sort_by(|a, b| b.execution_ns.cmp(&a.execution_ns).then_with(|| a.comm.cmp(&b.comm)));
    rows
}
