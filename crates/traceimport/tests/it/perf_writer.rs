//! perf.data files of other machines, written here: the formats are those of a recording.

use schedrows::{RowKind, Source};

use crate::support::{open, scan, words};

const SWITCH: &str = "name: sched_switch\nID: 310\nformat:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
    \tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\
    \tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\
    \tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\
    \tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\
    \tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n\
    \tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n\
    print fmt: \"prev_state=%s%s\", (REC->prev_state & 0xff) ? \
    __print_flags(REC->prev_state & 0xff, \"|\", { 0x01, \"S\" }, { 0x02, \"D\" }) : \"R\", \
    REC->prev_state & 0x100 ? \"+\" : \"\"\n";

/// Numbers of one byte order.
#[derive(Clone, Copy)]
struct Bytes {
    big: bool,
}

impl Bytes {
    fn n(self, number: u64, size: usize) -> Vec<u8> {
        match self.big {
            true => number.to_be_bytes()[8 - size..].to_vec(),
            false => number.to_le_bytes()[..size].to_vec(),
        }
    }

    fn sized(self, name: &[u8], text: &[u8]) -> Vec<u8> {
        [name, &self.n(text.len() as u64, 8), text].concat()
    }

    /// perf's tracing data: the head of a trace.dat.
    fn tracing(self) -> Vec<u8> {
        let page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
            \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
            \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
        [
            b"\x17\x08\x44tracing0.6\0".to_vec(),
            vec![u8::from(self.big), 8],
            self.n(4096, 4),
            self.sized(b"header_page\0", page.as_bytes()),
            self.sized(b"header_event\0", b""),
            self.n(0, 4),
            self.n(1, 4),
            b"sched\0".to_vec(),
            self.n(1, 4),
            self.sized(b"", SWITCH.as_bytes()),
            self.n(0, 4),
            self.n(0, 4),
            self.n(0, 8),
        ]
        .concat()
    }

    /// A record of `kind`.
    fn record(self, kind: u64, body: &[u8]) -> Vec<u8> {
        let size = 8 + body.len() as u64;
        [self.n(kind, 4), self.n(0, 2), self.n(size, 2), body.to_vec()].concat()
    }

    fn sample(self, cpu: u64, ts: u64, (prev, state, next): (&str, u64, &str)) -> Vec<u8> {
        let name = |name: &str| {
            let mut bytes = name.as_bytes().to_vec();
            bytes.resize(16, 0);
            bytes
        };
        let pid = |name: &str| name.bytes().next().map_or(0, |byte| u64::from(byte - b'a' + 1));
        let raw = [
            self.n(310, 2),
            vec![8, 1],
            self.n(pid(prev), 4),
            name(prev),
            self.n(pid(prev), 4),
            self.n(120, 4),
            self.n(state, 8),
            name(next),
            self.n(pid(next), 4),
            self.n(120, 4),
        ]
        .concat();
        // IDENTIFIER, IP, TID, TIME, CPU, PERIOD, READ, CALLCHAIN, RAW.
        let body = [
            self.n(77, 8),
            self.n(1, 8),
            self.n(u64::from(u32::MAX), 4),
            self.n(u64::from(u32::MAX), 4),
            self.n(ts, 8),
            self.n(cpu, 4),
            self.n(0, 4),
            self.n(1, 8),
            // The counter's value, and its id.
            self.n(5, 8),
            self.n(77, 8),
            self.n(2, 8),
            self.n(0xffff_8000, 8),
            self.n(0xffff_9000, 8),
            self.n(raw.len() as u64, 4),
            raw,
            vec![0; 4],
        ]
        .concat();
        self.record(9, &body)
    }

    fn lost(self, cpu: u64, ts: u64, count: u64) -> Vec<u8> {
        // Its id and its count, then TID, TIME, CPU, IDENTIFIER.
        let body = [77, count, 0, ts].map(|word| self.n(word, 8)).concat();
        self.record(2, &[body, self.n(cpu, 4), self.n(0, 4), self.n(77, 8)].concat())
    }

    fn attr(self, size: usize) -> Vec<u8> {
        let sample_type = 1 << 16 | 1 << 10 | 1 << 8 | 1 << 7 | 1 << 5 | 1 << 4 | 1 << 2 | 1 << 1 | 1;
        let mut attr = [
            self.n(2, 4),
            self.n(size as u64, 4),
            self.n(310, 8),
            self.n(1, 8),
            self.n(sample_type, 8),
            self.n(4, 8),
            self.n(1 << 18, 8),
        ]
        .concat();
        attr.resize(size, 0xee);
        attr
    }

