//! What `prev_state` says about the state in which a switch leaves a task.

use schedrows::StateCode;

/// The state of a task after it was switched out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
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

impl Left {
    /// The state after a switch-out with this `prev_state`.
    pub fn by(state: StateCode) -> Left {
        match state.letter() {
            _ if state.throttled() => Left::Throttled,
            b'R' => Left::Runnable,
            b'X' | b'Z' | b'x' => Left::Dead,
            b'?' | 0 => Left::Unknown,
            _ if state.preempted() => Left::Runnable,
            _ => Left::Asleep,
        }
    }
}
