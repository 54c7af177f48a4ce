//! The answers about calls.

use crate::calls::{Recorded, Totals};
use crate::query::select::spread::{nearest_rank, rank};
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

    /// Without interrupts in the time on CPU, if that is asked for.
    pub(super) fn net(self, is_asked: bool) -> Split {
        match (self.oncpu_ns, self.irq_ns) {
            (Some(oncpu), Some(irq)) if is_asked => Split {
                oncpu_ns: Some(oncpu.saturating_sub(irq)),
                ..self
            },
            _ => self,
        }
    }

    /// Its parts, in the order of the fields.
    pub(super) fn parts(&self) -> [Option<u64>; 7] {
        [
            self.oncpu_ns,
            self.runnable_ns,
            self.sleeping_ns,
            self.blocked_ns,
            self.stopped_ns,
            self.unknown_ns,
            self.irq_ns,
        ]
    }

    /// Of these parts, of which those count that another has.
    pub(super) fn with(&self, parts: [u64; 7]) -> Split {
        let [oncpu, runnable, sleeping, blocked, stopped, unknown, irq] = parts;
        Split {
            oncpu_ns: self.oncpu_ns.map(|_| oncpu),
            runnable_ns: self.runnable_ns.map(|_| runnable),
            sleeping_ns: self.sleeping_ns.map(|_| sleeping),
            blocked_ns: self.blocked_ns.map(|_| blocked),
            stopped_ns: self.stopped_ns.map(|_| stopped),
            unknown_ns: self.unknown_ns.map(|_| unknown),
            irq_ns: self.irq_ns.map(|_| irq),
        }
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
    /// Of `count` values of which these are known.
    pub(super) fn summed(count: u64, sum: u64, min: u64, max: u64) -> CallSpread {
        let some = 0 < count;
        CallSpread {
            sum,
            min: some.then_some(min),
            mean: some.then(|| sum as f64 / count as f64),
            max: some.then_some(max),
            ..CallSpread::default()
        }
    }

    /// Adds percentiles and the histogram of the values, which come in any order.
    pub(super) fn spread(&mut self, values: &mut [u64]) {
        self.octaves(values);
        // Nearest rank. A selection leaves what is smaller before it, so that the next one looks only there.
        let all = values.len();
        let mut rest = values;
        let mut last: Option<(usize, u64)> = None;
        let [p999, p99, p90, p50] = [999, 990, 900, 500].map(|permille| {
            let nth = rank(all, permille).checked_sub(1)?;
            if let Some((_, found)) = last.filter(|&(known, _)| known == nth) {
                return Some(found);
            }
            let (smaller, &mut found, _) = match std::mem::take(&mut rest) {
                rest if nth < rest.len() => rest.select_nth_unstable(nth),
                _ => return None,
            };
            rest = smaller;
            last = Some((nth, found));
            Some(found)
        });
        (self.p50, self.p90, self.p99, self.p999) = (p50, p90, p99, p999);
    }

    /// The same of values in ascending order.
    pub(super) fn ascending(&mut self, values: &[u64]) {
        self.octaves(values);
        [self.p50, self.p90, self.p99, self.p999] = [500, 900, 990, 999].map(|permille| nearest_rank(values, permille));
    }

    fn octaves(&mut self, values: &[u64]) {
        let mut counts = [0_u64; 65];
        for ns in values {
            if let Some(count) = counts.get_mut(64 - ns.leading_zeros() as usize) {
                *count += 1;
            }
        }
        let from = |index: usize| index.checked_sub(1).map_or(0, |octave| 1_u64 << octave);
        let filled = counts.iter().enumerate().filter(|(_, &count)| 0 < count);
        self.histogram = filled.map(|(index, &count)| (from(index), count)).collect();
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
