//! CPUs of which no switch is recorded, and since when tasks were sent to them.
//!
//! Such a CPU is unknown. Until a wakeup or a migration sends a task there, that conceals nothing: no task came onto it or left it. From
//! then on tasks may run there unseen.

use std::collections::BTreeMap;

/// By CPU, when the first task was sent there.
#[derive(Debug, Default)]
pub(crate) struct Sent(BTreeMap<u32, Option<u64>>);

impl Sent {
    /// Of the CPUs without a switch.
    pub(crate) fn of(silent: impl Iterator<Item = u32>) -> Sent {
        Sent(silent.map(|cpu| (cpu, None)).collect())
    }

    /// A task is sent to a CPU.
    #[inline]
    pub(crate) fn send(&mut self, cpu: Option<u32>, at: u64) {
        // Most traces have switches of each CPU.
        if let (false, Some(cpu)) = (self.0.is_empty(), cpu) {
            if let Some(first) = self.0.get_mut(&cpu) {
                first.get_or_insert(at);
            }
        }
    }

    /// When the first task was sent to a CPU without a switch.
    pub(crate) fn first(&self, cpu: u32) -> Option<u64> {
        self.0.get(&cpu).copied().flatten()
    }
}
