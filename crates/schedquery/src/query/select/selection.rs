//! The part of a trace that a command line selects, by time, CPUs and tasks.

use schedindex::{Passing, Shown};
use schedmodel::{kernel_thread, KernelThread, Trace};
use std::ops::Range;
use std::sync::Arc;

/// A selection; the fields mean the same as the options of these names. The default is everything.
///
/// - Time: `min` and `max` count from time 0, which is the trace's first record or, with `after_sleep`, the exit of the
///   first task named `sleep`. Intervals are clipped to the window; events count if they lie in it; a wakeup lies where
///   its latency starts.
/// - CPUs: only their lanes; all CPUs of the trace are the same as none given. A wakeup belongs to the CPU and the comm of the
///   switch-in that followed, and so does a wait as one of a task. As one of those that wait at a time it belongs to the CPU on whose
///   runqueue it is spent.
///   Migrations count whatever the CPU, and those of a task under any of its comms.
/// - Runs (`runs`): as for tasks; a wait and a wakeup belong to the run that followed, and what led to no run passes none.
/// - Tasks (`forked`, `movable`, `no_kernel_threads`, `target`, `comms`, `pids`, which must all hold): running,
///   waiting, commands, tasks, wakeups and migrations include only these. Busy, idle and unknown time remain those of
///   the CPU, as do the idle CPUs of overload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Only tasks that were forked in the trace.
    pub forked: bool,
    /// Only tasks that ran on at least two CPUs in the trace: the others may be pinned.
    pub movable: bool,
    /// No kernel threads, as far as the trace identifies them, and no tasks with the name of one.
    pub no_kernel_threads: bool,
    /// Time 0 is the exit of the first task named `sleep`, if there is one; nothing before it counts.
    pub after_sleep: bool,
    /// Start, in ns from time 0.
    pub min: Option<u64>,
    /// End, in ns from time 0.
    pub max: Option<u64>,
    /// Only runs whose comm starts with this.
    pub target: Option<String>,
    /// Only these CPUs.
    pub cpus: Option<Vec<u32>>,
    /// Only runs with one of these comms.
    pub comms: Vec<String>,
    /// Only tasks with one of these pids.
    pub pids: Vec<i32>,
    /// Only runs that pass a filter of events, and what belongs to them.
    pub runs: Option<Arc<Passing>>,
}

impl Selection {
    /// Time 0, in ns since the trace's first record.
    pub fn time_zero(&self, trace: &Trace) -> u64 {
        trace.after_sleep.filter(|_| self.after_sleep).unwrap_or(0)
    }

    /// The window in ns since the trace's first record. It includes the very last ns of the trace, unless `max` is
    /// earlier, or it begins behind the trace: then it is empty.
    pub fn window(&self, trace: &Trace) -> Range<u64> {
        let zero = self.time_zero(trace);
        let from = self.min.map_or(zero, |min| zero.saturating_add(min));
        let start = from.min(trace.span_ns);
        let end = match self.max {
            _ if trace.span_ns < from => start,
            None => u64::MAX,
            Some(max) => zero.saturating_add(max),
        };
        start..end.max(start)
    }

    /// The selected tasks, by the comm of their runs.
    pub fn shown(&self, trace: &Trace) -> Shown {
        let any_task = !self.forked && !self.movable && !self.no_kernel_threads;
        if any_task && self.target.is_none() && self.comms.is_empty() && self.pids.is_empty() {
            return Shown::all().passing(self.runs.clone());
        }
        let movable = self.movable.then(|| movable(trace));
        Shown::filter(trace, |id| {
            let (task, comm) = (trace.task_of(id), trace.comm_of(id));
            (!self.forked || task.forked)
                && movable
                    .as_ref()
                    .is_none_or(|movable| movable.get(trace.task_comm(id).task.0 as usize) == Some(&true))
                && !(self.no_kernel_threads && kernel_thread(trace, trace.task_comm(id).task) != KernelThread::Unknown)
                && self.target.as_deref().is_none_or(|prefix| comm.starts_with(prefix))
                && (self.comms.is_empty() || self.comms.iter().any(|name| name == comm))
                && (self.pids.is_empty() || self.pids.contains(&task.pid))
        })
        .passing(self.runs.clone())
    }

    /// By lane, whether it is selected; `None` if all are.
    pub fn lanes(&self, trace: &Trace) -> Option<Vec<bool>> {
        let wanted = self.cpus.as_deref()?;
        let lanes: Vec<bool> = trace.cpus.iter().map(|cpu| wanted.contains(cpu)).collect();
        lanes.contains(&false).then_some(lanes)
    }
}

/// By task, whether its thread ran on at least two CPUs.
fn movable(trace: &Trace) -> Vec<bool> {
    // By task: the first task of its thread.
    let mut threads: Vec<usize> = Vec::with_capacity(trace.tasks.len());
    for (index, task) in trace.tasks.iter().enumerate() {
        let thread = task.continues.and_then(|before| threads.get(before.0 as usize));
        threads.push(thread.copied().unwrap_or(index));
    }
    // By first task: the lane of its first run, and whether another follows on another lane.
    let mut ran = vec![(None, false); trace.tasks.len()];
    for (lane_index, lane) in trace.lanes.iter().enumerate() {
        for id in (0..lane.len()).filter_map(|index| lane.run(index)) {
            let thread = threads.get(trace.task_comm(id).task.0 as usize);
            if let Some((first, movable)) = thread.and_then(|&thread| ran.get_mut(thread)) {
                *movable |= *first.get_or_insert(lane_index) != lane_index;
            }
        }
    }
    let movable = |thread: usize| ran.get(thread).is_some_and(|&(_, movable)| movable);
    threads.into_iter().map(movable).collect()
}

/// CPU numbers as a list for people and options: `1,4-7`.
pub fn cpu_list(cpus: &[u32]) -> String {
    let runs = cpus.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let range = |run: &[u32]| match run {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    };
    runs.map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::{cpu_list, Selection};
    use schedmodel::Trace;

    #[test]
    fn the_very_last_ns_belongs_to_a_window_that_reaches_it() {
        let trace = Trace {
            span_ns: 40,
            after_sleep: Some(10),
            ..Trace::default()
        };
        let window = |after_sleep: bool, min: Option<u64>, max: Option<u64>| {
            let selection = Selection {
                after_sleep,
                min,
                max,
                ..Selection::default()
            };
            selection.window(&trace)
        };
        assert_eq!(window(false, None, None), 0..u64::MAX);
        assert_eq!(window(false, Some(40), None), 40..u64::MAX);
        assert_eq!(window(false, Some(40), Some(41)), 40..41);
        assert!(window(false, Some(41), None).is_empty());
        assert!(window(false, Some(u64::MAX), Some(u64::MAX)).is_empty());
        assert_eq!(window(true, Some(30), Some(31)), 40..41);
        assert!(window(true, Some(31), None).is_empty());
        assert_eq!(window(true, None, Some(30)), 10..40);
    }

    #[test]
    fn cpus_in_a_row_are_a_range() {
        assert_eq!(cpu_list(&[1, 4, 5, 6, 7, 9]), "1,4-7,9");
        assert_eq!(cpu_list(&[]), "");
    }
}
