//! One CPU's bytes to a [`CpuScan`]: sans-IO, and never failing. Damage becomes diagnostics and lost stretches.

use traceevent::{Endian, IntField, Missed, PageLayout, TextField};

use super::bind::{BoundEvent, SchedFormats, SecondField};
use super::names::Names;
use super::row::{Context, CpuScan, Diagnostic, DiagnosticKind, Row, RowKind};
use super::state::StateDecoder;
use crate::tracedat::{CpuExtent, DataFormat, PageStream, Piece, TimeScale};

/// `common_flags`, `include/linux/trace_events.h`.
const FLAG_HARDIRQ: u8 = 0x08;
const FLAG_SOFTIRQ: u8 = 0x10;
const FLAG_NMI: u8 = 0x40;

/// Damages of one CPU that are told one by one; further ones are only counted.
const MAX_DAMAGES: usize = 20;

/// Scans the data of one CPU as it comes.
pub struct CpuScanner {
    pages: PageStream,
    collector: Collector,
}

impl CpuScanner {
    pub(crate) fn new(format: &DataFormat, extent: &CpuExtent) -> Self {
        CpuScanner {
            pages: PageStream::new(format),
            collector: Collector::new(format, extent),
        }
    }

    /// Takes the next bytes of the CPU's extent, in pieces of any size.
    pub fn push(&mut self, bytes: &[u8]) {
        let collector = &mut self.collector;
        self.pages.push(bytes, &mut |piece| collector.take(piece));
    }

    /// Records so far, of every kind.
    pub fn events(&self) -> u64 {
        self.collector.scan.records
    }

    /// Time of the first record, once one came.
    pub fn first_ns(&self) -> Option<u64> {
        self.collector.scan.first_ns
    }

    /// No more bytes come: what was found.
    pub fn finish(mut self) -> CpuScan {
        let collector = &mut self.collector;
        self.pages.finish(&mut |piece| collector.take(piece));
        self.collector.finish()
    }
}

/// What the records of one CPU are gathered into.
struct Collector {
    scan: CpuScan,
    names: Names,
    formats: SchedFormats,
    /// Records by event id.
    counts: Vec<u64>,
    layout: PageLayout,
    endian: Endian,
    scale: TimeScale,
    /// Where the CPU's data is in the file.
    offset: u64,
    /// The file ends before the CPU's data does.
    cut: bool,
    /// Pages so far.
    pages: u64,
    /// Events lost since the last record.
    missed: Option<Missed>,
    damages: u64,
    short_records: u64,
    /// How often time went back, and where first.
    backwards: Option<(u64, u64)>,
}

impl Collector {
    fn new(format: &DataFormat, extent: &CpuExtent) -> Self {
        Collector {
            scan: CpuScan {
                cpu: extent.cpu,
                ..CpuScan::default()
            },
            names: Names::new(),
            formats: SchedFormats::bind(&format.events),
            counts: Vec::new(),
            layout: format.layout,
            endian: format.layout.endian(),
            scale: format.scale.clone(),
            offset: extent.offset,
            cut: extent.missing > 0,
            pages: 0,
            missed: None,
            damages: 0,
            short_records: 0,
            backwards: None,
        }
    }

    fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Page(page) => self.page(page),
            Piece::Damage(damage) => {
                let kind = match damage.truncated {
                    true => DiagnosticKind::Truncated,
                    false => DiagnosticKind::Malformed,
                };
                self.damage(kind, format!("at 0x{:x}: {}", self.offset + damage.offset, damage.what));
            }
        }
    }

    fn page(&mut self, page: &[u8]) {
        self.pages += 1;
        let layout = self.layout;
        let (header, records) = match layout.open(page) {
            Ok(opened) => opened,
            Err(error) => return self.page_damage(&error),
        };
        if let Some(missed) = header.missed {
            self.lose(missed);
        }
        for record in records {
            match record {
                Ok(record) => self.record(self.scale.apply(record.timestamp), record.data),
                Err(error) => self.page_damage(&error),
            }
        }
    }
}

impl Collector {
    #[inline]
    fn record(&mut self, ts: u64, data: &[u8]) {
        let id = match self.formats.common_type {
            Some(field) => field.load(data, self.endian),
            None => self.endian.u16(data, 0).map(i64::from),
        };
        let Some(id) = id.and_then(|id| u16::try_from(id).ok()) else {
            self.short_records += 1;
            return;
        };
        self.scan.records += 1;
        self.count(id);
        match self.scan.last_ns {
            Some(last) if ts < last => self.went_back(ts),
            Some(_) => {}
            None => self.scan.first_ns = Some(ts),
        }
        if self.missed.is_some() {
            self.push_lost(self.scan.last_ns.unwrap_or(ts));
        }
        self.scan.last_ns = Some(ts);

        let Collector { formats, names, .. } = self;
        let bound = formats.by_id.get(usize::from(id)).copied().unwrap_or(0);
        let Some(event) = usize::from(bound)
            .checked_sub(1)
            .and_then(|index| formats.bound.get(index))
        else {
            return;
        };
        match make_row(event, &mut formats.states, names, self.endian, ts, data) {
            Some(row) => self.scan.rows.push(row),
            None => self.short_records += 1,
        }
    }

    #[inline]
    fn count(&mut self, id: u16) {
        let id = usize::from(id);
        if let Some(count) = self.counts.get_mut(id) {
            *count += 1;
            return;
        }
        self.counts.resize(id, 0);
        self.counts.push(1);
    }

    #[cold]
    fn went_back(&mut self, at: u64) {
        let (count, first) = self.backwards.unwrap_or((0, at));
        self.backwards = Some((count + 1, first));
    }

