//! Switches without tracepoints: the records of `perf record --switch-events` (`PERF_RECORD_SWITCH`,
//! `PERF_RECORD_SWITCH_CPU_WIDE` in `include/uapi/linux/perf_event.h`).
//!
//! Each switch is written twice, by the task that leaves and by the one that comes; `-a` writes which the other one is. They
//! say neither why a task leaves, but if it is still runnable (since Linux 4.17), nor who wakes it. Names come from records
//! of their own, which are about tasks, not CPUs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use schedrows::{CpuScan, Names, Row, RowKind, RowPacker, StateCode, MOST_CPUS};
use traceevent::{until_nul, Endian};

use super::records::{kind, Record};
use super::sample::{Attrs, Trailer};

/// `PERF_RECORD_MISC_SWITCH_OUT` and `PERF_RECORD_MISC_SWITCH_OUT_PREEMPT`.
const OUT: u16 = 1 << 13;
const OUT_PREEMPTED: u16 = 1 << 14;
/// The pid of a task that has let go of it, since it exits.
const GONE: i32 = -1;
/// Tasks that are named.
const MOST_TASKS: usize = 4 << 20;
/// The number of switches among a scan's events.
pub(super) const SWITCHES: u16 = 0;

/// Gathers the switches of all CPUs.
pub(super) struct Switches {
    attrs: Arc<Attrs>,
    endian: Endian,
    names: HashMap<i32, String>,
    /// Tasks that exit, and have not left their CPU yet.
    exiting: HashSet<i32>,
    cpus: Vec<Option<Box<Cpu>>>,
    pub events: u64,
}

struct Cpu {
    scan: CpuScan,
    rows: RowPacker,
    names: Names,
    /// The task that has the CPU, if it is known.
    current: Option<i32>,
}

/// A record of a switch.
struct Switch {
    is_out: bool,
    is_preempted: bool,
    /// The task that writes it.
    pid: i32,
    /// The one that comes, or that left before.
    other: Option<i32>,
}

impl Switches {
    pub fn new(attrs: Arc<Attrs>, endian: Endian) -> Switches {
        Switches {
            attrs,
            endian,
            names: HashMap::new(),
            exiting: HashSet::new(),
            cpus: Vec::new(),
            events: 0,
        }
    }

    pub fn take(&mut self, record: Record<'_>) {
        let Record { kind, misc, body } = record;
        let word = |at: usize| self.endian.u32(body, at).map(|word| word as i32);
        match kind {
            kind::COMM => {
                if let Some(pid) = word(4) {
                    let name = until_nul(body.get(8..).unwrap_or_default());
                    self.rename(pid, String::from_utf8_lossy(name).into_owned(), body);
                }
            }
            kind::FORK => {
                // pid, ppid, tid, ptid
                if let (Some(child), Some(parent)) = (word(8), word(12)) {
                    self.fork(parent, child, body);
                }
            }
            kind::EXIT => {
                if let Some(pid) = word(8).filter(|_| self.exiting.len() < MOST_TASKS) {
                    self.exiting.insert(pid);
                }
            }
            kind::SWITCH | kind::SWITCH_CPU_WIDE => {
                let other = match kind {
                    kind::SWITCH_CPU_WIDE => word(4),
                    _ => None,
                };
                let Trailer { cpu, time, tid } = self.attrs.trailer(body);
                if let (Some(cpu), Some(time), Some(tid)) = (cpu.filter(|&cpu| cpu < MOST_CPUS), time, tid) {
                    let switch = Switch {
                        is_out: misc & OUT != 0,
                        is_preempted: misc & OUT_PREEMPTED != 0,
                        pid: tid,
                        other,
                    };
                    self.switch(cpu, time, &switch);
                }
            }
            _ => {}
        }
    }

    /// Events were lost on a CPU, or anywhere.
    pub fn lose(&mut self, cpu: Option<u32>, count: Option<u64>) {
        match cpu {
            Some(cpu) => self.cpu(cpu).into_iter().for_each(|cpu| cpu.lose(count)),
            None => self.cpus.iter_mut().flatten().for_each(|cpu| cpu.lose(None)),
        }
    }

    fn switch(&mut self, cpu: u32, ts: u64, switch: &Switch) {
        self.events += 1;
        let exits = switch.is_out && self.exiting.remove(&switch.pid);
        let names = [Some(switch.pid), switch.other].map(|pid| {
            let name = pid.and_then(|pid| self.names.get(&pid));
            name.cloned().unwrap_or_default()
        });
        let gone: Vec<i32> = match switch.pid {
            GONE => self.cpu(cpu).and_then(|cpu| cpu.current).into_iter().collect(),
            _ => Vec::new(),
        };
        let exits = exits || gone.iter().any(|pid| self.exiting.remove(pid));
        let name_of_gone = gone
            .first()
            .and_then(|pid| self.names.get(pid))
            .cloned()
            .unwrap_or_default();
        if let Some(cpu) = self.cpu(cpu) {
            let [mut own, other] = names;
            if switch.pid == GONE {
                own = name_of_gone;
            }
            cpu.switch(ts, switch, exits, (&own, &other));
        }
    }

