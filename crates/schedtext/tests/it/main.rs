//! Scenarios are read from their text into rows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "all of it is tests, which fail by panicking"
)]

mod arbitrary;
mod mistakes;
mod printed;
mod stories;

use schedrows::{scan_stream, CpuScan, Source, SourceError, Want};
use schedtext::ScenarioFile;

/// Opens a scenario with these lines after the title.
fn open(lines: &str) -> Result<ScenarioFile<Vec<u8>>, SourceError> {
    ScenarioFile::open(format!("# corelane scenario 1\n{lines}").into_bytes())
}

/// The scenario's rows, CPU by CPU.
fn scans(file: &ScenarioFile<Vec<u8>>) -> Vec<CpuScan> {
    assert_eq!(file.streams().len(), 1);
    scan_stream(
        file,
        0,
        Want {
            index: true,
            ..Want::default()
        },
        &mut |_| {},
    )
    .unwrap()
    .cpus
}
