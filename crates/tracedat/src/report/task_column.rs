//! The column of tasks: comm and pid of each, put together once.

use traceevent::trace_cmd::{push_blanks, push_i64, PrintState};
use traceevent::Env;

/// Tasks whose column is at hand. A power of two; pids are given out in sequence.
const SLOTS: usize = 1024;

/// What the lines of each task begin with.
pub(super) struct TaskColumns {
    /// The width of the comm, at which it is cut off, too, in the latency format.
    width: usize,
    cut: bool,
    /// By pid modulo their number: of which pid, and the column.
    slots: Vec<(Option<i32>, Vec<u8>)>,
}

impl TaskColumns {
    pub fn new(latency: bool) -> Self {
        TaskColumns {
            width: if latency { 8 } else { 16 },
            cut: latency,
            slots: vec![(None, Vec::new()); SLOTS],
        }
    }

    /// Appends the column of a task.
    #[inline]
    pub fn push(&mut self, pid: i32, env: &Env<'_>, state: &PrintState, out: &mut Vec<u8>) {
        let (width, cut) = (self.width, self.cut);
        let Some((of, column)) = self.slots.get_mut(pid as usize % SLOTS) else {
            return;
        };
        if *of != Some(pid) {
            column.clear();
            let comm = comm(pid, env, state);
            // A task may get its name by an event to come.
            *of = comm.map(|_| pid);
            let comm = comm.unwrap_or(b"<...>");
            let comm = if cut { comm.get(..width).unwrap_or(comm) } else { comm };
            push_blanks(column, width.saturating_sub(comm.len()));
            column.extend_from_slice(comm);
            column.push(b'-');
            let start = column.len();
            push_i64(column, i64::from(pid));
            push_blanks(column, 5usize.saturating_sub(column.len() - start));
            column.push(b' ');
        }
        out.extend_from_slice(column);
    }
}

/// The name of a task; idle always has the same one, whatever the file says.
pub(super) fn comm<'a>(pid: i32, env: &Env<'a>, state: &'a PrintState) -> Option<&'a [u8]> {
    match pid {
        0 => Some(b"<idle>"),
        _ => env.lookup.comm(pid).or_else(|| state.comm(pid)),
    }
}
