//! Recordings of other tools, against what these tools say about them; and files made here, of shapes that no machine at hand
//! writes.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

mod containers;
mod damage;
mod perf;
mod perf_switches;
mod perf_writer;
mod perfetto;
mod schedviz;
mod support;
mod text;
mod text_cases;
mod text_forms;
mod twin;
