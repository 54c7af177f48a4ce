//! Cells while the rest of a trace is still loading.

use schedindex::Shown;
use schedindex::{CellsQuery, LaneCells, Levels, Sampled};
use schedmodel::{Comms, Lane, PreviewLanes};
use schedrows::CpuScan;
use std::collections::BTreeMap;

/// The lanes scanned so far, and of others what was read of them. Ids are provisional: one task per pid.
#[derive(Debug)]
pub struct Preview {
    lanes: PreviewLanes,
    known: BTreeMap<u32, Known>,
    shown: Shown,
}

/// What is known of a CPU.
#[derive(Debug)]
enum Known {
    Sampled(Sampled),
    Scanned(Box<Scanned>),
}

#[derive(Debug, Default)]
struct Scanned {
    lane: Lane,
    levels: Levels,
}

impl Preview {
    /// `base_ns`: see [`TraceBuilder::new`](schedmodel::TraceBuilder::new).
    pub fn new(base_ns: u64) -> Preview {
        Preview {
            lanes: PreviewLanes::new(base_ns),
            known: BTreeMap::new(),
            shown: Shown::all(),
        }
    }

    /// Adds a CPU's lane.
    pub fn add(&mut self, scan: &CpuScan) {
        let lane = self.lanes.lane(scan);
        let levels = Levels::new(&lane, self.lanes.task_comms(), &self.shown);
        let scanned = Box::new(Scanned { lane, levels });
        self.known.insert(scan.cpu, Known::Scanned(scanned));
    }

    /// Adds what was read at one place of a CPU (`Source::sample`), unless that was scanned meanwhile.
    pub fn add_sample(&mut self, scan: &CpuScan) {
        let known = self.known.entry(scan.cpu);
        if let Known::Sampled(sampled) = known.or_insert(Known::Sampled(Sampled::default())) {
            let lane = self.lanes.lane(scan);
            sampled.add(lane, self.lanes.task_comms(), &self.shown);
        }
    }

    /// CPUs that were scanned so far, ascending.
    pub fn cpus(&self) -> impl Iterator<Item = u32> + '_ {
        let scanned = |known: &Known| matches!(known, Known::Scanned(_));
        let cpus = self.known.iter().filter(move |(_, known)| scanned(known));
        cpus.map(|(&cpu, _)| cpu)
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
        let ends = self.known.values().map(|known| match known {
            Known::Sampled(sampled) => sampled.end(),
            Known::Scanned(scanned) => scanned.lane.end(),
        });
        ends.max().unwrap_or(0)
    }

    /// Like [`Indexes::cells`](crate::query::Indexes::cells); nothing for lanes that are still missing.
    pub fn cells(&self, query: &CellsQuery) -> Vec<u32> {
        let mut cells = vec![0; 2 * query.buckets as usize * query.cpus.len()];
        if query.buckets == 0 {
            return cells;
        }
        let nothing = Scanned::default();
        for (cpu, cells) in query
            .cpus
            .iter()
            .zip(cells.chunks_exact_mut(2 * query.buckets as usize))
        {
            let scanned = match self.known.get(cpu) {
                Some(Known::Sampled(sampled)) => {
                    sampled.fill(self.lanes.task_comms(), &self.shown, query.span(), cells);
                    continue;
                }
                Some(Known::Scanned(scanned)) => scanned,
                None => &nothing,
            };
            LaneCells {
                lane: &scanned.lane,
                levels: &scanned.levels,
                pairs: self.lanes.task_comms(),
                shown: &self.shown,
                highlighted: None,
            }
            .fill(query.span(), cells);
        }
        cells
    }
}
