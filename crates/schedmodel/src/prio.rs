//! Kernel priorities and their scheduling classes (`include/linux/sched/prio.h`, `deadline.h`).

use crate::named;
use crate::stored::stored;
use schedrows::Row;

/// The scheduling class of a task, as far as its priority determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Below 0: `SCHED_DEADLINE`.
    Deadline,
    /// 0 to 99: `SCHED_FIFO` and `SCHED_RR`, 0 the most urgent. The stop class (`migration/N`) has 0 too.
    RealTime,
    /// 100 to 139: nice -20 to 19, whether `SCHED_NORMAL`, `SCHED_BATCH` or `SCHED_IDLE`.
    Fair,
    /// 140 and above: only the idle task.
    Idle,
}

impl Class {
    /// The class of a kernel priority.
    pub fn of(prio: i32) -> Class {
        match prio {
            i32::MIN..=-1 => Class::Deadline,
            0..=99 => Class::RealTime,
            100..=139 => Class::Fair,
            140.. => Class::Idle,
        }
    }
}

named!(Class as "TaskClass" { Deadline = "deadline", RealTime = "RT", Fair = "fair", Idle = "idle" });

/// Kernel priorities of a task at its switch-ins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrioRange {
    /// The most urgent.
    pub min: i32,
    /// The least urgent.
    pub max: i32,
    /// The latest.
    pub last: i32,
}

impl PrioRange {
    /// Extends the range by one priority.
    pub(super) fn with(range: Option<PrioRange>, prio: i32) -> PrioRange {
        let PrioRange { min, max, .. } = range.unwrap_or(PrioRange {
            min: prio,
            max: prio,
            last: prio,
        });
        PrioRange {
            min: min.min(prio),
            max: max.max(prio),
            last: prio,
        }
    }
}

/// The kernel priority of a [`Row::prio`], -1 for deadline; `None` if the event had none.
pub(super) fn kernel_prio(code: u8) -> Option<i32> {
    match code {
        Row::NO_PRIO => None,
        Row::DEADLINE => Some(-1),
        prio => Some(i32::from(prio)),
    }
}

stored!(PrioRange {
    min: i32,
    max: i32,
    last: i32,
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_the_kernel_s_limits() {
        let classes = [-1, 0, 99, 100, 120, 139, 140].map(|prio| Class::of(prio).name());
        assert_eq!(classes, ["deadline", "RT", "RT", "fair", "fair", "fair", "idle"]);
    }

    #[test]
    fn deadline_is_not_unknown() {
        let codes = [-1, -101, 0, 120, 253, 254, 255, 300].map(|prio| kernel_prio(Row::prio_code(prio)));
        let of = |prio| Some(prio);
        assert_eq!(codes, [of(-1), of(-1), of(0), of(120), of(253), None, None, None]);
    }
}
