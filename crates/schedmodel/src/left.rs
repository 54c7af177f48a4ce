//! Where a switch-out leaves a task: what `prev_state` says.

use schedrows::StateCode;

/// What becomes of a task that is switched out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It stays on the runqueue: R, and whatever has a `+` (preempted on its way to sleep).
    Runnable,
    /// A deadline task that is off the runqueue until its next period.
    Throttled,
    /// It is not runnable: it sleeps, blocks or is stopped.
    Asleep,
    /// X or Z: it is gone.
    Dead,
    /// The event's format does not say.
    Unknown,
}

impl Left {
    /// By a switch-out in this state.
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
