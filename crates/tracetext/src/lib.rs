//! Traces as text: tracefs's `trace` and `trace_pipe`, `trace-cmd report` with its options, `perf script`; whole, cut out of the
//! middle, or quoted in a mail.
//!
//! `lines` cuts bytes into lines, `head` reads what stands before an event's name, `event` what stands behind it (`usual`: where
//! it is as usual), `cpu` gathers a CPU's rows, `scan` is the [`Scanner`](schedrows::Scanner) of all, `file` the [`Source`](schedrows::Source).

mod cpu;
mod event;
mod file;
mod head;
mod lines;
mod scan;
mod usual;

pub use file::{is_text, TextFile, FORMAT};
