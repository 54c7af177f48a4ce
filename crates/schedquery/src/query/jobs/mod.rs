//! Long work in steps, and what several questions share once it is found: runqueues, displacements, steps.
//! Imports `select` only.

pub(super) mod displacements;
pub(super) mod job;
pub(super) mod on_demand;
pub(super) mod scope_queues;
pub(super) mod shared;
pub(super) mod steps;
pub(super) mod totals;
