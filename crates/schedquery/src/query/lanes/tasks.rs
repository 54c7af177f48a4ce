//! Facts about tasks, and their states at an instant.

use super::indexes::Indexes;
use super::pick::state_text;
use crate::query::select::time_window::TimeWindow;
use schedindex::{RunId, StateInterval, TaskState, TaskStates};
use schedmodel::{kernel_thread, Class, KernelThread, TaskId, WaitCause};
use schedrows::StateCode;
use serde::Serialize;
use std::sync::Arc;
use ts_rs::TS;

/// The most events per query that are read to derive states: a millisecond or two.
const STEPS: usize = 1 << 12;

/// Facts about a task, in the shape of `TaskInfo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TaskInfo {
    /// Task id.
    pub task: u32,
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid.
    pub generation: u32,
    /// Its last comm.
    pub comm: String,
    /// Its comms, by first run.
    pub comms: Vec<CommFrom>,
    /// Whether it was forked in the trace.
    pub forked: bool,
    /// The task that forked it.
    pub parent: Option<u32>,
    /// Whether it is a kernel thread.
    pub kernel: KernelThread,
    /// The class of its lowest priority.
    pub class: Option<Class>,
    /// Its kernel priorities at switch-ins.
    pub prio: Option<Prios>,
    /// Number of runs.
    pub runs: u64,
    /// Their total length.
    pub execution_ns: u64,
    /// Start of the first run.
    #[ts(type = "Ns | null")]
    pub first_run: Option<u64>,
    /// End of the last run.
    #[ts(type = "Ns | null")]
    pub last_run: Option<u64>,
}

/// A comm, and the start of its first run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CommFrom {
    /// The name.
    pub comm: String,
    /// Start of the first run in ns.
    #[ts(type = "Ns")]
    pub from: u64,
}

/// Minimum and maximum priority; -1 is deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Prios {
    /// The most urgent.
    pub min: i32,
    /// The least urgent.
    pub max: i32,
}

/// A run of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TaskRun {
    /// Task id.
    pub task: u32,
    /// The CPU.
    pub cpu: u32,
    /// First ns.
    #[ts(type = "Ns")]
    pub start: u64,
    /// First ns after it.
    #[ts(type = "Ns")]
    pub end: u64,
    /// The task's name at the switch-in.
    pub comm: String,
}

/// Runs of tasks whose states are derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRuns {
    /// Sorted by task as requested, then by start.
    pub runs: Vec<TaskRun>,
    /// Tasks whose states are not derived yet.
    pub missing: Vec<u32>,
}

/// A state of a task, in the shape of the page's `TaskInterval`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TaskInterval {
    /// Task id.
    pub task: u32,
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid.
    pub generation: u32,
    /// Name of the state.
    pub state: TaskState,
    /// First ns.
    #[ts(type = "Ns")]
    pub start: u64,
    /// First ns after it.
    #[ts(type = "Ns")]
    pub end: u64,
    /// The task's name in the run, or in the next one, or its last one.
    pub comm: String,
    /// The CPU of the run, or where the wait ended.
    pub cpu: Option<u32>,
    /// `prev_state`, at the end of a run or at the begin of another state.
    pub letters: Option<String>,
    /// Whether the task was off its runqueue, until its next period, after a switch-out with these letters.
    pub throttled: bool,
    /// Whether the task is known to have yielded, at the switch-out with these letters.
    pub yielded: bool,
    /// What made the task runnable.
    pub cause: Option<WaitCause>,
    /// It lasts until the end of the trace.
    pub open: bool,
    /// The run itself, the one that ended the wait, or the previous one.
    pub run: Option<RunStart>,
}

/// A run, by the CPU and the time at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct RunStart {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    #[ts(type = "Ns")]
    pub start: u64,
}

impl Indexes {
    /// The task with this id; `None` if it is not in the trace.
    pub(crate) fn task_id(&self, task: u32) -> Option<TaskId> {
        ((task as usize) < self.trace().tasks.len()).then_some(TaskId(task))
    }

    /// The states of a task over the whole trace, derived if necessary.
    pub fn task_states(&self, task: u32) -> Option<Arc<TaskStates>> {
        let task = self.task_id(task)?;
        Some(self.states().get(self.trace(), self.runs(), task))
    }

    /// The states of some tasks, as far as they can be derived in a step.
    pub(crate) fn prepare_task_states(&self, tasks: &[TaskId]) -> Vec<Option<Arc<TaskStates>>> {
        self.states().prepare(self.trace(), self.runs(), tasks, &mut { STEPS })
    }

    /// Facts about these tasks (`None`: all), restricted to those that had `comm` at some time if one is given; by id.
    pub fn tasks(&self, ids: Option<&[u32]>, comm: Option<&str>) -> Vec<TaskInfo> {
        let all = || (0..self.trace().tasks.len() as u32).collect();
        let mut ids: Vec<u32> = ids.map_or_else(all, <[u32]>::to_vec);
        ids.sort_unstable();
        ids.dedup();
        let known = ids.iter().filter_map(|&id| self.task_id(id));
        known
            .filter(|&id| comm.is_none_or(|comm| self.was_called(id, comm)))
            .map(|id| self.task_info(id))
            .collect()
    }

