//! What went wrong in a run, and where.

use crate::policy::{Cpu, Ns, TaskId};
use schedrows::words::{counted, grouped};
use thiserror::Error;

/// A run that cannot go on: time in ns since its beginning, CPU, and task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{policy} at {at} ns on CPU {cpu}: {what}")]
pub struct EngineError {
    /// The policy's name.
    pub policy: &'static str,
    /// When.
    pub at: Ns,
    /// Where.
    pub cpu: Cpu,
    /// What it did.
    pub what: Wrong,
}

/// A run that stopped at its limits: mostly of a recording of which one time is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "stopped after {} events of the simulator, {} of {} far: more than such a recording takes if its times are right. Replay a part of it \
     (--min, --max), or end earlier (--until S)",
    grouped(*.events), span(*.at_ns), span(*.until_ns)
)]
pub struct TooLong {
    /// Events that the engine handled.
    pub events: u64,
    /// How far it came, in ns.
    pub at_ns: Ns,
    /// How far it should have come, in ns.
    pub until_ns: Ns,
}

/// A time for people who are to see whether it can be right: in seconds, or days, or years.
fn span(ns: Ns) -> String {
    const DAY: u64 = 86_400;
    let seconds = ns / 1_000_000_000;
    match seconds {
        0..DAY => format!("{}.{:03} s", seconds, ns / 1_000_000 % 1000),
        _ if seconds < 1000 * DAY => counted(seconds / DAY, "day"),
        _ => counted(seconds / (365 * DAY), "year"),
    }
}

/// A wrong answer of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// The one it picked does not wait.
    #[error("task {pid} (number {task}) was picked, which {state}; expected one that waits")]
    NotWaiting {
        /// Its number.
        task: TaskId,
        /// Its pid.
        pid: i32,
        /// What it does instead.
        state: &'static str,
    },
    /// The one it picked may not run there, or waits elsewhere.
    #[error("task {pid} (number {task}) was picked, which {why}")]
    NotHere {
        /// Its number.
        task: TaskId,
        /// Its pid.
        pid: i32,
        /// What keeps it.
        why: String,
    },
    /// Nobody was picked though somebody waits.
    #[error("task {pid} (number {task}) waits, and nobody was picked")]
    Forgotten {
        /// Its number.
        task: TaskId,
        /// Its pid.
        pid: i32,
    },
    /// A task was sent to a CPU that it may not use.
    #[error("task {pid} (number {task}) was sent to CPU {to}, where it may not run")]
    Placed {
        /// Its number.
        task: TaskId,
        /// Its pid.
        pid: i32,
        /// Where.
        to: Cpu,
    },
    /// The policy is none that can be asked.
    #[error("no policy that could be asked")]
    NoPolicy,
    /// More tasks than the engine can number.
    #[error("{0} tasks; expected at most 2^28")]
    Tasks(usize),
}
