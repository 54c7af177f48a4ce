//! One CPU's bytes to a [`CpuScan`]: sans-IO, and never failing. Damage becomes diagnostics and lost stretches.

use traceevent::{Endian, Missed, PageLayout, Window};

use super::bind::SchedFormats;
use super::decode::push_row;
use super::event_ids::EventIds;
use super::kernel::KernelReader;
use super::names::Names;
use super::record_index::{Indexer, RecordIndex};
use super::yields::Yields;
use crate::file::{Chunk, CpuExtent, DataFormat, PageStream, Piece, TimeScale};
use schedrows::words::{counted, grouped};
use schedrows::{CpuScan, Diagnostic, DiagnosticKind, Row, RowKind, RowPacker, Want};

/// The most damages of one CPU that are reported one by one; further ones are only counted.
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

    /// Makes the scan report event formats that cannot be read: they are the same for every CPU, so one scan reports
    /// them.
    pub(crate) fn tell_formats(mut self) -> Self {
        let told = &mut self.collector.formats.diagnostics;
        self.collector.scan.diagnostics.append(told);
        self
    }

    /// Makes [`CpuScanner::finish_indexed`] return where the records are, too.
    pub fn indexed(mut self) -> Self {
        self.collector.indexer = Some(Indexer::default());
        self
    }

    /// Makes the scan keep system calls and interrupts, too.
    pub(crate) fn with_kernel(mut self, format: &DataFormat) -> Self {
        self.collector.bind_kernel(format);
        self
    }

    /// Whether it was [`CpuScanner::indexed`].
    pub(super) fn is_indexed(&self) -> bool {
        self.collector.indexer.is_some()
    }

    /// Takes the next bytes of the CPU's extent, in pieces of any size.
    pub fn push(&mut self, bytes: &[u8]) {
        let collector = &mut self.collector;
        self.pages.push(bytes, &mut |piece| collector.take(piece));
    }

    /// Says that bytes are left out here: what the CPU did meanwhile is not known.
    pub(super) fn skip(&mut self) {
        self.collector.lose(Missed::Unknown);
    }

    /// Records so far, of every kind.
    pub fn events(&self) -> u64 {
        self.collector.scan.records
    }

    /// No more bytes come: what was found.
    pub fn finish(self) -> CpuScan {
        self.finish_indexed().0
    }

    /// As [`CpuScanner::finish`], and where the records are; nowhere, if the scan was not [`CpuScanner::indexed`].
    pub fn finish_indexed(mut self) -> (CpuScan, RecordIndex) {
        let collector = &mut self.collector;
        self.pages.finish(&mut |piece| collector.take(piece));
        let indexer = self.collector.indexer.take().unwrap_or_default();
        let scan = self.collector.finish();
        let index = indexer.finish(scan.cpu, &scan.events);
        (scan, index)
    }
}

/// Scans the records of one CPU that come from elsewhere than ring-buffer pages, one by one.
pub struct RecordScanner(Collector);

impl RecordScanner {
    pub(crate) fn new(format: &DataFormat, cpu: u32, want: Want) -> Self {
        let extent = CpuExtent {
            cpu,
            offset: 0,
            size: 0,
            missing: 0,
        };
        let mut collector = Collector::new(format, &extent);
        if want.kernel {
            collector.bind_kernel(format);
        }
        RecordScanner(collector)
    }

    /// Makes the scan report event formats that cannot be read, as of one CPU of a file.
    pub fn tell_formats(&mut self) {
        let told = &mut self.0.formats.diagnostics;
        self.0.scan.diagnostics.append(told);
    }

    /// Takes the CPU's next record.
    #[inline]
    pub fn record(&mut self, ts: u64, data: &[u8]) {
        self.0.record(ts, data, None);
    }

    /// Events are missing between the last record and the next; `count`: how many, where that is known.
    pub fn lose(&mut self, count: Option<u64>) {
        self.0.lose(count.map_or(Missed::Unknown, Missed::Count));
    }

    /// Time of the first record, once one came.
    pub fn first_ns(&self) -> Option<u64> {
        self.0.scan.first_ns
    }

    /// No more records come: what was found.
    pub fn finish(self) -> CpuScan {
        self.0.finish()
    }
}

/// What the records of one CPU are gathered into.
struct Collector {
    scan: CpuScan,
    rows: RowPacker,
    /// When the first of what was lost was lost.
    first_lost: Option<u64>,
    indexer: Option<Indexer>,
    kernel: Option<KernelReader>,
    names: Names,
    formats: SchedFormats,
    yields: Yields,
    /// Records by event id.
    counts: Vec<u64>,
    ids: EventIds,
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
            rows: RowPacker::default(),
            first_lost: None,
            indexer: None,
            kernel: None,
            names: Names::new(),
            formats: SchedFormats::bind(&format.events, format.layout.endian()),
            yields: Yields::bind(format),
            counts: Vec::new(),
            ids: EventIds::new(format),
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

