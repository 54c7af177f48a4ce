//! Queries of screens and command lines about the scheduling model, on its indexes.

pub mod ask;
pub mod calls;
pub mod query;
