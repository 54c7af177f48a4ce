//! Dispatch queues over time.

use schedrows::DispatchQueue;
use serde::Serialize;
use ts_rs::TS;

/// A dispatch queue, in formats that have them. Its numbers over time come beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct QueueFacts {
    /// In decimal: JavaScript has no numbers of 64 bits.
    pub id: String,
    /// How often a wait in it is known.
    pub waits: usize,
    /// The longest, in µs.
    pub latency_us_max: Option<u64>,
    /// How often its length is known.
    pub lengths: usize,
    /// The most tasks that were in it.
    pub nr_queued_max: Option<u64>,
}

impl QueueFacts {
    /// Of a queue.
    pub fn of(queue: &DispatchQueue) -> QueueFacts {
        QueueFacts {
            id: queue.id.to_string(),
            waits: queue.latency_us.len(),
            latency_us_max: queue.latency_us_max(),
            lengths: queue.nr_queued.len(),
            nr_queued_max: queue.nr_queued_max(),
        }
    }
}

/// Instants and values one after the other, times in ns since `origin`; as JavaScript's numbers.
pub(crate) fn numbers(points: &[(u64, u64)], origin: u64) -> Vec<f64> {
    let pairs = points
        .iter()
        .map(|&(at, value)| [at.saturating_sub(origin) as f64, value as f64]);
    pairs.flatten().collect()
}
