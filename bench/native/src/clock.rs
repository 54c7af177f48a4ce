//! The clock that times the stages.

use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

/// Milliseconds of processor time of this thread, so that other work on the machine does not count; where the system
/// does not tell that (Linux does), milliseconds since the first call. `bench/clock.mjs` does the same.
pub fn cpu_ms() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    // Of a thread that runs, the kernel counts on only at its ticks, 4 ms apart, and when somebody asks for the sum.
    let _sum = fs::read("/proc/self/stat");
    // The first number is the time spent on the CPU in ns, see Documentation/scheduler/sched-stats.rst.
    let schedstat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = schedstat.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ns.map_or_else(
        || FIRST.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3,
        |ns| ns / 1e6,
    )
}
