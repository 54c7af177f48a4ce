//! One event, one line.

use eventfilter::{BoundFilter, Context};
use traceevent::trace_cmd::{push_i64, push_u64, push_u64_padded, Next, Occasion, Outcome, PrintState, RawHistory};
use traceevent::{Env, IntField, Missed};

use super::clock::LineClock;
use super::latency::LatencyFields;
use super::printers::{EventPrinter, EventPrinters};
use super::task_column::{self, TaskColumns};
use super::ReportOptions;
use crate::file::{ReadAt, TraceFile};
use crate::records::RecordRef;

/// A record and where it is from.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// `common_type`.
    pub id: u16,
    /// The CPU that wrote it.
    pub cpu: u32,
    /// In nanoseconds, or the clock's ticks.
    pub ts: u64,
    /// Starts with the common fields.
    pub record: &'a [u8],
    /// The same, and what follows it up to the end of its page.
    pub page: &'a [u8],
}

impl<'a> From<RecordRef<'a>> for Event<'a> {
    fn from(record: RecordRef<'a>) -> Self {
        Event {
            id: record.id,
            cpu: record.cpu,
            ts: record.ts,
            record: record.data,
            page: record.page,
        }
    }
}

/// Writes the lines of events. They depend on earlier events: on the comms and the calls that these gave.
pub struct LineWriter<'f, R: ReadAt> {
    env: Env<'f>,
    raw: bool,
    latency: Option<LatencyFields>,
    common_pid: Option<IntField>,
    printers: EventPrinters<'f, R>,
    tasks: TaskColumns,
    state: PrintState,
    /// By event id: what records leave behind for the raw fields of the next.
    histories: Vec<RawHistory>,
}

impl<'f, R: ReadAt> LineWriter<'f, R> {
    /// For the events of a file; of the options those of the format matter, and `events`.
    pub fn new(file: &'f TraceFile<R>, options: &ReportOptions) -> Self {
        let env = Env {
            endian: file.endian(),
            long_size: file.long_size(),
            lookup: file.lookup(),
        };
        let common = file.any_event_format();
        LineWriter {
            env,
            raw: options.raw,
            latency: options.latency.then(|| LatencyFields::bind(file)),
            common_pid: common.and_then(|format| format.field("common_pid")?.as_int()),
            printers: EventPrinters::new(file, options),
            tasks: TaskColumns::new(options.latency),
            state: PrintState::new(options.nanoseconds),
            histories: Vec::new(),
        }
    }

    /// Whether the event is one of those that were asked for.
    #[inline]
    pub fn shows(&self, id: u16) -> bool {
        self.printers.shows(id)
    }

    /// The event's name.
    pub fn name(&self, id: u16) -> &str {
        self.printers.name(id).unwrap_or("[UNKNOWN EVENT]")
    }

    /// Whether the line depends on what comes next.
    #[inline]
    pub fn wants_next(&self, id: u16) -> bool {
        let plugin = self.printers.get(id).and_then(EventPrinter::plugin);
        plugin.is_some_and(|plugin| plugin.wants_next())
    }

    /// Takes notice of an event that gets no line.
    #[inline]
    pub fn note(&mut self, event: &Event<'_>) {
        if let Some(plugin) = self.printers.get(event.id).and_then(EventPrinter::plugin) {
            plugin.note(&self.env, &mut self.state, &occasion(event, None));
        }
    }

    /// Appends a line. Whether it stands for the `next` event as well, given by its id and its record.
    #[inline]
    pub fn line(
        &mut self,
        event: &Event<'_>,
        next: Option<(u16, &[u8])>,
        clock: &LineClock,
        out: &mut Vec<u8>,
    ) -> bool {
        let Some(printer) = self.printers.get(event.id) else {
            push_unknown(self.latency.is_some(), out);
            return false;
        };
        self.tasks.push(self.pid(event.record), &self.env, &self.state, out);
        match &self.latency {
            Some(latency) => latency.push(event.cpu, event.record, self.env.endian, self.raw, out),
            None => {
                out.push(b'[');
                push_u64_padded(out, u64::from(event.cpu), 3, b'0');
                out.push(b']');
            }
        }
        clock.push(event.ts, out);
        out.extend_from_slice(b": ");
        out.extend_from_slice(printer.name_column());
        let next = next.and_then(|(id, record)| {
            let plugin = self.printers.get(id)?.plugin()?;
            Some(Next { plugin, record })
        });
        let id = usize::from(event.id);
        if self.histories.len() <= id {
            self.histories.resize_with(id + 1, RawHistory::default);
        }
        let Some(history) = self.histories.get_mut(id) else {
            return false;
        };
        let at = occasion(event, next);
        let outcome = printer.print(&self.env, &mut self.state, &at, event.page, history, out);
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        outcome == Outcome::WholeWithNext
    }

