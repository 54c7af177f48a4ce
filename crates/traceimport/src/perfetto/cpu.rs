//! One CPU: its bundles, in the order of the file, to a [`CpuScan`].

use std::sync::Arc;

use schedrows::words::{counted, grouped};
use schedrows::{
    Context, CpuScan, Diagnostic, DiagnosticKind, KernelKind, KernelRow, KernelRows, KernelStates, Names, Row, RowKind,
    RowPacker,
};

use super::bundle::{Bundle, BundleHead, RawEvent};
use super::compact::{self, CompactSwitch, CompactWaking, Switches, Wakings};
use super::events::{self, NamedEvents};
use super::interrupts::Interrupts;
use super::named_ids::NamedIds;

/// What is the same for all CPUs of a file.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub states: KernelStates,
    /// scxtop wrote the file.
    pub scxtop: bool,
    pub events: Arc<NamedEvents>,
    /// The number of `sched_yield`, if the traced machine is known.
    pub sched_yield: Option<i32>,
    /// System calls and interrupts are wanted, too.
    pub kernel: bool,
    /// The machine whose events are read, and whether the file is of several.
    pub machine: u32,
    pub several: bool,
}

/// A CPU's scan under way.
pub(super) struct Cpu {
    pub(super) scan: CpuScan,
    rows: RowPacker,
    pub(super) names: Names,
    pub(super) kernel: Option<KernelRows>,
    pub(super) reading: Reading,
    ids: NamedIds,
    /// Records by id.
    counts: Vec<u64>,
    /// The task that has the CPU, by the last switch.
    pub(super) running: Option<Running>,
    pub(super) interrupts: Interrupts,
    /// The names of a bundle, as indices of ours.
    bundle_names: Vec<u32>,
    /// Something is missing before the next record.
    missing: bool,
    /// When the first of what was lost was lost.
    first_lost: Option<u64>,
    /// How often time went back, and where first.
    backwards: Option<(u64, u64)>,
    /// Bundles that end early; entries of columns that others do not have; events that cannot be read.
    broken_bundles: u64,
    left_over: u64,
    pub(super) broken_events: u64,
}

/// The task that has a CPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub pid: i32,
    pub comm: u32,
    /// Its kernel priority.
    pub prio: i32,
}

impl Cpu {
    pub fn new(cpu: u32, reading: &Reading) -> Cpu {
        Cpu {
            scan: CpuScan {
                cpu,
                ..CpuScan::default()
            },
            rows: RowPacker::default(),
            names: Names::new(),
            kernel: reading.kernel.then(KernelRows::default),
            reading: reading.clone(),
            ids: NamedIds::default(),
            counts: Vec::new(),
            running: None,
            interrupts: Interrupts::default(),
            bundle_names: Vec::new(),
            missing: false,
            first_lost: None,
            backwards: None,
            broken_bundles: 0,
            left_over: 0,
            broken_events: 0,
        }
    }

    /// Takes what a bundle says about all of it, before its events.
    pub fn begin(&mut self, head: &BundleHead) {
        let before_first = self.scan.records == 0 && head.previous_end != 0;
        // A bundle in between is not in the file.
        let left_out = self.scan.last_ns.is_some_and(|last| last < head.previous_end);
        if head.lost || before_first || left_out {
            self.lose();
        }
    }

    /// Takes a bundle.
    pub fn bundle(&mut self, bundle: &Bundle<'_>) {
        self.begin(&bundle.head);
        match bundle.compact {
            Some(compact) => self.merge(compact, bundle),
            None => {
                let mut events = bundle.events();
                for event in events.by_ref() {
                    self.event(&event);
                }
                self.broken_events += events.broken;
            }
        }
        if bundle.head.broken {
            self.damage();
        }
    }

    /// A bundle is damaged: what it may have held besides is lost.
    pub fn damage(&mut self) {
        self.broken_bundles += 1;
        self.lose();
    }

