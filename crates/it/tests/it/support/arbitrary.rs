//! Arbitrary traces: mostly plausible, partly contradictory, as damage makes them.

use proptest::prelude::*;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::query::Selection;
use schedrows::{CommTable, CpuScan, Row, RowKind, RowPacker};

const CPUS: u32 = 3;

/// One step: the time since the last one, the CPU, the event, and its task.
#[derive(Clone, Debug)]
struct Step {
    after: u64,
    cpu: u32,
    kind: u8,
    pid: i32,
    comm: u32,
    state: u8,
    honest: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let after = prop_oneof![3 => 0_u64..4, 3 => 0_u64..60, 1 => 0_u64..5000];
    let state = prop_oneof![
        Just(b'S'),
        Just(b'R'),
        Just(b'R' | 0x80),
        // A throttled deadline task, as `StateCode::throttled` says.
        Just(1_u8),
        Just(0x81_u8),
        Just(b'D'),
        Just(b'T'),
        Just(b'Z')
    ];
    (
        after,
        0..CPUS,
        0_u8..20,
        0_i32..6,
        1_u32..4,
        state,
        prop::bool::weighted(0.9),
    )
        .prop_map(|(after, cpu, kind, pid, comm, state, honest)| Step {
            after,
            cpu,
            kind,
            pid,
            comm,
            state,
            honest,
        })
}

/// A trace of three CPUs and a fourth one without data.
pub fn trace() -> impl Strategy<Value = Trace> {
    scanned().prop_map(|(_, trace)| trace)
}

/// The same, with the scans from which it was built.
pub fn scanned() -> impl Strategy<Value = (Vec<CpuScan>, Trace)> {
    prop::collection::vec(step(), 1..160).prop_map(|steps| build(&steps))
}

/// A trace so short that every ns of it can be examined.
pub fn short_trace() -> impl Strategy<Value = Trace> {
    let step = step().prop_map(|step| Step {
        after: step.after % 60,
        ..step
    });
    prop::collection::vec(step, 1..60).prop_map(|steps| build(&steps).1)
}

fn build(steps: &[Step]) -> (Vec<CpuScan>, Trace) {
    let names = ["", "a", "b", "abc", "rcuc/1"].map(str::to_owned).to_vec();
    // One of them is a kernel thread that is bound to CPU 1.
    let named = |pid: i32, comm: u32| if pid == 5 { 4 } else { comm };
    let mut scans: Vec<CpuScan> = (0..CPUS)
        .map(|cpu| CpuScan {
            cpu,
            comms: CommTable { names: names.clone() },
            ..CpuScan::default()
        })
        .collect();
    let mut rows = [(); CPUS as usize].map(|()| RowPacker::default());
    let mut current = [0_i32; CPUS as usize];
    let mut ts = 1000;
    for step in steps {
        ts += step.after;
        let scan = &mut scans[step.cpu as usize];
        scan.records += 1;
        scan.first_ns = scan.first_ns.or(Some(ts));
        scan.last_ns = Some(ts);
        let running = &mut current[step.cpu as usize];
        let mut row = Row {
            ts,
            common_pid: *running,
            pid: step.pid,
            comm: named(step.pid, step.comm),
            prio: 120,
            ..Row::of(RowKind::Lost, ts)
        };
        row.kind = match step.kind {
            0 => RowKind::Waking,
            1 | 2 => RowKind::Wakeup,
            3 => RowKind::Migrate,
            4 => RowKind::Lost,
            5 => RowKind::Fork,
            6 => RowKind::Rename,
            7 => continue,
            _ => RowKind::Switch,
        };
        if row.kind == RowKind::Switch {
            row.pid = if step.honest { *running } else { 5 - step.pid };
            row.state = step.state;
            row.arg = step.pid;
            row.comm = named(row.pid, step.comm);
            row.comm2 = named(step.pid, step.comm);
            *running = step.pid;
        } else {
            row.arg = if row.kind == RowKind::Fork {
                5 - step.pid
            } else {
                (step.pid % 3).abs()
            };
        }
        rows[step.cpu as usize].push(&row);
    }
    for (scan, rows) in scans.iter_mut().zip(rows) {
        scan.rows = rows.finish();
    }
    scans.retain(|scan| 0 < scan.records);
    let mut builder = TraceBuilder::new(1000);
    // CPUs may come in any order.
    for scan in scans.iter().rev() {
        builder.add(scan.clone());
    }
    let trace = builder.finish(Meta {
        cpus: (0..=CPUS).collect(),
        ..Meta::default()
    });
    (scans, trace)
}

/// A trace of rows that make no sense.
pub fn damage() -> impl Strategy<Value = Trace> {
    let time = prop_oneof![3 => 0_u64..1000, 1 => any::<u64>()];
    let number = prop_oneof![3 => -1_i32..5, 1 => any::<i32>()];
    let index = prop_oneof![3 => 0_u32..5, 1 => any::<u32>()];
    let kind = prop::sample::select(RowKind::ALL.to_vec());
    let row = (
        time,
        [number.clone(), number.clone(), number],
        [index.clone(), index],
        kind,
        any::<[u8; 3]>(),
    )
        .prop_map(
            |(ts, [common_pid, pid, arg], [comm, comm2], kind, [context, state, prio])| Row {
                ts,
                common_pid,
                pid,
                arg,
                comm,
                comm2,
                kind,
                context,
                state,
                prio,
            },
        );
    let scan = (0_u32..4, prop::collection::vec(row, 0..40), any::<[Option<u64>; 2]>());
    prop::collection::vec(scan, 0..5).prop_map(|scans| {
        let mut builder = TraceBuilder::new(100);
        for (cpu, rows, [first_ns, last_ns]) in scans {
            let names = vec![String::new(), "a".to_owned()];
            builder.add(CpuScan {
                cpu,
                rows: rows.into_iter().collect(),
                comms: CommTable { names },
                first_ns,
                last_ns,
                ..CpuScan::default()
            });
        }
        builder.finish(Meta {
            cpus: vec![0, 2, 2, u32::MAX],
            ..Meta::default()
        })
    })
}

/// A window that may reach past the trace's end.
pub fn window(span: u64, from: f64, width: f64) -> (u64, u64) {
    let start = (from * span as f64) as u64;
    (start, start + (width * 1.2 * span as f64) as u64)
}

/// A part of a trace of [`trace`], or all of it.
pub fn selection() -> impl Strategy<Value = Selection> {
    use prop::option::weighted as maybe;
    (
        [0.4, 0.2, 0.2].map(prop::bool::weighted),
        [maybe(0.3, 0_u64..3000), maybe(0.3, 0_u64..3000)],
        maybe(0.2, prop::sample::select(vec!["a", "ab", "none"])),
        maybe(0.3, prop::collection::vec(0_u32..5, 0..3)),
        maybe(0.2, prop::sample::select(vec!["a", "b"])),
        maybe(0.2, 1_i32..6),
    )
        .prop_map(|([all, forked, movable], [min, max], target, cpus, comm, pid)| {
            if all {
                return Selection::default();
            }
            Selection {
                forked,
                movable,
                min,
                max,
                target: target.map(str::to_owned),
                cpus,
                comms: comm.into_iter().map(str::to_owned).collect(),
                pids: pid.into_iter().collect(),
                ..Selection::default()
            }
        })
}
