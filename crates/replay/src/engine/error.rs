//! What went wrong in a run, and where.

use crate::policy::{Cpu, Ns, TaskId};
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
