//! A run, the wakeup that led to it, and the CPUs involved (Figure 12 of *Graphing Tools for Scheduler Tracing*, which
//! its authors drew by hand): chooses the window and the lanes, and describes what happened. `wakeup_paint` draws it.

use crate::choices::error::FigureError;
use crate::choices::spec::{Place, Spec};
use crate::choices::subject::Subject;
use crate::paint::axis::{duration, instant};
use schedindex::{queued, Queued, RunId, Runs};
use schedmodel::{TaskId, Trace, WakerContext, Who};
use schedquery::query::{cpu_list, task_name, waker_run, woken_at, CpuChoice, Model, Shared, WakeupEdge, Woken};
use std::ops::Range;

/// Margin before and after the window, as a share of it.
const MARGIN: f64 = 0.06;
/// The time before the wakeup, and the length of the run, take at most this multiple of the room of the rest.
const MOST_ROOM: u64 = 4;
/// The most numbers of idle CPUs that are listed; more are counted.
const MOST_LISTED: usize = 16;

/// The contents of a wakeup figure. Times are ns since the trace's first record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extract {
    /// A description in sentences.
    pub(crate) caption: String,
    /// Lanes by index, ascending.
    pub(crate) lanes: Vec<usize>,
    /// The time that is drawn.
    pub(crate) window: Range<u64>,
    /// When the wakeup's latency starts.
    pub(crate) at: u64,
    /// The task that was woken.
    pub(crate) wakee: TaskId,
    /// The waker; `None` for idle, and if the trace does not tell.
    pub(crate) waker: Option<TaskId>,
    /// Whether an interrupt on the waker's CPU made the wakeup.
    pub(crate) interrupt: bool,
    /// The run: lane, and when it begins and ends.
    pub(crate) lane: usize,
    pub(crate) run: Range<u64>,
    /// Lane of the waker's CPU.
    pub(crate) waker_lane: Option<usize>,
    /// Lane of the CPU that the wakee last ran on.
    pub(crate) previous_lane: Option<usize>,
    /// The CPUs on which the wakee waited, from the wakeup to the run, in time order.
    pub(crate) waits: Vec<Queued>,
    /// The CPU of the run.
    cpu: u32,
    placed: WakeupEdge,
    choice: CpuChoice,
    clock_is_ns: bool,
}

/// The contents for the run that a figure is about.
pub(crate) fn extract(subject: &Subject<'_>, spec: &Spec) -> Result<Extract, FigureError> {
    let trace = subject.trace;
    let place = spec.wakeup.ok_or(FigureError::NoPlace)?;
    let lane = trace.lane_index(place.cpu);
    let index = lane.and_then(|lane| {
        let index = trace.lane_at(lane).find(place.at)?;
        trace.lane_at(lane).run(index).map(|_| index)
    });
    let (Some(lane), Some(index)) = (lane, index) else {
        return Err(FigureError::no_run(trace, place));
    };
    let woken = woken_at(trace, place.cpu, place.at).ok_or_else(|| FigureError::no_wakeup(trace, place))?;
    let interval = trace.lane_at(lane).interval(index);
    let edge = &woken.edge;
    let previous = previous_run(trace, &woken, interval.start);
    let shared = Shared::default();
    let mut placed = WakeupEdge::of(Model::new(trace, &shared), &woken);
    let mut found = Extract {
        caption: String::new(),
        lanes: lanes(trace, spec, &woken, place)?,
        window: window(trace, spec, &woken, &(interval.start..interval.end), previous)?,
        at: edge.at,
        wakee: woken.wakee,
        waker: edge.waker.filter(|_| edge.context == WakerContext::Task),
        interrupt: edge.context.is_interrupt(),
        lane,
        run: interval.start..interval.end,
        waker_lane: trace.lane_index(edge.waker_cpu),
        previous_lane: edge.previous_cpu.and_then(|cpu| trace.lane_index(cpu)),
        waits: waits(trace, &woken, lane),
        cpu: place.cpu,
        choice: placed.choice.take().unwrap_or_default(),
        placed,
        clock_is_ns: subject.clock_is_ns,
    };
    found.caption = found.in_words(trace);
    Ok(found)
}

/// The wakee's run before the wakeup.
fn previous_run(trace: &Trace, woken: &Woken, start: u64) -> Option<RunId> {
    Runs::new(trace).last_before(trace, woken.wakee, start.checked_sub(1)?)
}

/// The requested lanes, or else those of all CPUs involved.
fn lanes(trace: &Trace, spec: &Spec, woken: &Woken, place: Place) -> Result<Vec<usize>, FigureError> {
    let edge = &woken.edge;
    let mut lanes: Vec<usize> = match &spec.selection.cpus {
        Some(cpus) => cpus.iter().filter_map(|&cpu| trace.lane_index(cpu)).collect(),
        None => [
            edge.previous_cpu,
            Some(edge.waker_cpu),
            edge.chosen_cpu,
            Some(place.cpu),
        ]
        .into_iter()
        .flatten()
        .filter_map(|cpu| trace.lane_index(cpu))
        .collect(),
    };
    lanes.sort_unstable();
    lanes.dedup();
    if lanes.is_empty() {
        return Err(FigureError::no_run(trace, place));
    }
    Ok(lanes)
}

