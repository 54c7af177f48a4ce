//! Tars of SchedViz.

use schedrows::Source;
use tracedat::file::TraceFile;

use crate::support::{counts, fixture, open, opened, story, usual};

#[test]
fn a_tar_has_its_events_and_its_topology() {
    let file = opened("test.tar.gz");
    assert_eq!(usual(&file), [15056, 0, 11134, 2732, 0, 0]);
    let info = file.info();
    assert_eq!((info.format, info.cpu_count), ("schedviz", 1));
    assert!(info.topology.is_some());
    let written = TraceFile::open(file.to_trace_dat().unwrap().unwrap()).unwrap();
    assert_eq!(counts(&written), counts(&file));
}

#[test]
fn an_unpacked_tar_reads_the_same() {
    let mut tar = Vec::new();
    std::io::Read::read_to_end(
        &mut flate2::read::GzDecoder::new(fixture("test.tar.gz").as_slice()),
        &mut tar,
    )
    .unwrap();
    assert_eq!(story(&open(tar).unwrap()), story(&opened("test.tar.gz")));
}

#[test]
fn traces_of_other_kinds_are_refused() {
    let error = open(fixture("ebpf_trace.tar.gz")).err().unwrap();
    assert_eq!(error.what, "a SchedViz trace of type EBPF; only FTRACE is read");
}
