//! `FtraceStats`: the kernel's own counts of what it lost, at the recording's start and end.

use std::collections::BTreeMap;

use super::proto::{Fields, Value};
use super::scanner::MAX_CPUS;

/// `FtraceStats.phase` at the end.
const END: u64 = 2;

/// Losses by CPU, at the start and at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Stats {
    cpus: BTreeMap<u32, [u64; 2]>,
}

impl Stats {
    /// Takes an `FtraceStats`.
    pub fn take(&mut self, stats: &[u8]) {
        let phase = Fields::new(stats).find_map(|(field, value)| match (field, value) {
            (1, Value::Varint(phase)) => Some(phase),
            _ => None,
        });
        for (field, value) in Fields::new(stats) {
            if let (2, Value::Bytes(cpu)) = (field, value) {
                self.cpu(cpu, usize::from(phase == Some(END)));
            }
        }
    }

    fn cpu(&mut self, stats: &[u8], phase: usize) {
        let (mut cpu, mut lost) = (0, 0_u64);
        for (field, value) in Fields::new(stats) {
            match (field, value) {
                (1, Value::Varint(number)) => cpu = number,
                // Overruns, and events that came while the buffer was full.
                (3 | 8, Value::Varint(count)) => lost = lost.saturating_add(count),
                _ => {}
            }
        }
        if cpu < MAX_CPUS {
            let phases = self.cpus.entry(cpu as u32).or_default();
            if let Some(place) = phases.get_mut(phase) {
                *place = lost;
            }
        }
    }

    /// CPUs that are counted.
    pub fn cpus(&self) -> impl Iterator<Item = u32> + '_ {
        self.cpus.keys().copied()
    }

    /// What a CPU lost while it was recorded.
    pub fn lost(&self, cpu: u32) -> u64 {
        let [start, end] = self.cpus.get(&cpu).copied().unwrap_or_default();
        end.saturating_sub(start)
    }
}
