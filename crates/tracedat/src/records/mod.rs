//! Random access to the raw records of a file: of one CPU, or of many in the order of time.
//!
//! Records are slices of the chunk (some pages) that they were unpacked with, one chunk for each CPU. Damage costs the
//! records behind it in its page, or the pages behind it in its chunk; the next record says that something is missing, as
//! in a scan.

mod chunks;
mod cpu;
mod indexed;
mod merged;
mod order;
mod page;
mod turns;

pub use cpu::{CpuRecords, RecordRef};
pub use indexed::IndexedRecords;
pub use merged::MergedRecords;
pub use order::{Backward, Cursor, Place, Row, RowOrder};
pub(crate) use turns::Turns;
pub use turns::{Reads, Turn};

#[cfg(test)]
mod tests;
