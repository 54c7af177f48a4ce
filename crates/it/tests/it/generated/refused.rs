//! Files that have nothing to show or cannot be read: each is refused with its own error.

use tracedat::error::OpenError;
use tracedat::file::TraceFile;
use tracegen::Story;

use super::told::scans;

fn bytes(text: &str) -> Vec<u8> {
    Story::parse(text).unwrap().to_bytes()
}

fn error(text: &str) -> OpenError {
    TraceFile::open(bytes(text)).map(|_| ()).unwrap_err()
}

#[test]
fn an_empty_trace_opens() {
    for version in ["6", "7"] {
        let scans = scans(bytes(&format!("version {version}\ncpus 2"))).unwrap();
        assert!(
            scans.iter().all(|scan| scan.records == 0 && scan.first_ns.is_none()),
            "version {version}"
        );
    }
}

#[test]
fn a_trace_without_sched_events_opens() {
    let scans = scans(bytes("formats none\n 3 cpu0 print here\n 9 cpu0 print there")).unwrap();
    assert_eq!(scans[0].records, 2);
    assert_eq!((scans[0].first_ns, scans[0].last_ns), (Some(3), Some(9)));
    assert!(scans[0].rows.is_empty());
}

/// The events are there, but not their formats: they are counted, and cannot be understood.
#[test]
fn sched_events_without_their_formats_are_counted() {
    let scans = scans(bytes("formats none\n 3 cpu0 exit a:1")).unwrap();
    assert_eq!(scans[0].records, 1);
    assert!(scans[0].rows.is_empty());
}

#[test]
fn an_unknown_compression_is_named() {
    let error = error("compression lzo\n 1 cpu0 exit a:1");
    assert_eq!(error.kind().name(), "unsupported");
    assert!(error.to_string().contains("lzo"), "{error}");
}

#[test]
fn an_unknown_version_is_named() {
    let error = error("version 8\n 1 cpu0 exit a:1");
    assert_eq!(error.kind().name(), "unsupported");
    assert!(error.to_string().contains('8'), "{error}");
}

#[test]
fn other_files_are_told_apart() {
    for other in [
        &b""[..],
        b"\x17\x08",
        b"PERFILE2",
        b"\x1f\x8b\x08\x00 gzip",
        b"\x17\x08\x44trading6",
    ] {
        let error = TraceFile::open(other.to_vec()).map(|_| ()).unwrap_err();
        assert!(
            ["not_a_trace", "truncated"].contains(&error.kind().name()),
            "{other:?}: {error}"
        );
    }
}
