//! What few writers write, and what no sample has.

use schedrows::{Context, DiagnosticKind, KernelKind, Row, RowKind, Source, StateCode};
use traceimport::Import;

use super::write::{bundle, event, switch, system_info, trace, Message};
use super::{counts, name, open, rows, scan};

fn states(release: &str, numbers: &[u64]) -> String {
    let events = (1..)
        .zip(numbers)
        .fold(Message::new().number(1, 0), |bundle, (ts, &number)| {
            bundle.message(2, &switch(ts, ("a", 1), number, ("a", 1)))
        });
    let packets = [system_info(release, 1), bundle(&events)];
    let bytes = trace(if release.is_empty() { &packets[1..] } else { &packets });
    let source = open(&bytes);
    assert_eq!(source.diagnostics().len(), usize::from(release.is_empty()));
    let scans = scan(&source);
    let text = |row: Row| {
        let state = StateCode(row.state);
        format!(
            "{}{}",
            char::from(state.letter()),
            if state.preempted() { "+ " } else { " " }
        )
    };
    rows(&scans[0]).into_iter().map(text).collect()
}

#[test]
fn states_are_read_by_the_kernel_s_release() {
    assert_eq!(states("6.1.0", &[0, 1, 0x80, 0x100, 0x40]), "R S I R+ P ");
    assert_eq!(states("", &[0, 1, 0x80, 0x100, 0x40]), "R S I R+ P ");
    assert_eq!(states("4.9.337-g1", &[0, 1, 0x80, 0x402, 0x1000]), "R S K I R+ ");
    assert_eq!(states("4.4.302", &[0, 2, 0x40, 0x800]), "R D x R+ ");
    assert_eq!(states("3.18.140", &[0, 2, 0x40, 0x400]), "R D x R+ ");
}

#[test]
fn fields_come_in_any_order() {
    let fields = Message::new()
        .number(99, 7)
        .message(2, &switch(5, ("a", 1), 1, ("b", 2)));
    // lost_events and the CPU behind the events.
    let packet = Message::new()
        .bytes(1, &fields.number(3, 1).number(1, 3).0)
        .number(8, 1)
        .bytes(500, b"unknown");
    let bytes = trace(&[system_info("6.1.0", 8), packet]);
    let source = open(&bytes);
    assert_eq!(source.info().cpu_count, 8);
    let scans = scan(&source);
    assert_eq!(scans[0].cpu, 3);
    let kinds: Vec<RowKind> = rows(&scans[0]).iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [RowKind::Lost, RowKind::Switch]);
}

#[test]
fn packets_inside_zstd_packets_are_read() {
    let events = Message::new()
        .number(1, 0)
        .message(2, &switch(5, ("a", 1), 1, ("b", 2)));
    let inside = trace(&[system_info("6.1.0", 1), bundle(&events)]);
    let packed = zstd::bulk::compress(&inside, 3).unwrap();
    let bytes = trace(&[Message::new().bytes(133, &packed)]);
    assert_eq!(counts(&open(&bytes), &scan(&open(&bytes)))["sched_switch"], 1);
    let file = zstd::bulk::compress(&bytes, 3).unwrap();
    assert_eq!(counts(&open(&file), &scan(&open(&file)))["sched_switch"], 1);
}

/// Two switches and two wakings; the second column is shorter, if so.
fn compact(shorter: bool) -> Message {
    let states: &[u64] = if shorter { &[1] } else { &[1, 0x100] };
    Message::new()
        .packed(1, &[100, 10])
        .packed(2, states)
        .packed(3, &[7, 8])
        .packed(4, &[120, 119])
        .text(5, "seven")
        .text(5, "eight")
        .packed(6, &[0, 1])
        .packed(7, &[100, 5])
        .packed(8, &[8, 9])
        .packed(9, &[0, 1])
        .packed(10, &[119, 120])
        .packed(11, &[1, 0])
        .packed(12, &[0x11, 0x08])
}