    /// The streams of a bundle by time; of equal times wakings come first, and then switches.
    fn merge(&mut self, compact: &[u8], bundle: &Bundle<'_>) {
        self.bundle_names.clear();
        for name in compact::names(compact) {
            self.bundle_names.push(self.names.intern(name));
        }
        let mut wakings = Wakings::new(compact);
        let mut switches = Switches::new(compact);
        let mut events = bundle.events();
        let (mut waking, mut switch, mut event) = (wakings.next(), switches.next(), events.next());
        loop {
            let waking_at = waking.map_or(u64::MAX, |waking| waking.ts);
            let switch_at = switch.map_or(u64::MAX, |switch| switch.ts);
            let event_at = event.map_or(u64::MAX, |event| event.ts);
            if let Some(found) = waking.filter(|found| found.ts <= switch_at.min(event_at)) {
                self.compact_waking(&found);
                waking = wakings.next();
            } else if let Some(found) = switch.filter(|found| found.ts <= waking_at.min(event_at)) {
                self.compact_switch(&found);
                switch = switches.next();
            } else if let Some(found) = event {
                self.event(&found);
                event = events.next();
            } else {
                break;
            }
        }
        self.broken_events += events.broken;
        self.left_over += wakings.left_over() + switches.left_over();
    }

    fn bundle_name(&mut self, index: u64) -> u32 {
        let name = usize::try_from(index)
            .ok()
            .and_then(|index| self.bundle_names.get(index));
        match name {
            Some(&name) => name,
            None => {
                self.left_over += 1;
                0
            }
        }
    }

    #[inline]
    fn compact_switch(&mut self, switch: &CompactSwitch) {
        self.record(switch.ts, events::SWITCH as u16);
        let next = Running {
            pid: switch.next_pid,
            comm: self.bundle_name(switch.next_name),
            prio: switch.next_prio,
        };
        self.switch(switch.ts, self.running, switch.prev_state, next, 0);
    }

    /// A switch from `prev`, if it is known, to `next`.
    pub(super) fn switch(&mut self, ts: u64, prev: Option<Running>, state: u64, next: Running, context: u8) {
        let state = self.reading.states.decode(state);
        let state = match prev {
            Some(prev) => state.with_prios(prev.prio.into(), next.prio.into()),
            None => state,
        };
        let pid = prev.map_or(Row::UNKNOWN_PID, |prev| prev.pid);
        self.push(&Row {
            ts,
            common_pid: prev.map_or(0, |prev| prev.pid),
            pid,
            arg: next.pid,
            comm: prev.map_or(0, |prev| prev.comm),
            comm2: next.comm,
            kind: RowKind::Switch,
            context: context | if prev.is_none() { Context::NO_WRITER } else { 0 },
            state: state.0,
            prio: Row::prio_code(next.prio.into()),
        });
        self.running = Some(next);
        self.interrupts = Interrupts::default();
    }

    #[inline]
    fn compact_waking(&mut self, waking: &CompactWaking) {
        self.record(waking.ts, events::WAKING as u16);
        let comm = self.bundle_name(waking.name);
        let context = self.interrupts.context(waking.flags);
        let writer = match self.running {
            Some(_) => 0,
            None => Context::NO_WRITER,
        };
        self.push(&Row {
            ts: waking.ts,
            common_pid: self.running.map_or(0, |running| running.pid),
            pid: waking.pid,
            arg: waking.cpu,
            comm,
            comm2: 0,
            kind: RowKind::Waking,
            context: context | writer,
            state: 0,
            prio: Row::prio_code(waking.prio.into()),
        });
    }

    /// Takes an event that is not compact.
    #[inline]
    pub fn event(&mut self, event: &RawEvent<'_>) {
        let id = match event.kind {
            events::GENERIC => self.ids.of_generic(event.body, &self.reading.events),
            field if field < u32::from(events::FIRST_NAMED) => field as u16,
            field => self.ids.of_field(field, &self.reading.events),
        };
        self.record(event.ts, id);
        if events::FIRST_NAMED <= id {
            self.sched_ext(id, event);
        } else if self.row_of(event).is_none() {
            self.broken_events += 1;
        }
    }

    #[inline]
    pub(super) fn push(&mut self, row: &Row) {
        self.rows.push(row);
    }

    /// See [`RowPacker::enters_yield`].
    pub(super) fn enters_yield(&mut self, pid: i32) {
        self.rows.enters_yield(pid);
    }

