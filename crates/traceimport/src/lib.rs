//! Traces that other tools than trace-cmd recorded, as [`Source`]s. A file's first bytes say which it is; [`Import`] is an
//! opened file of any of them.
//!
//! `perfdata`, `perfetto`, `text` and `schedviz` know a format each. What has ftrace's records in ftrace's formats is read by
//! [`tracedat`], whatever is around it (`dat`).

mod dat;
mod held;
mod import;
mod names;
pub mod perfdata;
pub mod perfetto;
pub mod schedviz;
pub mod text;
mod zstd;

pub use held::Held;
pub use import::{is_packed, Import, HEAD};

#[cfg(doc)]
use schedrows::Source;

/// CPUs that a kernel is built for, at most (`CONFIG_NR_CPUS`): a higher number is damage.
const MOST_CPUS: u32 = 8192;
