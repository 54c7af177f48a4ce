//! trace.dat files, the scheduling model and its queries.
//!
//! No JavaScript, no `std::fs`, no clock, no threads: bytes come in through [`tracedat::ReadAt`], answers go out as
//! plain data. Layers, each importing only from those before it: `tracedat`, `scan`, `sched`, `index`, `query`.

pub mod scan;
