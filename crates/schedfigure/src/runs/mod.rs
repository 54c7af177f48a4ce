//! The chart of run times, which has no lanes.
//! Imports `paint` and `choices`.

pub(super) mod run_chart;
pub(super) mod run_times;
