//! What a workload makes of switches that are missing: what a CPU did there is unknown.

use replay::{from_rows, Recording, Workload};
use schedrows::{CommTable, CpuScan, Row, RowKind, RowPacker};

const MS: u64 = 1_000_000;
const FIRST: u64 = 5_000 * MS;
/// By pid; 0 is idle, and has no name here.
const NAMES: [&str; 4] = ["", "a", "b", "migration/1"];

/// Switches of a CPU: when, in ms, from which pid with which state, and to which.
type Switches<'a> = &'a [(u64, i32, u8, i32)];

fn workload(cpus: &[Switches<'_>], end_ms: u64) -> Workload {
    let scan = |(cpu, switches): (u32, &Switches<'_>)| {
        let mut packer = RowPacker::default();
        for &(ms, pid, state, next) in *switches {
            packer.push(&Row {
                pid,
                comm: pid as u32,
                state,
                arg: next,
                comm2: next as u32,
                prio: 120,
                ..Row::of(RowKind::Switch, FIRST + ms * MS)
            });
        }
        let last_ms = switches.last().map_or(0, |switch| switch.0);
        CpuScan {
            cpu,
            rows: packer.finish(),
            comms: CommTable {
                names: NAMES.map(str::to_owned).into(),
            },
            first_ns: Some(FIRST),
            last_ns: Some(FIRST + if cpu == 0 { end_ms } else { last_ms } * MS),
            ..CpuScan::default()
        }
    };
    from_rows((0..).zip(cpus).map(scan).collect(), &Recording::default())
}

/// CPU time of a task in ms, and whether it is uncertain.
fn used(workload: &Workload, pid: i32) -> (u64, bool) {
    let task = workload.tasks.iter().find(|task| task.pid == pid).unwrap();
    (task.cpu_ns / MS, task.uncertain)
}

/// `a` comes onto the CPU, and `b` leaves it: nothing says which of them ran for how long.
#[test]
fn nobody_runs_across_a_broken_chain() {
    let found = workload(
        &[&[(0, 0, b'R', 1), (3, 1, b'S', 1), (10, 2, b'S', 1), (12, 1, b'S', 0)]],
        20,
    );
    // 3 ms before the break, 2 ms behind it.
    assert_eq!(used(&found, 1), (5, true));
    assert_eq!(used(&found, 2), (0, true));
    assert_eq!((found.notes.gaps, found.notes.clean), (1, Some((10 * MS, 20 * MS))));
    let whole = workload(
        &[&[(0, 0, b'R', 1), (3, 1, b'S', 2), (10, 2, b'S', 1), (12, 1, b'S', 0)]],
        20,
    );
    assert_eq!((used(&whole, 1), used(&whole, 2)), ((5, false), (7, false)));
    assert_eq!((whole.notes.gaps, whole.notes.clean), (0, None));
}

/// No switch is recorded away from the stopper of a CPU that goes offline. When the CPU is back, idle leaves it.
#[test]
fn the_stopper_of_an_offline_cpu_does_not_run() {
    let busy: Switches<'_> = &[(0, 0, b'R', 1), (90, 1, b'S', 0)];
    for (switches, end_ms, used_ms, gaps) in [
        // It stays offline.
        (&[(5, 0, b'R', 3)][..], 100, 0, 1),
        // It is back at 60 ms.
        (&[(5, 0, b'R', 3), (60, 0, b'R', 2), (61, 2, b'S', 0)], 100, 0, 1),
        // The trace ends while the stopper runs, which may take some milliseconds.
        (&[(85, 0, b'R', 3)], 92, 7, 0),
        // It has run for 2 ms.
        (&[(5, 0, b'R', 3), (7, 3, b'S', 0)], 100, 2, 0),
    ] {
        let found = workload(&[busy, switches], end_ms);
        assert_eq!(used(&found, 3), (used_ms, 0 < gaps), "{switches:?}");
        assert_eq!(found.notes.gaps, gaps, "{switches:?}");
        assert_eq!(used(&found, 1), (90, false));
    }
}
