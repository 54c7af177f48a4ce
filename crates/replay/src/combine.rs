//! Several workloads as one: at other times, more than once, on faster or slower CPUs.

use std::collections::HashSet;

use crate::delay::Delay;
use crate::workload::{cpu_ns_of, Start, Task, WorkEvent, WorkKind, Workload};

/// A workload among others.
#[derive(Clone, Debug)]
pub struct Part {
    /// What its tasks do.
    pub workload: Workload,
    /// How much later than the first it begins, in ns.
    pub offset_ns: u64,
    /// How many times it runs, at once; 0 is none.
    pub copies: u32,
    /// How fast the CPUs are, in thousandths of the recorded ones: CPU times are divided by it.
    pub speed: u32,
}

impl Part {
    /// A workload once, as it is.
    pub fn of(workload: Workload) -> Part {
        Part {
            workload,
            offset_ns: 0,
            copies: 1,
            speed: 1000,
        }
    }
}

/// Why workloads cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// More tasks than there are pids.
    Tasks,
    /// More events than can be numbered.
    Events,
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TooMuch::Tasks => "more tasks together than there are pids (4194304)",
            TooMuch::Events => "more events together than can be numbered (4294967294)",
        })
    }
}

/// The kernel's highest limit of pids (`PID_MAX_LIMIT`).
const MOST_TASKS: usize = 1 << 22;

/// All parts as one workload; what was recorded of the machine is of the first. Tasks of different parts never meet; one whose
/// pid another one has already gets a free one.
pub fn combine(parts: &[Part]) -> Result<Workload, TooMuch> {
    let of_all = |count: &dyn Fn(&Workload) -> usize| {
        let counts = parts
            .iter()
            .map(|part| count(&part.workload).saturating_mul(part.copies as usize));
        counts.fold(0, usize::saturating_add)
    };
    if MOST_TASKS < of_all(&|workload| workload.tasks.len()) {
        return Err(TooMuch::Tasks);
    }
    // Each task may get one more.
    if WorkKind::NO_EVENT as usize <= of_all(&|workload| workload.events.len().saturating_add(workload.tasks.len())) {
        return Err(TooMuch::Events);
    }
    let mut all = Workload::default();
    if let Some(Part { workload, .. }) = parts.first() {
        (all.first_ns, all.costs) = (workload.first_ns, workload.costs);
    }
    for part in parts {
        all.notes.add(&part.workload.notes, part.copies);
        all.cpus = all.cpus.max(part.workload.cpus);
        let end = part.workload.span_ns.map(|span| span.saturating_add(part.offset_ns));
        all.span_ns = all.span_ns.max(end);
    }
    // A stretch without gaps is one of a single recording.
    if let [part] = parts {
        all.notes.clean = part.workload.notes.clean;
    }
    let mut taken = HashSet::new();
    let mut free = 1;
    for part in parts {
        for _ in 0..part.copies {
            all.append(part, &mut |task| {
                let mut pid = task.pid;
                while !taken.insert(pid) {
                    pid = free;
                    free += 1;
                }
                pid
            });
        }
    }
    Ok(all)
}