#[test]
fn streams_of_a_bundle_are_merged_by_time() {
    let rename = Message::new().number(1, 7).text(2, "seven").text(3, "renamed");
    let fields = Message::new()
        .number(1, 2)
        .message(2, &event(105, 7, 236, &rename))
        .message(4, &compact(false));
    let bytes = trace(&[system_info("6.1.0", 4), bundle(&fields)]);
    let scans = scan(&open(&bytes));
    let rows = rows(&scans[0]);
    let kinds: Vec<(u64, RowKind)> = rows.iter().map(|row| (row.ts, row.kind)).collect();
    use RowKind::{Rename, Switch, Waking};
    assert_eq!(
        kinds,
        [
            (100, Waking),
            (100, Switch),
            (105, Waking),
            (105, Rename),
            (110, Switch)
        ]
    );
    // Nobody knows who ran before the first switch.
    assert_eq!((rows[0].writer(), rows[1].pid), (None, Row::UNKNOWN_PID));
    assert_eq!(
        (rows[2].writer(), rows[2].context, rows[0].context & 7),
        (Some(7), Context::HARDIRQ, Context::SOFTIRQ)
    );
    assert_eq!((rows[4].pid, name(&scans[0], rows[4].comm)), (7, "renamed"));
    assert!(scans[0].diagnostics.is_empty());
}

#[test]
fn columns_of_different_length_are_damage() {
    let bytes = trace(&[bundle(&Message::new().message(4, &compact(true)))]);
    let scans = scan(&open(&bytes));
    assert_eq!(scans[0].rows.count(RowKind::Switch), 1);
    let damage: Vec<(DiagnosticKind, u64)> = scans[0].diagnostics.iter().map(|one| (one.kind, one.count)).collect();
    assert_eq!(damage, [(DiagnosticKind::Malformed, 1)]);
}

#[test]
fn times_that_overflow_end_the_columns() {
    let columns = Message::new()
        .packed(1, &[5, u64::MAX])
        .packed(2, &[1, 1])
        .packed(3, &[7, 8])
        .packed(4, &[120, 120])
        .packed(6, &[0, 900]);
    let bytes = trace(&[bundle(&Message::new().message(4, &columns))]);
    let scans = scan(&open(&bytes));
    assert_eq!(scans[0].rows.count(RowKind::Switch), 1);
    assert!(!scans[0].diagnostics.is_empty());
}

#[test]
fn bundles_that_are_not_in_the_file_are_gaps() {
    let part = |from: u64, previous: u64| {
        let fields = Message::new().number(1, 0).number(10, previous);
        bundle(&fields.message(2, &switch(from, ("a", 1), 1, ("b", 2))))
    };
    let gaps = |packets: &[Message]| {
        let bytes = trace(packets);
        scan(&open(&bytes))[0].lost_gaps
    };
    assert_eq!(gaps(&[part(100, 0), part(200, 100)]), 0);
    assert_eq!(gaps(&[part(100, 0), part(300, 200)]), 1);
    // A ring buffer that was overwritten begins with a later bundle.
    assert_eq!(gaps(&[part(100, 50), part(200, 100)]), 1);
}

#[test]
fn events_without_a_message_of_their_own_are_counted_by_name() {
    let generic = Message::new().text(1, "sched_ext/sched_ext_event");
    let descriptor = Message::new().text(1, "my_event");
    let descriptor = Message::new().number(1, 70_001).message(2, &descriptor).text(3, "mine");
    let fields = Message::new()
        .number(1, 0)
        .message(2, &event(1, 1, 327, &generic))
        .message(2, &event(2, 1, 70_001, &Message::new().number(1, 5)))
        .message(2, &event(3, 1, 600, &Message::new()))
        .message(11, &descriptor);
    let bytes = trace(&[bundle(&fields)]);
    let source = open(&bytes);
    let found = counts(&source, &scan(&source));
    let expected = [("#600", 1), ("my_event", 1), ("sched_ext_event", 1)];
    assert_eq!(found, expected.map(|(name, count)| (name.to_owned(), count)).into());
}

