//! Reads what the Linux kernel writes when it traces: ring-buffer pages, the `format` text of each event, the fields of
//! its records, and the `print fmt` that says how a record reads.
//!
//! The input is bytes and text in memory (from tracefs, a `trace.dat`, a core dump); the output is records, numbers and
//! text. The crate opens no files, knows no scheduler and keeps no state between records.
//!
//! # Example
//!
//! ```
//! use ftrace_format::{Endian, Env, EventFormat, EventText, NoLookup, PageLayout};
//!
//! // events/sched/sched_wakeup/format, shortened.
//! let format = EventFormat::parse(
//!     "name: sched_wakeup\nID: 318\nformat:\n\
//!      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
//!      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
//!      \tfield:char comm[4];\toffset:8;\tsize:4;\tsigned:0;\n\
//!      \tfield:int target_cpu;\toffset:12;\tsize:4;\tsigned:1;\n\n\
//!      print fmt: \"comm=%s target_cpu=%03d\", REC->comm, REC->target_cpu\n",
//! )?;
//! let text = EventText::compile(&format, 8);
//! let env = Env { endian: Endian::Little, long_size: 8, lookup: &NoLookup };
//!
//! // A sub-buffer: the time of the page, 20 bytes of records, and one record of 16 bytes, 7 ns later.
//! let mut page = Vec::new();
//! page.extend(1_000_u64.to_le_bytes());
//! page.extend(20_u64.to_le_bytes());
//! page.extend((16 / 4 | 7_u32 << 5).to_le_bytes());
//! page.extend(b"\x3e\x01\0\0\x2a\0\0\0cat\0\x05\0\0\0");
//!
//! let layout = PageLayout::standard(8, 4096, Endian::Little).expect("a long has 8 bytes");
//! let (_, records) = layout.open(&page)?;
//! for record in records {
//!     let record = record?;
//!     let mut out = Vec::new();
//!     text.print(&env, record.data, &mut out);
//!     assert_eq!((record.timestamp, out.as_slice()), (1_007, &b"comm=cat target_cpu=005"[..]));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Damage
//!
//! Every byte may be damaged. No function panics, whatever its input; the lints below and fuzzing see to it. What a short
//! record does not hold is `None`, a page that contradicts itself is a [`PageDamage`] behind its good records, and a print
//! fmt that cannot be evaluated prints the fields instead. Memory is bounded by the size of the input.
//!
//! # Features
//!
//! `trace-cmd-text` (off by default) adds the module `trace_cmd`: the texts that `trace-cmd report` gives to events in
//! place of their print fmts. Only who compares with that program's output needs them.

#![forbid(unsafe_code)]

mod bytes;
mod comms;
mod event_text;
mod field;
mod format;
mod functions;
mod lookup;
mod page;
mod page_writer;
mod print_fmt;
mod printk_formats;
mod symbols;
mod tables;
#[cfg(feature = "trace-cmd-text")]
pub mod trace_cmd;
mod window;

// Bytes that may be damaged.
pub use bytes::{load, slice, until_nul, Endian, OutOfBytes, Reader};

// What `events/*/*/format` and `events/header_page` say.
pub use field::{Field, FieldShape, IntField, TextField};
pub use format::{parse_fields, EventFormat, FormatError, FormatHeader};
pub use window::{Near, Window};

// Ring-buffer pages and their records.
pub use page::{Missed, PageDamage, PageHeader, PageLayout, Record, Records};
pub use page_writer::PageWriter;

// The text of a record.
pub use event_text::EventText;
pub use functions::{Arg, Function};
pub use print_fmt::{print_bprint, PrintFmtError};

// What records refer to outside of themselves, and the kernel's tables of it.
pub use comms::SavedComms;
pub use lookup::{Env, Lookup, NoLookup, Symbol};
pub use printk_formats::PrintkFormats;
pub use symbols::Symbols;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
