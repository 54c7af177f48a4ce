//! Where records are missing: what the CPU did there is unknown, because events were lost or because the file is
//! truncated or damaged.
//!
//! A CPU with complete records may be unknown too: without a switch, nothing shows what it ran. That is no hole as long as no task
//! is sent to it, because none came onto it or left it. Nor is the time in which a CPU is offline.

use super::lane::{Lane, Who};
use super::offline::Offline;
use crate::stored::stored;
use schedrows::{sort_by_keys, CpuScan, DiagnosticKind};

/// A stretch of a CPU's lane whose records are missing: half-open, in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hole {
    /// The CPU.
    pub cpu: u32,
    /// First ns.
    pub from: u64,
    /// First ns after it.
    pub to: u64,
}

/// All holes of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holes {
    /// Whether the file ends before its data does.
    cut: bool,
    /// Sorted by CPU, then by time.
    all: Vec<Hole>,
    /// Times in which at least one CPU has a hole: disjoint, ascending.
    any: Vec<(u64, u64)>,
}

/// Finds the holes of a trace, lane by lane.
#[derive(Debug)]
pub(crate) struct HoleFinder {
    cut: bool,
    /// Sorted.
    offline: Vec<Offline>,
    all: Vec<Hole>,
}

impl HoleFinder {
    /// `cut`: the file ends before its data does. `offline`: since when CPUs are offline.
    pub(crate) fn new(cut: bool, mut offline: Vec<Offline>) -> HoleFinder {
        sort_by_keys(&mut offline, |&(cpu, from)| [u64::from(cpu), from]);
        let all = Vec::new();
        HoleFinder { cut, offline, all }
    }

    /// Looks at the next CPU, in ascending order; `scan`: `None` if the file has no data of it. `sent`: when the first task
    /// was sent to it, if it has no switch.
    pub(crate) fn look_at(&mut self, cpu: u32, lane: &Lane, scan: Option<&CpuScan>, sent: Option<u64>) {
        let switches = (0..lane.len()).any(|index| lane.switched_to(index));
        // A lane with switches is unknown only where events were lost.
        let known_until = if switches || is_damaged(scan, self.cut) {
            Some(0)
        } else {
            sent
        };
        let Some(known_until) = known_until else { return };
        let unknown = (0..lane.len()).filter(|&index| lane.who(index) == Who::Unknown);
        let unknown = unknown.map(|index| lane.interval(index));
        let online = unknown.filter(|hole| self.offline.binary_search(&(cpu, hole.start)).is_err());
        let holes = online.map(|hole| Hole {
            cpu,
            from: hole.start.max(known_until),
            to: hole.end,
        });
        self.all.extend(holes.filter(|hole| hole.from < hole.to));
    }

    /// All holes of the CPUs that were looked at.
    pub(crate) fn finish(self) -> Holes {
        let HoleFinder { cut, all, .. } = self;
        let any = union(all.iter().map(|hole| (hole.from, hole.to)).collect());
        Holes { cut, all, any }
    }
}

impl Holes {
    /// Whether the file ends before its data does.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// All holes, sorted by CPU, then by time.
    pub fn all(&self) -> &[Hole] {
        &self.all
    }

    /// Whether any CPU has a hole within `[from, to)`; an instant has none.
    pub fn any(&self, from: u64, to: u64) -> bool {
        if to <= from {
            return false;
        }
        let after = self.any.partition_point(|&(_, end)| end <= from);
        self.any.get(after).is_some_and(|&(start, _)| start < to)
    }

    /// Whether this CPU has a hole within `[from, to)`.
    pub fn on(&self, cpu: u32, from: u64, to: u64) -> bool {
        if to <= from {
            return false;
        }
        let after = self.all.partition_point(|hole| (hole.cpu, hole.to) <= (cpu, from));
        self.all
            .get(after)
            .is_some_and(|hole| hole.cpu == cpu && hole.from < to)
    }

    /// Total length of all holes, in ns.
    pub fn ns(&self) -> u64 {
        let lengths = self.all.iter().map(|hole| hole.to - hole.from);
        lengths.fold(0, u64::saturating_add)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Hole>() + self.any.capacity() * size_of::<(u64, u64)>()
    }
}

/// Whether records of a CPU are known to be missing.
fn is_damaged(scan: Option<&CpuScan>, cut: bool) -> bool {
    use DiagnosticKind::{LostEvents, Malformed, Truncated};
    let Some(scan) = scan else { return cut };
    let is_loss = |kind| matches!(kind, LostEvents | Malformed | Truncated);
    (cut && scan.records == 0) || scan.diagnostics.iter().any(|found| is_loss(found.kind))
}

fn union(mut stretches: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    sort_by_keys(&mut stretches, |&(from, to)| [from, to]);
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (from, to) in stretches {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

stored!(Hole {
    cpu: u32,
    from: u64,
    to: u64,
});
stored!(Holes {
    cut: bool,
    all: Vec<Hole>,
    any: Vec<(u64, u64)>,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TaskCommId;

    fn holes(lanes: &[Vec<(u64, Who)>], scans: &[CpuScan], cut: bool) -> Holes {
        let mut lanes: Vec<Lane> = lanes.iter().map(|lane| Lane::of(lane)).collect();
        // The intervals that were switched to: all except unknown ones.
        for lane in &mut lanes {
            lane.switch_all();
        }
        let mut finder = HoleFinder::new(cut, Vec::new());
        for (cpu, lane) in (0..).zip(&lanes) {
            finder.look_at(cpu, lane, scans.iter().find(|scan| scan.cpu == cpu), None);
        }
        finder.finish()
    }

    const RUN: Who = Who::Run(TaskCommId(0));

    #[test]
    fn a_gap_is_a_hole_and_a_cpu_without_switches_is_one_only_where_records_are_missing() {
        let lanes = [
            vec![(10, RUN), (5, Who::Unknown), (15, Who::Idle)],
            vec![(30, Who::Unknown)],
            vec![(12, Who::Idle), (18, RUN)],
        ];
        let quiet = CpuScan {
            cpu: 1,
            records: 3,
            ..CpuScan::default()
        };
        let hole = |cpu, from, to| Hole { cpu, from, to };
        assert_eq!(
            holes(&lanes, std::slice::from_ref(&quiet), true).all(),
            [hole(0, 10, 15)]
        );
        assert_eq!(holes(&lanes, &[], false).all(), [hole(0, 10, 15)]);
        let found = holes(&lanes, &[], true);
        assert_eq!(found.all(), [hole(0, 10, 15), hole(1, 0, 30)]);
        assert_eq!(found.ns(), 35);
        assert_eq!(found.any, [(0, 30)]);
        assert_eq!(
            [(9, 10), (9, 11), (14, 20), (15, 20)].map(|(from, to)| found.on(0, from, to)),
            [false, true, true, false]
        );
        assert!(!found.on(2, 0, 30));
        assert!(found.any(29, 30) && !found.any(30, 31) && !Holes::default().any(0, u64::MAX));
    }
}
