//! Sources of traces, the scheduling model, its queries and its figures: the one crate that clients name.
//!
//! No JavaScript, no `std::fs`, no clock, no threads: bytes come in, answers go out as plain data. This crate is a map
//! of the crates below it, each of which imports only from those before it: [`schedrows`] and the format crates, then
//! the model ([`sched`], [`topology`]), its indexes, queries and the contract of clients ([`index`], [`query`], [`ask`]), and [`figure`], which draws on
//! `paper`.

pub use ::tracedat::{arguments, cut, error, events, filter, records, report, sched_ext, write};
pub use eventpairs as pairs;
pub use schedfigure as figure;
pub use schedindex as index;
pub use schedmodel as sched;
pub use schedmodel::topology;
pub use schedquery::{ask, calls, query};
pub use schedrows;
pub use schedrows::words;
pub use sysnames;

/// trace.dat files.
pub mod tracedat {
    pub use ::tracedat::file::*;
    pub use ::tracedat::pairs::PairScan;
}

/// One CPU's pages to rows of scheduling events.
pub mod scan {
    pub use ::schedrows::*;
    pub use ::tracedat::scan::*;
}
