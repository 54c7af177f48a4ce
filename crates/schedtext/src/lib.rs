//! Scenarios: scheduling events as lines of text, for examples and bug reports that are written by hand.
//!
//! `docs/scenario.md` describes the format. `lines` cuts the bytes into lines, `line` reads one of them, `scan` makes rows of
//! all, and [`ScenarioFile`] is the [`Source`](schedrows::Source). A text with a mistake does not open: the error names its line.

mod file;
mod line;
mod lines;
mod scan;
mod word;

pub use file::{is_scenario, ScenarioFile, FORMAT};
pub use scan::VERSION;
