//! Reads everything that a file offers, within bounds of time and memory.

use std::fmt::Write;
use std::time::Duration;

use schedrows::{CpuScan, RowKind, Source};
use tracedat::error::OpenError;
use tracedat::file::TraceFile;
use tracedat::records::MergedRecords;
use tracedat::report::{Report, ReportOptions};
use tracedat::scan::scan_cpu;
use tracegen::Story;

use super::watch::watch;

/// Memory that an opened file may take whatever its size: buffers for reading and unpacking.
const MEMORY: usize = 4 << 20;
/// Memory that it may take for each of its bytes: rows, names and formats, unpacked.
const MEMORY_PER_BYTE: usize = 64;
/// Far more than a file of some 10 kB takes on a busy machine.
const TIME: Duration = Duration::from_secs(5);

pub const SHAPES: [&str; 6] = [
    "version 6",
    "version 6\nendian big\nlong 4",
    "version 7",
    "version 7\ncompression zlib",
    "version 7\ncompression zstd",
    "version 7\ncompression zstd\nendian big",
];

/// A file of three CPUs with some pages each.
pub fn whole_file(shape: &str, steps: usize) -> Vec<u8> {
    let mut story = format!("{shape}\ncpus 3\nstart 1s\n");
    for step in 0..steps {
        let cpu = step % 3;
        let (from, to) = if step / 3 % 2 == 0 {
            (0, 100 + cpu)
        } else {
            (100 + cpu, 0)
        };
        let name = |pid| {
            if pid == 0 {
                format!("swapper/{cpu}:0")
            } else {
                format!("task{pid}:{pid}")
            }
        };
        writeln!(story, "+1us cpu{cpu} switch {} S -> {}", name(from), name(to)).unwrap();
    }
    let mut story = Story::parse(&story).unwrap();
    story.layout.kallsyms = (0..40)
        .map(|n| format!("{:016x} t symbol{n}\t[module]\n", 0x1000 + n * 16))
        .collect();
    story.layout.printk_formats = "0x77 : \"pid %d\\n\"\n".into();
    story.layout.options = vec![(2, b"CPU: 0\nentries: 7\n\0".to_vec()), (6, b"a/b\0".to_vec())];
    story.to_bytes()
}

/// Opens a file and reads all of it; what is slow and finds little only in every eighth turn, from 0 on. Whatever the
/// file holds, this ends soon and takes little memory.
pub fn read(bytes: &[u8], turn: usize) -> Result<Vec<CpuScan>, OpenError> {
    let (result, cost) = watch(|| read_everything(bytes, turn));
    assert!(
        cost.most < MEMORY + MEMORY_PER_BYTE * bytes.len(),
        "{cost:?} for {} bytes",
        bytes.len()
    );
    assert!(cost.time < TIME, "{cost:?}");
    result
}

fn read_everything(bytes: &[u8], turn: usize) -> Result<Vec<CpuScan>, OpenError> {
    let file = TraceFile::open(bytes)?;
    if turn.is_multiple_of(8) {
        file.first_ns().unwrap();
        file.fingerprint().unwrap();
        file.sections();
        let mut records = MergedRecords::new(&file, |_, _| true);
        let mut count = 0u64;
        while records.next().unwrap().is_some() {
            count += 1;
        }
        // No record is shorter than its header.
        assert!(count <= 4096 * bytes.len() as u64 / 4, "{count} records");
    }
    for index in 0..file.header().texts.len() {
        let _ = file.latency_text(index);
    }
    let lookup = file.lookup();
    lookup.symbol(0x1234);
    lookup.printk(0x77);
    lookup.comm(101);
    let scans: Vec<CpuScan> = (0..file.cpus().len())
        .map(|cpu| scan_cpu(&file, cpu).unwrap())
        .collect();
    let raw = turn.is_multiple_of(4);
    let mut report = Report::new(
        &file,
        ReportOptions {
            raw,
            ..ReportOptions::default()
        },
    )
    .unwrap();
    let mut line = Vec::new();
    while report.next(&mut line).unwrap() {
        line.clear();
    }
    Ok(scans)
}

/// The rows that came from records.
pub fn events(scan: &CpuScan) -> Vec<(u64, i32, i32)> {
    let records = scan.rows.iter().filter(|row| row.kind != RowKind::Lost);
    records.map(|row| (row.ts, row.pid, row.arg)).collect()
}

/// Numbers that are the same in every run (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}
