//! The figure of a run and the wakeup that led to it.
//! Imports `paint`, `choices` and `cpu_lanes`.

pub(super) mod wakeup;
pub(super) mod wakeup_paint;
pub(super) mod wakeup_words;
