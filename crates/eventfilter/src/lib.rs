//! Filters of events: `sched_switch: next_prio < 100 && next_comm ~ "ua*"`.
//!
//! The language is that of the kernel's event filters (`Documentation/trace/events.rst`, "Event filtering") with the
//! event prefix of `trace-cmd report -F`. A [`Filter`] is a text that was read; [`Filter::bind`] makes it ready for the
//! formats of a trace, once; a [`BoundFilter`] then decides on the bytes of each record, without allocation.
//!
//! The crate knows formats and fields, but no files.

mod ast;
mod bind;
mod bound;
mod closest;
mod error;
mod glob;
mod parser;
mod places;

pub use ast::{EventPattern, Expr, Filter, Name, Op, Test, Value};
pub use bind::{Clock, KnownEvent};
pub use bound::{BoundFilter, Context, RecordToFilter};
pub use closest::{closest, hint};
pub use error::FilterError;
pub use glob::{Case, Glob};
pub use parser::{MAX_DEPTH, MAX_LENGTH};
pub use places::{Places, DERIVED, DISTANCES};

/// The names that every event has beside its own fields and the common ones.
pub const BUILT_IN: [&str; 10] = [
    "pid", "comm", "COMM", "cpu", "CPU", "event", "system", "time", "ts", "text",
];
