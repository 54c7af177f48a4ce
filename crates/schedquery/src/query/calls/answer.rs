//! The answers about calls.

use crate::calls::{Recorded, Totals};
use crate::query::select::durations::Duration;
use crate::query::select::spread::Measured;
use schedmodel::Time;
use serde::Serialize;
use ts_rs::TS;

/// The tables of a trace's calls.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallReport {
    /// Whose table names the calls; null if that is not known.
    pub arch: Option<&'static str>,
    /// Which events tell of them; null if there are none.
    pub events: Option<Recorded>,
    /// Begin of the window.
    pub first_ns: Time,
    /// End of the window.
    pub last_ns: Time,
    /// What became of the events, of the whole trace.
    pub totals: Totals,
    /// By total time, longest first, then by name.
    pub rows: Vec<CallRow>,
    /// How many rows there are, if not all are given.
    #[serde(skip)]
    pub rows_total: usize,
    /// By pid and generation.
    pub threads: Vec<CallThread>,
}

/// Whose calls a row counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(untagged)]
#[ts(rename = "CallsOf")]
pub enum Of {
    /// Of all threads.
    All {},
    /// Of threads while they are called so.
    Command {
        /// The name.
        comm: String,
    },
    /// Of a thread.
    Task {
        /// Its thread id.
        pid: i32,
        /// Which of the tasks that had this pid.
        generation: u32,
    },
    /// Of a process.
    Process {
        /// The pid of its first thread; null if it is not known which that is.
        process: Option<i32>,
    },
}

/// A row: one call.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallRow {
    /// Its name.
    pub call: String,
    /// Its number.
    pub nr: i32,
    /// Whose.
    #[serde(flatten)]
    pub of: Of,
    /// How many returned.
    pub calls: u64,
    /// Of these, failed: they returned -4095 to -1.
    pub errors: u64,
    /// Of these, interrupted by a signal.
    pub interrupted: u64,
    /// How many did not return.
    pub unfinished: u64,
    /// How long they took at least.
    pub unfinished_ns: u64,
    /// How long those that returned took.
    pub duration_ns: CallSpread,
    /// What their threads did meanwhile.
    #[serde(flatten)]
    pub split: Split,
    /// The longest; null if none returned.
    pub longest: Option<Longest>,
}

/// What a thread did in calls; the parts add up to the calls' time. Null without scheduling events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "CallSplit")]
pub struct Split {
    /// It ran, on any CPU.
    pub oncpu_ns: Option<u64>,
    /// It waited for a CPU.
    pub runnable_ns: Option<u64>,
    /// It slept.
    pub sleeping_ns: Option<u64>,
    /// It slept uninterruptibly.
    pub blocked_ns: Option<u64>,
    /// It was stopped.
    pub stopped_ns: Option<u64>,
    /// No event tells.
    pub unknown_ns: Option<u64>,
    /// The part of `oncpu_ns` that interrupts took; null without their events.
    pub irq_ns: Option<u64>,
}

impl Split {
    /// What most of the time was.
    pub(super) fn most(&self) -> Doing {
        let parts = [
            (Doing::Oncpu, self.oncpu_ns),
            (Doing::Runnable, self.runnable_ns),
            (Doing::Sleeping, self.sleeping_ns),
            (Doing::Blocked, self.blocked_ns),
            (Doing::Stopped, self.stopped_ns),
        ];
        let known = parts.into_iter().rev().max_by_key(|&(_, ns)| ns);
        let most = known.filter(|&(_, ns)| ns.is_some() && self.unknown_ns <= ns);
        most.map_or(Doing::Unknown, |(doing, _)| doing)
    }

    /// Adds another's parts.
    pub(super) fn add(&mut self, other: &Split) {
        let add = |sum: &mut Option<u64>, part: Option<u64>| {
            *sum = part.map(|part| sum.unwrap_or(0).saturating_add(part));
        };
        add(&mut self.oncpu_ns, other.oncpu_ns);
        add(&mut self.runnable_ns, other.runnable_ns);
        add(&mut self.sleeping_ns, other.sleeping_ns);
        add(&mut self.blocked_ns, other.blocked_ns);
        add(&mut self.stopped_ns, other.stopped_ns);
        add(&mut self.unknown_ns, other.unknown_ns);
        add(&mut self.irq_ns, other.irq_ns);
    }
}

/// What a thread does in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "CallDoing")]
pub enum Doing {
    /// It runs.
    Oncpu,
    /// It waits for a CPU.
    Runnable,
    /// It sleeps.
    Sleeping,
    /// It sleeps uninterruptibly.
    Blocked,
    /// It is stopped.
    Stopped,
    /// No event tells.
    Unknown,
}

/// Distribution of durations. Percentiles are nearest-rank; null if there is no value.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct CallSpread {
    /// The sum of all.
    pub sum: u64,
    /// The shortest.
    pub min: Option<u64>,
    /// The mean.
    pub mean: Option<f64>,
    /// Half are at most this.
    pub p50: Option<u64>,
    /// 90 % are at most this.
    pub p90: Option<u64>,
    /// 99 % are at most this.
    pub p99: Option<u64>,
    /// 99.9 % are at most this.
    pub p999: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from`.
    pub histogram: Vec<(u64, u64)>,
}

impl CallSpread {
    /// Of values in any order.
    pub(super) fn of(mut values: Vec<Duration>) -> CallSpread {
        values.sort_unstable_by_key(|value| value.ns);
        let sum = values.iter().fold(0, |sum: u64, value| sum.saturating_add(value.ns));
        let measured = Measured::of(&[(&values, sum)]);
        let mean = measured.mean();
        let spread = measured.ns;
        CallSpread {
            sum,
            min: values.first().map(|value| value.ns),
            mean,
            p50: spread.p50,
            p90: spread.p90,
            p99: spread.p99,
            p999: spread.p999,
            max: spread.max,
            histogram: spread.histogram,
        }
    }
}

/// The longest call of a row; of several, the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "LongestCall")]
pub struct Longest {
    /// When it was entered.
    pub at_ns: Time,
    /// How long it took.
    pub duration_ns: u64,
    /// Its thread.
    pub pid: i32,
    /// Which of the tasks that had this pid.
    pub generation: u32,
    /// The CPU on which it was entered.
    pub cpu: u32,
    /// What it returned.
    pub ret: i64,
}

/// A thread in the window: from its first to its last instant there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CallThread {
    /// Its thread id.
    pub pid: i32,
    /// Which of the tasks that had this pid.
    pub generation: u32,
    /// What it was called.
    pub comms: Vec<String>,
    /// Its birth, or the begin of the trace or the window.
    pub first_ns: Time,
    /// Its death, or the end of the trace or the window.
    pub last_ns: Time,
    /// How long it ran; null without scheduling events.
    pub running_ns: Option<u64>,
    /// The part of this that interrupts took; null without their events.
    pub irq_ns: Option<u64>,
    /// How long it was in calls.
    pub in_calls_ns: u64,
    /// How long it ran in calls.
    pub oncpu_in_calls_ns: Option<u64>,
    /// How long it ran outside of calls: user code, but page faults, signals and interrupts too.
    pub outside_oncpu_ns: Option<u64>,
}
