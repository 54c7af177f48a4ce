//! Rows that no kernel writes, as after lost events: tasks that are current on two CPUs, or leave one where they never were. Whatever
//! they say, all that replays them ends.

use replay::affinity::{self, Pinned};
use replay::decisions::decisions;
use replay::engine::{run, Limits};
use replay::fit::{fit, FitError};
use replay::machine::Machine;
use replay::policy::Spec;
use replay::{from_rows, Recording};
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::query::{features, overload, FeaturesQuery};
use schedrows::{CommTable, CpuScan, Row, RowKind, RowPacker};

pub const CPUS: u32 = 3;
const POLICIES: [&str; 12] = [
    "fcfs",
    "fcfs:queue=global",
    "rr:slice=3ms",
    "rlfifo",
    "linux24",
    "o1",
    "cfs",
    "eevdf",
    "eevdf:exact_slices=on",
    "ebs",
    "scx",
    "scx:order=fifo",
];
/// When the first row is, in ns.
const FIRST: u64 = 1_000_000_000;

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// 0 to 5: switch, waking, wakeup, wakeup of a new task, migration, fork.
    pub kind: u8,
    /// Whose row it is.
    pub cpu: u32,
    /// Its task, and another task, or a CPU: small numbers.
    pub pids: (i32, i32),
    /// A state as rows have it.
    pub state: u8,
    /// A kernel priority.
    pub prio: u8,
    /// From the row before, in ns.
    pub gap: u64,
}

fn row(step: &Step) -> Row {
    let (pid, other) = step.pids;
    let kind = match step.kind {
        0 => RowKind::Switch,
        1 => RowKind::Waking,
        2 => RowKind::Wakeup,
        3 => RowKind::WakeupNew,
        4 => RowKind::Migrate,
        _ => RowKind::Fork,
    };
    let is_switch = kind == RowKind::Switch;
    let names_task = matches!(kind, RowKind::Switch | RowKind::Fork);
    Row {
        common_pid: if is_switch { Row::of_prev_prio(step.prio) } else { other },
        pid: if is_switch { pid } else { pid.max(1) },
        comm: pid as u32,
        comm2: if kind == RowKind::Migrate {
            step.cpu
        } else {
            other as u32
        },
        state: step.state,
        arg: if names_task { other } else { other % CPUS as i32 },
        prio: step.prio,
        ..Row::of(kind, 0)
    }
}

/// The scans of rows that come one after the other.
fn scans(steps: &[Step]) -> Vec<CpuScan> {
    let names: Vec<String> = ["swapper", "a", "b", "kworker/1:0", "d"].map(str::to_owned).into();
    let mut packers: Vec<RowPacker> = (0..CPUS).map(|_| RowPacker::default()).collect();
    let mut now = FIRST;
    for step in steps {
        now = now.saturating_add(step.gap);
        if let Some(packer) = packers.get_mut(step.cpu as usize) {
            packer.push(&Row { ts: now, ..row(step) });
        }
    }
    let scan = |(cpu, packer): (u32, RowPacker)| {
        let rows = packer.finish();
        CpuScan {
            cpu,
            records: rows.len() as u64,
            rows,
            comms: CommTable { names: names.clone() },
            first_ns: Some(FIRST),
            last_ns: Some(now),
            ..CpuScan::default()
        }
    };
    (0..).zip(packers).map(scan).collect()
}

fn built(scans: Vec<CpuScan>) -> Trace {
    let mut builder = TraceBuilder::new(FIRST);
    scans.into_iter().for_each(|scan| builder.add(scan));
    builder.finish(Meta {
        cpus: (0..CPUS).collect(),
        ..Meta::default()
    })
}

/// Asks each policy, replays under it, and fits all, in no more than so many events of the engine each; whether all of them came to the
/// end of the recording.
pub fn read(steps: &[Step], events: u64) -> bool {
    let scans = scans(steps);
    let trace = built(scans.clone());
    let mut workload = from_rows(scans.clone(), &Recording::default());
    let machine = Machine::flat(CPUS);
    let mut pinned = Pinned::new();
    affinity::by_name(&mut workload, &mut pinned);
    affinity::by_waiting(&mut workload, &trace, &mut pinned);
    let limits = Limits {
        events,
        ..Limits::of_recording(0, trace.span_ns)
    };
    let mut ended = true;
    for policy in POLICIES {
        let spec: Spec = policy.parse().expect("a policy");
        let found = decisions(scans.clone(), None, &machine, &spec).expect("a policy that decides");
        assert!(found.picks.agreed <= found.picks.asked && found.placement.agreed <= found.placement.asked);
        let outcome = run(&workload, &machine, &spec, limits).expect("a policy that does no wrong");
        ended &= outcome.whole(limits).is_ok();
    }
    match fit(&workload, &trace, &machine, &Default::default(), limits, &mut |_| ()) {
        Ok(_) => {}
        Err(FitError::TooLong { .. }) => ended = false,
        Err(error) => panic!("{error}"),
    }
    overload(&trace, &Default::default(), 1, 10);
    let query = FeaturesQuery {
        selection: &Default::default(),
        delta_ns: 1_000_000,
        all: true,
        topology: None,
    };
    features(&trace, &query);
    ended
}

/// Eight bytes a row; a gap of up to 16 ms, or, once in 256, of up to centuries.
pub fn check(bytes: &[u8]) {
    let step = |bytes: &[u8; 8]| {
        let [kind, who, other, state, prio, low, high, wild] = *bytes;
        let letters = [b'R', b'R' | 0x80, b'S', b'D', b'X'];
        let gap = (u64::from(low) | u64::from(high) << 8) << 8;
        Step {
            kind: if kind < 160 { 0 } else { kind % 6 },
            cpu: u32::from(kind) % CPUS,
            pids: (i32::from(who % 5), i32::from(other % 5)),
            state: letters[usize::from(state) % letters.len()],
            prio: if prio < 16 { 1 + prio } else { 100 + prio % 40 },
            gap: if wild == 255 { gap << 36 } else { gap },
        }
    };
    let steps: Vec<Step> = bytes.as_chunks::<8>().0.iter().take(60).map(step).collect();
    let is_wild = steps.iter().any(|step| 1 << 24 <= step.gap);
    if !steps.is_empty() {
        assert!(read(&steps, 100_000) || is_wild, "100,000 events are not enough");
    }
}
