//! Figures for papers and mails, by one renderer for the command line and the page.
//!
//! A [`Spec`] says what is drawn. Each trace has an [`Extent`]: what a common scale and common colours need to know of
//! it. A [`Plan`] of all extents places the panels. Each trace's panel is then drawn by itself, whatever the others
//! contain, and the panels make a [`Drawing`], which is written as SVG, PDF or PNG. Nothing depends on chance, a clock
//! or a locale: the same input makes the same bytes, natively and in wasm.

mod choices;
mod cpu_lanes;
mod curves;
mod paint;
mod runs;
mod sheet;
mod task_lanes;
mod wakeups;

pub use choices::command::{Call, COMM, DEFAULT_DPI, DEFAULT_HOPS};
pub use choices::counter::{CounterGrid, CounterValues, Whose, MOST_COUNTER_BUCKETS};
pub use choices::error::FigureError;
pub use choices::fragment::fragment as view;
pub use choices::request::Request;
pub use choices::spec::{Arrows, ColorBy, Kind, LegendOf, Note, Part, Place, Spec, TaskLanes};
pub use choices::subject::Subject;
pub use paper::{About, Anchor, Drawing, Fill, Format, Item, Label, Rect, Rgb, Space, Stroke, Text};
pub use runs::run_times::{Group, Run, RunTimes, MOST_GROUPS};
pub use sheet::extent::Extent;
pub use sheet::figure_job::{FigureFacts, FigureJob};
pub use sheet::plan::{Panel, Plan};

#[cfg(test)]
mod plan_tests;
