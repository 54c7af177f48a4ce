//! Scans in, trace out.

use super::lane_builder::LaneBuilder;
use super::machine::Machine;
use super::merge::Merge;
use super::notes::Note;
use super::trace::Trace;
use std::sync::Arc;

use crate::scan::{CpuScan, Diagnostic, RowKind};

/// What a trace file tells besides its CPUs' streams.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// All CPUs of the file, also those without data.
    pub cpus: Vec<u32>,
    /// What was wrong with the file as a whole.
    pub diagnostics: Vec<Diagnostic>,
}

/// Collects the scans of all CPUs.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    base_ns: u64,
    scans: Vec<CpuScan>,
}

impl TraceBuilder {
    /// `base_ns`: the time of the trace's first record, as the file's first pages tell it.
    pub fn new(base_ns: u64) -> TraceBuilder {
        TraceBuilder {
            base_ns,
            scans: Vec::new(),
        }
    }

    /// Adds a CPU's scan; the order does not matter.
    pub fn add(&mut self, scan: CpuScan) {
        self.scans.push(scan);
    }

    /// Merges the streams and runs the state machine.
    pub fn finish(self, meta: Meta) -> Trace {
        let mut scans = self.scans;
        // Stable, so that of two streams with the same CPU the first added is the one that counts.
        scans.sort_by_key(|scan| scan.cpu);
        let twice = scans
            .windows(2)
            .filter(|pair| pair[0].cpu == pair[1].cpu)
            .map(|pair| pair[0].cpu)
            .collect::<Vec<_>>();
        scans.dedup_by_key(|scan| scan.cpu);

        let first = scans.iter().filter_map(|scan| scan.first_ns).min();
        let base_ns = first.unwrap_or(self.base_ns).min(self.base_ns);
        let last = scans
            .iter()
            .flat_map(|scan| scan.last_ns.into_iter().chain(scan.rows.last().map(|row| row.ts)))
            .max();
        let span_ns = last.map_or(0, |last| last.saturating_sub(base_ns));

        let mut machine = Machine::new(&scans);
        for cpu in twice {
            machine.notes.count(Note::SameCpuTwice, Some(cpu), None);
        }
        for next in Merge::new(scans.iter().map(|scan| scan.rows.as_slice()).collect(), base_ns) {
            machine.step(next);
        }
        machine.end(span_ns);

        let mut lanes: Vec<_> = machine.take_lanes().collect();
        for &cpu in &meta.cpus {
            if scans.binary_search_by_key(&cpu, |scan| scan.cpu).is_err() {
                lanes.push((cpu, LaneBuilder::new(0)));
            }
        }
        lanes.sort_by_key(|&(cpu, _)| cpu);
        lanes.dedup_by_key(|&mut (cpu, _)| cpu);
        let (cpus, lanes): (Vec<_>, Vec<_>) = lanes.into_iter().map(|(cpu, lane)| (cpu, lane.finish(span_ns))).unzip();
        for lane in &lanes {
            if !(0..lane.len()).any(|index| lane.switched_to(index)) {
                machine.notes.count(Note::NoSwitch, None, None);
            }
        }

        let lost_row = RowKind::Lost as u8;
        let sched_events = scans
            .iter()
            .flat_map(|scan| &scan.rows)
            .filter(|row| row.kind != lost_row)
            .count() as u64;
        let mut diagnostics = meta.diagnostics;
        for scan in &mut scans.iter() {
            diagnostics.extend_from_slice(&scan.diagnostics);
        }
        let Machine {
            roster,
            edges,
            mut migrations,
            mut loose_waits,
            steps,
            notes,
            after_sleep,
            ..
        } = machine;
        diagnostics.extend(notes.into_diagnostics(base_ns));
        migrations.shrink_to_fit();
        loose_waits.shrink_to_fit();
        Trace {
            base_ns,
            span_ns,
            cpus,
            lanes,
            edges: edges.group(roster.tasks.len()),
            tasks: roster.tasks,
            task_comms: roster.names.pairs,
            comms: roster.comms,
            migrations,
            loose_waits,
            steps: Arc::new(steps),
            after_sleep,
            records: scans.iter().map(|scan| scan.records).sum(),
            sched_events,
            lost_events: scans.iter().map(|scan| scan.lost_events).sum(),
            lost_gaps: scans.iter().map(|scan| scan.lost_gaps).sum(),
            diagnostics,
        }
    }
}
