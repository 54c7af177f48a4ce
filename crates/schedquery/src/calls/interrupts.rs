//! Time that interrupts took from tasks: the union, on each CPU, of the times in their handlers, a ns once however they nest.

use super::log::KernelLog;
use schedmodel::Trace;
use schedrows::{KernelKind, KernelRow};
use std::collections::HashSet;
use std::ops::Range;

/// The handlers' times by lane, and which events told of them.
#[derive(Debug, Default)]
pub struct Interrupts {
    lanes: Vec<Stolen>,
    /// Hardirqs (`irq:irq_handler_entry`).
    pub hardirqs: bool,
    /// Softirqs.
    pub softirqs: bool,
    /// Interrupt vectors of x86, which the timer tick is.
    pub vectors: bool,
}

/// Disjoint times in ascending order.
#[derive(Debug, Default)]
struct Stolen {
    times: Vec<(u64, u64)>,
    /// ns before each of them.
    before: Vec<u64>,
}

impl Stolen {
    fn new(mut times: Vec<(u64, u64)>) -> Stolen {
        times.sort_unstable();
        let mut stolen = Stolen::default();
        let mut sum = 0;
        for (from, to) in times {
            match stolen.times.last_mut() {
                Some(last) if from <= last.1 => {
                    sum += to.saturating_sub(last.1);
                    last.1 = last.1.max(to);
                }
                _ => {
                    stolen.times.push((from, to));
                    stolen.before.push(sum);
                    sum += to - from;
                }
            }
        }
        stolen
    }

    /// ns up to an instant.
    fn until(&self, at: u64) -> u64 {
        let after = self.times.partition_point(|&(from, _)| from < at);
        let last = after.checked_sub(1);
        last.and_then(|last| Some((self.times.get(last)?, self.before.get(last)?)))
            .map_or(0, |(&(from, to), before)| before + to.min(at) - from)
    }
}

/// What has begun on a CPU and not ended.
#[derive(Default)]
struct Open {
    /// Hardirqs and vectors nest.
    stack: Vec<(KernelKind, i32, u64)>,
    softirq: Option<(i32, u64, bool)>,
    times: Vec<(u64, u64)>,
}

impl Open {
    fn take(&mut self, at: u64, row: KernelRow, is_own_work: bool) {
        match row.kind {
            KernelKind::IrqEntry | KernelKind::VectorEntry => self.stack.push((row.kind, row.number, at)),
            KernelKind::IrqExit => self.end(KernelKind::IrqEntry, row.number, at),
            KernelKind::VectorExit => self.end(KernelKind::VectorEntry, row.number, at),
            KernelKind::SoftirqEntry => self.softirq = Some((row.number, at, is_own_work)),
            KernelKind::SoftirqExit => {
                if let Some((_, from, false)) = self.softirq.take().filter(|&(vector, ..)| vector == row.number) {
                    self.times.push((from, at));
                }
            }
            // What has begun may have ended unseen.
            KernelKind::Lost => (self.stack, self.softirq) = (Vec::new(), None),
            _ => {}
        }
    }

    fn end(&mut self, kind: KernelKind, number: i32, at: u64) {
        let begun = self
            .stack
            .iter()
            .rposition(|&(of, known, _)| (of, known) == (kind, number));
        if let Some(&(_, _, from)) = begun.and_then(|begun| self.stack.get(begun)) {
            self.stack.truncate(begun.unwrap_or(0));
            self.times.push((from, at));
        }
    }
}

impl Interrupts {
    /// Of these logs.
    pub(super) fn new(trace: &Trace, logs: &[KernelLog]) -> Interrupts {
        let mut found = Interrupts::default();
        found.lanes.resize_with(trace.cpus.len(), Stolen::default);
        let daemons = softirq_daemons(trace);
        for log in logs {
            let mut open = Open::default();
            let mut at = 0;
            for row in log.rows.iter() {
                at = row.ts.saturating_sub(trace.origin_ns).min(trace.span_ns).max(at);
                found.hardirqs |= row.kind == KernelKind::IrqEntry;
                found.softirqs |= row.kind == KernelKind::SoftirqEntry;
                found.vectors |= row.kind == KernelKind::VectorEntry;
                open.take(at, row, daemons.contains(&row.pid));
            }
            if let Some(lane) = trace.lane_index(log.cpu).and_then(|lane| found.lanes.get_mut(lane)) {
                *lane = Stolen::new(open.times);
            }
        }
        found
    }

    /// Whether any such event was recorded.
    pub fn recorded(&self) -> bool {
        self.hardirqs || self.softirqs || self.vectors
    }

    /// ns in handlers on a lane's CPU.
    pub fn on(&self, lane: usize, time: Range<u64>) -> u64 {
        let until = |at| self.lanes.get(lane).map_or(0, |stolen| stolen.until(at));
        until(time.end) - until(time.start)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.lanes.iter().map(|lane| lane.times.capacity() * 24).sum()
    }
}

/// The pids of the threads whose own work softirqs are.
fn softirq_daemons(trace: &Trace) -> HashSet<i32> {
    let of = trace.task_comms.iter();
    let daemons = of.filter(|pair| trace.comms.name(pair.comm).starts_with("ksoftirqd/"));
    daemons.map(|pair| trace.task(pair.task).pid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: KernelKind, number: i32) -> KernelRow {
        KernelRow {
            ts: 0,
            kind,
            pid: 1,
            number,
            value: 0,
        }
    }

    #[test]
    fn what_nests_counts_once() {
        use KernelKind::{IrqEntry, IrqExit, Lost, SoftirqEntry, SoftirqExit, VectorEntry, VectorExit};
        let mut open = Open::default();
        let events = [
            (10, IrqEntry, 5),
            (12, VectorEntry, 7),
            (15, VectorExit, 7),
            (20, IrqExit, 5),
            (25, SoftirqEntry, 1),
            (26, IrqEntry, 5),
            (28, IrqExit, 5),
            (30, SoftirqExit, 1),
            (31, SoftirqExit, 1),
            (40, IrqEntry, 5),
            (45, Lost, 0),
            (50, IrqExit, 5),
        ];
        for (at, kind, number) in events {
            open.take(at, row(kind, number), false);
        }
        let stolen = Stolen::new(open.times);
        assert_eq!(stolen.times, [(10, 20), (25, 30)]);
        assert_eq!(
            [9, 10, 12, 20, 26, 99].map(|at| stolen.until(at)),
            [0, 0, 2, 10, 11, 15]
        );
    }

    #[test]
    fn softirqs_are_a_daemons_own_work() {
        let mut open = Open::default();
        open.take(1, row(KernelKind::SoftirqEntry, 3), true);
        open.take(9, row(KernelKind::SoftirqExit, 3), false);
        assert!(open.times.is_empty());
    }
}
