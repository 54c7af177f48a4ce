//! What is on the lanes while the rest of a trace is still loading.

use super::answer::{IntervalAnswer, LabelRun, RunName};
use super::labels::labels;
use super::pick::run_beside;
use crate::query::select::time_window::TimeWindow;
use schedindex::{CellWords, CellsQuery, Detail, LaneCells, Sampled, Shown, Span, Tally};
use schedmodel::{Comms, Lane, PreviewLanes, TaskCommId};
use schedrows::CpuScan;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// The lanes scanned so far, and of others what was read of them. Ids are provisional: one task per pid.
#[derive(Debug)]
pub struct Preview {
    lanes: PreviewLanes,
    known: BTreeMap<u32, Known>,
    shown: Shown,
    tally: RefCell<Tally>,
}

/// What is known of a CPU.
#[derive(Debug)]
enum Known {
    Sampled(Sampled),
    Scanned(Box<Scanned>),
}

/// A lane without levels of detail: it is drawn a few times, mostly all of it.
#[derive(Debug, Default)]
struct Scanned {
    lane: Lane,
    drawn: RefCell<Drawn>,
}

/// What was drawn last, the latest at the end: all tiles of a screen are asked again whenever other CPUs were scanned.
#[derive(Debug, Default)]
struct Drawn(VecDeque<(Span, Vec<CellWords>)>);

/// The most cells that are kept, of all lanes together, each of which has its share: 64 MiB. With 512 lanes a share is as many tiles as a
/// screen of 2000 pixels asks for, which are those in sight, beside them, of the next coarser level and of the whole trace.
const KEPT: usize = if cfg!(debug_assertions) { 1 << 5 } else { 1 << 23 };

impl Drawn {
    fn get(&self, span: Span, cells: usize) -> Option<&[CellWords]> {
        let mut all = self.0.iter();
        let found = all.find(|(of, drawn)| *of == span && drawn.len() == cells);
        found.map(|(_, drawn)| drawn.as_slice())
    }

    /// `most`: cells that are kept.
    fn keep(&mut self, span: Span, cells: &[CellWords], most: usize) {
        if most < cells.len() {
            return;
        }
        let mut room = most.saturating_sub(self.0.iter().map(|(_, cells)| cells.len()).sum());
        while room < cells.len() {
            let Some((_, first)) = self.0.pop_front() else { return };
            room += first.len();
        }
        self.0.push_back((span, cells.to_vec()));
    }
}

impl Preview {
    /// `base_ns`: see [`TraceBuilder::new`](schedmodel::TraceBuilder::new).
    pub fn new(base_ns: u64) -> Preview {
        Preview {
            lanes: PreviewLanes::new(base_ns),
            known: BTreeMap::new(),
            shown: Shown::all(),
            tally: RefCell::default(),
        }
    }

    /// Adds a CPU's lane.
    pub fn add(&mut self, scan: &CpuScan) {
        let scanned = Scanned {
            lane: self.lanes.lane(scan),
            drawn: RefCell::default(),
        };
        self.known.insert(scan.cpu, Known::Scanned(Box::new(scanned)));
    }