    fn bind_kernel(&mut self, format: &DataFormat) {
        let Collector { names, formats, .. } = self;
        let told = &mut formats.diagnostics;
        self.kernel = Some(KernelReader::bind(&format.events, names, self.endian, told));
    }

    fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Page(page, chunk, index) => {
                if let Some(indexer) = &mut self.indexer {
                    let offset = self.offset + chunk.offset;
                    indexer.page(Chunk { offset, ..chunk }, index);
                }
                self.page(page);
            }
            Piece::Damage(damage) => {
                let kind = match damage.truncated {
                    true => DiagnosticKind::Truncated,
                    false => DiagnosticKind::Malformed,
                };
                self.damage(
                    kind,
                    format!(
                        "at byte {}: {}",
                        grouped(self.offset.saturating_add(damage.offset)),
                        damage.what
                    ),
                );
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
                Ok(record) => {
                    let ts = self.scale.apply(record.timestamp);
                    self.record(ts, record.data, Window::new(page, record.at));
                }
                Err(error) => self.page_damage(&error),
            }
        }
    }

    /// `window`: that of the record, where it is in a page.
    #[inline(always)]
    fn record(&mut self, ts: u64, data: &[u8], window: Option<Window<'_>>) {
        let Some(id) = self.ids.of(data) else {
            self.short_records += 1;
            return;
        };
        self.scan.records += 1;
        self.count(id);
        if let Some(indexer) = &mut self.indexer {
            indexer.record(ts, self.missed);
        }
        match self.scan.last_ns {
            Some(last) if ts < last => self.went_back(ts),
            Some(_) => {}
            None => self.scan.first_ns = Some(ts),
        }
        if self.missed.is_some() {
            self.push_lost(self.scan.last_ns.unwrap_or(ts));
            if let Some(kernel) = &mut self.kernel {
                kernel.lost(ts);
            }
        }
        self.scan.last_ns = Some(ts);
        if let Some(kernel) = &mut self.kernel {
            if kernel.take(id, ts, data, &mut self.names, self.endian).is_none() {
                self.short_records += 1;
            }
        }

        let Collector { formats, names, .. } = self;
        let bound = formats.by_id.get(usize::from(id)).copied().unwrap_or(0);
        let Some(event) = usize::from(bound)
            .checked_sub(1)
            .and_then(|index| formats.bound.get(index))
        else {
            return self.yields.take(id, data, &mut self.rows, self.endian);
        };
        let (rows, states) = (&mut self.rows, &mut formats.states);
        let pushed = match (window, &event.near) {
            (Some(window), Some(near)) => near.push(rows, states, names, ts, window, data.len()),
            _ => push_row(rows, event, states, names, self.endian, ts, data),
        };
        if pushed.is_none() {
            self.short_records += 1;
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
        self.first_lost.get_or_insert(ts);
        self.rows.push(&Row {
            arg,
            ..Row::of(RowKind::Lost, ts)
        });
    }

    /// Something is missing between the last record and the next.
    #[cold]
    fn lose(&mut self, missed: Missed) {
        if let Missed::Count(count) = missed {
            self.scan.lost_events = self.scan.lost_events.saturating_add(count);
        }
        self.missed = Some(missed.after(self.missed));
    }

    #[cold]
    fn page_damage(&mut self, error: &traceevent::PageDamage) {
        let page = self.pages - 1;
        let what = format!("from byte {} on, in page {page}: {error}", grouped(self.offset));
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
            let how_many = match lost {
                0 => "how many is not known".to_owned(),
                _ => format!("{} by the kernel's count", grouped(lost)),
            };
            let text = format!("events of CPU {cpu} were lost in {} ({how_many})", counted(gaps, "gap"));
            self.diagnose(DiagnosticKind::LostEvents, gaps, self.first_lost, text);
        }
        if self.damages as usize > MAX_DAMAGES {
            let more = self.damages - MAX_DAMAGES as u64;
            self.diagnose(
                DiagnosticKind::Malformed,
                more,
                None,
                format!("data of CPU {cpu}: {} more", counted(more, "damaged place")),
            );
        }
        if self.short_records > 0 {
            let short = self.short_records;
            self.diagnose(
                DiagnosticKind::Malformed,
                short,
                None,
                format!(
                    "data of CPU {cpu}: {} shorter than the format says",
                    counted(short, "record")
                ),
            );
        }
        if let Some((count, first)) = self.backwards {
            self.diagnose(
                DiagnosticKind::TimeBackwards,
                count,
                Some(first),
                format!("time went back on CPU {cpu}"),
            );
        }
        self.scan.events = (0..=u16::MAX)
            .zip(&self.counts)
            .filter(|(_, &count)| count > 0)
            .map(|(id, &count)| (id, count))
            .collect();
        self.scan.rows = self.rows.finish();
        self.scan.kernel = self.kernel.take().map(|kernel| kernel.rows).unwrap_or_default();
        self.scan.comms = self.names.into_table();
        self.scan
    }
}
