//! The text of `trace-cmd report`, line for line, as version 3.1.6 prints it.

mod clock;
mod latency;
mod line;
mod printers;
mod task_column;

pub use clock::LineClock;
pub use line::{Event, LineWriter};

use std::fmt;

use traceevent::trace_cmd::{push_blanks, push_u64};

use crate::error::{OpenError, ReadError};
use crate::file::{ReadAt, TraceFile};
use crate::filter::BoundFilter;
use crate::records::MergedRecords;
use crate::run_codes::RunCodes;

/// How events are printed, and which.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// The fields instead of texts (`-R`).
    pub raw: bool,
    /// What interrupted what, instead of just the CPU (`-l`).
    pub latency: bool,
    /// Times with nanoseconds (`-t`).
    pub nanoseconds: bool,
    /// The kernel's print fmts even where trace-cmd's plugins print otherwise (`-N`).
    pub no_plugins: bool,
    /// Only these CPUs; as in trace-cmd, of the main buffer alone unless `buffer` names another.
    pub cpus: Option<Vec<u32>>,
    /// Only these events; all when there are none.
    pub events: Vec<EventName>,
    /// Only records that pass.
    pub filter: Option<BoundFilter>,
    /// Only lines from this time on, as it is printed; in nanoseconds, or in ticks where the clock has no scale.
    pub min: Option<u64>,
    /// Only lines before this time, as it is printed.
    pub max: Option<u64>,
    /// Only the buffer at this position, as if it were the only one: no line names it.
    pub buffer: Option<usize>,
}

/// An event, of whatever system when none is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventName {
    /// The system, as in `events/SYSTEM/NAME`.
    pub system: Option<String>,
    /// The name.
    pub name: String,
}

impl EventName {
    /// Reads `SYSTEM:NAME` or `NAME`.
    pub fn parse(text: &str) -> Self {
        match text.split_once(':') {
            Some((system, name)) => EventName {
                system: Some(system.to_owned()),
                name: name.to_owned(),
            },
            None => EventName {
                system: None,
                name: text.to_owned(),
            },
        }
    }

    /// Whether it is this event.
    pub fn matches(&self, system: &str, name: &str) -> bool {
        self.name == name && self.system.as_deref().is_none_or(|of| of == system)
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.system {
            Some(system) => write!(f, "{system}:{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Prints a file, record by record.
pub struct Report<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    buffers: Vec<ReportBuffer<'f, R>>,
    writer: LineWriter<'f, R>,
    options: ReportOptions,
    /// The record of a line that depends on the next record.
    held: Vec<u8>,
    /// The line that the filter searched last.
    searched: Vec<u8>,
}

struct ReportBuffer<'f, R> {
    records: MergedRecords<'f, R>,
    /// When the first record is of the CPUs that are not shown, if some are not.
    first_hidden: Option<u64>,
    /// Its name and a colon, or blanks of the same width; empty if no line names its buffer.
    prefix: Vec<u8>,
    clock: LineClock,
}

impl<'f, R: ReadAt> Report<'f, R> {
    /// Prepares the report of a file. What is before the window is not read, as far as possible.
    pub fn new(file: &'f TraceFile<R>, options: ReportOptions) -> Result<Self, ReadError> {
        let all = file.buffers();
        let chosen = |buffer: usize| match (options.buffer, &options.cpus) {
            (Some(only), _) => buffer == only,
            (None, Some(_)) => buffer == 0,
            (None, None) => true,
        };
        let names_shown = all.len() > 1 && options.buffer.is_none();
        let width = all.iter().map(|buffer| buffer.name.len()).max().unwrap_or(0);
        let mut buffers = Vec::new();
        for (at, buffer) in all.iter().enumerate().filter(|&(at, _)| chosen(at)) {
            let listed = |cpu| options.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu));
            let mut records = MergedRecords::new(file, |of, cpu| of == at && listed(cpu));
            let clock = LineClock::new(file, options.nanoseconds);
            if let Some(min) = options.min {
                records.seek(clock.first_printed_as(min))?;
            }
            let mut prefix = Vec::new();
            if names_shown {
                push_prefix(&buffer.name, width, &mut prefix);
            }
            buffers.push(ReportBuffer {
                records,
                first_hidden: first_hidden(file, at, listed)?,
                prefix,
                clock,
            });
        }
        Ok(Report {
            buffers,
            writer: LineWriter::new(file, &options),
            options,
            file,
            held: Vec::new(),
            searched: Vec::new(),
        })
    }

    /// Appends what stands before the events: how many CPUs there are, and the texts that a latency tracer wrote.
    pub fn title(&self, out: &mut Vec<u8>) -> Result<(), OpenError> {
        let header = self.file.header();
        out.extend_from_slice(b"cpus=");
        push_u64(out, u64::from(header.cpu_count));
        out.push(b'\n');
        for index in 0..header.texts.len() {
            out.extend_from_slice(&self.file.latency_text(index)?);
            // As trace-cmd: also where the text ends its last line itself.
            out.push(b'\n');
        }
        Ok(())
    }

