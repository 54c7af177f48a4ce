//! The whole figure: what is known of each trace, the layout, the panels, legends and keys, and how it is made in steps.
//! Imports all other shelves but `runs`; none imports it.

pub(super) mod extent;
pub(super) mod figure_job;
pub(super) mod key;
pub(super) mod layout;
pub(super) mod legend;
pub(super) mod notes;
pub(super) mod panel;
pub(super) mod panel_axes;
pub(super) mod plan;
