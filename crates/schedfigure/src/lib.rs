//! Figures for papers and mails, by one renderer for the command line and the page.
//!
//! A [`Spec`] says what is drawn. Each trace has an [`Extent`]: what a common scale and common colours need to know of
//! it. A [`Plan`] of all extents places the panels. Each trace's panel is then drawn by itself, whatever the others
//! contain, and the panels make a [`Drawing`], which is written as SVG, PDF or PNG. Nothing depends on chance, a clock
//! or a locale: the same input makes the same bytes, natively and in wasm.

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
mod subject;
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
pub use plan::{Panel, Plan};
pub use request::Request;
pub use run_times::{Group, Run, RunTimes, MOST_GROUPS};
pub use spec::{Arrows, ColorBy, Kind, LegendOf, Note, Part, Place, Spec, TaskLanes};
pub use subject::Subject;
pub use view::fragment as view;

#[cfg(test)]
mod plan_tests;
