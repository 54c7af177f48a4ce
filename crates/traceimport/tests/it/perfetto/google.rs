//! Files that Google's own protobuf classes wrote (`samples/written_by_google.py`): scxtop's shape, and what few writers write.

use schedrows::{CpuScan, RowKind, SchedExtEvent, SchedExtTold, Source, StateCode};

use super::{counts, name, open, rows, sample, scan};

/// Rows as text.
fn told(scan: &CpuScan) -> Vec<String> {
    let task = |pid: i32, comm: u32| format!("{pid}:{}", name(scan, comm));
    let one = |row: &schedrows::Row| {
        let by = row.writer().map_or("?".to_owned(), |pid| pid.to_string());
        match row.kind {
            RowKind::Switch => {
                let state = StateCode(row.state);
                let plus = if state.preempted() { "+" } else { "" };
                let prev = match row.writer() {
                    Some(_) => task(row.pid, row.comm),
                    None => by,
                };
                let next = task(row.arg, row.comm2);
                format!(
                    "{} {prev} {}{plus} {next} {}",
                    row.ts,
                    char::from(state.letter()),
                    row.prio
                )
            }
            RowKind::Lost => format!("{} lost", row.ts),
            kind => format!("{} {kind:?} {} on {} by {by}", row.ts, task(row.pid, row.comm), row.arg),
        }
    };
    rows(scan).iter().map(one).collect()
}

#[test]
fn scxtop_s_shape_is_read() {
    let bytes = sample("google-scxtop.pftrace");
    let source = open(&bytes);
    let info = source.info();
    assert_eq!((info.writer.as_deref(), info.cpu_count), (Some("scxtop"), 2));
    let topology = topology::Topology::parse(info.topology.unwrap().as_bytes()).unwrap();
    assert_eq!((topology.llcs(), topology.cores()), (2, 2));
    let beta = info.tasks.iter().find(|task| task.pid == 11).unwrap();
    assert_eq!((beta.comm.as_str(), beta.tgid), ("beta", Some(10)));
    let queues: Vec<_> = source
        .queues()
        .iter()
        .map(|queue| (queue.id, queue.latency_us.clone(), queue.nr_queued.clone()))
        .collect();
    assert_eq!(
        queues,
        [
            (100, vec![(1200, 15), (1300, 40)], vec![(1300, 3)]),
            (0xc000_0000_0000_0001, vec![(1400, 9)], vec![(1500, 1)]),
        ]
    );
    let scans = scan(&source);
    assert_eq!(
        told(&scans[0]),
        [
            "1000 0:swapper/0 R 10:alpha 120",
            "1100 Waking 11:beta on -1 by ?",
            "1200 10:alpha S 0:swapper/0 0",
            "1900 12:gamma D 0:swapper/0 0",
        ]
    );
    assert_eq!((scans[0].rows.breaks().len(), scans[1].rows.breaks().len()), (1, 0));
    assert_eq!(
        told(&scans[1]),
        [
            "1150 0:swapper/1 R 11:beta 120",
            "1400 11:beta I 10:alpha 120",
            "1800 10:alpha R 0:swapper/1 0",
        ]
    );
}

#[test]
fn what_few_writers_write_is_read() {
    let bytes = sample("google-rare.pftrace");
    let source = open(&bytes);
    let info = source.info();
    assert_eq!(
        (info.uname.as_deref(), info.cpu_count),
        (Some("Linux 4.9.337 aarch64"), 3)
    );
    let scans = scan(&source);
    assert_eq!(scans.iter().map(|scan| scan.cpu).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(told(&scans[0]), ["2300 5:five I 0:swapper/1 120"]);
    let counter = |ts, name: &str, delta| SchedExtEvent {
        ts,
        writer: 5,
        told: SchedExtTold::Counter {
            name: name.to_owned(),
            delta,
        },
    };
    assert_eq!(
        scans[0].sched_ext,
        [
            counter(2100, "SCX_EV_BYPASS_ACTIVATE", 1),
            counter(2200, "SCX_EV_BYPASS_DURATION", 90),
        ]
    );
    assert_eq!(counts(&source, &scans)["sched_ext_event"], 2);
    // States are those of kernel 4.9; a deadline task's priority is -1.
    assert_eq!(
        told(&scans[1]),
        [
            "2000 lost",
            "2000 Waking 3:räksmörgås on 1 by ?",
            "2000 ? S 1:one 120",
            "2500 1:one R+ 2:two 254",
            "2600 Waking 4:one on 0 by 2",
            "2750 2:two I 3:räksmörgås 49",
        ]
    );
    assert_eq!((scans[1].lost_events, scans[1].lost_gaps), (17, 1));
}
