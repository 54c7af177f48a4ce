//! Tests of what the crate promises, linked as one program to save time.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

mod arrivals;
mod call_findings;
mod cascades;
mod chains;
mod comparisons;
mod contract;
mod corpus;
mod damage;
mod domains;
mod figure_kernel;
mod figure_marks;
mod formats;
mod fuzz_inputs;
mod generated;
mod instants;
mod invariants;
mod lanes;
mod latencies;
mod net;
mod overloads;
mod page_figures;
mod passing;
mod placements;
mod ranking;
mod reduced;
mod relations;
mod replicas;
mod samples;
mod scenarios;
mod shapes;
mod states;
mod stolen;
mod stored;
mod subtleties;
mod support;
mod syscalls;
mod tables;
mod tasks;
mod twins;
mod unknown;
mod wakeups;
mod windows;
mod yields;
