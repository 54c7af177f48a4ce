//! What the kernel writes into a trace: ring-buffer pages, event formats, fields and `print fmt` expressions.
//!
//! `&[u8]` in, records out. No files, no scheduler, no panics: every byte may be damaged.

#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod bytes;
pub mod comms;
pub mod event_text;
pub mod field;
pub mod format;
pub mod ftrace;
pub mod lookup;
pub mod page;
pub mod plugins;
pub mod print_fmt;
pub mod printk_formats;
pub mod symbols;
mod tables;
pub mod text;

pub use bytes::{Endian, OutOfBytes, Reader};
pub use comms::SavedComms;
pub use event_text::EventText;
pub use field::{Field, FieldShape, IntField, TextField};
pub use format::{EventFormat, FormatError, FormatHeader};
pub use lookup::{Env, Lookup, NoLookup, Symbol};
pub use page::{Missed, PageDamage, PageHeader, PageLayout, Record, Records};
pub use print_fmt::{print_bprint, RawHistory};
pub use printk_formats::PrintkFormats;
pub use symbols::Symbols;
