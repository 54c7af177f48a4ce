//! How many tasks wait on each CPU's runqueue, by bucket, for display on the lanes.

use super::indexes::Indexes;
use schedindex::MAX_LEVEL;

/// The requested buckets, as in [`CellsQuery`](crate::query::CellsQuery).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// First bucket.
    pub first_bucket: u64,
    /// Number of buckets.
    pub buckets: u32,
    /// CPU numbers, in the requested order.
    pub cpus: Vec<u32>,
}

impl Indexes {
    /// One word per lane and bucket, laid out as `DepthAnswer` in `web/engine/protocolTables.ts`.
    pub fn depth(&self, query: &DepthQuery) -> Vec<u32> {
        let buckets = query.buckets as usize;
        let mut words = vec![0; buckets * query.cpus.len()];
        let level = query.level.min(MAX_LEVEL);
        if buckets == 0 {
            return words;
        }
        for (&cpu, words) in query.cpus.iter().zip(words.chunks_exact_mut(buckets)) {
            let lane = self.trace().lane_index(cpu);
            if let Some(queue) = lane.and_then(|lane| self.depth_index().queue(lane)) {
                queue.words(level, query.first_bucket, words);
            }
        }
        words
    }

    /// The most tasks that wait on any CPU's runqueue at any time.
    pub fn most_waiting(&self) -> u32 {
        self.depth_index().most()
    }

    /// How many tasks wait on a CPU's runqueue at an instant.
    pub fn waiting_at(&self, cpu: u32, at: u64) -> u32 {
        let lane = self.trace().lane_index(cpu);
        lane.and_then(|lane| self.depth_index().queue(lane))
            .map_or(0, |queue| queue.at(at))
    }
}
