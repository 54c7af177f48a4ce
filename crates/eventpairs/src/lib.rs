//! Pairs of events that belong together: an interrupt's entry and exit, a timer's start and its expiry, and any two that
//! a user names. Also single events that carry a duration.
//!
//! [`TABLE`] declares what is built in, in the words that users have for their own pairs ([`Declaration`]). A [`Matcher`]
//! is bound to the formats of a trace, takes all records in the order of time, and decides what belongs together;
//! [`Matched::answer`] is the table, histogram and percentiles of a selection of it.
//!
//! The crate knows formats and fields, but no files.

mod answer;
mod bind;
mod comms;
mod declare;
mod fields;
mod matcher;
mod table;

pub use answer::{Answer, By, Durations, Group, Longest};
pub use declare::{Again, Declaration, PairError};
pub use matcher::{Home, Instance, Matched, Matcher};
pub use table::{Row, TABLE};
