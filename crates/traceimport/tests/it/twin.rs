//! The samples of perf.data files as another reader finds them (linux-perf-data), which does not get through this perf's pipes.

use std::io::Cursor;

use linux_perf_data::linux_perf_event_reader::EventRecord;
use linux_perf_data::{PerfFile, PerfFileReader, PerfFileRecord, PerfRecordIter};
use tracedat::file::TraceFile;
use tracedat::records::CpuRecords;

use crate::support::{fixture, open};

/// CPU, time and record.
type Samples = Vec<(u32, u64, Vec<u8>)>;

fn samples<R: std::io::Read>(name: &str, mut file: PerfFile, mut records: PerfRecordIter<R>) -> Samples {
    let mut found = Samples::new();
    while let Some(record) = records
        .next_record(&mut file)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
    {
        let PerfFileRecord::EventRecord { record, .. } = record else {
            continue;
        };
        if let EventRecord::Sample(sample) = record.parse().unwrap() {
            let raw = sample.raw.unwrap().as_slice().into_owned();
            found.push((sample.cpu.unwrap(), sample.timestamp.unwrap(), raw));
        }
    }
    // Those of a CPU stay in order.
    found.sort_by_key(|&(cpu, ts, _)| (cpu, ts));
    found
}

fn ours(bytes: Vec<u8>) -> Samples {
    let written = open(bytes).unwrap().to_trace_dat().unwrap().unwrap();
    let file = TraceFile::open(written).unwrap();
    let mut found = Samples::new();
    for index in 0..file.cpus().len() {
        let mut records = CpuRecords::new(&file, 0, index).unwrap();
        while let Some(record) = records.peek().unwrap() {
            found.push((record.cpu, record.ts, record.data.to_vec()));
            records.advance();
        }
    }
    found
}

fn check(name: &str, twin: Samples, bytes: Vec<u8>) {
    let ours = ours(bytes);
    assert!(100 < ours.len(), "{name}");
    assert_eq!(ours.len(), twin.len(), "{name}");
    for (ours, twin) in ours.iter().zip(&twin) {
        assert_eq!(ours, twin, "{name}");
    }
}

#[test]
fn another_reader_finds_the_same_samples() {
    let mut plain = Vec::new();
    let packed = fixture("sched-record-4cpu.perf.data.gz");
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut plain).unwrap();
    for (name, bytes) in [
        ("sched-record", plain),
        ("record-z", fixture("record-z-4cpu.perf.data")),
    ] {
        let reader = PerfFileReader::parse_file(Cursor::new(bytes.as_slice())).unwrap();
        check(name, samples(name, reader.perf_file, reader.record_iter), bytes.clone());
    }
}
