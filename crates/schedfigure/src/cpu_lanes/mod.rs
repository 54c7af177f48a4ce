//! Lanes of CPUs, and what is drawn on them: runs, runqueues, arrows and the signs of moves.
//! Imports `paint` and `choices`.

pub(super) mod arrows;
pub(super) mod lanes;
pub(super) mod looks;
pub(super) mod merge;
pub(super) mod moves;
pub(super) mod painter;
pub(super) mod runqueues;
