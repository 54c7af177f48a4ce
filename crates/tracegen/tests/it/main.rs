//! Tests of what the crate promises, linked as one program to save time.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

mod replicate;
mod sweep;
mod trace_cmd;
