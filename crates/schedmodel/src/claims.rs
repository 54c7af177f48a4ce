//! Claims that events make about a task's state, beyond what its runs and waits show.
//!
//! Runs, the states they end in, and waits determine nearly all states. The rest are forks, execs that change a pid,
//! and switches away from a task that has no run on the lane: after lost events, and where lanes contradict each other.

use super::task::TaskId;
use crate::stored::{invalid, stored, Reader, Stored, Writer};
use schedrows::StateCode;
use std::io;

/// What an event claims about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The task was forked; this is the first event about it.
    Forked,
    /// The task runs although the last task with its pid is dead; this is the first event about it.
    Succeeds {
        /// When that task died.
        since: u64,
    },
    /// The task is dead: its pid was forked anew, or its thread continues under another pid.
    Replaced,
    /// The task's thread took over its leader's pid by an exec; this is the first event about it.
    GoesOn,
    /// The task was switched out in this state, and no run on the lane ended like that.
    SwitchedOut(StateCode),
    /// The task is woken although it was runnable: since then it ran and slept, which no event shows.
    RanUnseen {
        /// When it had become runnable.
        since: u64,
    },
}

/// A claim, and its place in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The task that the claim is about.
    pub task: TaskId,
    /// When it was made.
    pub at: u64,
    /// The CPU on which the event was written.
    pub cpu: u32,
    /// How many intervals the CPU's lane had by then, including one that this event begins.
    pub intervals: u32,
    /// What is claimed.
    pub kind: ClaimKind,
}

/// The kind as a byte, and the value that belongs to it.
impl Stored for ClaimKind {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        match self {
            ClaimKind::Forked => 0_u8.put(out),
            ClaimKind::Succeeds { since } => (1_u8, *since).put(out),
            ClaimKind::Replaced => 2_u8.put(out),
            ClaimKind::GoesOn => 3_u8.put(out),
            ClaimKind::SwitchedOut(state) => (4_u8, *state).put(out),
            ClaimKind::RanUnseen { since } => (5_u8, *since).put(out),
        }
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Ok(match u8::get(reader)? {
            0 => ClaimKind::Forked,
            1 => ClaimKind::Succeeds {
                since: u64::get(reader)?,
            },
            2 => ClaimKind::Replaced,
            3 => ClaimKind::GoesOn,
            4 => ClaimKind::SwitchedOut(StateCode::get(reader)?),
            5 => ClaimKind::RanUnseen {
                since: u64::get(reader)?,
            },
            _ => return Err(invalid("a claim of a kind that there is not")),
        })
    }
}

stored!(Claim {
    task: TaskId,
    at: u64,
    cpu: u32,
    intervals: u32,
    kind: ClaimKind,
});
