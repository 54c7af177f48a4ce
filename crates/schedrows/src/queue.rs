//! Dispatch queues of sched_ext schedulers, of which some sources have counters.

/// What is known of a dispatch queue (DSQ).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DispatchQueue {
    /// Its number; bit 63 is that of queues that the kernel makes itself.
    pub id: u64,
    /// How long tasks waited in it, in µs, each with the time when one left.
    pub latency_us: Vec<(u64, u64)>,
    /// How many tasks were in it, each from that time on.
    pub nr_queued: Vec<(u64, u64)>,
}
