//! What a run leaves behind: the rows that a recording of it would have had.

use crate::policy::{Cpu, Ns};
use schedrows::{CommTable, CpuScan, Row, RowKind, RowPacker, Rows};

/// The number of the idle task's name in the rows of its CPU: 0 is the empty name, and those of the workload follow.
pub const IDLE_COMM: u32 = 1;

/// Rows of all CPUs.
#[derive(Debug)]
pub struct Output {
    packers: Vec<RowPacker>,
    first_ns: u64,
    /// Time and CPU of the last row.
    last: (Ns, Cpu),
    /// How many rows there are.
    pub rows: u64,
    /// Of all rows so far.
    pub hash: u64,
}

impl Output {
    /// For so many CPUs, with times from then on.
    pub fn new(cpus: u32, first_ns: u64) -> Output {
        Output {
            packers: (0..cpus).map(|_| RowPacker::default()).collect(),
            first_ns,
            last: (0, 0),
            rows: 0,
            hash: 0xcbf2_9ce4_8422_2325,
        }
    }

    /// Adds a row of a CPU, with a time since the beginning. Rows of the same time are read in the order of their CPUs: one that
    /// follows from a row of a later CPU is a nanosecond later.
    #[inline(always)]
    pub fn push(&mut self, cpu: Cpu, at: Ns, mut row: Row) {
        let (last, last_cpu) = self.last;
        let at = at.max(last + u64::from(cpu < last_cpu));
        self.last = (at, cpu);
        self.rows += 1;
        self.hash_row(cpu, at, &row);
        row.ts = self.first_ns.saturating_add(at);
        if let Some(packer) = self.packers.get_mut(cpu as usize) {
            packer.push(&row);
        }
    }

    /// Adds a row to the hash alone.
    ///
    /// Always a part of whoever makes the row: read from memory, two of its numbers would be read as one, and what was just written in
    /// two parts is waited for.
    #[inline(always)]
    pub fn hash_row(&mut self, cpu: Cpu, at: Ns, row: &Row) {
        let who = u64::from(row.pid as u32) | u64::from(row.arg as u32) << 32;
        let what = u64::from(cpu) << 32 | (row.kind as u64) << 16 | u64::from(row.state) << 8 | u64::from(row.prio);
        for word in [at, who, what] {
            self.hash = (self.hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }

    /// As the scans of a trace that lasts up to `end`. Names of tasks are those of the workload; a CPU that only idles has none.
    pub fn into_scans(self, end: Ns, comms: &[String]) -> Vec<CpuScan> {
        let (first_ns, last_ns) = (self.first_ns, self.first_ns.saturating_add(end));
        let scan = |(cpu, packer): (u32, RowPacker)| {
            let rows: Rows = packer.finish();
            let mut names = vec![String::new(), format!("swapper/{cpu}")];
            if 1 < rows.len() {
                names.extend(comms.iter().cloned());
            }
            CpuScan {
                cpu,
                records: rows.len() as u64,
                rows,
                comms: CommTable { names },
                first_ns: Some(first_ns),
                last_ns: Some(last_ns),
                ..CpuScan::default()
            }
        };
        (0..).zip(self.packers).map(scan).collect()
    }
}

/// A row without a time.
pub fn row(kind: RowKind) -> Row {
    Row::of(kind, 0)
}
