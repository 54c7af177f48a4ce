//! What all drawings share: colours and sizes, scales, axes, frames and the shapes of arrows.
//! Imports no other shelf.

pub(super) mod arrow_shapes;
pub(super) mod axis;
pub(super) mod brackets;
pub(super) mod frame;
pub(super) mod scale;
pub(super) mod theme;
pub(super) mod timescale;
