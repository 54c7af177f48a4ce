//! Two traces, or two parts of traces, in numbers: totals and commands, with differences and how sure they are.
//!
//! Each trace is summed up by itself, as a [`Side`], since they need not be in one place; two sides make a [`Comparison`].

mod compared;
mod rank;
mod sample;
mod side;

pub use compared::{compare, CommandNumbers, ComparedCommand, Comparison, SideTotals, Spot};
pub use rank::Shift;
pub use sample::Sample;
pub use side::{side, Side, SideCommand};

pub(crate) use side::SideJob;
