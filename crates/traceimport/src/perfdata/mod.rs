//! perf.data files: of `perf sched record`, `perf record` with tracepoints, seekable or from a pipe.
//!
//! A sample holds an ftrace record, and the file holds the formats of these records as the head of a trace.dat does. So the
//! records are read as trace.dat's are ([`tracedat::scan::RecordScanner`]); what is here is the container around them.
//!
//! `header` reads what comes before the data, `records` cuts the data into records and unpacks them, `sample` finds the
//! time, the CPU and the raw record in a sample, `switches` reads what is recorded of switches without tracepoints, `scan` is the [`Scanner`](schedrows::Scanner) of all, `file` the
//! [`Source`](schedrows::Source).

mod file;
mod header;
mod machine;
mod pages;
mod records;
mod sample;
mod scan;
mod switches;

pub use file::{is_perf_data, PerfFile, FORMAT};
