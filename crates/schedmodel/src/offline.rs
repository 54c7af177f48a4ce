//! CPUs that go offline.
//!
//! A CPU that is taken down runs its stopper, `migration/N`, last (`takedown_cpu` in `kernel/cpu.c`), and then idles until it is
//! dead. Tracepoints are silent on a CPU that is not online, so no switch away from the stopper is recorded. When the CPU is
//! back, its first switch is away from idle or from `cpuhp/N`.

use super::conflicts::Conflict;
use super::state_machine::StateMachine;
use super::steps::Correction;
use super::task::TaskId;

/// A CPU is offline, as no switch shows, if its stopper has it when the trace ends, and it has written nothing for as long as this. Where
/// others take a CPU down, stoppers are busy for some milliseconds.
const SILENT_NS: u64 = 10_000_000;

/// From when on a CPU is offline, until it is switched from: half of a key of holes.
pub(crate) type Offline = (u32, u64);

impl StateMachine {
    /// Whether the CPU went offline when it was switched to its present task: it is its stopper, and the next switch takes `prev` off.
    pub(super) fn goes_offline(&self, source: usize, prev: i32) -> bool {
        let back = prev == 0
            || self
                .roster
                .find(prev)
                .is_some_and(|task| self.is_of_cpu(source, task, "cpuhp/"));
        back && self.runs_stopper(source)
    }

    /// Records that a CPU is offline from `at` on.
    pub(super) fn go_offline(&mut self, source: usize, at: u64) {
        self.note(Conflict::WentOffline, source, at);
        self.offline.push((self.cpu(source), at));
        self.forget(source, at);
    }

    /// Finds the CPUs that are offline when the trace ends at `span`. `last`: when the CPU of a stream wrote its last record.
    pub(crate) fn end_offline(&mut self, span: u64, last: impl Fn(usize) -> Option<u64>) {
        for source in 0..self.streams.len() {
            let silent = last(source).is_some_and(|last| last.saturating_add(SILENT_NS) <= span);
            let from = self.streams.of(source).lane.last_start();
            if let (true, true, Some(from)) = (silent, self.runs_stopper(source), from) {
                self.go_offline(source, from);
                self.corrections.push(Correction {
                    from,
                    to: span,
                    running: -1,
                    waiting: 0,
                });
            }
        }
    }

    fn runs_stopper(&self, source: usize) -> bool {
        let running = self.has_cpu(source);
        running.is_some_and(|task| self.is_of_cpu(source, task, "migration/"))
    }

    /// Whether a task is the kernel's thread with that name for the CPU.
    fn is_of_cpu(&self, source: usize, task: TaskId, kind: &str) -> bool {
        let comm = self.roster.comms.name(self.roster.live.of(task).comm);
        comm.strip_prefix(kind)
            .is_some_and(|number| number.parse() == Ok(self.cpu(source)))
    }
}
