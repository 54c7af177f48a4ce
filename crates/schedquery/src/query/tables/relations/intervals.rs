//! Relations whose rows are stretches of time: intervals, runs, waits, states.

use super::column::{Field, Get};
use super::Batches;
use crate::query::lanes::pick::state_text;
use crate::query::lanes::states::StateRow;
use crate::query::select::selected::{Run, Selected};
use crate::query::select::selection::Selection;
use schedindex::TaskState;
use schedmodel::{Class, Interval, Lane, TaskCommId, Time, Trace, WaitCause, Who};
use std::borrow::Cow;

/// An interval of a CPU.
pub(super) struct IntervalRow<'t> {
    trace: &'t Trace,
    cpu: u32,
    lane: &'t Lane,
    index: usize,
    interval: Interval,
}

pub(super) fn interval_fields<'t>() -> [Field<IntervalRow<'t>>; 7] {
    [
        Field::new("cpu", "The CPU", Get::Int(|row| Some(row.cpu.into()))),
        Field::new(
            "start_ns",
            "First nanosecond",
            Get::Instant(|row| Some(Time(row.interval.start))),
        ),
        Field::new(
            "end_ns",
            "First nanosecond after it",
            Get::Instant(|row| Some(Time(row.interval.end))),
        ),
        Field::new(
            "kind",
            "What the CPU did; unknown where events were lost, or the CPU has no switch at all",
            Get::Word(&["run", "idle", "unknown"], |row| {
                Some(match row.interval.who {
                    Who::Run(_) => "run",
                    Who::Idle => "idle",
                    Who::Unknown => "unknown",
                })
            }),
        ),
        Field::new(
            "pid",
            "Thread id of the run; 0 when idle, -1 when unknown",
            Get::Int(|row| {
                Some(match row.interval.who {
                    Who::Run(id) => row.trace.task_of(id).pid.into(),
                    Who::Idle => 0,
                    Who::Unknown => -1,
                })
            }),
        ),
        Field::new(
            "comm",
            "Name that the task was switched in with; swapper/N when idle, empty when unknown",
            Get::Text(|row| {
                Some(match row.interval.who {
                    Who::Run(id) => row.trace.comm_of(id).into(),
                    Who::Idle => format!("swapper/{}", row.cpu).into(),
                    Who::Unknown => Cow::default(),
                })
            }),
        ),
        Field::new(
            "inferred",
            "No switch to it is in the trace: it is taken to have run since the trace began",
            Get::Bool(|row| Some(row.lane.inferred(row.index))),
        ),
    ]
}

/// By CPU, then by time. Where two switches have the same time, nothing ran between them, and there is no interval.
pub(super) fn intervals(trace: &Trace) -> impl Iterator<Item = IntervalRow<'_>> {
    trace.cpus.iter().zip(&trace.lanes).flat_map(move |(&cpu, lane)| {
        let intervals = lane.intervals().enumerate();
        let intervals = intervals.filter(|(_, interval)| interval.start < interval.end);
        intervals.map(move |(index, interval)| IntervalRow {
            trace,
            cpu,
            lane,
            index,
            interval,
        })
    })
}

/// A run of a selected task, clipped to the window.
pub(super) struct RunRow<'t> {
    trace: &'t Trace,
    cpu: u32,
    lane: &'t Lane,
    run: Run,
    start: u64,
    end: u64,
}

impl RunRow<'_> {
    /// The wait before it, if it begins in the window.
    fn waited(&self) -> Option<(u64, WaitCause)> {
        let wait = self.run.wait.filter(|_| self.start == self.run.interval.start)?;
        Some((self.start - wait.since, wait.cause))
    }
}

pub(super) fn run_fields<'t>() -> [Field<RunRow<'t>>; 12] {
    [
        Field::new("cpu", "The CPU", Get::Int(|row| Some(row.cpu.into()))),
        Field::new(
            "start_ns",
            "First nanosecond",
            Get::Instant(|row| Some(Time(row.start))),
        ),
        Field::new(
            "end_ns",
            "First nanosecond after it",
            Get::Instant(|row| Some(Time(row.end))),
        ),
        Field::new(
            "pid",
            "Thread id",
            Get::Int(|row| Some(row.trace.task_of(row.run.id).pid.into())),
        ),
        Field::new(
            "generation",
            "Generation of the pid, from 0",
            Get::Int(|row| Some(row.trace.task_of(row.run.id).generation.into())),
        ),
        Field::new(
            "comm",
            "Name that the task was switched in with",
            Get::Text(|row| Some(row.trace.comm_of(row.run.id).into())),
        ),
        Field::new(
            "inferred",
            "No switch to it is in the trace: it is taken to have run since the trace began",
            Get::Bool(|row| Some(row.lane.inferred(row.run.index))),
        ),
        Field::optional(
            "waited_ns",
            "How long the task had been runnable when it was switched in",
            Get::Duration(|row| Some(row.waited()?.0)),
        ),
        Field::optional(
            "cause",
            "What had made it runnable",
            Get::Word(WaitCause::WORDS, |row| Some(row.waited()?.1.name())),
        ),
        Field::optional(
            "letters",
            "`prev_state` of the switch that ends it, if that is in the window",
            Get::Text(|row| {
                let state = row.lane.end_state(row.run.index);
                Some(state_text(state.filter(|_| row.end == row.run.interval.end)?).into())
            }),
        ),
        Field::optional(
            "prio",
            "Kernel priority at the switch-in, -1 for deadline",
            Get::Int(|row| Some(row.lane.prio(row.run.index)?.into())),
        ),
        Field::optional(
            "class",
            "Class of that priority",
            Get::Word(Class::WORDS, |row| {
                Some(Class::of(row.lane.prio(row.run.index)?).name())
            }),
        ),
    ]
}

