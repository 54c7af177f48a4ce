//! The text of one event's records.

use crate::format::EventFormat;
use crate::functions::Function;
use crate::lookup::Env;
use crate::print_fmt::{BinaryPrint, Names, PrintFmt, PrintFmtError, RawFields, RawHistory};

/// Prints the records of one event: its print fmt, compiled once (field names resolved to offsets). Use it for the records
/// of one trace only: symbols that the print fmt names are looked up once.
#[derive(Clone, Debug)]
pub struct EventText {
    print_fmt: Result<PrintFmt, PrintFmtError>,
    /// For `bprint`, whose print fmt does not say how its arguments are printed.
    binary: Option<BinaryPrint>,
    raw: RawFields,
}

impl EventText {
    /// Reads the print fmt. One that cannot be evaluated is no error: [`EventText::problem`] says why, and records print as
    /// their fields. `long_size`: bytes of the traced kernel's `long`, as in [`Env`].
    pub fn compile(format: &EventFormat, long_size: u8) -> EventText {
        Self::compile_with(format, long_size, |_| None)
    }

    /// As [`EventText::compile`], with functions that the print fmt may call beside those of the kernel's trace macros:
    /// `functions` finds them by name.
    pub fn compile_with(format: &EventFormat, long_size: u8, functions: fn(&str) -> Option<Function>) -> EventText {
        let names = Names {
            fields: &format.fields,
            long_size,
            functions,
        };
        let print_fmt = PrintFmt::parse(&format.print_fmt, names);
        let binary = BinaryPrint::find(format);
        let shown_by = print_fmt.as_ref().ok().filter(|_| binary.is_none());
        EventText {
            raw: RawFields::new(format, shown_by),
            binary,
            print_fmt,
        }
    }

    /// Appends what the print fmt says: the text of `trace-cmd report -N` behind `name: `. `record` starts with the common
    /// fields. Where the print fmt cannot be evaluated, or the record is too short for it, appends `[FAILED TO PARSE]` and
    /// the fields, as trace-cmd does.
    #[inline]
    pub fn print(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) {
        self.print_with(env, record, &mut RawHistory::default(), out);
    }

    #[inline]
    fn print_with(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
        let start = out.len();
        if let Some(binary) = self.binary {
            if !history.unreadable {
                if let Some(enough) = binary.print(env, record, out) {
                    history.unreadable = !enough;
                    return;
                }
                out.truncate(start);
            }
        } else if let Ok(print_fmt) = &self.print_fmt {
            if print_fmt.print(env, record, out).is_some() {
                return;
            }
            out.truncate(start);
        }
        out.extend_from_slice(b"[FAILED TO PARSE]");
        self.raw.print(env, record, history, out);
    }

    /// Appends the fields as they are, ` name=value` each: the text of `trace-cmd report -R`. Those behind the record's
    /// end are left out.
    pub fn print_raw(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) {
        self.raw.print(env, record, &mut RawHistory::default(), out);
    }

    /// Why the print fmt cannot be evaluated; `None` when it can.
    pub fn problem(&self) -> Option<&PrintFmtError> {
        self.print_fmt.as_ref().err()
    }

    /// The part of the text behind `label` (such as `prev_state=`) up to the next blank, to be printed alone; `None` when
    /// the print fmt has no such label or cannot be evaluated.
    pub fn labelled(&self, label: &str) -> Option<EventText> {
        let print_fmt = self.print_fmt.as_ref().ok()?.labelled(label)?;
        Some(EventText {
            print_fmt: Ok(print_fmt),
            binary: None,
            raw: self.raw.clone(),
        })
    }
}

#[cfg(any(test, feature = "trace-cmd-text"))]
impl EventText {
    /// As [`EventText::print`], with what the event's earlier records left behind in trace-cmd.
    #[inline]
    pub fn print_after(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
        self.print_with(env, record, history, out);
    }

    /// As [`EventText::print_raw`], with what the event's earlier records left behind in trace-cmd.
    pub fn print_raw_after(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
        self.raw.print(env, record, history, out);
    }
}
