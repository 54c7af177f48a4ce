//! The curve of running and runnable tasks.
//! Imports `paint` only.

pub(super) mod curve;
pub(super) mod outline;
