//! The records of a perf.data file in ring-buffer pages, as trace.dat has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use traceevent::{Endian, Missed, PageLayout, PageWriter};

use super::records::{kind, Record, Unpacker};
use super::sample::Attrs;
use schedrows::MOST_CPUS;

/// Writes samples into pages as they come.
pub(super) struct Pages {
    records: Unpacker,
    cpus: Cpus,
}

struct Cpus {
    attrs: Arc<Attrs>,
    endian: Endian,
    layout: PageLayout,
    size: usize,
    all: BTreeMap<u32, Cpu>,
}

struct Cpu {
    page: PageWriter,
    done: Vec<u8>,
    missed: Option<Missed>,
}

impl Pages {
    pub fn new(attrs: Arc<Attrs>, endian: Endian, layout: PageLayout, size: usize) -> Pages {
        Pages {
            records: Unpacker::new(endian),
            cpus: Cpus {
                attrs,
                endian,
                layout,
                size,
                all: BTreeMap::new(),
            },
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        let Pages { records, cpus } = self;
        records.push(bytes, &mut |record| cpus.take(record));
    }

    /// The pages of each CPU, from 0 on.
    pub fn finish(self) -> Vec<Vec<u8>> {
        let cpus = self.cpus;
        let mut pages = Vec::new();
        for (cpu, mut each) in cpus.all {
            pages.resize_with(cpu as usize + 1, Vec::new);
            each.page.finish(&mut each.done);
            if let Some(last) = pages.last_mut() {
                *last = each.done;
            }
        }
        pages
    }
}

impl Cpus {
    fn take(&mut self, Record { kind, body, .. }: Record<'_>) {
        match kind {
            kind::SAMPLE => {
                let attrs = Arc::clone(&self.attrs);
                if let Ok(Some(sample)) = attrs.sample(body) {
                    if let Some(cpu) = self.cpu(sample.cpu) {
                        cpu.record(sample.ts, sample.raw);
                    }
                }
            }
            kind::LOST => {
                let count = self.endian.u64(body, 8).map_or(Missed::Unknown, Missed::Count);
                let cpu = self.attrs.trailer(body).cpu;
                if let Some(cpu) = cpu.and_then(|cpu| self.cpu(cpu)) {
                    cpu.missed = Some(count.after(cpu.missed));
                }
            }
            _ => {}
        }
    }

    fn cpu(&mut self, cpu: u32) -> Option<&mut Cpu> {
        let (layout, size) = (self.layout, self.size);
        (cpu < MOST_CPUS).then(|| {
            self.all.entry(cpu).or_insert_with(|| Cpu {
                page: PageWriter::new(layout, size),
                done: Vec::new(),
                missed: None,
            })
        })
    }
}

impl Cpu {
    fn record(&mut self, ts: u64, data: &[u8]) {
        let missed = self.missed.take();
        if !self.page.push(ts, missed, data) {
            self.page.finish(&mut self.done);
            if !self.page.push(ts, missed, data) {
                // It is longer than a page, which no ring buffer holds.
                self.missed = Some(Missed::Count(1).after(missed));
            }
        }
    }
}
