//! trace.dat files, the scheduling model and its queries.
//!
//! No JavaScript, no `std::fs`, no clock, no threads: bytes come in through [`tracedat::ReadAt`], answers go out as
//! plain data. Layers, each importing only from those before it: `tracedat`, `scan`, `sched`, `index`, `query`,
//! `figure`; beside the model, on `scan`: `records`, and on these `events`.
//! (`scan`'s vocabulary of rows and diagnostics is the exception: `tracedat` speaks it too.)

pub mod error;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod events;
pub mod figure;
pub mod index;
mod merge;
pub mod query;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod records;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod report;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod scan;
pub mod sched;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod topology;
#[cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
pub mod tracedat;
pub mod words;