    /// How many records are asked for from here on: those of which [`Report::next`] prints lines.
    pub fn count(&mut self) -> Result<u64, ReadError> {
        let mut count = 0;
        for buffer in &mut self.buffers {
            while let Some(record) = buffer.records.next()? {
                let printed = buffer.clock.printed(record.ts);
                if self.options.max.is_some_and(|max| printed >= max) {
                    break;
                }
                let passes = |filter: &BoundFilter| self.writer.passes(filter, &record, &mut self.searched);
                let shown = self.options.min.is_none_or(|min| min <= printed)
                    && self.writer.shows(record.id)
                    && self.options.filter.as_ref().is_none_or(passes);
                count += u64::from(shown);
            }
        }
        Ok(count)
    }

    /// The CPU, the time and the code of the run of each record that is asked for.
    pub fn each_run(&mut self, codes: &RunCodes, mut each: impl FnMut(u32, u64, i32)) -> Result<(), ReadError> {
        for buffer in &mut self.buffers {
            while let Some(record) = buffer.records.next()? {
                let passes = |filter: &BoundFilter| self.writer.passes(filter, &record, &mut self.searched);
                if self.options.filter.as_ref().is_none_or(passes) {
                    each(record.cpu, record.ts, codes.of(self.file, &record));
                }
            }
        }
        Ok(())
    }

    /// Appends the line, or lines, of the next record; nothing when it is not one of those asked for. `false` at the end.
    pub fn next(&mut self, out: &mut Vec<u8>) -> Result<bool, ReadError> {
        let Some(buffer) = earliest(&mut self.buffers)? else {
            return Ok(false);
        };
        let Some(record) = buffer.records.next()? else {
            return Ok(false);
        };
        let printed = buffer.clock.printed(record.ts);
        if self.options.max.is_some_and(|max| printed >= max) {
            // All others are later.
            return Ok(false);
        }
        let in_window = self.options.min.is_none_or(|min| min <= printed);
        let passes = |filter: &BoundFilter| self.writer.passes(filter, &record, &mut self.searched);
        let shown = in_window && self.writer.shows(record.id) && self.options.filter.as_ref().is_none_or(passes);
        let mut prefix = buffer.prefix.as_slice();
        if let Some(missed) = record.missed.filter(|_| in_window) {
            out.extend_from_slice(prefix);
            self.writer.dropped(record.cpu, missed, out);
            // trace-cmd leaves the name out of the line behind this one.
            prefix = &[];
        }
        let event = Event::from(record);
        if !self.writer.wants_next(event.id) {
            if shown {
                out.extend_from_slice(prefix);
                self.writer.line(&event, None, &buffer.clock, out);
            } else {
                self.writer.note(&event);
            }
            return Ok(true);
        }
        self.held.clear();
        self.held.extend_from_slice(event.record);
        let event = Event {
            record: &self.held,
            page: &self.held,
            ..event
        };
        // trace-cmd looks for the next record on all CPUs. It leaves those that are not shown where they start: as long as
        // one of them starts earlier, no record of the others is the next.
        let hidden = buffer.first_hidden.unwrap_or(u64::MAX);
        let next = buffer.records.peek()?.filter(|next| next.ts < hidden);
        let next = next.map(|next| (next.id, next.data));
        let start = out.len();
        out.extend_from_slice(prefix);
        let took_next = self.writer.line(&event, next, &buffer.clock, out);
        if !shown {
            out.truncate(start);
        }
        if took_next {
            buffer.records.next()?;
        }
        Ok(true)
    }
}

/// The buffer with the earliest record; of several the one that the file lists first.
fn earliest<'b, 'f, R: ReadAt>(
    buffers: &'b mut [ReportBuffer<'f, R>],
) -> Result<Option<&'b mut ReportBuffer<'f, R>>, ReadError> {
    if let [only] = buffers {
        return Ok(Some(only));
    }
    let mut first: Option<(u64, &mut ReportBuffer<'f, R>)> = None;
    for buffer in buffers {
        if let Some(ts) = buffer.records.peek()?.map(|record| record.ts) {
            if first.as_ref().is_none_or(|&(earlier, _)| ts < earlier) {
                first = Some((ts, buffer));
            }
        }
    }
    Ok(first.map(|(_, buffer)| buffer))
}

/// When the first record is of those CPUs of a buffer that are not listed.
fn first_hidden<R: ReadAt>(
    file: &TraceFile<R>,
    buffer: usize,
    listed: impl Fn(u32) -> bool,
) -> Result<Option<u64>, ReadError> {
    let mut hidden = MergedRecords::new(file, |of, cpu| of == buffer && !listed(cpu));
    Ok(hidden.peek()?.map(|record| record.ts))
}

/// What stands before the lines of a buffer: `  name: `, or blanks for the main one.
fn push_prefix(name: &str, width: usize, out: &mut Vec<u8>) {
    push_blanks(out, width.saturating_sub(name.len()));
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(if name.is_empty() { b"  " } else { b": " });
}
