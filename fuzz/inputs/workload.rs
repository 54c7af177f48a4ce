//! Reads a workload's text; what comes of it is written and read again, and runs.

use replay::engine::{run, Limits};
use replay::machine::Machine;
use replay::rtapp::{self, Dialect};
use replay::text::{is_workload, read, write};

pub fn check(bytes: &[u8]) {
    is_workload(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(workload) = read(text) else { return };
    let mut out = Vec::new();
    write(&workload, false, &mut out).expect("bytes in memory");
    let again = read(std::str::from_utf8(&out).expect("a text"));
    assert!(again.expect("what was written") == workload);
    for dialect in [Dialect::RtApp, Dialect::Plain] {
        rtapp::write(&workload, dialect, &mut Vec::new()).expect("bytes in memory");
    }
    let limits = Limits {
        until_ns: Some(1_000_000_000),
        switches: 1000,
        ..Limits::default()
    };
    for policy in ["linux24", "o1", "cfs", "eevdf"] {
        let policy = policy.parse().expect("a policy");
        let outcome = run(&workload, &Machine::flat(2), &policy, limits).expect("a policy that does no wrong");
        assert!(outcome.cpu_ns.len() == workload.tasks.len());
    }
}
