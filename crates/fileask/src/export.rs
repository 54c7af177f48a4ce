//! A part of a trace as a file for other viewers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use schedmodel::{kernel_thread, Counts, KernelThread, TaskId, Trace, Who};
use schedrows::{ReadAt, SourceInfo};
use serde::{Deserialize, Serialize};
use tracedat::cut::{cut, cut_as, Window};
use tracedat::events::EventNumber;
use tracedat::file::TraceFile;
use tracedat::records::MergedRecords;
use tracedat::write::{FileVersion, Written};
use traceexport::perfetto::{self, Counter, Extra, Known};
use ts_rs::TS;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// For the Perfetto UI.
    Perfetto,
    /// For trace-cmd and KernelShark.
    TraceDat,
}

/// A file.
pub struct Exported {
    /// All of it.
    pub bytes: Vec<u8>,
    /// What is in it.
    pub written: Written,
}

/// Writes the window of a trace. `info`: what the trace's own file says; `is_own`: that is `file`, whose version is kept.
pub fn export<R: ReadAt>(
    file: &TraceFile<R>,
    (info, is_own): (&SourceInfo, bool),
    trace: &Trace,
    window: &Window,
    to: ExportFormat,
) -> Result<Exported, String> {
    match to {
        ExportFormat::Perfetto => {
            let extra = Extra {
                tasks: tasks(file, trace, info),
                counters: counters(trace, window),
                cannot_tell: info.cannot_tell,
            };
            let mut bytes = Vec::new();
            let written = perfetto::write(file, window, extra, &mut bytes).map_err(|error| error.to_string())?;
            Ok(Exported { bytes, written })
        }
        ExportFormat::TraceDat => {
            let mut out = Cursor::new(Vec::new());
            let written = match is_own {
                true => cut(file, window, &mut out),
                false => cut_as(file, window, FileVersion::V7, &mut out),
            };
            let written = written.map_err(|error| error.to_string())?;
            Ok(Exported {
                bytes: out.into_inner(),
                written,
            })
        }
    }
}

/// Each task by its last name, of events or else of the saved command lines; `info`: what the trace's own file says.
pub fn tasks<R: ReadAt>(file: &TraceFile<R>, trace: &Trace, info: &SourceInfo) -> Vec<Known> {
    let mut known: BTreeMap<i32, Known> = BTreeMap::new();
    let mut name = |pid: i32, comm: &str, is_kernel_thread: bool| {
        let known = known.entry(pid).or_insert_with(|| Known {
            pid,
            tgid: None,
            comm: String::new(),
            is_kernel_thread,
        });
        known.comm = comm.to_owned();
        known.is_kernel_thread = is_kernel_thread;
    };
    for (pid, comm) in file.saved_names() {
        name(pid, &comm, false);
    }
    for (task, id) in trace.tasks.iter().zip(0..) {
        let comm = trace.comms.name(task.comm);
        if 0 < task.pid && !comm.is_empty() {
            name(task.pid, comm, kernel_thread(trace, TaskId(id)) == KernelThread::Yes);
        }
    }
    for task in &info.tasks {
        if let Some(known) = known.get_mut(&task.pid) {
            known.tgid = task.tgid;
        }
    }
    known.into_values().collect()
}

/// The thread ids of tasks that ran under one of these names, or have one of these ids, ascending.
pub fn pids_of(trace: &Trace, comms: &[String], pids: &[i32]) -> Vec<i32> {
    let mut found: BTreeSet<i32> = pids.iter().copied().collect();
    let is_one = |comm: &str| comms.iter().any(|of| of == comm);
    for lane in trace.lanes.iter() {
        for interval in lane.intervals() {
            if let Who::Run(run) = interval.who {
                if is_one(trace.comm_of(run)) {
                    found.insert(trace.task_of(run).pid);
                }
            }
        }
    }
    let others = trace.tasks.iter().filter(|task| is_one(trace.comms.name(task.comm)));
    found.extend(others.map(|task| task.pid));
    found.into_iter().collect()
}

/// The values of an event's field, `EVENT.FIELD`, of all CPUs.
pub fn field_counter<'c, R: ReadAt>(
    file: &TraceFile<R>,
    window: &Window,
    name: &'c str,
) -> Result<Counter<'c>, String> {
    let EventNumber { system, event, field } = EventNumber::of(file, name)?;
    let found = file
        .event_ids()
        .find(|&id| file.event_name(id) == Some((&system, &event)));
    let int = found.and_then(|id| Some((id, file.event_format(id)?.field(&field)?.as_int()?)));
    let (id, int) = int.ok_or_else(|| format!("{event} has no field {field} that is a number"))?;
    let shown = file.shown_buffer();
    let mut records = MergedRecords::new(file, |buffer, _| buffer == shown);
    let mut values = Vec::new();
    while let Some(record) = records.next().map_err(|error| error.to_string())? {
        if record.id == id && window.has_time(record.ts) && window.has_cpu(record.cpu) {
            values.extend(int.load(record.data, file.endian()).map(|value| (record.ts, value)));
        }
    }
    Ok(Counter {
        name,
        values: Box::new(values.into_iter()),
    })
}

/// How many tasks run, and how many wait, in the window.
pub fn counters<'t>(trace: &'t Trace, window: &Window) -> Vec<Counter<'t>> {
    let from = window.from.saturating_sub(trace.origin_ns);
    let to = window.to.map_or(trace.span_ns, |to| to.saturating_sub(trace.origin_ns));
    let track = |name, count: fn(Counts) -> u32| {
        let mut last = None;
        let steps = trace.steps.within(from..to);
        let values = steps.filter_map(move |step| {
            let value = count(step.counts);
            let is_new = last.replace(value) != Some(value);
            is_new.then(|| (trace.origin_ns + step.from.max(from), i64::from(value)))
        });
        Counter {
            name,
            values: Box::new(values),
        }
    };
    vec![
        track("running", |counts| counts.running),
        track("waiting", |counts| counts.waiting),
    ]
}
