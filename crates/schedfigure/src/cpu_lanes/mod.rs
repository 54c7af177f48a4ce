//! Lanes of CPUs, and what is drawn on them: runs, interrupts, runqueues, counters, arrows and the signs of moves.
//! Imports `paint` and `choices`.

pub(super) mod arrows;
pub(super) mod colour_groups;
pub(super) mod counter;
pub(super) mod crosses;
pub(super) mod interrupts;
pub(super) mod lanes;
pub(super) mod painter;
pub(super) mod pieces;
pub(super) mod runqueues;
