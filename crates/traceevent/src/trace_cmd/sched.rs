//! `sched_switch`, `sched_wakeup` and `sched_wakeup_new`: short texts, and the comms of tasks for the lines that follow.

use super::bind::{int, load, load_text, load_uint, text, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::field::{IntField, TextField};
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_i64, push_u64, push_u64_padded};

/// The letters of the low bits of a task's state, as trace-cmd has them. They are those of kernels before 4.14: newer ones
/// say `I` for `W`, swap `X` and `Z`, and add `+` for a preempted task (`--no-plugins` prints the kernel's own).
const STATES: [u8; 8] = *b"SDTtZXxW";

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    match format.name.as_str() {
        "sched_switch" => Some(Box::new(Switch::bind(format)?)),
        "sched_wakeup" | "sched_wakeup_new" => Some(Box::new(Wakeup::bind(format)?)),
        _ => None,
    }
}

struct Switch {
    prev_comm: TextField,
    prev_pid: UIntField,
    prev_prio: IntField,
    prev_state: IntField,
    next_comm: TextField,
    next_pid: UIntField,
    next_prio: IntField,
}

impl Switch {
    fn bind(format: &EventFormat) -> Option<Self> {
        Some(Switch {
            prev_comm: text(format, "prev_comm")?,
            prev_pid: uint(format, "prev_pid")?,
            prev_prio: int(format, "prev_prio")?,
            prev_state: int(format, "prev_state")?,
            next_comm: text(format, "next_comm")?,
            next_pid: uint(format, "next_pid")?,
            next_prio: int(format, "next_prio")?,
        })
    }
}

impl Printer for Switch {
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        self.note(env, state, at);
        out.extend_from_slice(load_text(self.prev_comm, env, at.record));
        out.push(b':');
        push_u64(out, load_uint(self.prev_pid, env, at.record));
        out.extend_from_slice(b" [");
        push_i64(out, load(self.prev_prio, env, at.record));
        out.extend_from_slice(b"] ");
        push_state(out, load(self.prev_state, env, at.record));
        out.extend_from_slice(b" ==> ");
        out.extend_from_slice(load_text(self.next_comm, env, at.record));
        out.push(b':');
        push_u64(out, load_uint(self.next_pid, env, at.record));
        out.extend_from_slice(b" [");
        push_i64(out, load(self.next_prio, env, at.record));
        out.push(b']');
        Outcome::Whole
    }

    fn note(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>) {
        for (pid, comm) in [(self.prev_pid, self.prev_comm), (self.next_pid, self.next_comm)] {
            state.learn(
                env,
                load_uint(pid, env, at.record) as i32,
                load_text(comm, env, at.record),
            );
        }
    }
}

/// `S`, `S|D`; `R` where no bit has a letter.
fn push_state(out: &mut Vec<u8>, state: i64) {
    let start = out.len();
    for (bit, &letter) in STATES.iter().enumerate() {
        if state >> bit & 1 != 0 {
            if out.len() > start {
                out.push(b'|');
            }
            out.push(letter);
        }
    }
    if out.len() == start {
        out.push(b'R');
    }
}

struct Wakeup {
    comm: TextField,
    pid: UIntField,
    prio: UIntField,
    /// Kernels before 4.8 have it.
    success: Option<UIntField>,
    target_cpu: UIntField,
}

impl Wakeup {
    fn bind(format: &EventFormat) -> Option<Self> {
        Some(Wakeup {
            comm: text(format, "comm")?,
            pid: uint(format, "pid")?,
            prio: uint(format, "prio")?,
            success: uint(format, "success"),
            target_cpu: uint(format, "target_cpu")?,
        })
    }
}

impl Printer for Wakeup {
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        self.note(env, state, at);
        out.extend_from_slice(load_text(self.comm, env, at.record));
        out.push(b':');
        push_u64(out, load_uint(self.pid, env, at.record));
        out.extend_from_slice(b" [");
        push_u64(out, load_uint(self.prio, env, at.record));
        out.push(b']');
        if let Some(success) = self.success {
            out.extend_from_slice(b" success=");
            push_u64(out, load_uint(success, env, at.record));
        }
        out.extend_from_slice(b" CPU:");
        push_u64_padded(out, load_uint(self.target_cpu, env, at.record), 3, b'0');
        Outcome::Whole
    }

    fn note(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>) {
        let pid = load_uint(self.pid, env, at.record) as i32;
        state.learn(env, pid, load_text(self.comm, env, at.record));
    }
}
