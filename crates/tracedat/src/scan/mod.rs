//! One CPU's pages to columns of scheduling events. Pure and per CPU: the unit of parallelism.

mod bind;
mod decode;
mod event_ids;
mod names;
mod record_index;
mod scanner;
mod state;

pub use record_index::RecordIndex;
pub use scanner::CpuScanner;

pub(crate) use event_ids::EventIds;
pub(crate) use record_index::{push_number, take_number, IndexedPage};

use schedrows::CpuScan;

use crate::error::ReadError;
use crate::file::{CpuExtent, ReadAt, TraceFile};

/// Bytes read at a time: large enough for the input's overhead not to matter, small enough for a cache.
const READ_SIZE: u64 = 1 << 20;
/// The first record is in the first page, nearly always.
const FIRST_READ_SIZE: u64 = 32 << 10;

impl<R: ReadAt> TraceFile<R> {
    /// A scanner for the data of `self.cpus()[cpu_index]`; `None` when there is no such CPU. It owns what it needs, and
    /// waits for the bytes of the extent, from its start.
    pub fn scanner(&self, cpu_index: usize) -> Option<CpuScanner> {
        let extent = self.cpus().get(cpu_index)?;
        let scanner = CpuScanner::new(&self.data_format(self.shown_buffer(), extent.cpu), extent);
        Some(if cpu_index == 0 {
            scanner.tell_formats()
        } else {
            scanner
        })
    }

    /// Time of the earliest first record of any CPU, without reading more than it takes to find it.
    pub fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        let mut earliest = None;
        for (index, extent) in self.cpus().iter().enumerate() {
            let Some(mut scanner) = self.scanner(index) else {
                continue;
            };
            feed(
                self.input(),
                extent,
                FIRST_READ_SIZE,
                &mut scanner,
                &mut |scanner, _| scanner.first_ns().is_none(),
            )?;
            let first = scanner.finish().first_ns;
            earliest = [earliest, first].into_iter().flatten().min();
        }
        Ok(earliest)
    }
}

/// Scans all of one CPU's data. The only errors are the input's: damage is in the scan's diagnostics.
pub fn scan_cpu<R: ReadAt>(file: &TraceFile<R>, cpu_index: usize) -> Result<CpuScan, ReadError> {
    scan_cpu_watched(file, cpu_index, &mut |_| {})
}

/// Like [`scan_cpu`]; `watch` is called with the size of each piece of data that is finished, in bytes of the file.
pub fn scan_cpu_watched<R: ReadAt>(
    file: &TraceFile<R>,
    cpu_index: usize,
    watch: &mut dyn FnMut(u64),
) -> Result<CpuScan, ReadError> {
    match file.scanner(cpu_index) {
        Some(scanner) => Ok(scan_with(file, cpu_index, scanner, watch)?.finish()),
        None => Ok(CpuScan::default()),
    }
}

/// As [`scan_cpu`], and where the records are.
pub fn scan_cpu_indexed<R: ReadAt>(file: &TraceFile<R>, cpu_index: usize) -> Result<(CpuScan, RecordIndex), ReadError> {
    match file.scanner(cpu_index) {
        Some(scanner) => Ok(scan_with(file, cpu_index, scanner.indexed(), &mut |_| {})?.finish_indexed()),
        None => Ok(Default::default()),
    }
}

/// Pushes all bytes of the CPU.
fn scan_with<R: ReadAt>(
    file: &TraceFile<R>,
    cpu_index: usize,
    mut scanner: CpuScanner,
    watch: &mut dyn FnMut(u64),
) -> Result<CpuScanner, ReadError> {
    if let Some(extent) = file.cpus().get(cpu_index) {
        feed(file.input(), extent, READ_SIZE, &mut scanner, &mut |_, bytes| {
            watch(bytes);
            true
        })?;
    }
    Ok(scanner)
}

/// Pushes an extent's bytes while `go_on`, which is called with the size of each piece, returns true.
fn feed<R: ReadAt>(
    input: &R,
    extent: &CpuExtent,
    step: u64,
    scanner: &mut CpuScanner,
    go_on: &mut dyn FnMut(&CpuScanner, u64) -> bool,
) -> Result<(), ReadError> {
    let mut buffer = vec![0; extent.size.min(step) as usize];
    let mut done = 0;
    while done < extent.size {
        buffer.truncate((extent.size - done).min(step) as usize);
        input.read_at(extent.offset + done, &mut buffer)?;
        scanner.push(&buffer);
        done += buffer.len() as u64;
        if !go_on(scanner, buffer.len() as u64) {
            break;
        }
    }
    Ok(())
}
