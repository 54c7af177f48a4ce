//! The text of one event's records.

use crate::format::EventFormat;
use crate::lookup::Env;
use crate::plugins::Function;
use crate::print_fmt::{BinaryPrint, Names, PrintFmt, PrintFmtError, RawFields, RawHistory};

/// One event's format, compiled once (field names resolved to offsets), printed many times. It is for records of one file:
/// symbols that the print fmt names are looked up once.
#[derive(Clone, Debug)]
pub struct EventText {
    print_fmt: Result<PrintFmt, PrintFmtError>,
    /// Of `bprint`, whose print fmt does not say how its arguments are printed.
    binary: Option<BinaryPrint>,
    raw: RawFields,
}

impl EventText {
    /// Reads the print fmt; one that cannot be evaluated makes [`EventText::problem`] and prints as fields. `long_size` is
    /// that of the [`Env`] to print with.
    pub fn compile(format: &EventFormat, long_size: u8) -> EventText {
        Self::compile_with(format, long_size, |_| None)
    }

    /// As [`EventText::compile`], where print fmts may call these functions too.
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

    /// What the print fmt says: the text of `trace-cmd report -N` behind `name: `. What cannot be evaluated prints as
    /// trace-cmd does it: `[FAILED TO PARSE]` and the fields.
    #[inline]
    pub fn print(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) {
        self.print_after(env, record, &mut RawHistory::default(), out);
    }

    /// As [`EventText::print`], with what the event's records before this one have left behind.
    #[inline]
    pub fn print_after(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
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

    /// The fields as they are, ` name=value` each: the text of `trace-cmd report -R`. Those behind the record's end are
    /// left out.
    pub fn print_raw(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) {
        self.print_raw_after(env, record, &mut RawHistory::default(), out);
    }

    /// As [`EventText::print_raw`], with what the event's records before this one have left behind.
    pub fn print_raw_after(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
        self.raw.print(env, record, history, out);
    }

    /// Why the print fmt cannot be evaluated; `None` when it can.
    pub fn problem(&self) -> Option<&PrintFmtError> {
        self.print_fmt.as_ref().err()
    }

    /// What is printed behind `label` (such as `prev_state=`) up to the next blank, as a text of its own; `None` when
    /// nothing is so labelled.
    pub fn labelled(&self, label: &str) -> Option<EventText> {
        let print_fmt = self.print_fmt.as_ref().ok()?.labelled(label)?;
        Some(EventText {
            print_fmt: Ok(print_fmt),
            binary: None,
            raw: self.raw.clone(),
        })
    }
}
