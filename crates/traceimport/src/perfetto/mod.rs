//! Perfetto traces, and what scxtop writes as such.
//!
//! A trace is packets of protocol buffers (`proto`), found one after the other (`framing`), perhaps packed (`unpack`).
//! `skim` looks at all of them when the file is opened (`facts`); a scan (`scanner`) takes the bundles of each CPU (`cpu`,
//! `bundle`), whose events are messages of their own (`rows`) or columns of numbers (`compact`).

mod bundle;
mod compact;
mod cpu;
mod events;
mod facts;
mod file;
mod framing;
mod interrupts;
mod named_ids;
mod packet;
mod plan;
mod proto;
mod queues;
mod rows;
mod scanner;
mod sched_ext;
mod skim;
mod stats;
mod topo;
mod unpack;

pub use file::{is_perfetto, PerfettoFile, FORMAT};
