//! Summary of a built trace.

use super::damage::Damage;
use super::missing::missing_events;
use schedmodel::{Diagnostic, Task, Time, Trace};
use serde::Serialize;
use ts_rs::TS;

/// The model's part of `Summary` in `web/engine/protocol.ts`.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "ModelSummary")]
pub struct Summary {
    /// From the first to the last record.
    #[ts(type = "Ns")]
    pub span: u64,
    /// Records of every kind.
    pub records: u64,
    /// Scheduling events.
    pub sched_events: u64,
    /// Events that the trace does not hold at all, though numbers are made of them: see `missing_events`.
    #[ts(type = "Array<'sched_switch' | 'sched_wakeup'>")]
    pub missing_events: Vec<&'static str>,
    /// Events that the kernel says were lost.
    pub lost_events: u64,
    /// Number of gaps in the streams.
    pub lost_gaps: u64,
    /// Exit of the first task named `sleep`.
    #[ts(type = "Ns | null")]
    pub after_sleep: Option<u64>,
    /// What is missing, if that concerns the whole trace.
    pub damage: Option<Damage>,
    /// Everything that was found wrong.
    pub diagnostics: Vec<DiagnosticAnswer>,
    /// By comm id.
    pub comms: Vec<String>,
}

/// A diagnostic, with its times relative to the trace's first record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "Diagnostic")]
pub struct DiagnosticAnswer {
    /// Its kind.
    pub kind: &'static str,
    /// The CPU, if it belongs to one.
    pub cpu: Option<u32>,
    /// When it first happened.
    pub at_ns: Option<Time>,
    /// How many times it happened.
    pub count: u64,
    /// When some of the others happened; a few at most.
    pub more_ns: Vec<Time>,
    /// A text for people.
    pub text: String,
}

impl DiagnosticAnswer {
    /// As the model keeps it.
    pub fn new(diagnostic: &Diagnostic) -> DiagnosticAnswer {
        DiagnosticAnswer {
            kind: diagnostic.kind.name(),
            cpu: diagnostic.cpu,
            at_ns: diagnostic.at,
            count: diagnostic.count,
            more_ns: diagnostic.more.clone(),
            text: diagnostic.text.clone(),
        }
    }
}

impl Summary {
    /// The summary of a trace.
    pub fn new(trace: &Trace) -> Summary {
        Summary {
            span: trace.span_ns,
            records: trace.records,
            sched_events: trace.sched_events,
            missing_events: missing_events(trace),
            lost_events: trace.lost_events,
            lost_gaps: trace.lost_gaps,
            after_sleep: trace.after_sleep,
            damage: Damage::of(trace),
            diagnostics: trace.diagnostics.iter().map(DiagnosticAnswer::new).collect(),
            comms: trace.comms.names().to_vec(),
        }
    }

    /// Pids by task id.
    pub fn task_pids(trace: &Trace) -> Vec<i32> {
        trace.tasks.iter().map(|task| task.pid).collect()
    }

    /// Latest comm ids by task id.
    pub fn task_comms(trace: &Trace) -> Vec<u32> {
        trace.tasks.iter().map(|task| task.comm.0).collect()
    }

    /// The kernel priority at the last switch-in by task id, -1 for deadline; `i16::MAX` if no event tells.
    pub fn task_prios(trace: &Trace) -> Vec<i16> {
        let last = |task: &Task| task.prio.and_then(|range| i16::try_from(range.last).ok());
        trace.tasks.iter().map(|task| last(task).unwrap_or(i16::MAX)).collect()
    }

    /// 1 for tasks that were forked in the trace, by task id.
    pub fn task_forked(trace: &Trace) -> Vec<u8> {
        trace.tasks.iter().map(|task| u8::from(task.forked)).collect()
    }
}
