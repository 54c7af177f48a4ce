//! What is asked of a trace's file besides its model: its records as a trace.dat, a part of it for other viewers, and what a
//! scheduler of sched_ext did. The page asks it of a worker of its own, which opens the file again.

mod ask;
mod export;
mod queues;
mod records;
mod runs;

pub use formats::{open, AnySource};

pub use ask::{Event, FileAnswer, FileQuestion, Given, Line, Span};
pub use export::{counters, export, field_counter, pids_of, tasks, ExportFormat, Exported};
pub use queues::QueueFacts;
pub use records::{listed, records_of, rows_as, trace_dat, Bytes, Listed, NO_EVENTS};
pub use runs::{CommandRuns, WindowRuns};
