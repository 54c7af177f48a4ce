//! Questions about calls and interrupts.

use crate::ask::ModelSelection;
use crate::query::{whole, CallStep, CallsBy, CallsQuery, Of, TimeWindow};
use serde::Deserialize;
use staktau::ThreadTimes;
use ts_rs::TS;

/// A question about the calls and interrupts of an open trace.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(tag = "type")]
pub enum CallsQuestion {
    /// Names calls otherwise from now on.
    SetCallNames {
        /// By the table of this machine; null: of what the trace tells.
        arch: Option<String>,
        /// Thread ids and commands whose calls are read by the table of 32-bit tasks.
        compat: Vec<String>,
    },
    /// What there is.
    CallFacts {},
    /// The calls of a part of the trace, by call and what else is told apart, and the time of threads in calls.
    CallTable {
        /// The part of the trace.
        selection: ModelSelection,
        /// What rows tell apart.
        by: CallsBy,
        /// Only calls that failed.
        errors: bool,
        /// Without interrupts in the time on CPU.
        net: bool,
        /// Without percentiles and histograms, which take longest: for a window that moves.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        sums_only: bool,
        /// At most so many rows.
        top: usize,
    },
    /// The calls of a row.
    CallsOfRow {
        /// Which row.
        row: CallsRowQuestion,
        /// How many of the longest.
        top: usize,
        /// Over how many columns of time points are told apart.
        columns: u32,
    },
    /// The call that a thread was in.
    CallAt {
        /// Its thread id.
        pid: i32,
        /// Which of the tasks that had this pid.
        generation: u32,
        /// When.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
        /// Without interrupts in the time on CPU.
        net: bool,
    },
    /// The call of a row that comes next.
    CallStep {
        /// Which row.
        row: CallsRowQuestion,
        /// Which call.
        step: CallStep,
        /// When the present one was entered.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
        /// How long it took.
        #[serde(deserialize_with = "whole")]
        ns: u64,
        /// Its thread.
        pid: i32,
        /// Which of the tasks that had this pid.
        generation: u32,
    },
    /// The time of threads in calls beside that of another profiler's text.
    CallCompare {
        /// The part of the trace.
        selection: ModelSelection,
        /// The text's threads.
        text: Vec<ThreadTimes>,
    },
    /// What interrupts took of a time, and by what.
    Stolen {
        /// Whose time.
        of: StolenOf,
        /// The CPU's number, or the task's id.
        key: u32,
        /// The time.
        window: TimeWindow,
    },
    /// What interrupts took of every CPU, task and command.
    StolenIn {
        /// The time; null: all of it.
        window: Option<TimeWindow>,
    },
    /// Findings about calls, in the order of `findings`. To be put among others: of those that are certain, the n-th of a kind
    /// is ranked as if it cost its n²-th part.
    CallFindings {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many of each kind.
        top: usize,
    },
    /// Numbers for each bucket of time of some lanes.
    Tile(CallTileQuestion),
    /// Calls that are long enough for a text.
    Labels(CallsLabelsQuestion),
    /// What a task is in at an instant.
    At(CallsPointQuestion),
}

/// A row of the table of a part of the trace.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CallsRowQuestion {
    /// The part of the trace.
    pub selection: ModelSelection,
    /// What rows tell apart.
    pub by: CallsBy,
    /// Only calls that failed.
    pub errors: bool,
    /// Without interrupts in the time on CPU.
    pub net: bool,
    /// The call's name.
    pub call: String,
    /// Its number.
    pub nr: i32,
    /// By command: which.
    pub comm: Option<String>,
    /// By task: its thread id.
    pub pid: Option<i32>,
    /// By task: which of the tasks that had this pid.
    pub generation: Option<u32>,
    /// By process: which; null if it is not known.
    pub process: Option<i32>,
}

impl From<CallsRowQuestion> for CallsQuery {
    fn from(asked: CallsRowQuestion) -> CallsQuery {
        let of = match asked.by {
            CallsBy::Call => None,
            CallsBy::Command => Some(Of::Command {
                comm: asked.comm.unwrap_or_default(),
            }),
            CallsBy::Task => Some(Of::Task {
                pid: asked.pid.unwrap_or(-1),
                generation: asked.generation.unwrap_or(0),
            }),
            CallsBy::Process => Some(Of::Process { process: asked.process }),
        };
        CallsQuery {
            selection: asked.selection.into(),
            by: asked.by,
            errors: asked.errors,
            net: asked.net,
            calls: vec![asked.call],
            nr: Some(asked.nr),
            of,
            ..CallsQuery::default()
        }
    }
}

/// Whose time interrupts take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum StolenOf {
    /// A CPU's, idle or not.
    Cpu,
    /// A task's, while it runs.
    Task,
}

/// What is told on lanes of its own, or over others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CallTrack {
    /// The calls that a task is in; the key is its id.
    Calls,
    /// Interrupts on a CPU; the key is its number.
    CpuIrqs,
    /// Interrupts of a task; the key is its id.
    TaskIrqs,
}

/// As [`TileQuestion`](crate::ask::TileQuestion).
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CallTileQuestion {
    /// What kind of tracks.
    pub kind: CallTrack,
    /// Tracks from top to bottom.
    pub keys: Vec<u32>,
    /// The width of a bucket, as a power of two.
    pub level: u32,
    /// The first bucket.
    #[serde(deserialize_with = "whole")]
    pub first_bucket: u64,
    /// How many buckets.
    pub buckets: u32,
}

/// Calls of at least `min_width` that overlap a window.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CallsLabelsQuestion {
    /// Task ids from top to bottom.
    pub keys: Vec<u32>,
    /// The window.
    pub window: TimeWindow,
    /// The shortest.
    #[serde(deserialize_with = "whole")]
    #[ts(type = "Ns")]
    pub min_width: u64,
}

/// An instant of a task.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CallsPointQuestion {
    /// Its id.
    pub key: u32,
    /// The instant.
    #[serde(deserialize_with = "whole")]
    #[ts(type = "Ns")]
    pub at: u64,
}
