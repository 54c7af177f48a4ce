//! Writes trace.dat files from scenario text, for tests.
//!
//! Shares no code with the reader: two readings of the same format descriptions check each other. The layouts come from
//! `trace-cmd.dat.v6(5)`, `trace-cmd.dat.v7(5)` and the kernel's `Documentation/trace/ring-buffer-design.rst` and
//! `include/linux/ring_buffer.h`.
//!
//! ```
//! let text = "
//!     version 7
//!     endian big
//!     compression zlib
//!     cpus 2
//!     start 10s
//!
//!     +0      cpu0  switch  swapper/0:0 R -> bash:100   # time, where, what
//!     +10us   cpu0  waking  worker:101 on 1
//!     +12us   cpu1  wakeup  worker:101 on 1
//!     +3us    cpu1  switch  swapper/1:0 R -> worker:101
//! ";
//! let bytes = tracegen::Story::parse(text).unwrap().to_bytes();
//! assert_eq!(&bytes[..12], b"\x17\x08\x44tracing7\0");
//! ```
//!
//! The language is described at [`Story`].

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what it writes is its own; a test whose trace cannot be written has failed"
)]

mod bytes;
mod compress;
mod container;
mod format;
mod formats;
pub mod large;
mod layout;
mod parse;
mod random;
mod record;
mod recorded;
mod replicate;
mod ring;
mod story;
pub mod sweep;
mod v6;
mod v7;

pub use layout::{Common, Endian, Layout, Strings};
pub use recorded::RecordedError;
pub use replicate::{Replicas, Replicated, Times};
pub use story::{Story, StoryError};
