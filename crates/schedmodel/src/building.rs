//! A trace that is being built: some steps at a time, so that a browser's worker answers questions in between.

use super::builder::Meta;
use super::conflicts::Conflict;
use super::edge::{Edges, Grouping};
use super::holes::{HoleFinder, Holes};
use super::lane::Lane;
use super::lane_builder::LaneBuilder;
use super::merge::{since, Merge, Window, MAX_TIME};
use super::sent::Sent;
use super::state_machine::StateMachine;
use super::steps::Steps;
use super::trace::Trace;
use crate::diagnostic::Diagnostic;
use schedrows::{CpuScan, DiagnosticKind, RowKind, Rows};
use std::collections::HashSet;
use std::sync::Arc;

/// What is known so far.
pub struct Building {
    meta: Meta,
    /// One per CPU, ascending, without rows and names.
    scans: Vec<CpuScan>,
    origin_ns: u64,
    span_ns: u64,
    /// Rows in all, and how many of them were taken.
    rows: usize,
    taken: usize,
    machine: StateMachine,
    steps: Steps,
    holes: Holes,
    cpus: Vec<u32>,
    lanes: Vec<Lane>,
    stage: Stage,
}

/// What is done next. The stages follow each other in this order.
enum Stage {
    /// Rows are put in order and taken through the state machine.
    Events(Merge, Window),
    /// Lanes become columns, CPU by CPU.
    Lanes(std::vec::IntoIter<(u32, LaneBuilder)>, HoleFinder),
    /// Needs most memory, so it comes last.
    Edges(Box<Grouping>),
    Done(Edges),
}

/// The share of the work that is done when all events were taken, about.
const EVENTS: f64 = 0.8;
/// How many windows of events are taken in a step, which lasts about a millisecond.
const WINDOWS: usize = if cfg!(debug_assertions) { 1 } else { 16 };
/// How many parts of the wakeups are given room, put in their places or packed in one.
const PARTS: usize = if cfg!(debug_assertions) { 1 } else { 16 };

impl Building {
    /// `scans`: one per CPU, ascending; of the CPUs in `twice` there was another one. `base_ns`: see
    /// [`TraceBuilder::new`](super::TraceBuilder::new).
    pub(crate) fn new(mut scans: Vec<CpuScan>, twice: &[u32], base_ns: u64, meta: Meta) -> Building {
        let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min();
        let last_ns = scans.iter().filter_map(|scan| scan.last_ns).max();
        let origin_ns = first_ns.unwrap_or(base_ns).min(base_ns);
        let mut rows: Vec<Rows> = scans.iter_mut().map(|scan| std::mem::take(&mut scan.rows)).collect();
        let has_switches = |&(_, rows): &(&CpuScan, &Rows)| 0 < rows.count(RowKind::Switch);
        let of_scans = scans.iter().zip(&rows).filter(has_switches);
        let told: HashSet<u32> = of_scans.map(|(scan, _)| scan.cpu).collect();
        let all = meta.cpus.iter().copied().chain(scans.iter().map(|scan| scan.cpu));
        // If no switch at all is recorded, no CPU lacks its own.
        let sent = Sent::of(all.filter(|cpu| !told.is_empty() && !told.contains(cpu)));
        let mut machine = StateMachine::new(&mut scans, &mut rows, meta.facts.cannot_tell);
        machine.sent = sent;
        for &cpu in twice {
            machine.conflicts.count(Conflict::SameCpuTwice, Some(cpu), None);
        }
        Building {
            meta,
            scans,
            origin_ns,
            span_ns: last_ns.map_or(0, |last| since(origin_ns, last)),
            rows: rows.iter().map(Rows::len).sum(),
            taken: 0,
            machine,
            steps: Steps::default(),
            holes: Holes::default(),
            cpus: Vec::new(),
            lanes: Vec::new(),
            stage: Stage::Events(Merge::new(rows, origin_ns), Window::default()),
        }
    }

