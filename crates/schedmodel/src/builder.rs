//! Builds a trace from the scans of its CPUs.

use super::building::Building;
use super::trace::Trace;
use schedrows::{CpuScan, FileFacts};

/// What a trace file says apart from its CPUs' streams.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// All CPUs of the file, including those without data.
    pub cpus: Vec<u32>,
    /// What the file says besides.
    pub facts: FileFacts,
}

/// Collects the scans of all CPUs.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    base_ns: u64,
    scans: Vec<CpuScan>,
    threads: usize,
}

impl TraceBuilder {
    /// `base_ns`: the time of the trace's first record, read from the file's first pages.
    pub fn new(base_ns: u64) -> TraceBuilder {
        TraceBuilder {
            base_ns,
            scans: Vec::new(),
            threads: 1,
        }
    }

    /// May work on so many threads at a time; without this, on one. In wasm there is always one.
    #[must_use]
    pub fn threads(self, threads: usize) -> TraceBuilder {
        TraceBuilder { threads, ..self }
    }

    /// Adds a CPU's scan; the order does not matter.
    pub fn add(&mut self, scan: CpuScan) {
        self.scans.push(scan);
    }

    /// Number of rows so far.
    pub fn events(&self) -> usize {
        self.scans.iter().map(|scan| scan.rows.len()).sum()
    }

    /// Merges the streams and runs the state machine.
    pub fn finish(self, meta: Meta) -> Trace {
        let threads = self.threads;
        let mut building = self.begin(meta);
        if 1 < threads {
            building.take_ahead();
        }
        building.finish()
    }

    /// Begins to do that, for clients that do something else between the steps.
    pub fn begin(self, meta: Meta) -> Building {
        let mut scans = self.scans;
        // Stable, so that of two streams with the same CPU the first added is the one that counts.
        scans.sort_by_cached_key(|scan| scan.cpu);
        let mut twice = Vec::new();
        scans.dedup_by(|later, kept| {
            let same = later.cpu == kept.cpu;
            twice.extend(same.then_some(kept.cpu));
            same
        });
        Building::new(scans, &twice, self.base_ns, meta)
    }
}
