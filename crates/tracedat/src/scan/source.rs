//! A trace.dat file as a source of rows: a stream for each CPU of the buffer that is shown.

use schedrows::{CpuScan, Diagnostic, ReadAt, ReadError, Scan, Scanner, Source, SourceError, SourceInfo, Stream, Want};

use super::first_record::FirstRecord;
use super::{CpuScanner, RecordScanner};
use crate::file::{CpuExtent, TraceFile};

/// The format's name.
pub const FORMAT: &str = "trace.dat";

/// The first record is in the first page, nearly always: a page, or a packed chunk or two.
const FIRST_READ_SIZE: u64 = 4 << 10;

impl<R: ReadAt> TraceFile<R> {
    /// A scanner for the data of `self.cpus()[cpu_index]`; `None` when there is no such CPU. It owns what it needs, and
    /// waits for the bytes of the extent, from its start.
    pub fn cpu_scanner(&self, cpu_index: usize) -> Option<CpuScanner> {
        self.wanted_scanner(cpu_index, Want::default())
    }

    /// A scanner for records of a CPU in this file's formats that are not in the file.
    pub fn record_scanner(&self, cpu: u32, want: Want) -> RecordScanner {
        RecordScanner::new(&self.data_format(self.shown_buffer(), cpu), cpu, want)
    }

    fn wanted_scanner(&self, cpu_index: usize, want: Want) -> Option<CpuScanner> {
        let extent = self.cpus().get(cpu_index)?;
        let format = self.data_format(self.shown_buffer(), extent.cpu);
        let mut scanner = CpuScanner::new(&format, extent);
        if want.kernel {
            scanner = scanner.with_kernel(&format);
        }
        if want.index {
            scanner = scanner.indexed();
        }
        Some(if cpu_index == 0 {
            scanner.tell_formats()
        } else {
            scanner
        })
    }
}

impl<R: ReadAt> Source for TraceFile<R> {
    fn info(&self) -> SourceInfo {
        let header = self.header();
        SourceInfo {
            format: FORMAT,
            version: header.version,
            cpu_count: header.cpu_count,
            clock: self.clock().map(str::to_owned),
            clock_is_ns: self.clock_is_ns(),
            uname: header.uname.clone(),
            has_text: true,
            ..SourceInfo::default()
        }
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        Ok(TraceFile::select_buffer(self, name)?)
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        TraceFile::diagnostics(self)
    }

    fn input(&self) -> &dyn ReadAt {
        TraceFile::<R>::input(self)
    }

    fn streams(&self) -> Vec<Stream> {
        self.cpus().iter().map(stream_of).collect()
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        Some(Box::new(self.wanted_scanner(stream, want)?))
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        let mut earliest = None;
        for extent in self.cpus() {
            let mut first = FirstRecord::new(&self.data_format(self.shown_buffer(), extent.cpu));
            stream_of(extent).read(self.input(), FIRST_READ_SIZE, &mut |bytes| first.push(bytes))?;
            earliest = [earliest, first.finish()].into_iter().flatten().min();
        }
        Ok(earliest)
    }

    fn sample(&self, stream: usize, share: f64) -> Result<Option<CpuScan>, ReadError> {
        self.sample_cpu(stream, share)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        TraceFile::event_name(self, id)
    }
}

fn stream_of(extent: &CpuExtent) -> Stream {
    Stream {
        cpu: Some(extent.cpu),
        offset: extent.offset,
        size: extent.size,
    }
}

impl Scanner for CpuScanner {
    fn push(&mut self, bytes: &[u8]) {
        CpuScanner::push(self, bytes);
    }

    fn events(&self) -> u64 {
        CpuScanner::events(self)
    }

    fn finish(self: Box<Self>) -> Scan {
        let is_indexed = self.is_indexed();
        let (scan, index) = self.finish_indexed();
        Scan {
            cpus: vec![scan],
            index: is_indexed.then(|| index.to_bytes()),
        }
    }
}