pub(super) fn runs<'t, E>(
    trace: &'t Trace,
    selection: &Selection,
    mut batches: Batches<'_, RunRow<'t>, E>,
) -> Result<(), E> {
    let selected = Selected::new(trace, selection);
    let window = selected.closed_window();
    for (lane_index, (&cpu, lane)) in trace.cpus.iter().zip(&trace.lanes).enumerate() {
        if !selected.has_lane(lane_index) {
            continue;
        }
        for run in selected.runs_in(lane_index, 0..lane.len()) {
            let (start, end) = (run.interval.start.max(window.start), run.interval.end.min(window.end));
            if start < end {
                batches.push(&RunRow {
                    trace,
                    cpu,
                    lane,
                    run,
                    start,
                    end,
                })?;
            }
        }
    }
    batches.flush()
}

/// A wait of a selected task.
pub(super) struct WaitRow<'t> {
    trace: &'t Trace,
    who: TaskCommId,
    since: u64,
    until: u64,
    cause: WaitCause,
    cpu: Option<u32>,
}

pub(super) fn wait_fields<'t>() -> [Field<WaitRow<'t>>; 7] {
    [
        Field::new(
            "pid",
            "Thread id",
            Get::Int(|row| Some(row.trace.task_of(row.who).pid.into())),
        ),
        Field::new(
            "generation",
            "Generation of the pid, from 0",
            Get::Int(|row| Some(row.trace.task_of(row.who).generation.into())),
        ),
        Field::new(
            "comm",
            "Its name in the run that followed, or else its last",
            Get::Text(|row| Some(row.trace.comm_of(row.who).into())),
        ),
        Field::new(
            "start_ns",
            "First nanosecond",
            Get::Instant(|row| Some(Time(row.since))),
        ),
        Field::new(
            "end_ns",
            "First nanosecond after it",
            Get::Instant(|row| Some(Time(row.until))),
        ),
        Field::new(
            "cause",
            "What made the task runnable",
            Get::Word(WaitCause::WORDS, |row| Some(row.cause.name())),
        ),
        Field::optional(
            "cpu",
            "Where the task was switched in afterwards; missing where it was not",
            Get::Int(|row| row.cpu.map(i64::from)),
        ),
    ]
}

pub(super) fn waits<'t, E>(
    trace: &'t Trace,
    selection: &Selection,
    mut batches: Batches<'_, WaitRow<'t>, E>,
) -> Result<(), E> {
    let selected = Selected::new(trace, selection);
    let window = selected.closed_window();
    let mut push = |who, since: u64, until: u64, cause, cpu| {
        let (since, until) = (since.max(window.start), until.min(window.end));
        if until <= since {
            return Ok(());
        }
        batches.push(&WaitRow {
            trace,
            who,
            since,
            until,
            cause,
            cpu,
        })
    };
    for (lane_index, (&cpu, lane)) in trace.cpus.iter().zip(&trace.lanes).enumerate() {
        if !selected.has_lane(lane_index) {
            continue;
        }
        for run in selected.runs_in(lane_index, 0..lane.len()) {
            if let Some(wait) = run.wait {
                push(run.id, wait.since, run.interval.start, wait.cause, Some(cpu))?;
            }
        }
    }
    for wait in selected.loose_waits() {
        push(wait.who, wait.since, wait.until, wait.cause, None)?;
    }
    batches.flush()
}

pub(super) fn state_fields<'t>() -> [Field<StateRow<'t>>; 11] {
    [
        Field::new("pid", "Thread id", Get::Int(|row| Some(row.task().pid.into()))),
        Field::new(
            "generation",
            "Generation of the pid, from 0",
            Get::Int(|row| Some(row.task().generation.into())),
        ),
        Field::new(
            "comm",
            "Its name in this run, or in the next one, or else its last",
            Get::Text(|row| Some(row.comm().into())),
        ),
        Field::new(
            "state",
            "What the task did",
            Get::Word(TaskState::WORDS, |row| Some(row.state.name())),
        ),
        Field::new("start_ns", "First nanosecond", Get::Instant(|row| Some(row.start_ns))),
        Field::new(
            "end_ns",
            "First nanosecond after it",
            Get::Instant(|row| Some(row.end_ns)),
        ),
        Field::optional(
            "cpu",
            "Of a run: where. Of a wait: where the task was switched in afterwards",
            Get::Int(|row| row.cpu.map(i64::from)),
        ),
        Field::optional(
            "letters",
            "`prev_state` of the switch that ends the run, or that begins the other state",
            Get::Text(|row| row.letters().map(Cow::Owned)),
        ),
        Field::optional(
            "cause",
            "What made the task runnable",
            Get::Word(WaitCause::WORDS, |row| row.cause.map(WaitCause::name)),
        ),
        Field::optional(
            "prio",
            "Kernel priority of a run at its switch-in, -1 for deadline",
            Get::Int(|row| row.prio.map(i64::from)),
        ),
        Field::optional(
            "class",
            "Class of that priority",
            Get::Word(Class::WORDS, |row| Some(Class::of(row.prio?).name())),
        ),
    ]
}
