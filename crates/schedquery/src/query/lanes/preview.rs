//! Cells while the rest of a trace is still loading.

use super::cells::{CellsQuery, LaneCells};
use super::levels::Levels;
use crate::index::Shown;
use schedmodel::{Comms, Lane, PreviewLanes};
use schedrows::CpuScan;
use std::collections::BTreeMap;

/// The lanes scanned so far. Ids are provisional: one task per pid.
#[derive(Debug)]
pub struct Preview {
    lanes: PreviewLanes,
    done: BTreeMap<u32, (Lane, Levels)>,
    shown: Shown,
}

impl Preview {
    /// `base_ns`: see [`TraceBuilder::new`](schedmodel::TraceBuilder::new).
    pub fn new(base_ns: u64) -> Preview {
        Preview {
            lanes: PreviewLanes::new(base_ns),
            done: BTreeMap::new(),
            shown: Shown::all(),
        }
    }

    /// Adds a CPU's lane.
    pub fn add(&mut self, scan: &CpuScan) {
        let lane = self.lanes.lane(scan);
        let levels = Levels::new(&lane, self.lanes.task_comms(), &self.shown);
        self.done.insert(scan.cpu, (lane, levels));
    }

    /// CPUs with a lane so far, ascending.
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
        self.done.values().map(|(lane, _)| lane.end()).max().unwrap_or(0)
    }

    /// Like [`Indexes::cells`](crate::query::Indexes::cells); nothing for lanes that are still missing.
    pub fn cells(&self, query: &CellsQuery) -> Vec<u32> {
        let mut cells = vec![0; 2 * query.buckets as usize * query.cpus.len()];
        if query.buckets == 0 {
            return cells;
        }
        let empty = (Lane::default(), Levels::default());
        for (cpu, cells) in query
            .cpus
            .iter()
            .zip(cells.chunks_exact_mut(2 * query.buckets as usize))
        {
            let (lane, levels) = self.done.get(cpu).unwrap_or(&empty);
            LaneCells {
                lane,
                levels,
                pairs: self.lanes.task_comms(),
                shown: &self.shown,
                highlighted: None,
            }
            .fill(query.span(), cells);
        }
        cells
    }
}
