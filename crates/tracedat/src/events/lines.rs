//! Lines of the list: task, event and text.

use std::collections::HashMap;

use eventfilter::{BoundFilter, Context};
use memchr::memmem::Finder;
use traceevent::IntField;

use super::query::EventTextMode;
use crate::file::{ReadAt, TraceFile};
use crate::records::RecordRef;
use crate::report::{Event, LineClock, LineWriter, ReportOptions};

/// Names of tasks without a name, as trace-cmd has them.
const IDLE: &[u8] = b"<idle>";
const UNKNOWN: &[u8] = b"<...>";

/// Makes lines of records.
pub(super) struct Lines<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    common_pid: Option<IntField>,
    /// Names of tasks without a saved command line.
    names: HashMap<i32, String>,
    writers: Writers<'f, R>,
    /// The line made last.
    line: Vec<u8>,
}

/// Each prints in its mode.
struct Writers<'f, R: ReadAt> {
    trace_cmd: LineWriter<'f, R>,
    kernel: LineWriter<'f, R>,
    raw: LineWriter<'f, R>,
}

impl<R: ReadAt> Writers<'_, R> {
    fn get(&self, mode: EventTextMode) -> &LineWriter<'_, R> {
        match mode {
            EventTextMode::TraceCmd => &self.trace_cmd,
            EventTextMode::Kernel => &self.kernel,
            EventTextMode::Raw => &self.raw,
        }
    }
}

fn writer<R: ReadAt>(file: &TraceFile<R>, mode: EventTextMode) -> LineWriter<'_, R> {
    let options = ReportOptions {
        raw: mode == EventTextMode::Raw,
        no_plugins: mode == EventTextMode::Kernel,
        ..ReportOptions::default()
    };
    LineWriter::new(file, &options)
}

impl<'f, R: ReadAt> Lines<'f, R> {
    pub fn new(file: &'f TraceFile<R>, common_pid: Option<IntField>) -> Self {
        Lines {
            file,
            common_pid,
            names: HashMap::new(),
            writers: Writers {
                trace_cmd: writer(file, EventTextMode::TraceCmd),
                kernel: writer(file, EventTextMode::Kernel),
                raw: writer(file, EventTextMode::Raw),
            },
            line: Vec::new(),
        }
    }

    pub fn learn_names(&mut self, names: HashMap<i32, String>) {
        self.names = names;
    }

    /// The task that the event happened in; 0 if the record does not say.
    pub fn pid(&self, record: &RecordRef<'_>) -> i32 {
        let field = self
            .common_pid
            .and_then(|field| field.load(record.data, self.file.endian()));
        field.unwrap_or(0) as i32
    }

    /// A task's name: of the saved command lines first.
    pub fn comm(&self, pid: i32) -> &[u8] {
        let saved = self.file.lookup().comm(pid);
        let learned = || self.names.get(&pid).map(String::as_bytes);
        saved.or_else(learned).unwrap_or(if pid == 0 { IDLE } else { UNKNOWN })
    }

    /// An event's name.
    pub fn event(&self, id: u16) -> &str {
        self.file.event_name(id).map_or("[UNKNOWN EVENT]", |(_, name)| name)
    }

    /// What is printed behind the name.
    pub fn text(&mut self, mode: EventTextMode, record: &RecordRef<'_>) -> String {
        self.line.clear();
        self.writers.get(mode).text(&Event::from(*record), &mut self.line);
        String::from_utf8_lossy(self.line.trim_ascii_end()).into_owned()
    }

    /// Whether the text is in the line `comm-pid name: text`.
    pub fn has(&mut self, needle: &Needle, mode: EventTextMode, record: &RecordRef<'_>) -> bool {
        let mut line = std::mem::take(&mut self.line);
        self.short_line(mode, record, &mut line);
        line.make_ascii_lowercase();
        let found = needle.0.find(&line).is_some();
        self.line = line;
        found
    }

    /// Whether the record passes a filter.
    #[inline]
    pub fn passes(&mut self, filter: &BoundFilter, mode: EventTextMode, record: &RecordRef<'_>) -> bool {
        let mut line = std::mem::take(&mut self.line);
        let mut context = InList {
            lines: self,
            mode,
            record,
            line: &mut line,
        };
        let passes = filter.takes(&record.into(), &mut context);
        self.line = line;
        passes
    }

    /// The line `comm-pid name: text` in place of what is in `line`.
    fn short_line(&self, mode: EventTextMode, record: &RecordRef<'_>, line: &mut Vec<u8>) {
        line.clear();
        let pid = self.pid(record);
        let event = Event::from(*record);
        let writer = self.writers.get(mode);
        writer.short_line(self.comm(pid), pid, self.event(record.id), &event, line);
    }
}

/// What a filter asks about a record of the list.
struct InList<'a, 'f, R: ReadAt> {
    lines: &'a Lines<'f, R>,
    mode: EventTextMode,
    record: &'a RecordRef<'a>,
    line: &'a mut Vec<u8>,
}

impl<R: ReadAt> Context for InList<'_, '_, R> {
    fn comm(&self, pid: i32) -> &[u8] {
        self.lines.comm(pid)
    }

    fn function(&self, address: u64) -> Option<&str> {
        self.lines.writers.get(self.mode).function(address)
    }

    fn line(&mut self) -> &[u8] {
        self.lines.short_line(self.mode, self.record, self.line);
        self.line
    }
}

/// Whole lines of `trace-cmd report`, one after the other: of the first one nothing before it is known.
pub(super) struct WholeLines<'f, R: ReadAt> {
    writer: LineWriter<'f, R>,
    clock: LineClock,
    out: Vec<u8>,
}

impl<'f, R: ReadAt> WholeLines<'f, R> {
    pub fn new(file: &'f TraceFile<R>, mode: EventTextMode) -> Self {
        WholeLines {
            writer: writer(file, mode),
            clock: LineClock::new(file, false),
            out: Vec::new(),
        }
    }

    /// Adds a record's line, and one for what was lost before it.
    pub fn push(&mut self, record: &RecordRef<'_>) {
        if let Some(missed) = record.missed {
            self.writer.dropped(record.cpu, missed, &mut self.out);
        }
        self.writer
            .line(&Event::from(*record), None, &self.clock, &mut self.out);
    }

    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// A text that is looked for; ASCII letters are the same in either case.
#[derive(Debug)]
pub(super) struct Needle(Finder<'static>);

impl Needle {
    /// `None` for the empty text, which is everywhere.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        (!text.is_empty()).then(|| Needle(Finder::new(text.as_bytes()).into_owned()))
    }
}
