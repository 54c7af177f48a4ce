//! Which wakeups made the kernel preempt the running task, as the records of a trace.dat say.
//!
//! A wakeup that preempts sets `TIF_NEED_RESCHED` of the running task, unless a tick or an earlier wakeup has set it
//! (`resched_curr`, and `test_tsk_need_resched` in `check_preempt_wakeup`). Since Linux 4.3, which brought `sched_waking`, the kernel
//! writes `sched_wakeup` behind that decision (`ttwu_do_wakeup`, later `ttwu_do_activate`). Each record says in `common_flags`
//! whether the flag is set. Hence the wakeup whose record is the first with the flag, since the last switch of its CPU, preempted.

use std::collections::HashMap;

use schedrows::{ReadAt, ReadError};
use tracedat::file::TraceFile;
use tracedat::records::CpuRecords;

use crate::policy::Cpu;

/// `TRACE_FLAG_NEED_RESCHED` of `common_flags` (`include/linux/trace_events.h`).
const NEED_RESCHED: i64 = 0x04;
/// `TRACE_FLAG_NEED_RESCHED_LAZY` since Linux 6.13. Earlier kernels set this bit in each record where they cannot read whether
/// interrupts are off.
const NEED_RESCHED_LAZY: i64 = 0x02;

/// The wakeups that preempted: times in ns, ascending, by the CPU that wrote them, onto which the task woke.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preemptions(HashMap<Cpu, Vec<u64>>);

/// An event of which something is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Switch,
    Wakeup,
    Other,
}

impl Preemptions {
    /// Of the shown buffer of a file. `None` if its records do not say: no record has the flag, or the kernel writes wakeups before it
    /// decides.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn of_file<R: ReadAt>(file: &TraceFile<R>) -> Result<Option<Preemptions>, ReadError> {
        let id = |name| {
            file.event_ids()
                .find(|&id| file.event_name(id) == Some(("sched", name)))
        };
        let (Some(switch), Some(wakeup), Some(_)) = (id("sched_switch"), id("sched_wakeup"), id("sched_waking")) else {
            return Ok(None);
        };
        // All events of a kernel begin with the same fields.
        let flags = file
            .event_format(wakeup)
            .and_then(|format| format.field("common_flags"));
        let Some(flags) = flags.and_then(|field| field.as_int()) else {
            return Ok(None);
        };
        let mut found = Preemptions::default();
        for at in 0..file.cpus().len() {
            let Some(mut records) = CpuRecords::new(file, file.shown_buffer(), at) else {
                continue;
            };
            let mut cpu = FlagsOfCpu::default();
            while let Some(record) = records.peek()? {
                let kind = match record.id {
                    id if id == switch => Kind::Switch,
                    id if id == wakeup => Kind::Wakeup,
                    _ => Kind::Other,
                };
                let flags = flags.load(record.data, file.endian()).unwrap_or(0);
                if cpu.preempts(kind, flags) {
                    found.0.entry(record.cpu).or_default().push(record.ts);
                }
                records.advance();
            }
        }
        Ok(Some(found).filter(|found| !found.0.is_empty()))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether a wakeup at this time, in ns of the trace, preempted the task that runs on the CPU.
    pub fn has(&self, cpu: Cpu, at_ns: u64) -> bool {
        self.0
            .get(&cpu)
            .is_some_and(|times| times.binary_search(&at_ns).is_ok())
    }
}

/// What the records of a CPU have said since its last switch.
#[derive(Clone, Copy)]
struct FlagsOfCpu {
    /// The bits that ask for the scheduler.
    mask: i64,
    /// The scheduler is asked for.
    is_due: bool,
}

impl Default for FlagsOfCpu {
    fn default() -> Self {
        FlagsOfCpu {
            mask: NEED_RESCHED,
            is_due: false,
        }
    }
}

impl FlagsOfCpu {
    /// Whether the CPU's next record is of a wakeup that preempts.
    fn preempts(&mut self, kind: Kind, flags: i64) -> bool {
        if kind == Kind::Switch {
            // The kernel has cleared the flags of the task that leaves: a bit that is set there is none of them.
            self.mask = NEED_RESCHED | NEED_RESCHED_LAZY & !flags;
            self.is_due = false;
            return false;
        }
        let was_due = std::mem::replace(&mut self.is_due, flags & self.mask != 0);
        kind == Kind::Wakeup && self.is_due && !was_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of the records of a CPU, from 0, that preempt: `s` is a switch, `w` a wakeup, `o` another event, with its flags.
    fn preempting(records: &[(char, i64)]) -> Vec<usize> {
        let mut cpu = FlagsOfCpu::default();
        let kind = |letter| match letter {
            's' => Kind::Switch,
            'w' => Kind::Wakeup,
            _ => Kind::Other,
        };
        let preempts = |(at, &(letter, flags)): (usize, &(char, i64))| cpu.preempts(kind(letter), flags).then_some(at);
        records.iter().enumerate().filter_map(preempts).collect()
    }

    #[test]
    fn the_first_wakeup_with_the_flag_preempts() {
        assert_eq!(preempting(&[('w', 0x01), ('o', 0x01), ('w', 0x05), ('w', 0x05)]), [2]);
        // A tick has asked for the scheduler before.
        assert_eq!(preempting(&[('o', 0x0d), ('w', 0x0d), ('s', 0x01), ('w', 0x05)]), [3]);
        // Behind the switch, the flag is that of another task.
        assert_eq!(preempting(&[('w', 0x04), ('s', 0x01), ('w', 0x04)]), [0, 2]);
        // The scheduler has kept the running task.
        assert_eq!(preempting(&[('w', 0x04), ('o', 0x00), ('w', 0x04)]), [0, 2]);
        assert!(preempting(&[('o', 0x04), ('s', 0x00), ('s', 0x04), ('w', 0x00)]).is_empty());
    }

    #[test]
    fn lazy_preemption_counts_where_the_bit_means_it() {
        assert_eq!(preempting(&[('s', 0x01), ('w', 0x03), ('w', 0x07)]), [1]);
        // A kernel that cannot read whether interrupts are off.
        assert_eq!(preempting(&[('s', 0x02), ('w', 0x02), ('w', 0x06)]), [2]);
    }
}
