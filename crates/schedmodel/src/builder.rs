//! Builds a trace from the scans of its CPUs.

use super::conflicts::Conflict;
use super::holes::Holes;
use super::lane::Lane;
use super::lane_builder::LaneBuilder;
use super::merge::{since, Merge, Window, MAX_TIME};
use super::state_machine::StateMachine;
use super::trace::Trace;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use schedrows::{CpuScan, DiagnosticKind, FileFacts, Rows};

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
        let mut scans = self.scans;
        // Stable, so that of two streams with the same CPU the first added is the one that counts.
        scans.sort_by_cached_key(|scan| scan.cpu);
        let mut twice = Vec::new();
        scans.dedup_by(|later, kept| {
            let same = later.cpu == kept.cpu;
            twice.extend(same.then_some(kept.cpu));
            same
        });
        let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min();
        let last_ns = scans.iter().filter_map(|scan| scan.last_ns).max();
        let base_ns = first_ns.unwrap_or(self.base_ns).min(self.base_ns);

        let rows: Vec<Rows> = scans.iter_mut().map(|scan| std::mem::take(&mut scan.rows)).collect();
        let mut machine = StateMachine::new(&scans, &rows, meta.facts.cannot_tell);
        for cpu in twice {
            machine.conflicts.count(Conflict::SameCpuTwice, Some(cpu), None);
        }
        let mut span_ns = last_ns.map_or(0, |last| since(base_ns, last));
        let events = rows.iter().map(Rows::len).sum::<usize>();
        let merge = Merge::new(rows, base_ns);
        // A thread of its own is worth while from some milliseconds on.
        let ahead = 1 < self.threads && ALONE < events;
        let take = |window: &Window| span_ns = span_ns.max(take_window(window, &mut machine).unwrap_or(0));
        match ahead {
            true => each_ahead(merge, take),
            false => merge.each_window(take),
        }
        machine.end(span_ns);
        // Before the edges are grouped, which needs most memory.
        let steps = std::mem::take(&mut machine.steps).finish(span_ns);
        machine.roster.name_known(&meta.facts.tasks);
        if span_ns == MAX_TIME {
            machine.conflicts.count(Conflict::TooLate, None, Some(MAX_TIME));
        }
        let (cpus, lanes) = lanes(&mut machine, &meta.cpus, span_ns);
        let of_all = meta
            .facts
            .diagnostics
            .iter()
            .chain(scans.iter().flat_map(|scan| &scan.diagnostics));
        let cut = of_all.into_iter().any(|found| found.kind == DiagnosticKind::Truncated);
        let holes = Holes::new(cpus.iter().copied().zip(&lanes), &scans, cut);
        note_cut(&mut machine, &holes, span_ns);

        let StateMachine {
            mut roster,
            edges,
            mut migrations,
            mut loose_waits,
            mut throttles,
            mut claims,
            conflicts,
            after_sleep,
            sched_events,
            ..
        } = machine;
        let of_scans = scans.iter().flat_map(|scan| scan.diagnostics.iter().cloned());
        let of_reader = meta.facts.diagnostics.into_iter().chain(of_scans);
        let diagnostics = of_reader
            .map(|found| Diagnostic::of_reader(found, base_ns))
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
            origin_ns: base_ns,
            span_ns,
            cpus,
            lanes,
            edges: edges.group(roster.tasks.len()),
            tasks: roster.finish(),
            task_comms: roster.names.pairs.into_rows(),
            comms: roster.comms,
            migrations,
            loose_waits,
            throttles,
            claims,
            holes,
            steps: Arc::new(steps),
            after_sleep,
            records: sum(&scans, |scan| scan.records),
            sched_events,
            lost_events: sum(&scans, |scan| scan.lost_events),
            lost_gaps: sum(&scans, |scan| scan.lost_gaps),
            chain_breaks: sum(&scans, |scan| scan.chain_breaks),
            cannot_tell: meta.facts.cannot_tell,
            diagnostics,
        }
    }
}

/// Up to so many events are merged and taken on one thread.
const ALONE: usize = 1 << 16;

/// Calls `take` with all events, which are merged on another thread.
#[cfg(not(target_family = "wasm"))]
use super::ahead::each as each_ahead;

#[cfg(target_family = "wasm")]
fn each_ahead(merge: Merge, take: impl FnMut(&Window)) {
    merge.each_window(take);
}

/// Takes the events of a window through the state machine; returns when the last of them was.
///
/// Engines of wasm begin with code that is compiled quickly and runs slowly. What they compile again takes its place when
/// the function is called the next time, so a loop over all events would run slowly to its end.
#[inline(never)]
fn take_window(window: &Window, machine: &mut StateMachine) -> Option<u64> {
    window.events().for_each(|next| machine.step(next));
    window.last()
}

/// The lanes of all CPUs, ascending, including those without a stream.
fn lanes(machine: &mut StateMachine, all: &[u32], span_ns: u64) -> (Vec<u32>, Vec<Lane>) {
    let mut lanes: Vec<_> = machine.take_lanes().collect();
    lanes.extend(all.iter().map(|&cpu| (cpu, LaneBuilder::new(0))));
    // Stable: a CPU's own lane comes before the empty one.
    lanes.sort_by_cached_key(|&(cpu, _)| cpu);
    lanes.dedup_by_key(|&mut (cpu, _)| cpu);
    let finished = lanes.into_iter().map(|(cpu, lane)| (cpu, lane.finish(span_ns)));
    let (cpus, lanes): (Vec<_>, Vec<Lane>) = finished.unzip();
    for (&cpu, lane) in cpus.iter().zip(&lanes) {
        if !(0..lane.len()).any(|index| lane.switched_to(index)) {
            machine.conflicts.count(Conflict::NoSwitch, Some(cpu), None);
        }
    }
    (cpus, lanes)
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