    /// A task is called something else from now on.
    fn rename(&mut self, pid: i32, name: String, body: &[u8]) {
        let old = self.name(pid, name.clone());
        let Trailer { cpu, time, .. } = self.attrs.trailer(body);
        let at = cpu.filter(|&cpu| cpu < MOST_CPUS).zip(time.filter(|&time| 0 < time));
        // perf writes the names of all that runs at the start, at no time.
        if let (Some((cpu, ts)), Some(old)) = (at, old) {
            if let Some(cpu) = self.cpu(cpu) {
                let (comm, comm2) = (cpu.names.intern(old.as_bytes()), cpu.names.intern(name.as_bytes()));
                cpu.push(&Row {
                    pid,
                    comm,
                    comm2,
                    common_pid: pid,
                    ..Row::of(RowKind::Rename, ts)
                });
            }
        }
    }

    fn fork(&mut self, parent: i32, child: i32, body: &[u8]) {
        let name = self.names.get(&parent).cloned().unwrap_or_default();
        self.name(child, name.clone());
        self.exiting.remove(&child);
        let Trailer { cpu, time, .. } = self.attrs.trailer(body);
        let at = cpu.filter(|&cpu| cpu < MOST_CPUS).zip(time.filter(|&time| 0 < time));
        if let Some((cpu, ts)) = at {
            if let Some(cpu) = self.cpu(cpu) {
                let comm = cpu.names.intern(name.as_bytes());
                cpu.push(&Row {
                    pid: parent,
                    arg: child,
                    comm,
                    comm2: comm,
                    common_pid: parent,
                    ..Row::of(RowKind::Fork, ts)
                });
            }
        }
    }

    /// Names a task; returns its name before.
    fn name(&mut self, pid: i32, name: String) -> Option<String> {
        match self.names.len() < MOST_TASKS || self.names.contains_key(&pid) {
            true => self.names.insert(pid, name),
            false => None,
        }
    }

    /// There is one of each number below [`MOST_CPUS`].
    fn cpu(&mut self, cpu: u32) -> Option<&mut Cpu> {
        let at = cpu as usize;
        if self.cpus.len() <= at {
            self.cpus.resize_with(at + 1, || None);
        }
        let place = self.cpus.get_mut(at)?;
        Some(place.get_or_insert_with(|| {
            Box::new(Cpu {
                scan: CpuScan {
                    cpu,
                    ..CpuScan::default()
                },
                rows: RowPacker::default(),
                names: Names::new(),
                current: None,
            })
        }))
    }

    pub fn finish(self) -> impl Iterator<Item = CpuScan> {
        self.cpus.into_iter().flatten().map(|cpu| cpu.finish())
    }
}

impl Cpu {
    fn switch(&mut self, ts: u64, switch: &Switch, exits: bool, (own, other): (&str, &str)) {
        self.scan.records += 1;
        self.scan.first_ns.get_or_insert(ts);
        self.scan.last_ns = Some(ts);
        let own_pid = match switch.pid {
            GONE => self.current.unwrap_or(Row::UNKNOWN_PID),
            pid => pid,
        };
        let other_pid = switch.other.filter(|&pid| pid != GONE);
        if !switch.is_out {
            // The task that left has written the same before.
            if self.current != Some(own_pid) && own_pid != Row::UNKNOWN_PID {
                let prev = (other_pid.unwrap_or(Row::UNKNOWN_PID), other);
                self.row(ts, prev, StateCode(b'?'), (own_pid, own));
            }
            return;
        }
        let state = match (exits, switch.is_preempted) {
            (true, _) => StateCode(b'X'),
            (_, true) => StateCode(b'R' | StateCode::PREEMPTED),
            _ => StateCode(b'?'),
        };
        match other_pid {
            Some(next) => self.row(ts, (own_pid, own), state, (next, other)),
            // Who comes is written only if it is one that is recorded.
            None => {
                self.current = None;
                self.push(&Row {
                    arg: -1,
                    ..Row::of(RowKind::Lost, ts)
                });
            }
        }
    }

    fn row(&mut self, ts: u64, prev: (i32, &str), state: StateCode, next: (i32, &str)) {
        let mut intern = |(pid, name): (i32, &str)| match pid {
            0 => self.names.intern(format!("swapper/{}", self.scan.cpu).as_bytes()),
            _ => self.names.intern(name.as_bytes()),
        };
        let (comm, comm2) = (intern(prev), intern(next));
        self.current = Some(next.0);
        self.push(&Row {
            pid: prev.0,
            arg: next.0,
            comm,
            comm2,
            common_pid: prev.0,
            state: state.0,
            ..Row::of(RowKind::Switch, ts)
        });
    }

    fn push(&mut self, row: &Row) {
        self.rows.push(row);
    }

    fn lose(&mut self, count: Option<u64>) {
        let Some(ts) = self.scan.last_ns else { return };
        self.scan.lost_gaps += 1;
        self.scan.lost_events = self.scan.lost_events.saturating_add(count.unwrap_or(0));
        self.current = None;
        self.push(&Row {
            arg: count.map_or(-1, |count| i32::try_from(count).unwrap_or(i32::MAX)),
            ..Row::of(RowKind::Lost, ts)
        });
    }

    fn finish(mut self) -> CpuScan {
        self.scan.events = vec![(SWITCHES, self.scan.records)];
        self.scan.comms = self.names.into_table();
        self.scan.rows = self.rows.finish();
        self.scan
    }
}
