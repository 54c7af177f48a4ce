//! Queries of screens and command lines about the scheduling model, on its indexes.

pub mod ask;
pub mod calls;
mod number_map;
pub mod query;
