//! What events say of a task's state that neither its runs nor its waits tell.
//!
//! Runs, with how they ended, and waits tell nearly all of it. What is left are forks, execs that change a pid, and switches
//! away from a task whose run the lane does not have: after lost events, and where lanes contradict each other.

use super::task::TaskId;
use schedrows::StateCode;

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The task was forked: the first that is known of it.
    Forked,
    /// It runs, and the last task with its pid is dead: the first that is known of it.
    Succeeds {
        /// Since when that one is dead.
        since: u64,
    },
    /// It is dead: its pid was forked anew, or its thread goes on under another pid.
    Replaced,
    /// Its thread took over this pid, which was its leader's, by an exec: the first that is known of it.
    GoesOn,
    /// It was switched out in this state, and no run on the lane ended so.
    SwitchedOut(StateCode),
}

/// A claim, and where in the order of events it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Of whom.
    pub task: TaskId,
    /// When.
    pub at: u64,
    /// On which CPU the event was written.
    pub cpu: u32,
    /// How many intervals the CPU's lane had begun, the one that this event begins included.
    pub intervals: u32,
    /// What.
    pub kind: ClaimKind,
}
