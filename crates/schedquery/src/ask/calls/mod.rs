//! The contract about system calls and interrupts. They are in a module of their own, beside a copy of the model, so that
//! whoever opens a trace without them loads nothing of it: as [`ask`](super), JSON in and JSON out, each question a job.

mod answer;
mod asked;
mod question;

pub use answer::{CallFacts, CallName, CallsAnswer};
pub use asked::{CallTrace, CallsAsked};
pub use question::{
    CallTileQuestion, CallTrack, CallsLabelsQuestion, CallsPointQuestion, CallsQuestion, CallsRowQuestion, StolenOf,
};