#[test]
fn system_calls_and_interrupts_are_rows_of_their_own() {
    let call = |number: u64| Message::new().number(1, number).number(2, 0x1200_0000);
    let fields = Message::new()
        .number(1, 0)
        .message(2, &event(1, 5, 329, &call(56)))
        .message(2, &event(2, 5, 36, &Message::new().number(1, 24).text(2, "eth0")))
        .message(
            2,
            &event(3, 5, 17, &Message::new().text(1, "w").number(2, 9).number(3, 120)),
        )
        .message(2, &event(4, 5, 37, &Message::new().number(1, 24).number(2, 1)))
        .message(
            2,
            &event(5, 5, 330, &Message::new().number(1, 56).number(2, -11_i64 as u64)),
        );
    let bytes = trace(&[bundle(&fields)]);
    let scans = scan(&open(&bytes));
    let found: Vec<(KernelKind, i32, i32, i64)> = scans[0]
        .kernel
        .iter()
        .map(|row| (row.kind, row.pid, row.number, row.value))
        .collect();
    let expected = [
        (KernelKind::Enter, 5, 56, 0x1200_0000),
        (KernelKind::IrqEntry, 5, 24, 0),
        (KernelKind::IrqExit, 5, 24, 0),
        (KernelKind::Exit, 5, 56, -11),
    ];
    assert_eq!(found, expected);
    assert_eq!(rows(&scans[0])[0].context, Context::HARDIRQ);
}

#[test]
fn cpus_that_there_cannot_be_are_damage() {
    let fields = |cpu: u64| {
        Message::new()
            .number(1, cpu)
            .message(2, &switch(5, ("a", 1), 1, ("b", 2)))
    };
    let bytes = trace(&[
        bundle(&fields(0xffff_ffff)),
        bundle(&fields(1024)),
        bundle(&fields(1023)),
    ]);
    let source = open(&bytes);
    assert_eq!(source.info().cpu_count, 1024);
    let scans = scan(&source);
    assert_eq!(scans.iter().map(|scan| scan.cpu).collect::<Vec<_>>(), [1023]);
    assert_eq!(scans[0].diagnostics[0].count, 2);
}

#[test]
fn files_without_events_of_the_kernel_s_are_told() {
    let bytes = trace(&[
        system_info("6.1.0", 2),
        Message::new().number(8, 1).message(11, &Message::new()),
    ]);
    let source = open(&bytes);
    assert!(source.diagnostics()[0].text.contains("linux.ftrace"));
    assert!(scan(&source).is_empty());
    let other = trace(&[Message::new().message(117, &Message::new().number(1, 1))]);
    assert!(Import::open(other.as_slice()).err().unwrap().what.contains("not Linux"));
}

#[test]
fn a_bomb_is_no_more_than_a_packet() {
    use std::io::Write;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0_u8; 1 << 20];
    for _ in 0..80 {
        packer.write_all(&zeros).unwrap();
    }
    let events = Message::new()
        .number(1, 0)
        .message(2, &switch(5, ("a", 1), 1, ("b", 2)));
    let bomb = Message::new().bytes(50, &packer.finish().unwrap());
    let bytes = trace(&[bomb, bundle(&events)]);
    let source = open(&bytes);
    let scans = scan(&source);
    assert_eq!(scans[0].rows.count(RowKind::Switch), 1);
    assert!(scans[0].diagnostics.iter().any(|one| one.text.contains("unpacked")));
}

#[test]
fn streams_share_the_cpus_of_a_large_file() {
    let packets: Vec<Message> = (0..30_000_u64)
        .map(|n| {
            let one = switch(n * 10, ("one", 1), 1, ("two", 2));
            bundle(&Message::new().number(1, n % 3).message(2, &one))
        })
        .collect();
    let bytes = trace(&packets);
    let source = open(&bytes);
    assert_eq!(source.streams().len(), 2);
    let scans = scan(&source);
    let found: Vec<(u32, u64)> = scans.iter().map(|scan| (scan.cpu, scan.records)).collect();
    assert_eq!(found, [(0, 10_000), (1, 10_000), (2, 10_000)]);
}
