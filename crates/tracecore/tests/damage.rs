//! Cut and changed files: they open up to the damage or say what is wrong; never a panic, a hang or a wild allocation.

#![allow(unsafe_code, reason = "an allocator that watches sizes can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracecore::error::OpenError;
use tracecore::scan::{scan_cpu, CpuScan, RowKind};
use tracecore::tracedat::TraceFile;
use tracegen::Scenario;

/// The files are some 50 KB; zstd may ask for a window of 16 MiB, which is twice what trace-cmd asks for.
const MAX_ALLOCATION: usize = 40 << 20;

struct Watching;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

const SHAPES: [&str; 6] = [
    "version 6",
    "version 6\nendian big\nlong 4",
    "version 7",
    "version 7\ncompression zlib",
    "version 7\ncompression zstd",
    "version 7\ncompression zstd\nendian big",
];

/// Three CPUs with some pages each.
fn whole_file(shape: &str) -> Vec<u8> {
    let mut story = format!("{shape}\ncpus 3\nstart 1s\n");
    for step in 0..600 {
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
    Scenario::parse(&story).unwrap().to_bytes()
}

fn read(bytes: &[u8]) -> Result<Vec<CpuScan>, OpenError> {
    let file = TraceFile::open(bytes)?;
    file.first_ns().unwrap();
    file.fingerprint().unwrap();
    let scans = (0..file.cpus().len()).map(|cpu| scan_cpu(&file, cpu).unwrap());
    Ok(scans.collect())
}

/// The rows that came from records.
fn events(scan: &CpuScan) -> Vec<(u64, i32, i32)> {
    let records = scan.rows.iter().filter(|row| row.kind != RowKind::Lost as u8);
    records.map(|row| (row.ts, row.pid, row.arg)).collect()
}

/// Numbers that are the same in every run (xorshift).
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Every place where a structure that the file lists begins or ends, and places between them.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let file = TraceFile::open(bytes).unwrap();
    let mut cuts: Vec<u64> = (0..bytes.len() as u64).step_by(bytes.len() / 250).collect();
    for option in &file.header().options {
        cuts.extend([option.offset - 6, option.offset, option.offset + u64::from(option.size)]);
        // Most options hold where a section is.
        let at = option.offset as usize;
        cuts.extend([bytes[at..].first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw))]);
        cuts.extend([bytes[at..].first_chunk().map_or(0, |raw| u64::from_be_bytes(*raw))]);
    }
    for extent in file.cpus() {
        cuts.extend([extent.offset, extent.offset + 4, extent.offset + extent.size - 1]);
    }
    let around = cuts.iter().flat_map(|&cut| [cut.saturating_sub(1), cut, cut + 1]);
    around
        .filter(|&cut| cut < bytes.len() as u64)
        .map(|cut| cut as usize)
        .collect()
}

#[test]
fn cut_files_open_up_to_the_cut() {
    for shape in SHAPES {
        let bytes = whole_file(shape);
        let whole = read(&bytes).unwrap();
        assert_eq!(whole.iter().map(|scan| scan.records).sum::<u64>(), 600, "{shape}");
        let mut opened = 0;
        for cut in cuts(&bytes) {
            match read(&bytes[..cut]) {
                Ok(scans) => {
                    opened += 1;
                    for scan in scans {
                        let full = whole.iter().find(|full| full.cpu == scan.cpu).unwrap();
                        let (found, all) = (events(&scan), events(full));
                        assert!(
                            all.starts_with(&found),
                            "{shape}, cut at {cut}: CPU {} tells another story",
                            scan.cpu
                        );
                        if found.len() < all.len() && !found.is_empty() {
                            let last = scan.rows.last().map(|row| row.kind);
                            assert_eq!(
                                last,
                                Some(RowKind::Lost as u8),
                                "{shape}, cut at {cut}: no gap at the end"
                            );
                        }
                    }
                }
                Err(error) => {
                    let kind = error.kind();
                    assert!(
                        kind == "truncated" || (cut < 10 && kind == "not-a-trace"),
                        "{shape}, cut at {cut}: {error}"
                    );
                }
            }
        }
        assert!(opened > 10, "{shape}: {opened}");
    }
    assert!(LARGEST.load(Ordering::Relaxed) < MAX_ALLOCATION);
}

#[test]
fn changed_files_never_panic() {
    let mut state = 0x2545_f491_4f6c_dd1d;
    for shape in SHAPES {
        let bytes = whole_file(shape);
        for _ in 0..600 {
            let mut damaged = bytes.clone();
            for _ in 0..=random(&mut state) % 3 {
                let at = random(&mut state) as usize % bytes.len();
                damaged[at] = random(&mut state) as u8;
            }
            // Small numbers are read as sizes and counts more often than they are hit: set some to the extreme.
            if random(&mut state) % 2 == 0 {
                let at = random(&mut state) as usize % (bytes.len() - 4);
                damaged[at..at + 4].fill(0xff);
            }
            if let Ok(scans) = read(&damaged) {
                let rows: usize = scans.iter().map(|scan| scan.rows.len()).sum();
                assert!(rows < 10 * bytes.len());
            }
        }
    }
    assert!(
        LARGEST.load(Ordering::Relaxed) < MAX_ALLOCATION,
        "{}",
        LARGEST.load(Ordering::Relaxed)
    );
}

#[test]
fn damaged_formats_cost_names_and_not_records() {
    let bytes = whole_file("version 7\ncompression zstd");
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let formats = file
        .header()
        .options
        .iter()
        .find(|option| option.name() == Some("EVENT_FORMATS"));
    let option = formats.unwrap().offset as usize;
    let section = u64::from_le_bytes(*bytes[option..].first_chunk().unwrap()) as usize;
    let mut damaged = bytes.clone();
    // behind the section's header (16 bytes) and its sizes (8): the frame's magic number
    damaged[section + 24] ^= 1;
    let file = TraceFile::open(damaged.as_slice()).unwrap();
    assert!(
        file.diagnostics()[0].text.contains("section 18 does not unpack"),
        "{:?}",
        file.diagnostics()
    );
    let scans = read(&damaged).unwrap();
    assert_eq!(scans.iter().map(|scan| scan.records).sum::<u64>(), 600);
    assert!(scans.iter().all(|scan| scan.rows.is_empty()));
}
