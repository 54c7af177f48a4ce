//! Figures for papers and mails: one renderer for the command line and for the page.
//!
//! A [`Spec`] says what is drawn. Each trace has an [`Extent`]: what a common scale and common colours must know of it. Of
//! all extents a [`Plan`] is made, which places the panels; each trace's panel is then drawn by itself, whatever the
//! others hold, and the panels make a [`Drawing`], which is written as SVG, PDF or PNG. There is nothing random, no clock
//! and no locale in it: the same input makes the same bytes, natively and in wasm.

mod arrow_shapes;
mod arrows;
mod axis;
mod brackets;
mod colour;
mod command;
mod curve;
mod error;
mod extent;
mod frame;
mod key;
mod lanes;
mod layout;
mod legend;
mod looks;
mod making;
mod merge;
mod moves;
mod notes;
mod painter;
mod panel;
mod panel_axes;
mod plan;
mod request;
mod run_chart;
mod run_times;
mod runqueues;
mod scale;
mod spec;
mod task_stacks;
mod tasks;
mod theme;
mod timescale;
mod tops;
mod view;
mod wakeup;
mod wakeup_paint;
mod wakeup_words;
mod words;

pub use command::{Call, COMM, DEFAULT_DPI, DEFAULT_HOPS};
pub use error::FigureError;
pub use extent::Extent;
pub use making::{Made, Making};
pub use paper::{About, Anchor, Drawing, Fill, Format, Item, Label, Rect, Rgb, Space, Stroke, Text};
pub use plan::{Panel, Plan, Subject};
pub use request::Request;
pub use run_times::{Group, Run, RunTimes, MOST_GROUPS};
pub use spec::{Arrows, ColorBy, Kind, LegendOf, Note, Part, Place, Spec, TaskLanes};
pub use view::fragment as view;

#[cfg(test)]
mod plan_tests;
