//! How fast the engine is; prints, and asserts nothing. `cargo test --release -p replay speed -- --ignored --nocapture`

use crate::common::replayed;
use replay::generate::{gzip_like, pairs};
use replay::machine::Machine;

const MS: u64 = 1_000_000;

/// CPU time of this thread: what else the machine does matters less.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    ns.unwrap_or(0.0) / 1e9
}

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
            let began = cpu_seconds();
            let outcome = replayed(&workload, &machine, policy, span);
            let took = cpu_seconds() - began;
            println!(
                "{name} {policy}: {:.0} times real time, {:.1} million events a second, {} events",
                span as f64 / 1e9 / took,
                outcome.engine_events as f64 / took / 1e6,
                outcome.engine_events
            );
        }
    }
}
