//! What scans left of system calls and interrupts.

use schedmodel::stored::{invalid, Reader, Stored, Writer};
use schedmodel::Trace;
use schedrows::{KernelKind, KernelLog, KernelRow, LoserTree};
use serde::Serialize;
use std::io;
use ts_rs::TS;

/// Which events tell of system calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Recorded {
    /// `raw_syscalls`: numbers alone.
    Raw,
    /// `syscalls:sys_enter_NAME` and `sys_exit_NAME`.
    Named,
    /// Both: the raw ones pair, the named ones lend names.
    Both,
}

/// Whether raw ones tell, and named ones.
impl Stored for Recorded {
    const LEAST: usize = <(bool, bool)>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (*self != Recorded::Named, *self != Recorded::Raw).put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Recorded> {
        let (raw, named) = Stored::get(reader)?;
        Recorded::of_both(raw, named).ok_or(invalid("no events of calls"))
    }
}

impl Recorded {
    fn of_both(raw: bool, named: bool) -> Option<Recorded> {
        match (raw, named) {
            (true, true) => Some(Recorded::Both),
            (true, false) => Some(Recorded::Raw),
            (false, true) => Some(Recorded::Named),
            (false, false) => None,
        }
    }

    /// Of these logs; `None` without any such event.
    pub(super) fn of(logs: &[KernelLog]) -> Option<Recorded> {
        use KernelKind::{Enter, Exit, NamedEnter, NamedExit};
        let raw = logs.iter().any(|log| log.rows.has(&[Enter, Exit]));
        let named = logs.iter().any(|log| log.rows.has(&[NamedEnter, NamedExit]));
        Recorded::of_both(raw, named)
    }
}

/// Calls `each` with the rows of all CPUs in order of time, then of CPUs; times are those of the trace. Those of a CPU never go
/// back, and none is after the trace's end.
pub(super) fn merged(trace: &Trace, logs: &[KernelLog], mut each: impl FnMut(usize, u64, KernelRow)) {
    let clip = |row: &KernelRow| row.ts.saturating_sub(trace.origin_ns).min(trace.span_ns);
    let mut streams: Vec<_> = logs
        .iter()
        .map(|log| Stream {
            rows: log.rows.iter(),
            at: 0,
            head: None,
        })
        .collect();
    let mut tree = LoserTree::new(streams.iter_mut().map(|stream| stream.advance(clip)));
    while take_part(&mut tree, &mut streams, clip, &mut each) {}
}

/// The rows of a CPU, with the next of them.
struct Stream<I> {
    rows: I,
    /// The time of the next row; that of the last one behind it.
    at: u64,
    head: Option<KernelRow>,
}

impl<I: Iterator<Item = KernelRow>> Stream<I> {
    /// Goes on to the next row; its time.
    #[inline]
    fn advance(&mut self, clip: impl Fn(&KernelRow) -> u64) -> Option<u64> {
        self.head = self.rows.next();
        self.at = clip(self.head.as_ref()?).max(self.at);
        Some(self.at)
    }
}

/// Rows of a part.
const PART: usize = 1 << 12;

/// Takes the next rows; whether there may be more.
///
/// Not inlined: engines of wasm exchange slow code for fast code between calls, not within a loop (docs/internals.md).
#[inline(never)]
fn take_part<I: Iterator<Item = KernelRow>>(
    tree: &mut LoserTree,
    streams: &mut [Stream<I>],
    clip: impl Fn(&KernelRow) -> u64,
    each: &mut impl FnMut(usize, u64, KernelRow),
) -> bool {
    for _ in 0..PART {
        let Some((source, at)) = tree.winner() else {
            return false;
        };
        let Some(stream) = streams.get_mut(source) else {
            return false;
        };
        let row = stream.head.take();
        tree.replace(stream.advance(&clip));
        if let Some(row) = row {
            each(source, at, row);
        }
    }
    true
}
