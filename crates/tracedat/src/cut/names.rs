//! The saved command lines of a cut: the file's, and what events before the window told.

use std::collections::BTreeMap;

use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::records::MergedRecords;
use crate::report::{Event, LineWriter, ReportOptions};

/// The text of the saved command lines as a report knows them when it comes to the record at `from`; `None` when they are
/// the file's own.
///
/// A name that the file has several times is one, that which trace-cmd takes: with more lines it would take another.
pub(super) fn known_at<R: ReadAt>(file: &TraceFile<R>, from: u64) -> Result<Option<Vec<u8>>, ReadError> {
    let mut records = MergedRecords::new(file, |_, _| true);
    let mut report = LineWriter::new(file, &ReportOptions::default());
    while let Some(record) = records.next()? {
        if from <= record.ts {
            break;
        }
        report.note(&Event::from(record));
    }
    let mut names: BTreeMap<i32, &[u8]> = report.learned().collect();
    if names.is_empty() {
        return Ok(None);
    }
    let saved = file.saved_comms();
    names.extend(saved.pids().filter_map(|pid| Some((pid, saved.find(pid)?))));
    let mut text = Vec::new();
    // A line break in a name would end the line.
    for (pid, comm) in names.into_iter().filter(|(_, comm)| !comm.contains(&b'\n')) {
        text.extend_from_slice(pid.to_string().as_bytes());
        text.push(b' ');
        text.extend_from_slice(comm);
        text.push(b'\n');
    }
    Ok(Some(text))
}