    fn was_called(&self, task: TaskId, comm: &str) -> bool {
        let pairs = self.runs().pairs_of(task).iter();
        pairs.into_iter().any(|&pair| self.trace().comm_of(pair) == comm)
    }

    fn task_info(&self, id: TaskId) -> TaskInfo {
        let trace = self.trace();
        let task = trace.task(id);
        let mut comms = Vec::new();
        let (mut runs, mut execution_ns, mut last_run) = (0, 0, None);
        for &pair in self.runs().pairs_of(id) {
            if let Some(sum) = self.runs().in_window(trace, pair, &(0..u64::MAX)) {
                comms.push((sum.first, trace.comm_of(pair)));
                runs += sum.runs;
                execution_ns += sum.execution;
                last_run = last_run.max(Some(sum.last));
            }
        }
        comms.sort_unstable();
        TaskInfo {
            task: id.0,
            pid: task.pid,
            generation: task.generation,
            comm: trace.comms.name(task.comm).to_owned(),
            forked: task.forked,
            parent: task.parent.map(|parent| parent.0),
            kernel: kernel_thread(trace, id),
            class: task.prio.map(|prio| Class::of(prio.min)),
            prio: task.prio.map(|prio| Prios {
                min: prio.min,
                max: prio.max,
            }),
            runs,
            execution_ns,
            first_run: comms.first().map(|&(from, _)| from),
            last_run,
            comms: comms
                .into_iter()
                .map(|(from, comm)| CommFrom {
                    comm: comm.to_owned(),
                    from,
                })
                .collect(),
        }
    }

    /// The runs of some tasks that overlap a window and last at least `min_width` ns; if there is a filter, those that pass. Each
    /// call continues with the missing tasks.
    pub fn task_runs(&self, tasks: &[u32], window: TimeWindow, min_width: u64) -> TaskRuns {
        let known: Vec<TaskId> = tasks.iter().filter_map(|&task| self.task_id(task)).collect();
        let states = self.prepare_task_states(&known);
        let mut answer = TaskRuns {
            runs: Vec::new(),
            missing: Vec::new(),
        };
        for (&TaskId(task), states) in known.iter().zip(states) {
            let Some(states) = states else {
                answer.missing.push(task);
                continue;
            };
            let first = states.spans().find(window.start).unwrap_or(states.len());
            let intervals = (first..states.len()).map(|index| states.interval(index));
            for StateInterval {
                start,
                end,
                run,
                state,
                who,
                ..
            } in intervals.take_while(|one| one.start < window.end)
            {
                let run = run.filter(|_| state == TaskState::Running && min_width <= end - start);
                let run = run.filter(|&run| self.passing().is_none_or(|passing| passing.has_run(self.runs(), run)));
                if let Some(RunId { lane, .. }) = run.map(|run| self.runs().decode(run)) {
                    answer.runs.push(TaskRun {
                        task,
                        cpu: self.trace().cpu_at(lane),
                        start,
                        end,
                        comm: self.trace().comm_of(who).to_owned(),
                    });
                }
            }
        }
        answer
    }

    /// The state of a task at an instant.
    pub fn task_state_at(&self, task: u32, at: u64) -> Option<TaskInterval> {
        let states = self.task_states(task)?;
        Some(self.describe_state(task, &states, states.spans().find(at)?))
    }

    /// The state before or after the one at an instant, which may lie past the trace's end.
    pub fn task_step(&self, task: u32, at: u64, forward: bool) -> Option<TaskInterval> {
        let states = self.task_states(task)?;
        let here = states.spans().find(at).unwrap_or(states.len());
        let found = if forward { here + 1 } else { here.checked_sub(1)? };
        (found < states.len()).then(|| self.describe_state(task, &states, found))
    }

    /// Everything that is known about a state.
    pub fn describe_state(&self, task: u32, states: &TaskStates, index: usize) -> TaskInterval {
        let trace = self.trace();
        let interval = states.interval(index);
        let own = interval.run.map(|run| self.runs().decode(run));
        let shown = own.or_else(|| states.run_before(index).map(|run| self.runs().decode(run)));
        let letters = match own.filter(|_| interval.state == TaskState::Running) {
            Some(RunId { lane, index }) => trace.lane_at(lane).end_state(index),
            None => interval.letters,
        };
        let of = trace.task(TaskId(task));
        TaskInterval {
            task,
            pid: of.pid,
            generation: of.generation,
            state: interval.state,
            start: interval.start,
            end: interval.end,
            comm: trace.comm_of(interval.who).to_owned(),
            cpu: own.map(|run| trace.cpu_at(run.lane)),
            letters: letters.map(state_text),
            throttled: letters.is_some_and(StateCode::throttled),
            yielded: letters.is_some_and(StateCode::yielded),
            cause: interval.cause,
            open: index + 1 == states.len(),
            run: shown.map(|RunId { lane, index }| RunStart {
                cpu: trace.cpu_at(lane),
                start: trace.lane_at(lane).start_of(index),
            }),
        }
    }
}
