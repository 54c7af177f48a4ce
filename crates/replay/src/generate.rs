//! Workloads that are made, not recorded: those that the literature measures schedulers with.

use std::ops::Range;

use crate::delay::Delay;
use crate::workload::{Ending, Start, Task, WorkEvent, WorkKind, Workload};

/// Nanoseconds of a millisecond.
const MS: u64 = 1_000_000;
/// The kernel priority of nice 0.
const NICE_0: i16 = 120;
/// The first pid that is given out; lower ones are those of the kernel's own threads.
const FIRST_PID: i32 = 1001;
/// The most events that are made: more than any run needs, and still some gigabytes less than memory.
const MOST_EVENTS: u64 = 50_000_000;

/// 25 tasks that never block, five each at nice -20, -10, 0, 10 and 19.
pub fn fairbench() -> Workload {
    shares(5)
}

/// Tasks that never block, so many each at nice -20, -10, 0, 10 and 19.
pub fn shares(each: u32) -> Workload {
    let mut made = Made::default();
    for nice in [-20, -10, 0, 10, 19] {
        for _ in 0..each {
            made.endless(&format!("nice{nice}"), NICE_0 + nice);
        }
    }
    made.done()
}

/// 25 tasks at nice 0, five of each kind, which run 5 ms and sleep 100, 50, 20, 10 or 5 ms, again and again. Each has events
/// for `span_ns` of undisturbed running and sleeping.
pub fn responsebench(span_ns: u64) -> Workload {
    responses(5, 5 * MS, span_ns)
}

/// Tasks at nice 0, so many of each kind, which run `run_ns` and sleep 100, 50, 20, 10 or 5 ms, in this order.
pub fn responses(each: u32, run_ns: u64, span_ns: u64) -> Workload {
    let mut made = Made::default();
    for sleep in [100, 50, 20, 10, 5] {
        for _ in 0..each {
            made.runs_and_sleeps(&format!("sleep{sleep}"), run_ns, sleep * MS, span_ns);
        }
    }
    made.done()
}

/// What compressing a file is like: one task that runs 20 ms and sleeps 1 ms.
pub fn gzip_like(span_ns: u64) -> Workload {
    runs_and_sleeps(20 * MS, MS, span_ns)
}

/// One task that runs and sleeps.
pub fn runs_and_sleeps(run_ns: u64, sleep_ns: u64, span_ns: u64) -> Workload {
    let mut made = Made::default();
    made.runs_and_sleeps("gzip", run_ns, sleep_ns, span_ns);
    made.done()
}

/// Tasks in pairs: each runs `burst_ns`, wakes its partner, and blocks until it is woken. One of each pair begins. Together
/// they have events for `span_ns` of CPU time, and at least one burst each.
pub fn pairs(threads: u32, burst_ns: u64, span_ns: u64) -> Workload {
    let mut made = Made::default();
    let pairs = threads.clamp(2, 1 << 20) / 2;
    let bursts = span_ns / burst_ns.max(1) / u64::from(2 * pairs);
    let rounds = bursts.clamp(1, MOST_EVENTS / u64::from(4 * pairs)) as u32;
    for pair in 0..pairs {
        let (first, second) = (2 * pair, 2 * pair + 1);
        let start = made.workload.events.len() as u32;
        // The first one blocks and is woken again in each round; the second is woken, and blocks. Each block is what the other's
        // wakeup hangs on.
        let block = |length| WorkEvent {
            length,
            kind: WorkKind::Block { letter: b'S' },
        };
        let woken = |waker, event| WorkEvent {
            length: burst_ns,
            kind: WorkKind::Woken {
                delay: Delay::ZERO,
                waker,
                event,
                distance: 0,
            },
        };
        let second_start = start + 2 * rounds;
        for round in 0..rounds {
            made.workload.events.push(block(burst_ns));
            made.workload.events.push(woken(second, second_start + 2 * round + 1));
        }
        made.task("pair", NICE_0, Start::Runnable, start..second_start);
        for round in 0..rounds {
            made.workload.events.push(woken(first, start + 2 * round));
            made.workload.events.push(block(burst_ns));
        }
        made.task("pair", NICE_0, Start::Sleeping, second_start..second_start + 2 * rounds);
    }
    made.done()
}

