//! scxtop's counters of dispatch queues: two tracks for each, named after the queue.

use std::collections::{BTreeMap, HashMap};

use schedrows::{sort_by_keys, DispatchQueue};

use super::proto::{Fields, Value};

/// What a track counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counter {
    /// In µs, although the track's name says ns.
    Latency,
    Queued,
}

/// The queues as they are found.
#[derive(Clone, Debug, Default)]
pub(super) struct Queues {
    tracks: HashMap<u64, (u64, Counter)>,
    queues: BTreeMap<u64, DispatchQueue>,
}

/// The queue and the counter of a track with this name: `DSQ <id> latency ns`, `DSQ <id> nr_queued`.
fn counter_of(name: &str) -> Option<(u64, Counter)> {
    let (id, what) = name.strip_prefix("DSQ ")?.split_once(' ')?;
    let counter = match what {
        "latency ns" => Counter::Latency,
        "nr_queued" => Counter::Queued,
        _ => return None,
    };
    Some((id.parse().ok()?, counter))
}

impl Queues {
    /// Takes a track's number and name.
    pub fn track(&mut self, uuid: u64, name: &str) {
        if let Some((id, counter)) = counter_of(name) {
            self.tracks.insert(uuid, (id, counter));
            self.queues.entry(id).or_insert_with(|| DispatchQueue {
                id,
                ..DispatchQueue::default()
            });
        }
    }

    /// Takes a `TrackEvent` at this time.
    pub fn event(&mut self, at: u64, event: &[u8]) {
        if self.tracks.is_empty() {
            return;
        }
        let (mut track, mut value) = (None, None);
        for (field, found) in Fields::new(event) {
            match (field, found) {
                (11, Value::Varint(uuid)) => track = Some(uuid),
                (30, Value::Varint(counter)) => value = u64::try_from(counter as i64).ok(),
                _ => {}
            }
        }
        let counter = track.and_then(|uuid| self.tracks.get(&uuid));
        if let (Some((id, counter)), Some(value)) = (counter, value) {
            let queue = self.queues.entry(*id).or_default();
            match counter {
                Counter::Latency => queue.latency_us.push((at, value)),
                Counter::Queued => queue.nr_queued.push((at, value)),
            }
        }
    }

    /// All queues, ascending, with their points in order.
    pub fn finish(self) -> Vec<DispatchQueue> {
        let mut queues: Vec<DispatchQueue> = self.queues.into_values().collect();
        for queue in &mut queues {
            for points in [&mut queue.latency_us, &mut queue.nr_queued] {
                sort_by_keys(points, |&(at, _)| [at, 0]);
            }
        }
        queues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_are_known_by_their_names() {
        assert_eq!(counter_of("DSQ 100 latency ns"), Some((100, Counter::Latency)));
        let builtin = "DSQ 9223372036854775809 nr_queued";
        assert_eq!(counter_of(builtin), Some(((1 << 63) + 1, Counter::Queued)));
        for name in [
            "DSQ x nr_queued",
            "DSQ 1",
            "DSQ 1 other",
            "DSQ 18446744073709551616 nr_queued",
        ] {
            assert_eq!(counter_of(name), None, "{name}");
        }
    }
}
