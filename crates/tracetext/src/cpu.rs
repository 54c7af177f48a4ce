//! A CPU's rows, from its lines.

use schedrows::words::counted;
use schedrows::{
    Context, CpuScan, Diagnostic, DiagnosticKind, Names, Row, RowKind, RowPacker, SchedExtEvent, SchedExtTold,
};

use crate::event::{Second, Told};
use crate::head::Head;

pub(crate) struct Cpu {
    scan: CpuScan,
    rows: RowPacker,
    names: Names,
    /// By the numbers of events.
    counts: Vec<u64>,
    first_lost: Option<u64>,
    /// Events are missing before the next line; how many, where that is known.
    missed: Option<Option<u64>>,
    backwards: Option<(u64, u64)>,
    /// Events whose text does not say what they need.
    unread: u64,
}

impl Cpu {
    pub fn new(cpu: u32) -> Cpu {
        Cpu {
            scan: CpuScan {
                cpu,
                ..CpuScan::default()
            },
            rows: RowPacker::default(),
            names: Names::new(),
            counts: Vec::new(),
            first_lost: None,
            missed: None,
            backwards: None,
            unread: 0,
        }
    }

    /// Events are missing between the last line and the next.
    pub fn lose(&mut self, count: Option<u64>) {
        self.scan.lost_events = self.scan.lost_events.saturating_add(count.unwrap_or(0));
        self.missed = Some(match (self.missed, count) {
            (None, count) => count,
            (Some(Some(before)), Some(count)) => Some(before.saturating_add(count)),
            _ => None,
        });
    }

    /// Nothing is known of the time before the first line.
    pub fn begin_unknown(&mut self) {
        if self.scan.records == 0 {
            self.lose(None);
        }
    }

    /// A line of event `id` at time `ts`.
    pub fn line(&mut self, id: u16, ts: u64, head: &Head<'_>, told: Option<Result<Told<'_>, ()>>) {
        let scan = &mut self.scan;
        scan.records += 1;
        let id = usize::from(id);
        if self.counts.len() <= id {
            self.counts.resize(id + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(id) {
            *count += 1;
        }
        if let Some(last) = scan.last_ns.filter(|&last| ts < last) {
            let (count, first) = self.backwards.unwrap_or((0, ts.min(last)));
            self.backwards = Some((count + 1, first));
        }
        scan.first_ns.get_or_insert(ts);
        let last = scan.last_ns.replace(ts);
        if let Some(count) = self.missed.take() {
            self.push_lost(last.unwrap_or(ts), count);
        }
        match told {
            Some(Ok(told)) => self.row(ts, head, told),
            Some(Err(())) => self.unread += 1,
            None => {}
        }
    }

    /// The line is one of sched_ext; it may not say what it should.
    pub fn sched_ext(&mut self, ts: u64, writer: i32, told: Option<SchedExtTold>) {
        match told {
            Some(told) => self.scan.sched_ext.push(SchedExtEvent { ts, writer, told }),
            None => self.unread += 1,
        }
    }

    fn push_lost(&mut self, ts: u64, count: Option<u64>) {
        self.scan.lost_gaps += 1;
        self.first_lost.get_or_insert(ts);
        self.rows.push(&Row {
            arg: count.map_or(-1, |count| i32::try_from(count).unwrap_or(i32::MAX)),
            ..Row::of(RowKind::Lost, ts)
        });
    }

    fn row(&mut self, ts: u64, head: &Head<'_>, told: Told<'_>) {
        let writer = if head.pid < 0 { Context::NO_WRITER } else { 0 };
        let context = head.place.context.map_or(Context::UNKNOWN, |context| context.0);
        // Tracers name only the task that comes next.
        let comm = match told.comm {
            "" if told.pid == head.pid => head.comm,
            comm => comm,
        };
        let comm = self.names.intern(comm.as_bytes());
        let comm2 = match told.comm2 {
            Second::None => 0,
            Second::Name(name) => self.names.intern(name.as_bytes()),
            Second::Number(number) => number as u32,
        };
        self.rows.push(&Row {
            common_pid: head.pid,
            pid: told.pid,
            arg: told.arg,
            comm,
            comm2,
            context: context | writer,
            state: told.state.0,
            prio: told.prio.map_or(Row::NO_PRIO, Row::prio_code),
            ..Row::of(told.kind, ts)
        });
    }

    pub fn finish(mut self) -> CpuScan {
        if let (Some(count), Some(last)) = (self.missed.take(), self.scan.last_ns) {
            self.push_lost(last, count);
        }
        let cpu = self.scan.cpu;
        let found = [
            (
                DiagnosticKind::LostEvents,
                self.scan.lost_gaps,
                self.first_lost,
                format!(
                    "events of CPU {cpu} were lost in {}",
                    counted(self.scan.lost_gaps, "gap")
                ),
            ),
            (
                DiagnosticKind::TimeBackwards,
                self.backwards.map_or(0, |(count, _)| count),
                self.backwards.map(|(_, first)| first),
                format!("time went back on CPU {cpu}"),
            ),
            (
                DiagnosticKind::Malformed,
                self.unread,
                None,
                format!("events of CPU {cpu} whose text does not say what they say elsewhere"),
            ),
        ];
        let scan = &mut self.scan;
        scan.diagnostics.extend(
            found
                .into_iter()
                .filter(|found| 0 < found.1)
                .map(|(kind, count, at_ns, text)| Diagnostic {
                    kind,
                    cpu: Some(cpu),
                    at_ns,
                    count,
                    text,
                }),
        );
        let counts = (0..).zip(self.counts);
        scan.events = counts.filter(|&(_, count)| 0 < count).collect();
        scan.comms = self.names.into_table();
        scan.rows = self.rows.finish();
        self.scan
    }
}
