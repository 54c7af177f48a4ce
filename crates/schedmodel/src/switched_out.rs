//! What `prev_state` says about the state in which a switch leaves a task.

use schedrows::StateCode;

/// The state of a task after it was switched out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchedOut {
    /// It stays on the runqueue: R, and every state with a `+` (preempted on its way to sleep).
    Runnable,
    /// It is a deadline task, off its runqueue until its next period.
    Throttled,
    /// It is not runnable: it sleeps, blocks or is stopped.
    Asleep,
    /// X or Z: it is dead.
    Dead,
    /// The event's format does not say.
    Unknown,
}

impl SwitchedOut {
    /// The state after a switch-out with this `prev_state`.
    pub fn by(state: StateCode) -> SwitchedOut {
        match state.letter() {
            _ if state.throttled() => SwitchedOut::Throttled,
            b'R' => SwitchedOut::Runnable,
            b'X' | b'Z' | b'x' => SwitchedOut::Dead,
            b'?' | 0 => SwitchedOut::Unknown,
            _ if state.preempted() => SwitchedOut::Runnable,
            _ => SwitchedOut::Asleep,
        }
    }
}