impl Workload {
    fn append(&mut self, part: &Part, pid: &mut dyn FnMut(&Task) -> i32) {
        let Part {
            workload, offset_ns, ..
        } = part;
        let first = self.tasks.len() as u32;
        let cpu_time = |ns: u64| match part.speed {
            1000 => ns,
            speed => u64::try_from(u128::from(ns) * 1000 / u128::from(speed.max(1))).unwrap_or(u64::MAX),
        };
        // Tasks that are runnable at the beginning sleep until then.
        let waits = |task: &Task| 0 < *offset_ns && task.start == Start::Runnable;
        let mut starts = Vec::with_capacity(workload.tasks.len());
        let mut at = self.events.len() as u32;
        for task in &workload.tasks {
            at += u32::from(waits(task));
            starts.push(at);
            at += task.events.end.saturating_sub(task.events.start);
        }
        let event_of = |waker: u32, event: u32| {
            let task = workload.tasks.get(waker as usize)?;
            let within = event
                .checked_sub(task.events.start)
                .filter(|_| event < task.events.end)?;
            Some(starts.get(waker as usize)? + within)
        };
        for task in &workload.tasks {
            let pid = pid(task);
            let comm = self.intern(workload.comm(task.comm));
            let mut renames = Vec::with_capacity(task.renames.len());
            for &(clock, comm) in &task.renames {
                renames.push((cpu_time(clock), self.intern(workload.comm(comm))));
            }
            let from = self.events.len() as u32;
            let mut start = task.start;
            if waits(task) {
                start = Start::Sleeping;
                self.events.push(WorkEvent {
                    length: *offset_ns,
                    kind: WorkKind::Sleep { delay: Delay::ZERO },
                });
            }
            for (number, event) in workload.events_of(task).iter().enumerate() {
                let since_begin = number == 0 && task.start == Start::Sleeping;
                let length = match event.kind.is_wakeup() {
                    true if since_begin => event.length.saturating_add(*offset_ns),
                    true => event.length,
                    false => cpu_time(event.length),
                };
                let kind = match event.kind {
                    WorkKind::Fork { child } => WorkKind::Fork { child: first + child },
                    WorkKind::Woken {
                        delay,
                        waker,
                        event,
                        distance,
                    } => {
                        let next = workload.events.get(event as usize).map(|next| next.length);
                        let by = workload.tasks.get(waker as usize);
                        let length = next.or(by.map(|by| by.last_clock)).unwrap_or(distance);
                        WorkKind::Woken {
                            delay,
                            waker: first + waker,
                            event: event_of(waker, event).unwrap_or(WorkKind::NO_EVENT),
                            distance: cpu_time(length) - cpu_time(length.saturating_sub(distance)),
                        }
                    }
                    kind => kind,
                };
                self.events.push(WorkEvent { length, kind });
            }
            let same = pid == task.pid;
            self.tasks.push(Task {
                pid,
                generation: if same { task.generation } else { 0 },
                aliases: if same { task.aliases.clone() } else { Vec::new() },
                comm,
                renames,
                start,
                born_ns: task.born_ns.saturating_add(*offset_ns),
                parent: task.parent.map(|parent| first + parent),
                allowed: task.allowed.clone(),
                events: from..self.events.len() as u32,
                last_clock: cpu_time(task.last_clock),
                cpu_ns: cpu_ns_of(
                    self.events.get(from as usize..).unwrap_or_default(),
                    cpu_time(task.last_clock),
                ),
                ..*task
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{fairbench, pairs, responsebench};

    #[test]
    fn one_part_is_itself() {
        for workload in [
            fairbench(),
            responsebench(1_000_000_000),
            pairs(6, 1_000_000, 60_000_000),
        ] {
            assert_eq!(combine(&[Part::of(workload.clone())]), Ok(workload));
        }
    }

    #[test]
    fn parts_never_meet() {
        let made = pairs(2, 1_000_000, 4_000_000);
        let later = Part {
            offset_ns: 7,
            copies: 2,
            speed: 2000,
            ..Part::of(made.clone())
        };
        let all = combine(&[Part::of(made.clone()), later]).unwrap();
        let pids: HashSet<i32> = all.tasks.iter().map(|task| task.pid).collect();
        assert_eq!((all.tasks.len(), pids.len()), (6, 6));
        assert_eq!(all.counts().cpu_ns, 2 * made.counts().cpu_ns);
        for (number, task) in (0..).zip(&all.tasks) {
            for event in all.events_of(task) {
                if let WorkKind::Woken { waker, event, .. } = event.kind {
                    assert_eq!(waker, number ^ 1);
                    assert!(all.tasks[waker as usize].events.contains(&event));
                }
            }
        }
        let starts: Vec<_> = all
            .tasks
            .iter()
            .map(|task| (task.start, all.events_of(task)[0].length))
            .collect();
        let (asleep, awake) = (Start::Sleeping, Start::Runnable);
        let first = [(awake, 1_000_000), (asleep, 1_000_000)];
        let copy = [(asleep, 7), (asleep, 1_000_007)];
        assert_eq!(starts, [first, copy, copy].concat());
    }

    #[test]
    fn too_much_is_refused() {
        let many = Part {
            copies: u32::MAX,
            ..Part::of(fairbench())
        };
        assert_eq!(combine(&[many]), Err(TooMuch::Tasks));
    }
}
