//! Cells while the rest of a trace is still loading.

use super::cells::{CellsQuery, LaneCells};
use super::sampled::Sampled;
use crate::index::{Pyramid, Shown};
use schedmodel::{Comms, Lane, PreviewLanes};
use schedrows::CpuScan;
use std::collections::BTreeMap;

/// The lanes scanned so far, and of others what was read of them. Ids are provisional: one task per pid.
#[derive(Debug)]
pub struct Preview {
    lanes: PreviewLanes,
    done: BTreeMap<u32, (Lane, Pyramid)>,
    sampled: BTreeMap<u32, Sampled>,
    shown: Shown,
}

impl Preview {
    /// `base_ns`: see [`TraceBuilder::new`](schedmodel::TraceBuilder::new).
    pub fn new(base_ns: u64) -> Preview {
        Preview {
            lanes: PreviewLanes::new(base_ns),
            done: BTreeMap::new(),
            sampled: BTreeMap::new(),
            shown: Shown::all(),
        }
    }

    /// Adds a CPU's lane.
    pub fn add(&mut self, scan: &CpuScan) {
        let lane = self.lanes.lane(scan);
        let pyramid = Pyramid::new(&lane, self.lanes.task_comms(), &self.shown);
        self.done.insert(scan.cpu, (lane, pyramid));
        self.sampled.remove(&scan.cpu);
    }

    /// Adds what was read at one place of a CPU (`Source::sample`).
    pub fn add_sample(&mut self, scan: &CpuScan) {
        if self.done.contains_key(&scan.cpu) {
            return;
        }
        let lane = self.lanes.lane(scan);
        let sampled = self.sampled.entry(scan.cpu).or_default();
        sampled.add(lane, self.lanes.task_comms(), &self.shown);
    }

    /// CPUs that were scanned so far, ascending.
    pub fn cpus(&self) -> impl Iterator<Item = u32> + '_ {
        self.done.keys().copied()
    }

    /// Pids by provisional task id.
    pub fn pids(&self) -> &[i32] {
        &self.lanes.task_pids
    }

    /// Names by provisional comm id.
    pub fn comms(&self) -> &Comms {
        &self.lanes.comms
    }

    /// End of the longest lane so far.
    pub fn end(&self) -> u64 {
        let scanned = self.done.values().map(|(lane, _)| lane.end());
        let sampled = self.sampled.values().map(Sampled::end);
        scanned.chain(sampled).max().unwrap_or(0)
    }

    /// Like [`Indexes::cells`](crate::query::Indexes::cells); nothing for lanes that are still missing.
    pub fn cells(&self, query: &CellsQuery) -> Vec<u32> {
        let mut cells = vec![0; 2 * query.buckets as usize * query.cpus.len()];
        if query.buckets == 0 {
            return cells;
        }
        let empty = (Lane::default(), Pyramid::default());
        for (cpu, cells) in query
            .cpus
            .iter()
            .zip(cells.chunks_exact_mut(2 * query.buckets as usize))
        {
            if let Some(sampled) = self.sampled.get(cpu) {
                sampled.fill(self.lanes.task_comms(), &self.shown, query.span(), cells);
                continue;
            }
            let (lane, pyramid) = self.done.get(cpu).unwrap_or(&empty);
            LaneCells {
                lane,
                pyramid,
                pairs: self.lanes.task_comms(),
                shown: &self.shown,
                highlighted: None,
            }
            .fill(query.span(), cells);
        }
        cells
    }
}
