//! Traces as text: tracefs's `trace` and `trace_pipe`, `trace-cmd report` with its options, `perf script`; whole, cut out of the
//! middle, or quoted in a mail.
//!
//! `lines` cuts bytes into lines, `prefix` takes off what mails, logs and grep put before them. `head` reads what is before an
//! event's text, with `columns`; `tracer` and `graph` read the lines that tracers print in other ways, and `notes` those that are
//! no events. `event` reads an event's text, with `fields` (`usual`: where its words are as usual). `unread` says what a line lacks
//! that holds an event and is not read. `cpu` gathers a CPU's rows, `facts` what the text says as a whole; `scan` is the
//! [`Scanner`](schedrows::Scanner), `file` the [`Source`](schedrows::Source).

mod columns;
mod cpu;
mod event;
mod facts;
mod fields;
mod file;
mod graph;
mod head;
mod lines;
mod notes;
mod prefix;
mod scan;
mod tracer;
mod unread;
mod usual;

pub use file::{begins_with_events, is_text, TextFile, FORMAT};
