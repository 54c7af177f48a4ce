//! The contract with the page, as JSON. Times are ns since the trace's first record.

use std::sync::Arc;

use formats::AnySource;
use schedmodel::topology::Topology;
use schedmodel::Trace;
use schedquery::query::TimeWindow;
use schedrows::{ErrorKind, ReadAt, Source, SourceError};
use serde::{Deserialize, Serialize};
use tracedat::cut::Window;
use tracedat::file::TraceFile;
use tracedat::sched_ext::{sched_ext, sched_ext_of_scans, SchedExt, Told};
use ts_rs::TS;

use crate::export::{export, pids_of, ExportFormat};
use crate::queues::{numbers, QueueFacts};
use crate::records::{records_of, refused, scans_of, trace_dat, Bytes};
use crate::runs::{window_runs, WindowRuns};

/// The most lines that sched_ext said which are given.
const MOST_LINES: usize = 1000;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileQuestion {
    /// What the events of sched_ext tell.
    SchedExtEvents {
        /// Only of it. Half-open.
        window: Option<TimeWindow>,
    },
    /// How tasks ran and moved, in each of some windows.
    SchedExtRuns {
        /// Half-open.
        windows: Vec<TimeWindow>,
        /// The nominal slice.
        slice: u64,
        /// What a run may last longer.
        tick: u64,
        /// The machine, as it was given.
        topology: Option<String>,
    },
    /// Dispatch queues over time.
    Queues,
    /// A part of the trace as a file.
    Export {
        /// Which.
        to: ExportFormat,
        /// Only of it. Half-open.
        window: Option<TimeWindow>,
        /// Only of these CPUs.
        cpus: Option<Vec<u32>>,
        /// Only of tasks that ran under one of these names, and all switches; of all tasks where there are none.
        comms: Vec<String>,
    },
}

/// A counter of sched_ext.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "SchedExtCounter")]
pub struct Event {
    /// Its name.
    pub name: String,
    /// How often it was raised.
    pub count: u64,
    /// By how much in all.
    pub sum: i64,
}

/// A bypass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "Bypass")]
pub struct Span {
    /// Its begin.
    #[ts(type = "Ns")]
    pub start: u64,
    /// Its end; null: it lasts to the trace's end.
    #[ts(type = "Ns | null")]
    pub end: Option<u64>,
}

/// Something that the core said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "SchedExtLine")]
pub struct Line {
    /// When.
    #[ts(type = "Ns")]
    pub at: u64,
    /// Its words.
    pub text: String,
}

/// What is answered; arrays and files come beside it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileAnswer {
    /// Of `sched_ext_events`.
    SchedExtEvents {
        /// By name.
        events: Vec<Event>,
        /// When the core ran all tasks itself.
        bypasses: Vec<Span>,
        /// Schedulers that ended, and why.
        exits: Vec<Line>,
        /// The first lines of dumps.
        dumps: Vec<Line>,
        /// How many there are.
        dumps_total: usize,
    },
    /// Of `sched_ext_runs`, in the order of windows.
    SchedExtRuns {
        /// Each.
        windows: Vec<WindowRuns>,
    },
    /// Of `queues`. Beside it two arrays for each: waits in µs, then lengths; instants and values one after the other.
    Queues {
        /// Each.
        queues: Vec<QueueFacts>,
    },
    /// Of `export`. The file is beside it.
    Export {
        /// How many are in it.
        records: u64,
    },
}

/// What comes beside an answer.
#[derive(Debug, Default)]
pub struct Given {
    /// Arrays of numbers.
    pub numbers: Vec<Vec<f64>>,
    /// A file.
    pub file: Option<Vec<u8>>,
}

impl FileQuestion {
    /// Answers it, of a file and its model; `open` opens the file.
    pub fn answer<R: ReadAt>(
        self,
        trace: &Arc<Trace>,
        open: impl FnOnce() -> Result<AnySource<Bytes<R>>, SourceError>,
    ) -> Result<(FileAnswer, Given), SourceError> {
        let origin = trace.origin_ns;
        let mut given = Given::default();
        let answer = match self {
            FileQuestion::SchedExtEvents { window } => {
                let source = open()?;
                let from = window.map_or(0, |window| origin.saturating_add(window.start));
                let to = window.map(|window| origin.saturating_add(window.end));
                let told = match &source {
                    AnySource::TraceDat(file) => sched_ext(file, from, to)?,
                    other => match records_of(other)? {
                        Some(bytes) => sched_ext(&TraceFile::open(bytes)?, from, to)?,
                        None => sched_ext_of_scans(&scans_of(other)?, from, to),
                    },
                };
                told_of(told, origin)
            }
            FileQuestion::SchedExtRuns {
                windows,
                slice,
                tick,
                topology,
            } => {
                let topology = topology.and_then(|text| Topology::parse(text.as_bytes()).ok());
                let windows = windows
                    .into_iter()
                    .map(|window| window_runs(trace, window, (slice, tick), topology.as_ref()));
                FileAnswer::SchedExtRuns {
                    windows: windows.collect(),
                }
            }
            FileQuestion::Queues => {
                let source = open()?;
                let queues = source.queues();
                for queue in queues {
                    given.numbers.push(numbers(&queue.latency_us, origin));
                    given.numbers.push(numbers(&queue.nr_queued, origin));
                }
                FileAnswer::Queues {
                    queues: queues.iter().map(QueueFacts::of).collect(),
                }
            }
            FileQuestion::Export {
                to,
                window,
                cpus,
                comms,
            } => {
                let source = open()?;
                let of = (&source.info(), matches!(source, AnySource::TraceDat(_)));
                let file = trace_dat(source)?;
                let window = Window {
                    from: window.map_or(0, |window| origin.saturating_add(window.start)),
                    to: window.map(|window| origin.saturating_add(window.end)),
                    cpus,
                    pids: pids_of(trace, &comms, &[]),
                };
                if window.pids.is_empty() && !comms.is_empty() {
                    return Err(refused(ErrorKind::Unsupported, "no task has that name".to_owned()));
                }
                let exported =
                    export(&file, of, trace, &window, to).map_err(|what| refused(ErrorKind::Unsupported, what))?;
                given.file = Some(exported.bytes);
                FileAnswer::Export {
                    records: exported.written.records,
                }
            }
        };
        Ok((answer, given))
    }
}

fn told_of(told: SchedExt, origin: u64) -> FileAnswer {
    let since = |at: u64| at.saturating_sub(origin);
    let lines = |told: Vec<Told>| {
        let lines = told.into_iter().take(MOST_LINES);
        lines.map(|Told { at, text }| Line { at: since(at), text }).collect()
    };
    FileAnswer::SchedExtEvents {
        events: told
            .events
            .into_iter()
            .map(|(name, sum)| Event {
                name,
                count: sum.count,
                sum: sum.sum,
            })
            .collect(),
        bypasses: told
            .bypasses
            .into_iter()
            .map(|(start, end)| Span {
                start: since(start),
                end: end.map(since),
            })
            .collect(),
        exits: lines(told.exits),
        dumps_total: told.dumps.len(),
        dumps: lines(told.dumps),
    }
}
