//! The function graph: calls as blocks of C, with their durations. An entry that is followed by its own exit is a leaf, one
//! line for both.

use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::bind::{int, load, load_uint, uint, UIntField};
use crate::trace_cmd::text::{push_blanks, push_hex, push_u64, push_u64_padded};
use crate::trace_cmd::{Occasion, Outcome, PrintState, Printer};
use crate::IntField;

/// Columns of a call level.
const INDENT: i64 = 2;
/// Columns of the mark and the duration, where a line has none.
const NO_DURATION: usize = 13;

/// Durations that are marked, in nanoseconds, the longest first.
const MARKS: [(u64, u8); 4] = [
    (1_000_000_000, b'$'),
    (1_000_000, b'#'),
    (100_000, b'!'),
    (10_000, b'+'),
];

pub(super) fn find_entry(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(Box::new(Entry {
        common_pid: int(format, "common_pid")?,
        func: uint(format, "func")?,
        depth: int(format, "depth")?,
    }))
}

pub(super) fn find_exit(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(Box::new(Exit::bind(format)?))
}

struct Entry {
    common_pid: IntField,
    func: UIntField,
    depth: IntField,
}

impl Entry {
    /// The next record is the end of this call.
    fn duration_of_leaf(&self, env: &Env<'_>, at: &Occasion<'_>) -> Option<u64> {
        let next = at.next?;
        let exit = next.plugin.0.as_graph_exit()?;
        let same_task = load(self.common_pid, env, at.record) == load(exit.common_pid, env, next.record);
        let same_function = load_uint(self.func, env, at.record) == load_uint(exit.func, env, next.record);
        (same_task && same_function).then(|| exit.duration(env, next.record))
    }
}

impl Printer for Entry {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let leaf = self.duration_of_leaf(env, at);
        match leaf {
            Some(duration) => push_duration(out, duration),
            None => push_blanks(out, NO_DURATION),
        }
        push_column(out, load(self.depth, env, at.record));
        let address = load_uint(self.func, env, at.record);
        match env.lookup.symbol(address) {
            Some(symbol) => out.extend_from_slice(symbol.name.as_bytes()),
            None => push_hex(out, address),
        }
        match leaf {
            Some(_) => {
                out.extend_from_slice(b"();");
                Outcome::WholeWithNext
            }
            None => {
                out.extend_from_slice(b"() {");
                Outcome::Whole
            }
        }
    }

    fn wants_next(&self) -> bool {
        true
    }
}

/// The end of a call.
pub(in crate::trace_cmd) struct Exit {
    common_pid: IntField,
    func: UIntField,
    depth: IntField,
    calltime: UIntField,
    rettime: UIntField,
}

impl Exit {
    fn bind(format: &EventFormat) -> Option<Self> {
        Some(Exit {
            common_pid: int(format, "common_pid")?,
            func: uint(format, "func")?,
            depth: int(format, "depth")?,
            calltime: uint(format, "calltime")?,
            rettime: uint(format, "rettime")?,
        })
    }

    fn duration(&self, env: &Env<'_>, record: &[u8]) -> u64 {
        load_uint(self.rettime, env, record).wrapping_sub(load_uint(self.calltime, env, record))
    }
}

impl Printer for Exit {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        push_duration(out, self.duration(env, at.record));
        push_column(out, load(self.depth, env, at.record));
        out.push(b'}');
        Outcome::Whole
    }

    fn as_graph_exit(&self) -> Option<&Exit> {
        Some(self)
    }
}

/// The mark, and microseconds with three decimals as long as seven columns hold them.
fn push_duration(out: &mut Vec<u8>, duration: u64) {
    // All bits set stands for no duration, and is not marked.
    let mark = MARKS
        .iter()
        .find(|&&(above, _)| duration > above && duration != u64::MAX);
    out.push(mark.map_or(b' ', |&(_, mark)| mark));
    out.push(b' ');
    let start = out.len();
    push_u64(out, duration / 1000);
    if out.len() - start < 7 {
        out.push(b'.');
        push_u64_padded(out, duration % 1000, 3, b'0');
    }
    let columns = out.len() - start;
    out.extend_from_slice(b" us ");
    push_blanks(out, 7usize.saturating_sub(columns));
}

fn push_column(out: &mut Vec<u8>, depth: i64) {
    out.extend_from_slice(b"|  ");
    // The kernel stops at 50 levels; a damaged depth must not fill the memory.
    push_blanks(out, (depth * INDENT).clamp(0, 1 << 16) as usize);
}
