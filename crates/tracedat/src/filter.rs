//! Filters of a file's records, in the language of [`eventfilter`].

pub use eventfilter::{BoundFilter, Filter, FilterError, Places, DERIVED};

pub use crate::run_codes::RunCodes;
use eventfilter::{Clock, KnownEvent, RecordToFilter};
use traceevent::Env;

use crate::file::{ReadAt, TraceFile};
use crate::records::RecordRef;

/// Makes a filter ready for the formats of a file, recorded or not. What no event has is an error that says where.
pub fn bind<R: ReadAt>(file: &TraceFile<R>, filter: &Filter) -> Result<BoundFilter, FilterError> {
    filter.bind(known_events(file), file.endian(), file.filter_clock())
}

impl<R: ReadAt> TraceFile<R> {
    /// What filters take times for.
    pub fn filter_clock(&self) -> Clock {
        match self.clock_is_ns() {
            true => Clock::Nanoseconds,
            false => Clock::Ticks,
        }
    }

    /// What reading and printing records needs beside their formats.
    pub fn env(&self) -> Env<'_> {
        Env {
            endian: self.endian(),
            long_size: self.long_size(),
            lookup: self.lookup(),
        }
    }
}

/// The events whose formats can be read.
pub fn known_events<R: ReadAt>(file: &TraceFile<R>) -> impl Iterator<Item = KnownEvent<'_>> {
    file.event_ids().filter_map(|id| {
        let (system, name) = file.event_name(id)?;
        let format = file.event_format(id)?;
        Some(KnownEvent {
            id,
            system,
            name,
            format,
        })
    })
}

impl<'a> From<&RecordRef<'a>> for RecordToFilter<'a> {
    fn from(record: &RecordRef<'a>) -> Self {
        RecordToFilter {
            id: record.id,
            cpu: record.cpu,
            ts: record.ts,
            data: record.data,
        }
    }
}
