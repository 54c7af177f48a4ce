//! What the scheduling model is built from: rows of scheduling events, one stream for each CPU, with the names that they
//! refer to and what was wrong with the file.
//!
//! Every format of traces is a crate above this one that implements [`Source`] and makes [`CpuScan`]s; the model, which is
//! another, knows only these. No format, no model and no input or output is known here.

mod event;
mod kernel;
mod kernel_states;
mod merge;
mod names;
mod queue;
mod row;
mod rows;
mod sched_ext;
mod sort;
mod source;
pub mod varint;
pub mod wire;
pub mod words;

/// CPUs that a kernel is built for, at most (`CONFIG_NR_CPUS`): a higher number is damage.
pub const MOST_CPUS: u32 = 8192;

pub use event::{Event, Named, Switch, Wakeup, WakeupKind};
pub use kernel::{KernelKind, KernelLog, KernelRow, KernelRows};
pub use kernel_states::KernelStates;
pub use merge::{Entrant, Head, LoserTree, SmallHead};
pub use names::Names;
pub use queue::DispatchQueue;
pub use row::{CommTable, Context, CpuScan, Diagnostic, DiagnosticKind, FileFacts, Row, RowKind, StateCode};
pub use rows::{Break, RowDrain, RowPacker, Rows, CHUNK};
pub use sched_ext::{SchedExtEvent, SchedExtKind, SchedExtTold};
pub use sort::sort_by_keys;
pub use source::{
    fingerprint, scan_stream, CannotTell, ErrorKind, KnownTask, NoBuffer, ReadAt, ReadError, Scan, Scanner, Source,
    SourceError, SourceInfo, Stream, Want,
};