/// From shortly before the end of the wakee's previous run to shortly after the end of this one, unless that leaves no
/// room for the wakeup itself. The selection's times override this.
fn window(
    trace: &Trace,
    spec: &Spec,
    woken: &Woken,
    run: &Range<u64>,
    previous: Option<RunId>,
) -> Result<Range<u64>, FigureError> {
    let at = woken.edge.at;
    let waker_since = waker_run(trace, &woken.edge).map(|(lane, index)| trace.lane_at(lane).start_of(index));
    let left = previous.map(|run| trace.lane_at(run.lane).end_of(run.index));
    let before = left.or(waker_since).map_or(0, |since| at.saturating_sub(since));
    let after = run.end - run.start;
    let before = before.min(MOST_ROOM * (woken.latency + after).max(1));
    let after = after.min(MOST_ROOM * (woken.latency + before).max(1));
    let margin = ((before + woken.latency + after) as f64 * MARGIN) as u64 + 1;
    let asked = spec.selection.window(trace);
    let start = match spec.selection.min {
        Some(_) => asked.start,
        None => at.saturating_sub(before).saturating_sub(margin),
    };
    let end = match spec.selection.max {
        Some(_) => asked.end.min(trace.span_ns),
        None => run
            .start
            .saturating_add(after)
            .saturating_add(margin)
            .min(trace.span_ns),
    };
    if start < end {
        return Ok(start..end);
    }
    let time = |at: u64| instant(trace.origin_ns.saturating_add(at), true);
    Err(FigureError::Window {
        from: time(start),
        to: time(end),
        length: time(trace.span_ns),
    })
}

/// The CPUs on which the wakee waited, from the wakeup to its run.
fn waits(trace: &Trace, woken: &Woken, lane: usize) -> Vec<Queued> {
    let (since, until) = (woken.edge.at, woken.edge.at.saturating_add(woken.latency));
    let migrations = trace.migrations.iter();
    let own = migrations.filter(|migration| migration.task == woken.wakee && since <= migration.at);
    let mut waits = Vec::new();
    queued(
        own,
        (since, until),
        |_| Some(trace.cpu_at(lane)),
        |wait| waits.push(wait),
    );
    waits
}

impl Extract {
    fn in_words(&self, trace: &Trace) -> String {
        let WakeupEdge { wakee, waker_cpu, .. } = &self.placed;
        let cpu = self.cpu;
        let time = instant(trace.origin_ns.saturating_add(self.at), self.clock_is_ns);
        let by = match (self.interrupt, self.placed.waker_name()) {
            (true, Some(name)) => {
                format!("a {} on CPU {waker_cpu}, where {name} ran", self.placed.context.name())
            }
            (true, None) => format!("a {} on CPU {waker_cpu}", self.placed.context.name()),
            (false, Some(name)) => format!("{name}, running on CPU {waker_cpu}"),
            (false, None) => format!("an unknown waker; the event is of CPU {waker_cpu}"),
        };
        let (name, latency) = (task_name(&wakee.comm, wakee.pid), self.latency());
        let (previous, idle) = (self.previous_in_words(trace), self.idle_in_words(trace));
        let put = match self.placed.chosen_cpu {
            Some(chosen) if chosen != cpu => format!("was put on CPU {chosen}, and ran on CPU {cpu}"),
            _ => format!("ran on CPU {cpu}"),
        };
        format!("{name} was woken at {time} by {by}; it {put} after {latency}. {previous} {idle}")
    }

    /// The wake-up latency, as text.
    pub(crate) fn latency(&self) -> String {
        duration(self.placed.latency_ns.unwrap_or(0), self.clock_is_ns)
    }

    fn previous_in_words(&self, trace: &Trace) -> String {
        let Some(previous) = self.placed.previous_cpu else {
            return "Where it last ran is not in the trace.".to_owned();
        };
        let lane = trace.lane(previous);
        let who = lane.and_then(|lane| Some(lane.who(lane.find(self.at)?)));
        let state = match (who, self.choice.previous_was_free) {
            (Some(Who::Idle), Some(false)) => "was idle, but a task was queued there or on its way there".to_owned(),
            (Some(Who::Idle), Some(true)) => "was idle".to_owned(),
            (Some(Who::Idle), None) => "was idle; whether a task was queued there is unknown".to_owned(),
            (Some(Who::Run(id)), _) => {
                format!("ran {}", task_name(trace.comm_of(id), trace.task_of(id).pid))
            }
            (Some(Who::Unknown) | None, _) => "is not known to have been idle".to_owned(),
        };
        format!("CPU {previous}, where it last ran, {state}.")
    }

    fn idle_in_words(&self, trace: &Trace) -> String {
        let (idle, all) = (&self.choice.idle_cpus, trace.cpus.len());
        match idle.len() {
            0 => format!("None of {all} CPUs was idle."),
            1 => format!("1 of {all} CPUs was idle: {}.", cpu_list(idle)),
            count if count <= MOST_LISTED => {
                format!("{count} of {all} CPUs were idle: {}.", cpu_list(idle))
            }
            count => format!("{count} of {all} CPUs were idle."),
        }
    }

    /// The role of a lane's CPU, in words.
    pub(crate) fn role(&self, trace: &Trace, lane: usize) -> String {
        let chosen = self.placed.chosen_cpu.and_then(|cpu| trace.lane_index(cpu));
        let roles = [
            (self.previous_lane, "last ran here"),
            (self.waker_lane, if self.interrupt { "interrupt" } else { "waker" }),
            (chosen.filter(|&lane| lane != self.lane), "put here"),
            (Some(self.lane), "ran here"),
        ];
        let own = roles.iter().filter(|(of, _)| *of == Some(lane));
        own.map(|(_, role)| *role).collect::<Vec<_>>().join(", ")
    }

    /// The lane of the previous CPU, if that idled at the wakeup, and the time for which it idled.
    pub(crate) fn idle_before(&self, trace: &Trace) -> Option<(usize, Range<u64>)> {
        let lane_index = self.previous_lane?;
        let lane = trace.lane_at(lane_index);
        let index = lane.find(self.at).filter(|&index| lane.who(index) == Who::Idle)?;
        let idle = lane.interval(index);
        Some((lane_index, idle.start..idle.end))
    }
}
