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

impl DispatchQueue {
    /// How often a wait in it is known.
    pub fn points(&self) -> u64 {
        self.latency_us.len() as u64
    }

    /// The longest wait, in µs.
    pub fn latency_us_max(&self) -> Option<u64> {
        self.latency_us.iter().map(|&(_, us)| us).max()
    }

    /// The most tasks that were in it.
    pub fn nr_queued_max(&self) -> Option<u64> {
        self.nr_queued.iter().map(|&(_, queued)| queued).max()
    }
}