#[derive(Default)]
struct Made {
    workload: Workload,
}

impl Made {
    /// Without the room that events grew into.
    fn done(mut self) -> Workload {
        self.workload.events.shrink_to_fit();
        self.workload
    }

    fn endless(&mut self, comm: &str, prio: i16) {
        let here = self.workload.events.len() as u32;
        self.task(comm, prio, Start::Runnable, here..here);
        if let Some(task) = self.workload.tasks.last_mut() {
            (task.endless, task.ending) = (true, Ending::Runnable);
        }
    }

    fn runs_and_sleeps(&mut self, comm: &str, run: u64, sleep: u64, span_ns: u64) {
        let start = self.workload.events.len() as u32;
        let rounds = (span_ns / (run + sleep).max(1)).clamp(1, MOST_EVENTS / 64);
        for _ in 0..rounds {
            let block = WorkKind::Block { letter: b'S' };
            let wakeup = WorkKind::Sleep { delay: Delay::ZERO };
            self.workload.events.push(WorkEvent {
                length: run,
                kind: block,
            });
            self.workload.events.push(WorkEvent {
                length: sleep,
                kind: wakeup,
            });
        }
        let end = self.workload.events.len() as u32;
        self.task(comm, NICE_0, Start::Runnable, start..end);
    }

    /// A task that runs for as long as its events say, and ends with a burst of no length if the last is no block.
    fn task(&mut self, comm: &str, prio: i16, start: Start, events: Range<u32>) {
        let workload = &mut self.workload;
        let of_task = workload
            .events
            .get(events.start as usize..events.end as usize)
            .unwrap_or_default();
        let blocks = of_task
            .iter()
            .filter(|event| matches!(event.kind, WorkKind::Block { .. }));
        let cpu_ns = blocks.map(|event| event.length).sum();
        let blocked = of_task
            .last()
            .filter(|last| matches!(last.kind, WorkKind::Block { .. }));
        let (ending, last_clock) = match blocked {
            Some(block) => (Ending::Asleep, block.length),
            None => (Ending::Runnable, 0),
        };
        let comm = workload.intern(comm);
        workload.tasks.push(Task {
            comm,
            prio: Some(prio),
            start,
            last_clock,
            cpu_ns,
            ending,
            events,
            ..Task::new(FIRST_PID.saturating_add_unsigned(workload.tasks.len() as u32))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_benchmarks_are_those_of_the_paper() {
        let fair = fairbench();
        assert_eq!(fair.tasks.len(), 25);
        let prios: Vec<_> = fair.tasks.iter().step_by(5).map(|task| task.prio).collect();
        assert_eq!(prios, [100, 110, 120, 130, 139].map(Some));
        assert!(fair.tasks.iter().all(|task| task.endless && task.events.is_empty()));
        let response = responsebench(180_000 * MS);
        let rounds: Vec<_> = response.tasks.iter().step_by(5).map(|task| task.events.len()).collect();
        assert_eq!(rounds, [1_714, 3_272, 7_200, 12_000, 18_000].map(|rounds| 2 * rounds));
        assert_eq!(
            response.counts().cpu_ns,
            5 * (18_000 + 12_000 + 7_200 + 3_272 + 1_714) * 5 * MS
        );
    }

    #[test]
    fn partners_wake_each_other_in_turn() {
        let made = pairs(4, MS, 12 * MS);
        let counts = made.counts();
        assert_eq!((counts.tasks, counts.init_runnable, counts.init_sleeping), (4, 2, 2));
        assert_eq!(
            (counts.block, counts.wakeup_dependent, counts.cpu_ns),
            (12, 12, 12 * MS)
        );
        for (number, task) in (0..).zip(&made.tasks) {
            for event in made.events_of(task) {
                if let WorkKind::Woken { waker, event, .. } = event.kind {
                    assert_eq!(waker, number ^ 1);
                    let by = &made.tasks[waker as usize].events;
                    assert!(by.contains(&event));
                    assert!(matches!(made.events[event as usize].kind, WorkKind::Block { .. }));
                }
            }
        }
    }
}
