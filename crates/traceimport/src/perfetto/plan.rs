//! Which streams a file is scanned in.
//!
//! All that is known of a CPU is in one stream, but the bundles of CPUs alternate: so several streams go over the same bytes,
//! each for some of the CPUs. What a stream leaves out costs it next to nothing, since a bundle's first field is its CPU.

use std::sync::Arc;

use schedrows::{sort_by_keys, Stream};

use super::facts::Facts;

/// Files from these sizes on are scanned in two streams, and in four.
const TWO: u64 = 1 << 20;
const FOUR: u64 = 64 << 20;

/// A stream, and its CPUs; `None` for all.
pub(super) struct Part {
    pub stream: Stream,
    pub cpus: Option<Arc<[u32]>>,
}

/// The streams of a trace whose bytes are these; one, if `whole`, because its packets are packed.
pub(super) fn plan(facts: &Facts, all: Stream, whole: bool) -> Vec<Part> {
    let size = all.size;
    // One bundle holds all of a CPU.
    if facts.scxtop && !whole && facts.cpus.values().map(|cpu| cpu.end - cpu.start).sum::<u64>() <= size {
        let parts = facts.cpus.iter().map(|(&cpu, place)| Part {
            stream: Stream {
                cpu: Some(cpu),
                offset: place.start,
                size: place.end.min(size) - place.start,
            },
            cpus: Some([cpu].into()),
        });
        return parts.collect();
    }
    let streams = match size {
        _ if whole => 1,
        0..TWO => 1,
        TWO..FOUR => 2,
        FOUR.. => 4,
    };
    let streams = streams.min(facts.cpus.len());
    if streams < 2 {
        return vec![Part {
            stream: all,
            cpus: None,
        }];
    }
    share(facts, streams)
        .into_iter()
        .map(|cpus| Part {
            stream: all,
            cpus: Some(cpus.into()),
        })
        .collect()
}

/// The CPUs in as many groups, of about the same number of bytes.
fn share(facts: &Facts, groups: usize) -> Vec<Vec<u32>> {
    let mut cpus: Vec<(u64, u32)> = facts.cpus.iter().map(|(&cpu, place)| (place.bytes, cpu)).collect();
    sort_by_keys(&mut cpus, |&(bytes, cpu)| [!bytes, !u64::from(cpu)]);
    let mut shares: Vec<(u64, Vec<u32>)> = vec![(0, Vec::new()); groups];
    for (bytes, cpu) in cpus {
        if let Some(lightest) = shares.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            lightest.0 += bytes;
            lightest.1.push(cpu);
        }
    }
    shares.into_iter().map(|(_, cpus)| cpus).collect()
}
