//! The core for JavaScript: glue without logic. Each feature is a wasm module that the page loads:
//!
//! - `engine` opens trace.dat files, scans them, holds the model and answers questions about it, also about system calls;
//! - `io` lists events, opens all other formats, and answers questions about files;
//! - `figures` draws figures;
//! - `replay` replays workloads.
//!
//! All of them have the classes of [`source`] in common.
//!
//! Objects cross as JSON text: serde writes them as the native command line's are written, and for the sizes that
//! cross here `JSON.parse` is faster than building objects property by property from wasm. Arrays of numbers are
//! copied out once into buffers of their own, which a worker can hand over; no view of wasm memory escapes a call.
//!
//! Times are numbers of nanoseconds since the trace's first event, exact in a double for 104 days.

#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "figures")]
pub mod figures;
#[cfg(feature = "io")]
pub mod io;
#[cfg(feature = "replay")]
pub mod replay;
pub mod source;
