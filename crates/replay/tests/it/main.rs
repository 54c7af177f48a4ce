//! Replays against tables that were made by arithmetic, and against recordings.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

mod accuracy;
mod common;
mod counts;
mod decisions;
mod every_trace;
mod export;
mod gaps;
mod hashes;
mod ideal_tables;
mod idle_prev;
mod naive;
mod properties;
mod rtapp;
mod rules;
mod speed;
mod switches;
mod text;
mod twins;
