//! What scans left of system calls and interrupts.

use schedmodel::Trace;
use schedrows::{CpuScan, KernelKind, KernelRow, KernelRows, LoserTree};
use serde::Serialize;

/// The rows of one CPU, taken out of its scan before the model is built from that.
#[derive(Debug, Default)]
pub struct KernelLog {
    /// The CPU's number.
    pub cpu: u32,
    pub(super) rows: KernelRows,
    /// The names that rows refer to.
    pub(super) names: Vec<String>,
}

impl KernelLog {
    /// Takes them out of a scan.
    pub fn take(scan: &mut CpuScan) -> KernelLog {
        KernelLog {
            cpu: scan.cpu,
            rows: std::mem::take(&mut scan.kernel),
            names: scan.comms.names.clone(),
        }
    }

    /// The name with that number.
    pub(super) fn name(&self, number: i32) -> &str {
        let index = usize::try_from(number).ok();
        index.and_then(|index| self.names.get(index)).map_or("", String::as_str)
    }
}

/// Which events tell of system calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Recorded {
    /// `raw_syscalls`: numbers alone.
    Raw,
    /// `syscalls:sys_enter_NAME` and `sys_exit_NAME`.
    Named,
    /// Both: the raw ones pair, the named ones lend names.
    Both,
}

impl Recorded {
    /// Of these logs; `None` without any such event.
    pub(super) fn of(logs: &[KernelLog]) -> Option<Recorded> {
        let (mut raw, mut named) = (false, false);
        for row in logs.iter().flat_map(|log| log.rows.iter()) {
            raw |= matches!(row.kind, KernelKind::Enter | KernelKind::Exit);
            named |= matches!(row.kind, KernelKind::NamedEnter | KernelKind::NamedExit);
            if raw && named {
                break;
            }
        }
        match (raw, named) {
            (true, true) => Some(Recorded::Both),
            (true, false) => Some(Recorded::Raw),
            (false, true) => Some(Recorded::Named),
            (false, false) => None,
        }
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
