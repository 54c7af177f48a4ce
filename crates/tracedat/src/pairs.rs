//! Pairs of events in a file: its records, one after another, go to the matcher of `eventpairs`.

use eventpairs::{Declaration, Matched, Matcher, PairError};

use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::filter::known_events;
use crate::records::MergedRecords;

/// A walk over all records of the buffer that is shown.
pub struct PairScan<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    records: MergedRecords<'f, R>,
    matcher: Matcher,
    /// Records that were looked at.
    done: usize,
}

impl<'f, R: ReadAt> PairScan<'f, R> {
    /// Before the first record. What a user's pair lacks in this file is an error.
    pub fn new(file: &'f TraceFile<R>, declarations: &[Declaration]) -> Result<Self, PairError> {
        let events: Vec<_> = known_events(file).collect();
        let matcher = Matcher::new(declarations, &events, &file.env(), file.filter_clock())?;
        let shown = file.shown_buffer();
        Ok(PairScan {
            file,
            records: MergedRecords::new(file, |buffer, _| buffer == shown),
            matcher,
            done: 0,
        })
    }

    /// Looks at the next records, at most `budget`; returns whether there are more.
    pub fn step(&mut self, budget: usize) -> Result<bool, ReadError> {
        let env = self.file.env();
        for _ in 0..budget {
            let Some(record) = self.records.next()? else {
                return Ok(false);
            };
            self.matcher.take(&(&record).into(), record.missed.is_some(), &env);
            self.done += 1;
        }
        Ok(true)
    }

    /// How many records were looked at.
    pub fn done(&self) -> usize {
        self.done
    }

    /// What was found.
    pub fn finish(self) -> Matched {
        self.matcher.finish()
    }
}
