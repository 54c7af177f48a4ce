//! Traces of other programs than trace-cmd, as [`schedrows`] sees them: a module for each format.

pub mod perfetto;
