//! What prints each event: made when the first record of it comes.

use std::borrow::Cow;
use std::sync::OnceLock;

use traceevent::trace_cmd::{self, Occasion, Outcome, Plugin, PrintState, RawHistory};
use traceevent::{Env, EventFormat, EventText};

use super::{EventName, ReportOptions};
use crate::file::{ReadAt, TraceFile};

/// Columns of the name, the colon and a blank.
const NAME_WIDTH: usize = 22;
/// Records are smaller than any sub-buffer.
const MAX_RECORD: usize = 1 << 16;

pub(super) struct EventPrinters<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    raw: bool,
    plugins: bool,
    /// Print fmts may call functions of plugins: raw fields are printed by them too.
    functions: bool,
    /// By id.
    printers: Vec<OnceLock<Option<Box<EventPrinter>>>>,
    /// By id: whether the event was asked for; empty when all were.
    shown: Option<Vec<bool>>,
}

impl<'f, R: ReadAt> EventPrinters<'f, R> {
    pub fn new(file: &'f TraceFile<R>, options: &ReportOptions) -> Self {
        let asked_for = |id: u16| {
            file.event_name(id)
                .is_some_and(|(system, name)| options.events.iter().any(|event| event.matches(system, name)))
        };
        EventPrinters {
            file,
            raw: options.raw,
            plugins: !options.raw && !options.no_plugins,
            functions: !options.no_plugins,
            shown: (!options.events.is_empty()).then(|| file.event_ids().map(asked_for).collect()),
            printers: file.event_ids().map(|_| OnceLock::new()).collect(),
        }
    }

    #[inline]
    pub fn shows(&self, id: u16) -> bool {
        match &self.shown {
            None => true,
            Some(shown) => shown.get(usize::from(id)).copied().unwrap_or(false),
        }
    }

    /// The event's name; `None` when the file does not describe it.
    pub fn name(&self, id: u16) -> Option<&str> {
        self.file.event_name(id).map(|(_, name)| name)
    }

    /// `None` for an event without a format.
    #[inline]
    pub fn get(&self, id: u16) -> Option<&EventPrinter> {
        let slot = self.printers.get(usize::from(id))?;
        slot.get_or_init(|| self.make(id).map(Box::new)).as_deref()
    }

    #[cold]
    fn make(&self, id: u16) -> Option<EventPrinter> {
        let (system, name) = self.file.event_name(id)?;
        let format = self.file.event_format(id)?;
        let env = Env {
            endian: self.file.endian(),
            long_size: self.file.long_size(),
            lookup: self.file.lookup(),
        };
        let text = match self.functions {
            true => EventText::compile_with(format, env.long_size, trace_cmd::find_function),
            false => EventText::compile(format, env.long_size),
        };
        let mut name_column = format!("{name}:").into_bytes();
        name_column.resize(NAME_WIDTH.max(name_column.len() + 1), b' ');
        Some(EventPrinter {
            name_column,
            plugin: self
                .plugins
                .then(|| trace_cmd::find_plugin(system, format, &env))
                .flatten(),
            text,
            declared: declared_end(format),
            raw: self.raw,
        })
    }
}

/// Where the fields of a format end, as far as a record may reach: a damaged format must not make records large.
fn declared_end(format: &EventFormat) -> usize {
    let ends = format.fields.iter().map(|field| field.offset + field.size);
    ends.max().unwrap_or(0).min(MAX_RECORD)
}

pub(super) struct EventPrinter {
    name_column: Vec<u8>,
    plugin: Option<Plugin>,
    text: EventText,
    /// Where the fields end that have their place in the format.
    declared: usize,
    raw: bool,
}

impl EventPrinter {
    /// The name with its colon, and blanks up to the text.
    pub fn name_column(&self) -> &[u8] {
        &self.name_column
    }

    pub fn plugin(&self) -> Option<&Plugin> {
        self.plugin.as_ref()
    }

    #[inline]
    pub fn print(
        &self,
        env: &Env<'_>,
        state: &mut PrintState,
        at: &Occasion<'_>,
        page: &[u8],
        history: &mut RawHistory,
        out: &mut Vec<u8>,
    ) -> Outcome {
        let outcome = match &self.plugin {
            Some(plugin) => plugin.print(env, state, at, out),
            None => Outcome::PrintFmt,
        };
        match outcome {
            // trace-cmd's raw fields run on behind the record's end: strings up to a NUL, arrays as long as declared.
            Outcome::PrintFmt if self.raw => {
                let fields = whole(page, self.declared);
                self.text.print_raw_after(env, &fields, history, out);
            }
            Outcome::PrintFmt => {
                let fields = whole(at.record, self.declared);
                self.text.print_after(env, &fields, history, out);
            }
            Outcome::Whole | Outcome::WholeWithNext => {}
        }
        outcome
    }
}

/// A record with all fields of its format, and zeros for those behind its end: `kernel_stack` has eight callers in its
/// format, however many a record has.
#[inline]
fn whole(record: &[u8], declared: usize) -> Cow<'_, [u8]> {
    if declared <= record.len() {
        return Cow::Borrowed(record);
    }
    let mut whole = record.to_vec();
    whole.resize(declared, 0);
    Cow::Owned(whole)
}

impl EventName {
    /// Whether the file has a format of such an event.
    pub fn is_in<R: ReadAt>(&self, file: &TraceFile<R>) -> bool {
        file.event_ids()
            .filter_map(|id| file.event_name(id))
            .any(|(system, name)| self.matches(system, name))
    }
}