    /// Appends the text alone: what stands behind the event's name. It depends on no other event.
    pub fn text(&self, event: &Event<'_>, out: &mut Vec<u8>) {
        if let Some(printer) = self.printers.get(event.id) {
            let mut state = PrintState::forgetful();
            let mut history = RawHistory::default();
            printer.print(
                &self.env,
                &mut state,
                &occasion(event, None),
                event.page,
                &mut history,
                out,
            );
        }
    }

    /// Whether a record passes a filter. `searched` is overwritten with the line, where the filter searches it.
    #[inline]
    pub fn passes(&self, filter: &BoundFilter, record: &RecordRef<'_>, searched: &mut Vec<u8>) -> bool {
        let mut context = LineContext {
            writer: self,
            record,
            searched,
        };
        filter.takes(&record.into(), &mut context)
    }

    /// Appends `comm-pid name: text`: what searches look at.
    pub fn short_line(&self, comm: &[u8], pid: i32, name: &str, event: &Event<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(comm);
        out.push(b'-');
        push_i64(out, i64::from(pid));
        out.push(b' ');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b": ");
        self.text(event, out);
    }

    /// The task that the event happened in; 0 if the record does not say.
    pub fn pid(&self, record: &[u8]) -> i32 {
        let pid = self.common_pid.and_then(|field| field.load(record, self.env.endian));
        pid.unwrap_or(0) as i32
    }

    /// The function that an address falls into.
    pub fn function(&self, address: u64) -> Option<&str> {
        self.env.lookup.symbol(address).map(|symbol| symbol.name)
    }

    /// Appends the line about lost events.
    pub fn dropped(&self, cpu: u32, missed: Missed, out: &mut Vec<u8>) {
        out.extend_from_slice(b"CPU:");
        push_u64(out, u64::from(cpu));
        out.extend_from_slice(b" [");
        if let Missed::Count(count) = missed {
            push_u64(out, count);
            out.push(b' ');
        }
        out.extend_from_slice(b"EVENTS DROPPED]\n");
    }

    /// The names of tasks that the saved command lines do not have and events have told so far, in no order.
    pub fn learned(&self) -> impl Iterator<Item = (i32, &[u8])> {
        self.state.comms()
    }

    /// The name of a task, from the saved command lines or from events.
    pub fn comm(&self, pid: i32) -> Option<&[u8]> {
        task_column::comm(pid, &self.env, &self.state)
    }
}

#[inline]
fn occasion<'a>(event: &Event<'a>, next: Option<Next<'a>>) -> Occasion<'a> {
    Occasion {
        cpu: event.cpu,
        ts: event.ts,
        record: event.record,
        next,
    }
}

/// What trace-cmd prints of an event without a format: the same for each of its columns.
fn push_unknown(latency: bool, out: &mut Vec<u8>) {
    for _ in 0..if latency { 3 } else { 2 } {
        out.extend_from_slice(b"[UNKNOWN EVENT]");
    }
    out.extend_from_slice(b" (NULL):               [UNKNOWN EVENT]\n");
}

/// What a filter asks about a record while a report is written.
struct LineContext<'a, 'f, R: ReadAt> {
    writer: &'a LineWriter<'f, R>,
    record: &'a RecordRef<'a>,
    searched: &'a mut Vec<u8>,
}

impl<R: ReadAt> Context for LineContext<'_, '_, R> {
    fn comm(&self, pid: i32) -> &[u8] {
        self.writer.comm(pid).unwrap_or(b"<...>")
    }

    fn function(&self, address: u64) -> Option<&str> {
        self.writer.function(address)
    }

    fn line(&mut self) -> &[u8] {
        let mut line = std::mem::take(self.searched);
        line.clear();
        let pid = self.writer.pid(self.record.data);
        let name = self.writer.name(self.record.id);
        self.writer
            .short_line(self.comm(pid), pid, name, &Event::from(*self.record), &mut line);
        *self.searched = line;
        self.searched
    }
}
