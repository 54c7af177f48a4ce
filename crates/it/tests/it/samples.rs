//! What is read here and there before a scan is a part of what the scan finds, however the file is packed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use schedquery::query::{CellKey, CellsQuery, Preview};
use schedrows::{CpuScan, Row, RowKind, Source};
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;
use tracegen::{Replicas, Times};

const SHARES: [f64; 9] = [0.0, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.66, 0.9, 0.999, 1.0];

fn sample_trace() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../public/sample.dat"].iter().collect()
}

/// Copies of the sample, packed in some way.
fn copies(version: &str, compression: &str, times: u64) -> Vec<u8> {
    // Tests run at the same time, and several ask for the same copies: each writes a file of its own.
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("samples-{number}.dat"));
    let replicas = Replicas {
        machines: 1,
        times: Times::Copies(times),
        version: version.into(),
        compression: compression.into(),
        symbols: None,
    };
    replicas.write(&sample_trace(), &path).unwrap();
    fs::read(&path).unwrap()
}

/// Rows as they are whatever the scan's order of comms is; without what was lost.
fn rows(scan: &CpuScan) -> Vec<(Row, String, String)> {
    let comm = |index: u32| scan.comms.names.get(index as usize).cloned().unwrap_or_default();
    let rows = scan.rows.iter().filter(|row| row.kind != RowKind::Lost);
    rows.map(|row| {
        // Of some events the second field is a number and no name.
        let is_number = matches!(
            row.kind,
            RowKind::Migrate | RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma
        );
        let (comm2, name2) = match is_number {
            true => (row.comm2, String::new()),
            false => (0, comm(row.comm2)),
        };
        let name = comm(row.comm);
        (Row { comm: 0, comm2, ..row }, name, name2)
    })
    .collect()
}

fn check(bytes: &[u8]) {
    let file = TraceFile::open(bytes).unwrap();
    let mut sampled = 0;
    for index in 0..file.cpus().len() {
        let whole = scan_cpu(&file, index).unwrap();
        let all = rows(&whole);
        let mut places = Vec::new();
        for share in SHARES {
            let Some(sample) = file.sample_cpu(index, share).unwrap() else {
                assert_eq!(file.cpus()[index].size, 0);
                continue;
            };
            let found = rows(&sample);
            assert!(sample.first_ns <= sample.last_ns);
            let at = found
                .first()
                .map(|first| all.iter().position(|row| row == first).unwrap());
            let at = at.unwrap_or(0);
            assert!(found == all[at..at + found.len()], "CPU {index}, {share}");
            places.push(sample.first_ns);
            if share == 0.0 {
                assert_eq!(sample.first_ns, whole.first_ns);
            }
            if share == 1.0 {
                assert_eq!(sample.last_ns, whole.last_ns);
            }
        }
        assert!(places.is_sorted(), "CPU {index}: {places:?}");
        places.dedup();
        sampled = sampled.max(places.len());
    }
    assert!(4 < sampled, "{sampled} different places");
}

#[test]
fn samples_of_pages_are_parts_of_the_scan() {
    check(&copies("6", "none", 12));
}

#[test]
fn samples_of_zstd_chunks_are_parts_of_the_scan() {
    check(&copies("7", "zstd", 60));
}

#[test]
fn samples_of_zlib_chunks_are_parts_of_the_scan() {
    check(&copies("7", "zlib", 60));
}

#[test]
fn a_sampled_preview_has_the_whole_time_range_and_says_what_is_not_exact() {
    let bytes = copies("6", "none", 12);
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let base = file.first_ns().unwrap().unwrap();
    let (mut sampled, mut scanned) = (Preview::new(base), Preview::new(base));
    for index in 0..file.cpus().len() {
        for share in SHARES {
            sampled.add_sample(&file.sample_cpu(index, share).unwrap().unwrap());
        }
        scanned.add(&scan_cpu(&file, index).unwrap());
    }
    assert_eq!(sampled.end(), scanned.end());
    assert_eq!(sampled.cpus().count(), 0);
    let middle = scanned.end() / 2;
    assert_eq!((sampled.pick(0, middle), sampled.step(0, middle, true)), (None, None));
    assert!(scanned.pick(0, middle).is_some() && scanned.step(0, middle, true).is_some());
    let level = 22;
    let query = CellsQuery {
        level,
        first_bucket: 0,
        buckets: (scanned.end() >> level) as u32 + 1,
        cpus: (0..file.cpus().len() as u32).collect(),
        key: CellKey::Task,
    };
    let inferred = 1 << 19;
    let cells = |preview: &Preview| -> Vec<(i32, u32)> {
        let pid = |key: u32| preview.pids().get(key as usize).copied().unwrap_or(-1);
        preview
            .cells(&query)
            .chunks(2)
            .map(|cell| (pid(cell[0]), cell[1]))
            .collect()
    };
    let (sampled_cells, scanned_cells) = (cells(&sampled), cells(&scanned));
    let exact = |cell: &&(&(i32, u32), &(i32, u32))| cell.0 .1 & inferred == 0;
    let pairs: Vec<_> = sampled_cells.iter().zip(&scanned_cells).collect();
    assert!(pairs.iter().filter(exact).count() > 500);
    assert!(pairs.iter().filter(|cell| !exact(cell)).count() > 500);
    for (sampled, scanned) in pairs.iter().filter(exact) {
        assert_eq!(sampled, scanned);
    }
    // What is scanned replaces what was sampled.
    for index in 0..file.cpus().len() {
        sampled.add(&scan_cpu(&file, index).unwrap());
    }
    assert_eq!(cells(&sampled), scanned_cells);
    sampled.add_sample(&file.sample_cpu(0, 0.5).unwrap().unwrap());
    assert_eq!(cells(&sampled), scanned_cells);
}

#[test]
fn whatever_the_bytes_are_sampling_ends() {
    for compression in ["none", "zstd"] {
        let mut bytes = copies(if compression == "none" { "6" } else { "7" }, compression, 12);
        // The metadata stay whole, and of the data every 97th byte is another.
        let from = {
            let file = TraceFile::open(bytes.as_slice()).unwrap();
            file.cpus().iter().map(|extent| extent.offset).min().unwrap() as usize
        };
        for byte in bytes[from..].iter_mut().step_by(97) {
            *byte ^= 0x55;
        }
        if let Ok(file) = TraceFile::open(bytes.as_slice()) {
            for index in 0..file.cpus().len() + 1 {
                for share in SHARES.into_iter().chain([f64::NAN, -1.0, 7.0]) {
                    file.sample_cpu(index, share).unwrap();
                }
            }
        }
    }
}
