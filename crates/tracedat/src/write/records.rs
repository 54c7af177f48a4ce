//! Rows as records of the kernel's events.

use std::collections::HashMap;

use schedrows::{CommTable, Context, Event, Named, Row, RowKind, SchedExtEvent, SchedExtTold, StateCode, WakeupKind};

use super::formats::{event, Value, PREEMPTED, SCHED_EXT, STATES};

/// What stands for a task that is not known.
const NO_TASK: i32 = -1;
/// Of idle, and of a task of the fair class that is not nice.
const USUAL_PRIO: i64 = 120;

/// Makes the records of a CPU, in their order.
pub(super) struct Records<'n> {
    comms: &'n CommTable,
    /// Of tasks, as the last event said: a row of a switch does not keep that of the task that leaves.
    prios: HashMap<i32, u8>,
    pub record: Vec<u8>,
}

impl<'n> Records<'n> {
    /// `prios`: what is known of tasks that were on the CPU before its first event.
    pub fn new(comms: &'n CommTable, prios: HashMap<i32, u8>) -> Self {
        Records {
            comms,
            prios,
            record: Vec::new(),
        }
    }

    /// Leaves the row's record in `self.record`; false for a row that is no event.
    pub fn write(&mut self, row: &Row) -> bool {
        let Some(format) = event(row.kind) else {
            return false;
        };
        let comms = self.comms;
        let name = |task: Named| Value::Text(comms.names.get(task.comm as usize).map_or("", String::as_str));
        let pid = |task: Named| Value::Number(i64::from(task.pid));
        let number = |number: i32| Value::Number(i64::from(number));
        let cpu = |cpu: Option<u32>| Value::Number(cpu.map_or(-1, i64::from));
        let prio = Value::Number(prio_of(row.prio));
        let zero = Value::Number(0);
        let writer = writer(row);
        let flags = Context(row.context).flags();
        let mut put = |values: &[Value<'_>]| format.record(flags, writer, values, &mut self.record);
        match row.event() {
            Event::Switch(switch) => {
                // Unknown tasks stand behind a gap, where nobody looks at them.
                let prev = switch.prev.unwrap_or(Named { pid: 0, comm: 0 });
                let told = Some(row.prev_prio()).filter(|&prio| prio != Row::NO_PRIO);
                let known = told.or_else(|| self.prios.get(&prev.pid).copied());
                let prev_prio = known.map_or(USUAL_PRIO, prio_of);
                put(&[
                    name(prev),
                    pid(prev),
                    Value::Number(prev_prio_of(switch.prev_state, prev_prio, prio_of(switch.next_prio))),
                    Value::Number(prev_state_of(switch.prev_state)),
                    name(switch.next),
                    pid(switch.next),
                    prio,
                ]);
                self.prios.insert(switch.next.pid, switch.next_prio);
            }
            Event::Wakeup(wakeup) => {
                put(&[name(wakeup.wakee), pid(wakeup.wakee), prio, cpu(wakeup.cpu)]);
                if wakeup.kind == WakeupKind::Waking {
                    self.prios.insert(wakeup.wakee.pid, row.prio);
                }
            }
            Event::Migrate { task, from, to } => put(&[name(task), pid(task), prio, cpu(from), cpu(to)]),
            Event::Fork { parent, child } => put(&[name(parent), pid(parent), name(child), pid(child)]),
            Event::Exec { pid, old_pid } => {
                let file = Named { pid, comm: row.comm };
                put(&[name(file), number(pid), number(old_pid)]);
            }
            Event::Exit(task) => put(&[name(task), pid(task), prio]),
            Event::Rename(task) => {
                let old = Named { comm: row.comm, ..task };
                put(&[pid(task), name(old), name(task), zero]);
            }
            Event::Numa { pid } => {
                let (from, to) = (number(row.comm2 as i32), number(row.arg));
                match row.kind {
                    RowKind::MoveNuma => put(&[number(pid), zero, zero, from, zero, to, zero]),
                    _ => put(&[number(pid), zero, zero, from, zero, zero, zero, zero, to, zero]),
                }
            }
            Event::Lost => return false,
        }
        true
    }
}

/// Leaves the record of an event of sched_ext in `record`.
pub(super) fn write_sched_ext(event: &SchedExtEvent, record: &mut Vec<u8>) {
    let [counter, dump, exit] = &SCHED_EXT;
    let (format, values) = match &event.told {
        SchedExtTold::Counter { name, delta } => (counter, [Value::Text(name), Value::Number(*delta)]),
        SchedExtTold::Dump(text) => (dump, [Value::Text(text), Value::Number(0)]),
        SchedExtTold::Exit(text) => (exit, [Value::Text(text), Value::Number(0)]),
    };
    format.record(0, event.writer, &values, record);
}

/// The task that was on the CPU: a switch is written by the one that leaves. Where nobody knows it, [`NO_TASK`].
pub(super) fn writer(row: &Row) -> i32 {
    let nobody = if row.kind == RowKind::Switch { 0 } else { NO_TASK };
    row.writer().unwrap_or(nobody)
}

fn prio_of(code: u8) -> i64 {
    match code {
        Row::DEADLINE => -1,
        // 255 stays that, which no kernel has, and so is read as none.
        prio => i64::from(prio),
    }
}

/// A deadline task's priority says that it is throttled, where its state is R; so it must be one, or none.
fn prev_prio_of(state: StateCode, known: i64, next: i64) -> i64 {
    if state.throttled() {
        return -1;
    }
    let would_be = StateCode(b'R').with_prios(known, next).throttled();
    if would_be && state.letter() == b'R' {
        USUAL_PRIO
    } else {
        known
    }
}

/// Letters of older kernels become those that mean the same; what has no letter, runnable is not said of it.
fn prev_state_of(state: StateCode) -> i64 {
    let letter = match state.letter() {
        b'x' => b'X',
        b'K' | b'W' | b'N' | b'?' => b'D',
        letter => letter,
    };
    let bits = STATES
        .iter()
        .find(|(known, _)| *known == letter)
        .map_or(0x02, |&(_, bits)| bits);
    bits | if state.preempted() { PREEMPTED } else { 0 }
}
