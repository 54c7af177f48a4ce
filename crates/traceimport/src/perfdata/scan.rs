//! The data of a perf.data file to the rows of its CPUs.

use std::sync::Arc;

use schedrows::words::counted;
use schedrows::{CpuScan, Diagnostic, DiagnosticKind, Scan, Scanner, Want};
use tracedat::file::TraceFile;
use tracedat::scan::RecordScanner;
use traceevent::Endian;

use super::records::{kind, Record, Stop, Unpacker};
use super::sample::Attrs;
use super::switches::Switches;
use schedrows::MOST_CPUS;

/// Scans all CPUs: a CPU's samples are in order, and those of different CPUs need not be.
pub(super) struct PerfScanner {
    records: Unpacker,
    samples: Samples,
    /// Of a file without tracepoints.
    switches: Option<Switches>,
}

pub(super) struct Samples {
    attrs: Arc<Attrs>,
    formats: Arc<TraceFile<Vec<u8>>>,
    want: Want,
    endian: Endian,
    /// By number.
    cpus: Vec<Option<Box<RecordScanner>>>,
    /// One of them tells of the formats.
    told: bool,
    events: u64,
    /// Rounds of reading all buffers that are over.
    pub rounds: u64,
    /// Samples that are shorter than they say, or are on no CPU.
    damaged: u64,
    /// Losses that perf tells at the end, without a place.
    lost_samples: u64,
    lost: u64,
}

impl PerfScanner {
    /// `switches`: the records of switches are read, not samples of tracepoints.
    pub fn new(
        attrs: Arc<Attrs>,
        formats: Arc<TraceFile<Vec<u8>>>,
        endian: Endian,
        want: Want,
        switches: bool,
    ) -> Self {
        PerfScanner {
            records: Unpacker::new(endian),
            switches: switches.then(|| Switches::new(Arc::clone(&attrs), endian)),
            samples: Samples {
                attrs,
                formats,
                want,
                endian,
                cpus: Vec::new(),
                told: false,
                events: 0,
                rounds: 0,
                damaged: 0,
                lost_samples: 0,
                lost: 0,
            },
        }
    }

    pub fn samples(&self) -> &Samples {
        &self.samples
    }
}

impl Samples {
    fn take(&mut self, Record { kind, body, .. }: Record<'_>) {
        match kind {
            kind::SAMPLE => self.sample(body),
            kind::LOST => {
                let (cpu, count) = self.lost(body);
                self.lost = self.lost.saturating_add(count.unwrap_or(0));
                match cpu {
                    Some(cpu) => self.cpu(cpu).into_iter().for_each(|cpu| cpu.lose(count)),
                    // Whose they were is not known: they may have been anybody's.
                    _ => self.cpus.iter_mut().flatten().for_each(|cpu| cpu.lose(None)),
                }
            }
            kind::LOST_SAMPLES => {
                let count = self.endian.u64(body, 0).unwrap_or(0);
                self.lost_samples = self.lost_samples.saturating_add(count);
            }
            kind::FINISHED_ROUND => self.rounds += 1,
            _ => {}
        }
    }

    /// Where events were lost, if that is known, and how many.
    fn lost(&self, body: &[u8]) -> (Option<u32>, Option<u64>) {
        let cpu = self.attrs.trailer(body).cpu;
        (cpu.filter(|&cpu| cpu < MOST_CPUS), self.endian.u64(body, 8))
    }

    #[inline]
    fn sample(&mut self, body: &[u8]) {
        match self.attrs.sample(body) {
            Ok(Some(sample)) if sample.cpu < MOST_CPUS => {
                self.events += 1;
                if let Some(cpu) = self.cpu(sample.cpu) {
                    cpu.record(sample.ts, sample.raw);
                }
            }
            Ok(None) => {}
            Ok(Some(_)) | Err(()) => self.damaged += 1,
        }
    }

    /// There is one of each number below [`MOST_CPUS`].
    #[inline]
    fn cpu(&mut self, cpu: u32) -> Option<&mut RecordScanner> {
        let at = cpu as usize;
        if self.cpus.len() <= at {
            self.cpus.resize_with(at + 1, || None);
        }
        let Samples {
            cpus,
            formats,
            want,
            told,
            ..
        } = self;
        let scanner = cpus.get_mut(at)?.get_or_insert_with(|| {
            let mut scanner = formats.record_scanner(cpu, *want);
            if !std::mem::replace(told, true) {
                scanner.tell_formats();
            }
            Box::new(scanner)
        });
        Some(scanner)
    }
}

impl Scanner for PerfScanner {
    fn push(&mut self, bytes: &[u8]) {
        let PerfScanner {
            records,
            samples,
            switches,
        } = self;
        records.push(bytes, &mut |record| {
            samples.take(record);
            if let Some(switches) = switches {
                match record.kind {
                    kind::LOST => {
                        let (cpu, count) = samples.lost(record.body);
                        switches.lose(cpu, count);
                    }
                    _ => switches.take(record),
                }
            }
        });
    }

    fn events(&self) -> u64 {
        self.samples.events + self.switches.as_ref().map_or(0, |switches| switches.events)
    }

    fn finish(self: Box<Self>) -> Scan {
        let PerfScanner {
            records,
            samples,
            mut switches,
        } = *self;
        let (stopped, left) = records.end();
        let mut diagnostics = Vec::new();
        let mut tell = |kind, count, text: String| {
            diagnostics.push(Diagnostic {
                kind,
                cpu: None,
                at_ns: None,
                count,
                text,
            });
        };
        let is_cut = stopped.is_some() || 0 < left;
        match stopped {
            Some(Stop::Size) => tell(
                DiagnosticKind::Malformed,
                1,
                "a record of perf.data whose size is less than its header; what follows is not read".to_owned(),
            ),
            Some(Stop::Packed) => tell(
                DiagnosticKind::Malformed,
                1,
                "compressed records that cannot be unpacked; what follows is not read".to_owned(),
            ),
            None if 0 < left => tell(
                DiagnosticKind::Truncated,
                1,
                format!(
                    "the data ends within a record, {} of which are there",
                    counted(left as u64, "byte")
                ),
            ),
            None => {}
        }
        if 0 < samples.damaged {
            let text = "samples that are shorter than they say, or of a CPU that there is not".to_owned();
            tell(DiagnosticKind::Malformed, samples.damaged, text);
        }
        // What is told where it was lost is counted there.
        if samples.lost < samples.lost_samples {
            let more = samples.lost_samples - samples.lost;
            let text = format!(
                "{} that perf counts as lost at the end; where is not known",
                counted(more, "sample")
            );
            tell(DiagnosticKind::LostEvents, more, text);
        }
        if let Some(switches) = switches.as_mut().filter(|_| is_cut) {
            switches.lose(None, None);
        }
        let mut cpus: Vec<CpuScan> = samples
            .cpus
            .into_iter()
            .flatten()
            .map(|mut cpu| {
                if is_cut {
                    cpu.lose(None);
                }
                cpu.finish()
            })
            .collect();
        if let Some(switches) = switches {
            cpus = switches.finish().collect();
        }
        if cpus.is_empty() {
            cpus.push(CpuScan::default());
        }
        cpus.iter_mut()
            .take(1)
            .for_each(|scan| scan.diagnostics.append(&mut diagnostics));
        Scan { cpus, index: None }
    }
}