    /// A file whose attributes have `attr_size` bytes.
    fn file(self, attr_size: usize, data: &[u8]) -> Vec<u8> {
        let (ids_at, attrs_at) = (104, 112);
        let data_at = attrs_at + attr_size + 16;
        let table = data_at + data.len();
        let tracing = self.tracing();
        let section = |at: usize, size: usize| [self.n(at as u64, 8), self.n(size as u64, 8)].concat();
        [
            if self.big {
                b"2ELIFREP".to_vec()
            } else {
                b"PERFILE2".to_vec()
            },
            self.n(104, 8),
            self.n(attr_size as u64 + 16, 8),
            section(attrs_at, attr_size + 16),
            section(data_at, data.len()),
            section(0, 0),
            self.n(1 << 1, 8),
            vec![0; 24],
            self.n(77, 8),
            self.attr(attr_size),
            section(ids_at, 8),
            data.to_vec(),
            section(table + 16, tracing.len()),
            tracing,
        ]
        .concat()
    }
}

fn data(bytes: Bytes) -> Vec<u8> {
    [
        bytes.sample(1, 1000, ("a", 1, "b")),
        bytes.sample(0, 900, ("", 0, "c")),
        bytes.lost(1, 1500, 9),
        bytes.sample(1, 2000, ("d", 0x100, "a")),
        bytes.record(68, &[]),
    ]
    .concat()
}

#[test]
fn both_byte_orders_and_attributes_of_any_size_read_the_same() {
    for big in [false, true] {
        for attr_size in [64, 112, 144, 400] {
            let bytes = Bytes { big };
            let file = open(bytes.file(attr_size, &data(bytes))).unwrap();
            let scans = scan(&file);
            assert_eq!(file.info().cpu_count, 2);
            assert_eq!(file.first_ns().unwrap(), Some(900));
            let [zero, one] = scans.as_slice() else {
                panic!("{} CPUs", scans.len())
            };
            let told = |scan: &schedrows::CpuScan| -> Vec<String> {
                let rows = scan.rows.iter();
                rows.map(|row| format!("{} {}", row.ts, words(scan, &row))).collect()
            };
            assert_eq!(told(zero), ["900 :0 Rfalse c:3 120 by Some(0) 1"]);
            assert_eq!(
                told(one),
                [
                    "1000 a:1 Sfalse b:2 120 by Some(1) 1",
                    "1000 Lost",
                    "2000 d:4 Rtrue a:1 120 by Some(4) 1"
                ]
            );
            assert_eq!((one.lost_events, one.lost_gaps), (9, 1));
            assert_eq!(one.rows.iter().find(|row| row.kind == RowKind::Lost).unwrap().arg, 9);
        }
    }
}

#[test]
fn records_of_size_0_and_cpus_beyond_any_machine_are_damage() {
    let bytes = Bytes { big: false };
    let bad = [
        data(bytes),
        bytes.sample(u64::from(u32::MAX), 3000, ("a", 1, "b")),
        bytes.sample(0, 3100, ("c", 1, "a")),
        vec![0; 16],
        bytes.sample(0, 3200, ("a", 1, "c")),
    ]
    .concat();
    let file = open(bytes.file(144, &bad)).unwrap();
    let scans = scan(&file);
    assert_eq!(scans.iter().map(|scan| scan.records).sum::<u64>(), 4);
    let told: Vec<&str> = scans
        .iter()
        .flat_map(|scan| &scan.diagnostics)
        .map(|found| found.text.as_str())
        .collect();
    assert!(
        told.iter().any(|text| text.contains("size is less than its header")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|text| text.contains("of a CPU that there is not")),
        "{told:?}"
    );
}

#[test]
fn a_pipe_reads_as_a_file_does() {
    for big in [false, true] {
        let bytes = Bytes { big };
        let tracing = bytes.tracing();
        let mut padded = tracing.clone();
        padded.resize(tracing.len().next_multiple_of(8), 0);
        let pipe = [
            if big {
                b"2ELIFREP".to_vec()
            } else {
                b"PERFILE2".to_vec()
            },
            bytes.n(16, 8),
            bytes.record(64, &[bytes.attr(144), bytes.n(77, 8)].concat()),
            bytes.record(66, &bytes.n(tracing.len() as u64, 4)),
            padded,
            data(bytes),
        ]
        .concat();
        let file = open(bytes.file(144, &data(bytes))).unwrap();
        assert_eq!(
            crate::support::story(&open(pipe).unwrap()),
            crate::support::story(&file)
        );
    }
}
