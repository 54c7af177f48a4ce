//! Traces of several machines, as `tracebox` writes them with a `traced_relay` in a guest.

use schedrows::{Event, Source};
use traceimport::Import;

use super::{name, open, scan};

fn bytes() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/import/containers/perfetto-two-machines.pftrace"
    );
    std::fs::read(path).unwrap()
}

/// Time in ms, and the names of both tasks, of each switch.
fn switches(source: &dyn Source) -> Vec<(u32, u64, String, String)> {
    let mut found = Vec::new();
    for cpu in scan(source) {
        for row in cpu.rows.iter() {
            if let Event::Switch(switch) = row.event() {
                let prev = switch.prev.map_or("?", |prev| name(&cpu, prev.comm));
                let next = name(&cpu, switch.next.comm);
                found.push((cpu.cpu, row.ts / 1_000_000, prev.to_owned(), next.to_owned()));
            }
        }
    }
    found
}

fn expected(cpu: u32, from: u64, to: u64, task: &str) -> Vec<(u32, u64, String, String)> {
    let idle = || "swapper/0".to_owned();
    vec![(cpu, from, idle(), task.to_owned()), (cpu, to, task.to_owned(), idle())]
}

/// What the other machine is called in the fixture.
const OTHER: u32 = 2_876_415;

#[test]
fn the_host_is_shown_and_the_other_machine_is_counted() {
    let bytes = bytes();
    let source = open(&bytes);
    assert_eq!(switches(&source), expected(0, 100, 200, "hostA"));
    assert_eq!(source.first_ns().unwrap(), Some(100_000_000));
    let scans = scan(&source);
    let others = scans[0].diagnostics.iter().find(|found| found.text.contains("machine"));
    let others = others.unwrap();
    assert_eq!(others.count, 2);
    assert!(others.text.contains(&format!("machine {OTHER}")), "{}", others.text);
}

#[test]
fn the_other_machine_is_shown_if_it_is_named() {
    let bytes = bytes();
    let Import::Perfetto(mut file) = open(&bytes) else {
        panic!()
    };
    file.select_buffer(&OTHER.to_string()).unwrap();
    assert_eq!(switches(&file), expected(0, 150, 300, "guestB"));
    assert_eq!(file.first_ns().unwrap(), Some(150_000_000));
    file.select_buffer("").unwrap();
    assert_eq!(switches(&file), expected(0, 100, 200, "hostA"));
    let error = file.select_buffer("7").err().unwrap();
    assert_eq!(error.what, format!("the trace has no machine 7; it has 0, {OTHER}"));
}

/// The bytes of a varint, and a field of bytes.
fn varint(mut number: u64, out: &mut Vec<u8>) {
    while 0x7f < number {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(u64::from(number << 3 | 2), &mut out);
    varint(bytes.len() as u64, &mut out);
    out.extend_from_slice(bytes);
    out
}

fn number(field: u32, number: u64) -> Vec<u8> {
    let mut out = Vec::new();
    varint(u64::from(field << 3), &mut out);
    varint(number, &mut out);
    out
}

/// A packet with switches of a task and idle, one each millisecond, larger than what is looked at first.
fn large(cpu: u64, at_ms: u64, task: &str, machine: u64) -> Vec<u8> {
    let mut bundle = number(1, cpu);
    for step in 0..200 {
        let names = [("swapper/0", 0), (task, 100)];
        let [(prev, prev_pid), (next, next_pid)] = if step % 2 == 0 { names } else { [names[1], names[0]] };
        let switch = [
            field(1, prev.as_bytes()),
            number(2, prev_pid),
            number(3, 120),
            number(4, u64::from(prev_pid != 0)),
            field(5, next.as_bytes()),
            number(6, next_pid),
            number(7, 120),
        ];
        let event = [
            number(1, (at_ms + step) * 1_000_000),
            number(2, prev_pid),
            field(4, &switch.concat()),
        ];
        bundle.extend(field(2, &event.concat()));
    }
    let of = if machine == 0 { Vec::new() } else { number(98, machine) };
    field(1, &[field(1, &bundle), of].concat())
}

#[test]
fn large_packets_are_their_machines_too() {
    let bytes = [
        large(0, 1000, "host", 0),
        large(0, 1100, "guest", 9),
        large(1, 1100, "guest", 9),
        large(0, 1200, "host", 0),
    ]
    .concat();
    let Import::Perfetto(mut file) = open(&bytes) else {
        panic!()
    };
    let names = |source: &dyn Source| {
        let found = switches(source).into_iter().map(|(cpu, _, _, next)| (cpu, next));
        let mut found: Vec<_> = found.filter(|(_, next)| next != "swapper/0").collect();
        found.dedup();
        found
    };
    let of = |cpu: u32, task: &str| (cpu, task.to_owned());
    assert_eq!(names(&file), [of(0, "host")]);
    assert_eq!(file.info().cpu_count, 1);
    file.select_buffer("9").unwrap();
    assert_eq!(names(&file), [of(0, "guest"), of(1, "guest")]);
    assert_eq!(file.info().cpu_count, 2);
}
