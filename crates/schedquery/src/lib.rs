//! Queries of screens and command lines about the scheduling model, and the indexes that make them fast.

pub mod ask;
pub mod calls;
pub mod index;
pub mod query;
