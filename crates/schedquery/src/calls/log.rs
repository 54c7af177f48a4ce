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
    let mut last = vec![0; logs.len()];
    let mut since = |source: usize, row: &KernelRow| {
        let at = row.ts.saturating_sub(trace.origin_ns).min(trace.span_ns);
        last.get_mut(source).map_or(at, |last: &mut u64| {
            *last = at.max(*last);
            *last
        })
    };
    let mut streams: Vec<_> = logs.iter().map(|log| log.rows.iter()).collect();
    let mut heads: Vec<Option<(u64, KernelRow)>> = Vec::with_capacity(streams.len());
    for (source, rows) in streams.iter_mut().enumerate() {
        heads.push(rows.next().map(|row| (since(source, &row), row)));
    }
    let mut tree = LoserTree::new(heads.iter().map(|head| head.map(|(at, _)| at)));
    while let Some((source, _)) = tree.winner() {
        let next = streams.get_mut(source).and_then(Iterator::next);
        let next = next.map(|row| (since(source, &row), row));
        tree.replace(next.map(|(at, _)| at));
        let Some(head) = heads.get_mut(source) else {
            return;
        };
        if let Some((at, row)) = std::mem::replace(head, next) {
            each(source, at, row);
        }
    }
}
