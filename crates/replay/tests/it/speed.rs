//! How fast the engine is; prints, and asserts nothing. `cargo test --release -p replay speed -- --ignored --nocapture`

use crate::common::replayed;
use replay::generate::{gzip_like, pairs};
use replay::machine::Machine;
use std::time::Instant;

const MS: u64 = 1_000_000;

#[test]
#[ignore = "prints how fast it is"]
fn speed() {
    let second = 1000 * MS;
    let cases = [
        ("gzip-like", gzip_like(1000 * second), 1000 * second),
        ("VolanoMark-like", pairs(400, MS, 200 * second), 200 * second),
    ];
    for (name, workload, span) in cases {
        for policy in ["fcfs", "rr", "linux24", "o1", "cfs", "eevdf", "ebs", "scx"] {
            let mut machine = Machine::flat(1);
            machine.tick_ns = MS;
            let began = Instant::now();
            let outcome = replayed(&workload, &machine, policy, span);
            let took = began.elapsed().as_secs_f64();
            println!(
                "{name} {policy}: {:.0} times real time, {:.1} million events a second, {} events",
                span as f64 / 1e9 / took,
                outcome.engine_events as f64 / took / 1e6,
                outcome.engine_events
            );
        }
    }
}
