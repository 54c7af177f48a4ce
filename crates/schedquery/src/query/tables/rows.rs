//! Tables of a window: tasks and CPUs, as rows of numbers.

use crate::query::lanes::indexes::Indexes;
use crate::query::select::time_window::TimeWindow;
use crate::query::select::time_window::ALL_TIME;
use schedindex::{MigrationCounts, Waiting, Woken};
use schedmodel::TaskId;
use std::ops::Range;

/// The numbers of a task in a window; times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskRow {
    /// Its id.
    pub task: u32,
    /// Generation of the pid, from 0.
    pub generation: u32,
    /// How long it ran.
    pub execution: u64,
    /// How long it was runnable but did not run.
    pub waiting: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Its wakeups that led to a switch-in; they lie where their latency starts.
    pub woken: Woken,
    /// Its `sched_migrate_task` events.
    pub moves: MigrationCounts,
    /// For deadline tasks: how long it was off its runqueue, from a switch-out until the switch-in in its next period.
    pub throttled: u64,
}

impl TaskRow {
    /// Whether nothing happened to it.
    fn is_empty(&self) -> bool {
        let TaskRow { task, generation, .. } = *self;
        *self
            == TaskRow {
                task,
                generation,
                ..TaskRow::default()
            }
    }
}

/// The numbers of a CPU in a window; times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuRow {
    /// Its number.
    pub cpu: u32,
    /// How long a task ran.
    pub busy: u64,
    /// How long the idle task ran.
    pub idle: u64,
    /// How long is unknown.
    pub unknown: u64,
    /// `sched_switch` events to a task.
    pub switches_to: u64,
    /// Tasks that wait on its runqueue.
    pub waiting: Waiting,
}

impl Indexes {
    /// One row per shown task to which anything happens in the window (`None`: in the trace).
    pub fn task_table(&self, window: Option<TimeWindow>) -> Vec<TaskRow> {
        self.task_rows(window, 0..self.trace().tasks.len())
    }

    /// Those of some tasks.
    pub(crate) fn task_rows(&self, window: Option<TimeWindow>, tasks: Range<usize>) -> Vec<TaskRow> {
        let window = window.map_or(ALL_TIME, Range::from);
        let rows = tasks.map(|task| self.task_row(TaskId(task as u32), &window));
        rows.filter(|row| !row.is_empty()).collect()
    }

    fn task_row(&self, id: TaskId, window: &Range<u64>) -> TaskRow {
        let (trace, runs, sums) = (self.trace(), self.runs(), self.sums());
        let mut row = TaskRow {
            task: id.0,
            generation: trace.task(id).generation,
            ..TaskRow::default()
        };
        let pairs = runs.pairs_of(id);
        if !pairs.iter().any(|&pair| self.counting().has(pair)) {
            return row;
        }
        for &pair in pairs {
            let (ran, waited) = self.ran_and_waited(pair, window);
            if let Some(ran) = ran {
                row.execution += ran.execution;
                row.switches_to += ran.switches_to();
            }
            row.waiting += waited;
        }
        let throttles = trace.throttles.get(trace.throttles_of(id)).unwrap_or_default();
        let within = throttles.iter().map(|throttle| {
            let (since, until) = (throttle.since.max(window.start), throttle.until.min(window.end));
            until.saturating_sub(since)
        });
        row.throttled = within.sum();
        row.woken = sums.woken(trace).in_window(trace, id, window);
        row.moves = self.shared().migrations(trace).in_window(trace, id, window);
        row
    }

    /// One row per CPU in a window (`None`: in the trace). Only shown tasks count as waiting; what a CPU does counts
    /// whatever is shown.
    pub fn cpu_table(&self, window: Option<TimeWindow>) -> Vec<CpuRow> {
        let trace = self.trace();
        let window = window.map_or(ALL_TIME, Range::from);
        let within = window.start.min(trace.span_ns)..window.end.min(trace.span_ns);
        let cpus = trace
            .cpus
            .iter()
            .zip(&trace.lanes)
            .zip(self.shared().lanes(trace))
            .enumerate();
        cpus.map(|(index, ((&cpu, lane), sums))| {
            let did = sums.until(lane, window.end).minus(sums.until(lane, window.start));
            let waiting = self.depth_index().queue(index);
            CpuRow {
                cpu,
                busy: did.busy,
                idle: within.end.saturating_sub(within.start) - did.busy - did.unknown,
                unknown: did.unknown,
                switches_to: did.switches_to,
                waiting: waiting.map_or_else(Waiting::default, |queue| queue.in_window(window.clone())),
            }
        })
        .collect()
    }
}
