//! `CompactSched`: switches and wakings as columns of numbers, one entry of each for every event.

use super::proto::{int32, Column, Fields, Value};

/// Numbers of its fields.
pub(super) const SWITCH_TIME: u32 = 1;
const SWITCH_STATE: u32 = 2;
const SWITCH_PID: u32 = 3;
const SWITCH_PRIO: u32 = 4;
const NAMES: u32 = 5;
const SWITCH_NAME: u32 = 6;
pub(super) const WAKING_TIME: u32 = 7;
const WAKING_PID: u32 = 8;
const WAKING_CPU: u32 = 9;
const WAKING_PRIO: u32 = 10;
const WAKING_NAME: u32 = 11;
pub(super) const WAKING_FLAGS: u32 = 12;

/// A switch; it does not say which task leaves the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompactSwitch {
    pub ts: u64,
    pub prev_state: u64,
    pub next_pid: i32,
    pub next_prio: i32,
    /// Its name, as an index of the bundle's names.
    pub next_name: u64,
}

/// A waking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CompactWaking {
    pub ts: u64,
    pub pid: i32,
    pub cpu: i32,
    pub prio: i32,
    pub name: u64,
    /// `common_flags`; older Perfettos do not write them.
    pub flags: Option<u8>,
}

/// The names of the bundle.
pub(super) fn names(compact: &[u8]) -> impl Iterator<Item = &[u8]> {
    Fields::new(compact).filter_map(|(field, value)| match (field, value) {
        (NAMES, Value::Bytes(name)) => Some(name),
        _ => None,
    })
}

/// Times as differences, the first one from 0.
#[derive(Clone, Copy, Debug)]
struct Times<'a> {
    column: Column<'a>,
    last: u64,
}

impl Times<'_> {
    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.last = self.last.checked_add(self.column.next()?)?;
        Some(self.last)
    }
}

/// The switches. They end with the shortest column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switches<'a> {
    times: Times<'a>,
    rest: [Column<'a>; 4],
    whole: bool,
}

/// The wakings. They end with the shortest column, but the flags need not be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wakings<'a> {
    times: Times<'a>,
    rest: [Column<'a>; 4],
    flags: Column<'a>,
    has_flags: bool,
    whole: bool,
}

impl<'a> Switches<'a> {
    pub fn new(compact: &'a [u8]) -> Self {
        let columns = [SWITCH_STATE, SWITCH_PID, SWITCH_PRIO, SWITCH_NAME];
        Switches {
            times: times(compact, SWITCH_TIME),
            rest: columns.map(|field| Column::new(compact, field)),
            whole: true,
        }
    }

    /// Once they have ended: how many entries of the longest column are left over.
    pub fn left_over(&self) -> u64 {
        left_over(self.whole, &self.times, &self.rest)
    }
}

impl<'a> Wakings<'a> {
    pub fn new(compact: &'a [u8]) -> Self {
        let columns = [WAKING_PID, WAKING_CPU, WAKING_PRIO, WAKING_NAME];
        let flags = Column::new(compact, WAKING_FLAGS);
        Wakings {
            times: times(compact, WAKING_TIME),
            rest: columns.map(|field| Column::new(compact, field)),
            flags,
            has_flags: { flags }.next().is_some(),
            whole: true,
        }
    }

    /// As [`Switches::left_over`].
    pub fn left_over(&self) -> u64 {
        left_over(self.whole, &self.times, &self.rest)
    }
}

fn times(compact: &[u8], field: u32) -> Times<'_> {
    Times {
        column: Column::new(compact, field),
        last: 0,
    }
}

/// The entry where they ended counts, if any column has it.
fn left_over(whole: bool, times: &Times<'_>, rest: &[Column<'_>]) -> u64 {
    let columns = rest.iter().chain([&times.column]);
    let longest = columns.map(|column| (*column).count()).max().unwrap_or(0);
    longest as u64 + u64::from(!whole)
}

impl Iterator for Switches<'_> {
    type Item = CompactSwitch;

    #[inline]
    fn next(&mut self) -> Option<CompactSwitch> {
        let ts = self.times.next();
        let [state, pid, prio, name] = &mut self.rest;
        match (ts, state.next(), pid.next(), prio.next(), name.next()) {
            (Some(ts), Some(prev_state), Some(next_pid), Some(next_prio), Some(next_name)) => Some(CompactSwitch {
                ts,
                prev_state,
                next_pid: int32(next_pid),
                next_prio: int32(next_prio),
                next_name,
            }),
            (None, None, None, None, None) => None,
            _ => {
                self.whole = false;
                None
            }
        }
    }
}

impl Iterator for Wakings<'_> {
    type Item = CompactWaking;

    #[inline]
    fn next(&mut self) -> Option<CompactWaking> {
        let ts = self.times.next();
        let flags = self.flags.next();
        let [pid, cpu, prio, name] = &mut self.rest;
        match (ts, pid.next(), cpu.next(), prio.next(), name.next()) {
            (Some(ts), Some(pid), Some(cpu), Some(prio), Some(name)) if flags.is_some() == self.has_flags => {
                Some(CompactWaking {
                    ts,
                    pid: int32(pid),
                    cpu: int32(cpu),
                    prio: int32(prio),
                    name,
                    flags: flags.map(|flags| flags as u8),
                })
            }
            (None, None, None, None, None) if flags.is_none() => None,
            _ => {
                self.whole = false;
                None
            }
        }
    }
}
