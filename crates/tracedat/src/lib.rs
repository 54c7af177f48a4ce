//! trace.dat files, as trace-cmd writes them: opening them, scanning their CPUs into rows of scheduling events, and the
//! text of their records.
//!
//! No JavaScript, no `std::fs`, no clock, no threads: bytes come in through [`file::ReadAt`]. [`file`] opens the file,
//! [`filter`] binds filters to its formats, [`scan`] reads one CPU's pages into rows, [`records`] finds single records
//! again, [`pairs`] finds pairs of events, [`arguments`] those of system calls, [`report`] prints them as `trace-cmd report` does, [`events`] keeps the list that can be filtered and searched,
//! [`write`] makes a file of rows that came from elsewhere, and [`cut`] writes a part as a file of its own. Each imports only
//! from those before it.

pub mod arguments;
pub mod cut;
pub mod error;
pub mod events;
pub mod file;
pub mod filter;
pub mod of_tasks;
pub mod pairs;
pub mod records;
pub mod report;
mod run_codes;
pub mod scan;
pub mod sched_ext;
pub mod write;