    /// Adds what was read at one place of a CPU (`Source::sample`), unless that was scanned meanwhile.
    pub fn add_sample(&mut self, scan: &CpuScan) {
        let known = self.known.entry(scan.cpu);
        if let Known::Sampled(sampled) = known.or_insert(Known::Sampled(Sampled::default())) {
            let lane = self.lanes.lane(scan);
            sampled.add(lane, self.lanes.task_comms(), self.tally.get_mut());
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
        let mut words = Vec::new();
        let rows = query.rows_behind(&mut words);
        self.tally.borrow_mut().fit(self.lanes.task_comms());
        for (cpu, cells) in rows {
            match self.known.get(&cpu) {
                Some(Known::Sampled(sampled)) => {
                    sampled.fill(self.lanes.task_comms(), &self.shown, &self.tally, query.span(), cells);
                }
                Some(Known::Scanned(scanned)) => self.draw(scanned, query.span(), cells),
                None => self.draw(&Scanned::default(), query.span(), cells),
            }
        }
        words
    }

    /// Like [`Indexes::labels`](crate::query::Indexes::labels), of the lanes that were scanned.
    pub fn labels(&self, window: TimeWindow, min_width: u64, cpus: &[u32]) -> Vec<LabelRun> {
        // Without a filter it does not matter where a lane is.
        let mut lanes = cpus.iter().filter_map(|&cpu| Some((cpu, (0, self.lane(cpu)?))));
        labels(&mut lanes, &self.shown, window, min_width, &|id| self.name_of(id))
    }

    /// The interval of a CPU at an instant; `None` also as long as the CPU was not scanned.
    pub fn pick(&self, cpu: u32, at: u64) -> Option<IntervalAnswer<RunName>> {
        let lane = self.lane(cpu)?;
        Some(self.describe(cpu, lane, lane.find(at)?))
    }

    /// The run before or after the interval at `at`; `None` also as long as the CPU was not scanned.
    pub fn step(&self, cpu: u32, at: u64, forward: bool) -> Option<IntervalAnswer<RunName>> {
        let lane = self.lane(cpu)?;
        Some(self.describe(cpu, lane, run_beside(lane, at, forward, None)?))
    }

    fn lane(&self, cpu: u32) -> Option<&Lane> {
        match self.known.get(&cpu)? {
            Known::Sampled(_) => None,
            Known::Scanned(scanned) => Some(&scanned.lane),
        }
    }

    /// The last one ends with the CPU's last event: the trace may go on.
    fn describe(&self, cpu: u32, lane: &Lane, index: usize) -> IntervalAnswer<RunName> {
        IntervalAnswer::new(cpu, lane, index, |id| self.name_of(id))
    }

    fn name_of(&self, id: TaskCommId) -> RunName {
        let pair = self.lanes.task_comms().get(id.0 as usize);
        RunName {
            pid: pair
                .and_then(|pair| self.pids().get(pair.task.0 as usize).copied())
                .unwrap_or(0),
            comm: pair.map_or_else(String::new, |pair| self.comms().name(pair.comm).to_owned()),
        }
    }

    fn draw(&self, scanned: &Scanned, span: Span, cells: &mut [CellWords]) {
        let mut drawn = scanned.drawn.borrow_mut();
        if let Some(drawn) = drawn.get(span, cells.len()) {
            return cells.copy_from_slice(drawn);
        }
        let lane = LaneCells {
            lane: &scanned.lane,
            detail: Detail::Intervals(&self.tally),
            pairs: self.lanes.task_comms(),
            shown: &self.shown,
            highlighted: None,
        };
        lane.fill(span, cells);
        // Few intervals are drawn as soon as copied.
        if cells.len() < scanned.lane.len() {
            drawn.keep(span, cells, KEPT / self.known.len().max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedindex::CellKey;
    use schedrows::{Row, RowKind};

    /// A CPU on which tasks take turns, each for a microsecond.
    fn scan(cpu: u32, runs: u64) -> CpuScan {
        let switch = |number: u64| Row {
            pid: 1 + (number % 2) as i32,
            arg: 2 - (number % 2) as i32,
            state: b'S',
            ..Row::of(RowKind::Switch, 1000 * number)
        };
        CpuScan {
            cpu,
            rows: (0..runs).map(switch).collect(),
            ..CpuScan::default()
        }
    }

    #[test]
    fn what_was_drawn_is_not_drawn_again_whatever_else_was_asked() {
        let mut preview = Preview::new(0);
        preview.add(&scan(0, 100));
        preview.add(&scan(1, 3));
        // Three tiles of a screen, and one of the next coarser level.
        let tiles = [(10, 0), (10, 4), (10, 8), (11, 0)];
        let ask = |(level, first_bucket)| {
            preview.cells(&CellsQuery {
                level,
                first_bucket,
                buckets: 4,
                cpus: vec![0, 1],
                key: CellKey::Task,
            })
        };
        let kept = |cpu| match preview.known.get(&cpu) {
            Some(Known::Scanned(scanned)) => scanned.drawn.borrow().0.clone(),
            _ => panic!("CPU {cpu} was scanned"),
        };
        let asked: Vec<_> = tiles.map(ask).into();
        let drawn = kept(0);
        assert_eq!(drawn.len(), tiles.len());
        assert_eq!(Vec::from(tiles.map(ask)), asked);
        assert_eq!(kept(0), drawn);
        // Three intervals are drawn as soon.
        assert_eq!(kept(1).len(), 0);
    }
}