    /// How much of the work is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match &self.stage {
            Stage::Events(..) => EVENTS * self.taken as f64 / self.rows.max(1) as f64,
            Stage::Lanes(..) => EVENTS,
            Stage::Edges(grouping) => EVENTS + (1.0 - EVENTS) * grouping.share(),
            Stage::Done(_) => 1.0,
        }
    }

    /// Works for about a millisecond, or some more where a trace has very many tasks or CPUs, or a CPU very many events; whether there is more to do.
    #[inline(never)]
    pub fn step(&mut self) -> bool {
        match &mut self.stage {
            Stage::Events(merge, window) => {
                let has_more = (0..WINDOWS).all(|_| {
                    let has_more = merge.next(window);
                    if has_more {
                        take_window(window, &mut self.machine, &mut self.span_ns);
                        self.taken += window.len();
                    }
                    has_more
                });
                if !has_more {
                    self.end_events();
                }
            }
            Stage::Lanes(left, finder) => match left.next() {
                Some((cpu, lane)) => {
                    let lane = lane.finish(self.span_ns);
                    let sent = self.machine.sent.first(cpu);
                    if !(0..lane.len()).any(|index| lane.switched_to(index)) {
                        let conflict = sent.map_or(Conflict::NoSwitch, |_| Conflict::SentUnseen);
                        self.machine.conflicts.count(conflict, Some(cpu), sent);
                    }
                    let scan = self.scans.binary_search_by_key(&cpu, |scan| scan.cpu).ok();
                    finder.look_at(cpu, &lane, scan.and_then(|scan| self.scans.get(scan)), sent);
                    self.cpus.push(cpu);
                    self.lanes.push(lane);
                }
                None => self.end_lanes(),
            },
            Stage::Edges(grouping) => {
                if !(0..PARTS).all(|_| grouping.step()) {
                    self.end_edges();
                }
            }
            Stage::Done(_) => return false,
        }
        true
    }

    /// Takes all events, while another thread puts those that follow in order.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn take_ahead(&mut self) {
        // A thread of its own is worth while from some milliseconds on.
        const ALONE: usize = 1 << 16;
        if self.rows <= ALONE {
            return;
        }
        if let Stage::Events(merge, _) = &mut self.stage {
            let merge = std::mem::replace(merge, Merge::new(Vec::new(), self.origin_ns));
            super::ahead::each(merge, |window| {
                take_window(window, &mut self.machine, &mut self.span_ns);
            });
        }
    }

    /// In browsers modules share no memory.
    #[cfg(target_family = "wasm")]
    pub(crate) fn take_ahead(&mut self) {}

    fn end_events(&mut self) {
        let machine = &mut self.machine;
        let last_ns = |source: usize| self.scans.get(source).and_then(|scan: &CpuScan| scan.last_ns);
        machine.end_offline(self.span_ns, |source| {
            last_ns(source).map(|last| since(self.origin_ns, last))
        });
        machine.end(self.span_ns);
        let steps = std::mem::take(&mut machine.steps).finish(self.span_ns);
        self.steps = steps.corrected(&machine.corrections);
        machine.roster.name_known(&self.meta.facts.tasks);
        if self.span_ns == MAX_TIME {
            machine.conflicts.count(Conflict::TooLate, None, Some(MAX_TIME));
        }
        let of_all = self.meta.facts.diagnostics.iter();
        let of_all = of_all.chain(self.scans.iter().flat_map(|scan| &scan.diagnostics));
        let cut = of_all.into_iter().any(|found| found.kind == DiagnosticKind::Truncated);
        self.stage = Stage::Lanes(
            lanes(machine, &self.meta.cpus).into_iter(),
            HoleFinder::new(cut, std::mem::take(&mut machine.offline)),
        );
    }

    fn end_lanes(&mut self) {
        let machine = &mut self.machine;
        let edges = Grouping::of(std::mem::take(&mut machine.edges), machine.roster.tasks.len());
        if let Stage::Lanes(_, finder) = std::mem::replace(&mut self.stage, Stage::Edges(Box::new(edges))) {
            self.holes = finder.finish();
            note_cut(machine, &self.holes, self.span_ns);
        }
    }

    fn end_edges(&mut self) {
        if let Stage::Edges(grouping) = std::mem::replace(&mut self.stage, Stage::Done(Edges::default())) {
            self.stage = Stage::Done(grouping.finish());
        }
    }

    /// The trace; makes the steps that are left.
    pub fn finish(mut self) -> Trace {
        while self.step() {}
        let Building { meta, scans, .. } = self;
        let StateMachine {
            mut roster,
            mut migrations,
            mut loose_waits,
            mut throttles,
            mut claims,
            conflicts,
            chain_breaks,
            after_sleep,
            sched_events,
            ..
        } = self.machine;
        let of_scans = scans.iter().flat_map(|scan| scan.diagnostics.iter().cloned());
        let of_reader = meta.facts.diagnostics.into_iter().chain(of_scans);
        let diagnostics = of_reader
            .map(|found| Diagnostic::of_reader(found, self.origin_ns))
            .chain(conflicts.into_diagnostics())
            .collect();
        migrations.shrink_to_fit();
        // Stable sorts: in order of events within a task. With cached keys, items of all types share one sort, of which wasm
        // modules would have kilobytes for each.
        loose_waits.sort_by_cached_key(|wait| roster.names.pairs.of(wait.who).task.0);
        loose_waits.shrink_to_fit();
        throttles.sort_by_cached_key(|throttle| roster.names.pairs.of(throttle.who).task.0);
        throttles.shrink_to_fit();
        claims.sort_by_cached_key(|claim| claim.task.0);
        claims.shrink_to_fit();
        Trace {
            origin_ns: self.origin_ns,
            span_ns: self.span_ns,
            cpus: self.cpus,
            lanes: self.lanes,
            edges: match self.stage {
                Stage::Done(edges) => edges,
                _ => Edges::default(),
            },
            tasks: roster.finish(),
            task_comms: roster.names.pairs.into_rows(),
            comms: roster.comms,
            migrations,
            loose_waits,
            throttles,
            claims,
            holes: self.holes,
            steps: Arc::new(self.steps),
            after_sleep,
            records: sum(&scans, |scan| scan.records),
            sched_events,
            lost_events: sum(&scans, |scan| scan.lost_events),
            lost_gaps: sum(&scans, |scan| scan.lost_gaps),
            chain_breaks,
            cannot_tell: meta.facts.cannot_tell,
            diagnostics,
        }
    }
}

