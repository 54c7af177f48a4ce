//! Relations whose rows are events: wakeups and migrations.

use super::column::{Field, Get};
use super::Batches;
use crate::query::lanes::instant::waker_run;
use crate::query::select::selected::Selected;
use crate::query::select::selection::Selection;
use schedmodel::{Edge, Migration, MigrationKind, TaskCommId, TaskId, Time, Trace, WakeEvent, WakerContext};
use std::borrow::Cow;

/// A wakeup that led to a run of a selected task.
pub(super) struct WakeupRow<'t> {
    trace: &'t Trace,
    edge: Edge,
    latency: u64,
    id: TaskCommId,
}

impl WakeupRow<'_> {
    /// The waker's name at that time, which is that of its run; where there is none, its last.
    fn waker_comm(&self) -> Option<Cow<'_, str>> {
        if self.edge.waker_is_idle() {
            return Some(format!("swapper/{}", self.edge.waker_cpu).into());
        }
        let waker = self.trace.task(self.edge.waker?);
        let run = waker_run(self.trace, &self.edge);
        let run = run.and_then(|(lane, index)| self.trace.lanes.get(lane)?.run(index));
        let comms = &self.trace.comms;
        Some(
            run.map_or_else(|| comms.name(waker.comm), |run| self.trace.comm_of(run))
                .into(),
        )
    }

    fn waker<T>(&self, of_idle: T, of_task: impl Fn(TaskId) -> T) -> Option<T> {
        match self.edge.waker_is_idle() {
            true => Some(of_idle),
            false => self.edge.waker.map(of_task),
        }
    }
}

pub(super) fn wakeup_fields<'t>() -> [Field<WakeupRow<'t>>; 16] {
    [
        Field::new(
            "at_ns",
            "When the latency starts: at `sched_waking`, if there is one",
            Get::Instant(|row| Some(Time(row.edge.at))),
        ),
        Field::new(
            "event",
            "The event at that time",
            Get::Word(WakeEvent::WORDS, |row| Some(row.edge.event.name())),
        ),
        Field::new(
            "pid",
            "Thread id of the wakee",
            Get::Int(|row| Some(row.trace.task_of(row.id).pid.into())),
        ),
        Field::new(
            "generation",
            "Generation of that pid, from 0",
            Get::Int(|row| Some(row.trace.task_of(row.id).generation.into())),
        ),
        Field::new(
            "comm",
            "Name that the wakee was switched in with",
            Get::Text(|row| Some(row.trace.comm_of(row.id).into())),
        ),
        Field::optional(
            "woken_ns",
            "When the wakee became runnable: at `sched_wakeup`",
            Get::Instant(|row| row.edge.woken.map(Time)),
        ),
        Field::optional(
            "running_ns",
            "When the wakee was switched in",
            Get::Instant(|row| row.edge.running.map(Time)),
        ),
        Field::new(
            "latency_ns",
            "From `at_ns` to `running_ns`",
            Get::Duration(|row| Some(row.latency)),
        ),
        Field::optional(
            "waker_pid",
            "Thread id of the task on the waker's CPU, 0 for idle; missing where the trace does not tell",
            Get::Int(|row| row.waker(0, |waker| row.trace.task(waker).pid.into())),
        ),
        Field::optional(
            "waker_generation",
            "Generation of that pid, from 0",
            Get::Int(|row| row.waker(0, |waker| row.trace.task(waker).generation.into())),
        ),
        Field::optional("waker_comm", "Its name at that time", Get::Text(|row| row.waker_comm())),
        Field::new(
            "waker_context",
            "What the waker's CPU did: the task, or an interrupt in its time",
            Get::Word(WakerContext::WORDS, |row| Some(row.edge.context.name())),
        ),
        Field::new(
            "waker_cpu",
            "CPU on which the event was written",
            Get::Int(|row| Some(row.edge.waker_cpu.into())),
        ),
        Field::optional(
            "previous_cpu",
            "Where the wakee last ran",
            Get::Int(|row| row.edge.previous_cpu.map(i64::from)),
        ),
        Field::optional(
            "chosen_cpu",
            "Where the wakee was put",
            Get::Int(|row| row.edge.chosen_cpu.map(i64::from)),
        ),
        Field::optional(
            "cpu",
            "Where the wakee was switched in",
            Get::Int(|row| row.edge.cpu.map(i64::from)),
        ),
    ]
}

pub(super) fn wakeups<'t, E>(
    trace: &'t Trace,
    selection: &Selection,
    mut batches: Batches<'_, WakeupRow<'t>, E>,
) -> Result<(), E> {
    for woken in Selected::new(trace, selection).wakeups() {
        batches.push(&WakeupRow {
            trace,
            edge: woken.edge,
            latency: woken.latency,
            id: woken.id,
        })?;
    }
    batches.flush()
}

/// A migration of a selected task.
pub(super) struct MigrationRow<'t> {
    trace: &'t Trace,
    migration: &'t Migration,
}

pub(super) fn migration_fields<'t>() -> [Field<MigrationRow<'t>>; 7] {
    [
        Field::new(
            "at_ns",
            "When it happened",
            Get::Instant(|row| Some(Time(row.migration.at))),
        ),
        Field::new(
            "pid",
            "Thread id",
            Get::Int(|row| Some(row.trace.task(row.migration.task).pid.into())),
        ),
        Field::new(
            "generation",
            "Generation of the pid, from 0",
            Get::Int(|row| Some(row.trace.task(row.migration.task).generation.into())),
        ),
        Field::new(
            "comm",
            "Last name of the task",
            Get::Text(|row| Some(row.trace.comms.name(row.trace.task(row.migration.task).comm).into())),
        ),
        Field::new(
            "kind",
            "Why, as far as the trace tells",
            Get::Word(MigrationKind::WORDS, |row| Some(row.migration.kind.name())),
        ),
        Field::optional(
            "from_cpu",
            "The CPU that the task left",
            Get::Int(|row| row.migration.from().map(i64::from)),
        ),
        Field::optional(
            "to_cpu",
            "The CPU that it was moved to",
            Get::Int(|row| row.migration.to().map(i64::from)),
        ),
    ]
}

/// The migrations in the window of tasks that are selected under any of their comms, whatever the CPU.
pub(super) fn migrations<'t>(trace: &'t Trace, selection: &Selection) -> impl Iterator<Item = MigrationRow<'t>> {
    let (window, shown) = (selection.window(trace), selection.shown(trace));
    let mut selected = vec![false; trace.tasks.len()];
    for (pair, id) in trace.task_comms.iter().zip((0..).map(TaskCommId)) {
        if let Some(selected) = selected.get_mut(pair.task.0 as usize) {
            *selected |= shown.has(id);
        }
    }
    let in_time = trace
        .migrations
        .iter()
        .filter(move |migration| window.contains(&migration.at));
    let chosen = in_time.filter(move |migration| selected.get(migration.task.0 as usize) == Some(&true));
    chosen.map(move |migration| MigrationRow { trace, migration })
}
