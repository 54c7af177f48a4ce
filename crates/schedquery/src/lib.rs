//! What screens and command lines ask of the scheduling model, and the indexes that make the answers quick.

pub mod index;
pub mod query;
