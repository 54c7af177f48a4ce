//! Traces that other tools than trace-cmd recorded, as [`Source`]s. A file's first bytes say which it is; [`Import`] is an
//! opened file of any of them.
//!
//! What is around a trace is taken off by the crate `containers`; what must be in memory then is [`Held`]. `perfdata`,
//! `perfetto` and `schedviz` know a format each, and so does the crate `tracetext`, which is `text` here. What has ftrace's records in ftrace's formats is read by
//! [`tracedat`], whatever is around it (`dat`).

mod dat;
mod held;
mod import;
pub mod perfdata;
pub mod perfetto;
pub mod schedviz;
mod tar;

pub use containers::{is_container, Blocks, Place};
pub use held::Held;
pub use import::{Import, HEAD};
pub use tracetext as text;

#[cfg(doc)]
use schedrows::Source;
