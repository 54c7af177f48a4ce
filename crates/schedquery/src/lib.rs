//! Queries of screens and command lines about the scheduling model, and the indexes that make them fast.

// Its places that index are being mended apart from this.
#[allow(clippy::indexing_slicing)]
pub mod index;
pub mod query;
