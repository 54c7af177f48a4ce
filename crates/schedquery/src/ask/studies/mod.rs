//! The contract about relations and other questions of whole traces that the first picture does not need. They are in a module of
//! their own, beside a copy of the model, which is loaded with the first of them: as [`ask`](super), JSON in and JSON out, each
//! question a job.

mod answer;
mod asked;
mod question;

pub use answer::StudyAnswer;
pub use asked::{NotBegun, StudiedTrace, StudyAsked};
pub use question::{FilterStep, StudyQuestion};
