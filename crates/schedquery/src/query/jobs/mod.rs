//! Long work in steps, and what several questions share once it is found: runqueues, displacements, steps.
//! Imports `select` only.

pub(super) mod job;
pub(super) mod kept;
pub(super) mod moves;
pub(super) mod prepared;
pub(super) mod steps;
pub(super) mod totals;