/// Takes the events of a window through the state machine; `span_ns` is at least when the last of them was.
///
/// Engines of wasm begin with code that is compiled quickly and runs slowly. What they compile again takes its place when
/// the function is called the next time, so a loop over all events would run slowly to its end.
#[inline(never)]
fn take_window(window: &Window, machine: &mut StateMachine, span_ns: &mut u64) {
    window.events().for_each(|next| machine.step(next));
    *span_ns = window.last().unwrap_or(0).max(*span_ns);
}

/// The lanes of all CPUs, ascending, including those without a stream.
fn lanes(machine: &mut StateMachine, all: &[u32]) -> Vec<(u32, LaneBuilder)> {
    let mut lanes: Vec<_> = machine.take_lanes().collect();
    lanes.extend(all.iter().map(|&cpu| (cpu, LaneBuilder::new(0))));
    // Stable: a CPU's own lane comes before the empty one.
    lanes.sort_by_cached_key(|&(cpu, _)| cpu);
    lanes.dedup_by_key(|&mut (cpu, _)| cpu);
    lanes
}

/// Records which CPUs a truncated file leaves unknown until the end, and from when.
fn note_cut(machine: &mut StateMachine, holes: &Holes, span_ns: u64) {
    let to_the_end = holes.all().iter().filter(|hole| holes.cut() && hole.to == span_ns);
    for hole in to_the_end {
        match hole.from {
            0 => machine.conflicts.count(Conflict::CutAway, Some(hole.cpu), None),
            from => machine.conflicts.count(Conflict::CutOff, Some(hole.cpu), Some(from)),
        }
    }
}

/// A sum over all CPUs. Damaged pages can claim any number of lost events.
fn sum(scans: &[CpuScan], count: impl Fn(&CpuScan) -> u64) -> u64 {
    scans.iter().map(count).fold(0, u64::saturating_add)
}
