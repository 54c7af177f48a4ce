//! Perfetto's recordings, against what other programs read in them.

mod damage;
mod dump;
mod google;
mod machines;
mod samples;
mod shapes;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use schedrows::{scan_stream, CpuScan, Row, Source, Want};
use traceimport::Import;

/// The bytes of a sample.
fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a text inside zstd.
fn lines(name: &str) -> Vec<String> {
    let text = zstd::decode_all(sample(name).as_slice()).unwrap();
    String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
}

fn open(bytes: &[u8]) -> Import<&[u8]> {
    Import::open(bytes).unwrap()
}

/// The scans of all CPUs, ascending.
fn scan(source: &dyn Source) -> Vec<CpuScan> {
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let streams = 0..source.streams().len();
    let mut cpus: Vec<CpuScan> = streams
        .flat_map(|stream| scan_stream(source, stream, want, &mut |_| {}).unwrap().cpus)
        .collect();
    cpus.sort_by_key(|scan| scan.cpu);
    cpus
}

/// Events of all CPUs by name.
fn counts(source: &dyn Source, scans: &[CpuScan]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for &(id, count) in scans.iter().flat_map(|scan| &scan.events) {
        let name = source
            .event_name(id)
            .map_or_else(|| format!("#{id}"), |(_, name)| name.to_owned());
        *counts.entry(name).or_default() += count;
    }
    counts
}

fn name(scan: &CpuScan, index: u32) -> &str {
    &scan.comms.names[index as usize]
}

fn rows(scan: &CpuScan) -> Vec<Row> {
    scan.rows.iter().collect()
}