    #[cold]
    fn push_lost(&mut self, ts: u64) {
        let arg = match self.missed.take() {
            Some(Missed::Count(count)) => i32::try_from(count).unwrap_or(i32::MAX),
            _ => -1,
        };
        self.scan.lost_gaps += 1;
        self.scan.rows.push(Row {
            ts,
            common_pid: 0,
            pid: 0,
            arg,
            comm: 0,
            comm2: 0,
            kind: RowKind::Lost as u8,
            context: 0,
            state: 0,
            prio: u8::MAX,
        });
    }

    /// Something is missing between the last record and the next.
    #[cold]
    fn lose(&mut self, missed: Missed) {
        if let Missed::Count(count) = missed {
            self.scan.lost_events = self.scan.lost_events.saturating_add(count);
        }
        self.missed = Some(match (self.missed, missed) {
            (None, missed) => missed,
            (Some(Missed::Count(a)), Missed::Count(b)) => Missed::Count(a.saturating_add(b)),
            _ => Missed::Unknown,
        });
    }

    #[cold]
    fn page_damage(&mut self, error: &traceevent::PageDamage) {
        let page = self.pages - 1;
        let what = format!("from 0x{:x}, page {page}: {error}", self.offset);
        self.damage(DiagnosticKind::Malformed, what);
    }

    #[cold]
    fn damage(&mut self, kind: DiagnosticKind, what: String) {
        self.lose(Missed::Unknown);
        self.damages += 1;
        let cpu = self.scan.cpu;
        if self.damages as usize <= MAX_DAMAGES {
            self.diagnose(kind, 1, self.scan.last_ns, format!("data of CPU {cpu} {what}"));
        }
    }

    fn diagnose(&mut self, kind: DiagnosticKind, count: u64, at_ns: Option<u64>, text: String) {
        self.scan.diagnostics.push(Diagnostic {
            kind,
            cpu: Some(self.scan.cpu),
            at_ns,
            count,
            text,
        });
    }

    fn finish(mut self) -> CpuScan {
        let cpu = self.scan.cpu;
        if self.cut {
            self.lose(Missed::Unknown);
        }
        if let (Some(_), Some(last)) = (self.missed, self.scan.last_ns) {
            // Nothing follows the gap: what happened until the end of the trace is unknown.
            self.push_lost(last);
        }
        if self.scan.lost_gaps > 0 {
            let (gaps, lost) = (self.scan.lost_gaps, self.scan.lost_events);
            let at = self
                .scan
                .rows
                .iter()
                .find(|row| row.kind == RowKind::Lost as u8)
                .map(|row| row.ts);
            self.diagnose(
                DiagnosticKind::LostEvents,
                gaps,
                at,
                format!("CPU {cpu}: events were lost {gaps} times, {lost} events as far as the kernel counted them"),
            );
        }
        if self.damages as usize > MAX_DAMAGES {
            let more = self.damages - MAX_DAMAGES as u64;
            self.diagnose(
                DiagnosticKind::Malformed,
                more,
                None,
                format!("data of CPU {cpu}: {more} more damaged places"),
            );
        }
        if self.short_records > 0 {
            let short = self.short_records;
            self.diagnose(
                DiagnosticKind::Malformed,
                short,
                None,
                format!("data of CPU {cpu}: {short} records are shorter than their format says"),
            );
        }
        if let Some((count, first)) = self.backwards {
            self.diagnose(
                DiagnosticKind::TimeBackwards,
                count,
                Some(first),
                format!("CPU {cpu}: time went back {count} times"),
            );
        }
        self.scan.events = (0..=u16::MAX)
            .zip(&self.counts)
            .filter(|(_, &count)| count > 0)
            .map(|(id, &count)| (id, count))
            .collect();
        self.scan.comms = self.names.into_table();
        self.scan
    }
}

/// `None` when the record is shorter than its format.
#[inline]
fn make_row(
    event: &BoundEvent,
    states: &mut StateDecoder,
    names: &mut Names,
    endian: Endian,
    ts: u64,
    data: &[u8],
) -> Option<Row> {
    let int = |field: Option<IntField>, default: i64| match field {
        Some(field) => field.load(data, endian),
        None => Some(default),
    };
    let mut name = |field: TextField| match field.comm_offset() {
        Some(at) => names.intern_comm(data, at),
        None => Some(names.intern(field.load(data, endian)?)),
    };
    let comm = match event.comm {
        Some(field) => name(field)?,
        None => 0,
    };
    let comm2 = match event.comm2 {
        SecondField::None => 0,
        SecondField::Name(field) => name(field)?,
        SecondField::Number(field) => field.load(data, endian)? as u32,
    };
    let state = match event.state {
        Some(field) => states.decode(field.load(data, endian)?).0,
        None => 0,
    };
    Some(Row {
        ts,
        common_pid: event.common_pid.load(data, endian)? as i32,
        pid: event.pid.load(data, endian)? as i32,
        arg: int(event.arg, 0)? as i32,
        comm,
        comm2,
        kind: event.kind as u8,
        context: context_of(event.common_flags.load(data, endian)? as u8).0,
        state,
        prio: u8::try_from(int(event.prio, -1)?).unwrap_or(u8::MAX),
    })
}

fn context_of(common_flags: u8) -> Context {
    let bit = |flag: u8, context: u8| if common_flags & flag != 0 { context } else { 0 };
    Context(bit(FLAG_HARDIRQ, Context::HARDIRQ) | bit(FLAG_SOFTIRQ, Context::SOFTIRQ) | bit(FLAG_NMI, Context::NMI))
}