    /// See [`RowPacker::call_returns`].
    pub(super) fn call_returns(&mut self) {
        self.rows.call_returns();
    }

    #[inline]
    fn record(&mut self, ts: u64, id: u16) {
        self.scan.records += 1;
        match self.counts.get_mut(usize::from(id)) {
            Some(count) => *count += 1,
            None => {
                self.counts.resize(usize::from(id), 0);
                self.counts.push(1);
            }
        }
        match self.scan.last_ns {
            Some(last) if ts < last => self.went_back(ts),
            Some(_) => {}
            None => self.scan.first_ns = Some(ts),
        }
        if self.missing {
            self.push_lost(self.scan.last_ns.unwrap_or(ts));
            if let Some(kernel) = &mut self.kernel {
                kernel.push(KernelRow {
                    ts,
                    kind: KernelKind::Lost,
                    pid: 0,
                    number: 0,
                    value: 0,
                });
            }
        }
        self.scan.last_ns = Some(ts);
    }

    #[cold]
    fn went_back(&mut self, at: u64) {
        let (count, first) = self.backwards.unwrap_or((0, at));
        self.backwards = Some((count + 1, first));
    }

    /// Something is missing between the last record and the next.
    #[cold]
    pub fn lose(&mut self) {
        self.missing = true;
        self.running = None;
        self.interrupts = Interrupts::default();
    }

    #[cold]
    fn push_lost(&mut self, ts: u64) {
        self.missing = false;
        self.scan.lost_gaps += 1;
        self.first_lost.get_or_insert(ts);
        self.push(&Row {
            arg: -1,
            ..Row::of(RowKind::Lost, ts)
        });
    }

    /// As the kernel's counters have it in the end.
    pub fn count_lost(&mut self, lost: u64) {
        self.scan.lost_events = lost;
    }

    fn diagnose(&mut self, kind: DiagnosticKind, count: u64, at_ns: Option<u64>, text: String) {
        if 0 < count {
            self.scan.diagnostics.push(Diagnostic {
                kind,
                cpu: Some(self.scan.cpu),
                at_ns,
                count,
                text,
            });
        }
    }

    /// No more bundles come; `cut` if the file ends early.
    pub fn finish(mut self, cut: bool) -> CpuScan {
        let cpu = self.scan.cpu;
        self.missing |= cut;
        if let (true, Some(last)) = (self.missing, self.scan.last_ns) {
            // Nothing follows the gap: what happened until the end of the trace is unknown.
            self.push_lost(last);
        }
        self.tell_damage(cpu);
        self.scan.rows = std::mem::take(&mut self.rows).finish();
        self.scan.events = (0..=u16::MAX)
            .zip(&self.counts)
            .filter(|(_, &count)| 0 < count)
            .map(|(id, &count)| (id, count))
            .collect();
        self.scan.kernel = self.kernel.take().unwrap_or_default();
        self.scan.comms = self.names.into_table();
        self.scan
    }

    fn tell_damage(&mut self, cpu: u32) {
        let (gaps, lost) = (self.scan.lost_gaps, self.scan.lost_events);
        let how_many = match lost {
            0 => "how many is not known".to_owned(),
            _ => format!("{} by the kernel's count", grouped(lost)),
        };
        let text = format!("events of CPU {cpu} were lost in {} ({how_many})", counted(gaps, "gap"));
        self.diagnose(DiagnosticKind::LostEvents, gaps, self.first_lost, text);
        let bundles = self.broken_bundles;
        let text = format!("data of CPU {cpu}: {} damaged", counted(bundles, "bundle"));
        self.diagnose(DiagnosticKind::Malformed, bundles, None, text);
        let left = self.left_over;
        let text = format!(
            "data of CPU {cpu}: columns of compact events differ by {}",
            counted(left, "entry")
        );
        self.diagnose(DiagnosticKind::Malformed, left, None, text);
        let events = self.broken_events;
        let text = format!("data of CPU {cpu}: {} not readable", counted(events, "event"));
        self.diagnose(DiagnosticKind::Malformed, events, None, text);
        if let Some((count, first)) = self.backwards {
            let text = format!("time went back on CPU {cpu}");
            self.diagnose(DiagnosticKind::TimeBackwards, count, Some(first), text);
        }
    }
}
