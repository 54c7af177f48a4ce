//! tracecore for JavaScript: glue without logic.
//!
//! Objects cross as JSON text: serde writes them as the native command line's are written, and for the sizes that
//! cross here `JSON.parse` is faster than building objects property by property from wasm. Arrays of numbers are
//! copied out once into buffers of their own, which a worker can hand over; no view of wasm memory escapes a call.
//!
//! Times are numbers of nanoseconds since the trace's first event, exact in a double for 104 days.

mod ask;
mod loader;
mod stored;
mod trace;

pub use source_wasm::{Scanned, Scanner, SourceFile};

pub(crate) use source_wasm::{error, json};
