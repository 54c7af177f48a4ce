//! Tests of what the command line promises, linked as one program to save time.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

mod batch;
mod cache;
mod cut;
mod figure;
mod formats;
mod hostile;
mod info;
mod outputs;
mod program;
mod queries;
mod record;
mod replay;
mod report;
mod scenario;
mod serve;
mod table;
mod terminal;
mod unrecorded;
mod witnesses;
mod writing;
