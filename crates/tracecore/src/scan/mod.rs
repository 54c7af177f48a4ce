//! One CPU's pages to columns of scheduling events. Pure and per CPU: the unit of parallelism.

mod row;

pub use row::{CommTable, Context, CpuScan, Diagnostic, DiagnosticKind, Row, RowKind, StateCode};
