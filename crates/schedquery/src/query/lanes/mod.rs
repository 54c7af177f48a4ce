//! What lanes and curves show of a view: cells, labels, the interval at a place, and the edges between intervals.
//! Imports `select` and `jobs`.

pub(super) mod answer;
pub(super) mod arrivals;
pub(super) mod chain;
pub(super) mod curve;
pub(super) mod depth;
pub(super) mod edge;
pub(super) mod indexes;
pub(super) mod instant;
pub(super) mod labels;
pub(super) mod pick;
pub(super) mod preview;
mod run_places;
pub(super) mod states;
mod stored;
pub(super) mod task_cells;
pub(super) mod tasks;
