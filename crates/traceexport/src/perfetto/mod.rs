//! A trace as the Perfetto UI opens it, and all that reads its format (perfetto.dev/docs/reference/trace-packet-proto).
//!
//! Packets stand in the order of time, by the second: of each CPU a bundle of its events, then the values of counters. They
//! are packed with zlib, half a megabyte at a time, as Perfetto itself does (`compressed_packets`).

mod event;
mod messages;
mod packets;
mod proto;

use std::io::{self, Write};

use schedrows::{CannotTell, ReadError};
use thiserror::Error;
use tracedat::file::{ReadAt, TraceFile};
use tracedat::of_tasks::OfTasks;
use tracedat::records::CpuRecords;
use tracedat::write::{Bounded, Window, Written};
use traceevent::Missed;

use self::event::Events;
use self::packets::Packets;
use self::proto::Proto;

const SECOND: u64 = 1_000_000_000;
/// Bytes of a bundle's events, after which another one begins: a packet is to stay below 512 KB.
const BUNDLE: usize = 256 << 10;

// FtraceEventBundle.
const CPU: u32 = 1;
const EVENT: u32 = 2;
const LOST_EVENTS: u32 = 3;
const PREVIOUS_BUNDLE_END: u32 = 10;

/// A number over time, drawn as a track of its own.
pub struct Counter<'c> {
    /// What it counts.
    pub name: &'c str,
    /// By the trace's clock, ascending: its values from then on.
    pub values: Box<dyn Iterator<Item = (u64, i64)> + 'c>,
}

/// A task as the file's tree of processes names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its thread id.
    pub pid: i32,
    /// The thread id of its process's leader; `None` where that is not known: it is then listed as a process of its own.
    pub tgid: Option<i32>,
    /// Its name.
    pub comm: String,
    /// Whether the kernel made it for itself.
    pub is_kernel_thread: bool,
}

/// What goes out besides records.
#[derive(Default)]
pub struct Extra<'c> {
    /// All tasks whose names are known.
    pub tasks: Vec<Known>,
    /// Tracks.
    pub counters: Vec<Counter<'c>>,
    /// What the trace's own format has no way to say.
    pub cannot_tell: CannotTell,
}

/// Why there is no file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PerfettoError {
    /// Nothing to write.
    #[error("no record of the trace is in the window")]
    Empty,
    /// Perfetto has nanoseconds only.
    #[error("the trace's clock ({0}) does not count nanoseconds, which Perfetto's format has; record with another clock (trace-cmd record -C mono)")]
    NotNs(String),
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The new file could not be written.
    #[error("writing: {0}")]
    Write(#[from] io::Error),
}

/// Writes the records of the buffer that is shown which are in the window.
pub fn write<R: ReadAt>(
    file: &TraceFile<R>,
    window: &Window,
    extra: Extra<'_>,
    out: &mut impl Write,
) -> Result<Written, PerfettoError> {
    if !file.clock_is_ns() {
        let clock = file.header().clock.as_deref().unwrap_or("unknown");
        return Err(PerfettoError::NotNs(clock.to_owned()));
    }
    let mut cpus = Cpu::all(file, window)?;
    let Some(first) = earliest(&mut cpus, window)? else {
        return Err(PerfettoError::Empty);
    };
    let mut events = Events::new(
        file,
        OfTasks::new(file, &window.pids),
        !extra.cannot_tell.has(CannotTell::CONTEXT),
    );
    let mut out = Bounded::new(out, file.input().len());
    let mut packets = Packets::new(&mut out);
    packets.head(first, file.header().uname.as_deref(), file.header().cpu_count, &extra)?;
    let mut counters: Vec<_> = extra
        .counters
        .into_iter()
        .map(|counter| (counter.name, counter.values.peekable()))
        .collect();
    for (number, (name, _)) in counters.iter().enumerate() {
        packets.track(number, name)?;
    }
    let mut written = Written::default();
    // Seconds without a record are passed over.
    while let Some(next) = earliest(&mut cpus, window)? {
        let last = (next - next % SECOND).saturating_add(SECOND - 1);
        for cpu in &mut cpus {
            while cpu.write_bundle(window, last, &mut events, &mut packets, &mut written)? {}
        }
        for (number, (_, values)) in counters.iter_mut().enumerate() {
            while let Some((ts, value)) = values.next_if(|(ts, _)| *ts <= last) {
                packets.count(number, ts, value)?;
            }
        }
    }
    if written.records == 0 {
        return Err(PerfettoError::Empty);
    }
    packets.stats(cpus.iter().map(|cpu| (cpu.number, cpu.lost)))?;
    written.bytes = packets.finish()?;
    Ok(written)
}

/// The earliest time at which a CPU has its next record in the window.
fn earliest<R: ReadAt>(cpus: &mut [Cpu<'_, R>], window: &Window) -> Result<Option<u64>, PerfettoError> {
    let mut earliest = None;
    for cpu in cpus {
        if let Some(ts) = cpu.next_ts(window)? {
            earliest = Some(earliest.map_or(ts, |earlier: u64| earlier.min(ts)));
        }
    }
    Ok(earliest)
}

/// A CPU on its way out.
struct Cpu<'f, R: ReadAt> {
    number: u32,
    records: CpuRecords<'f, R>,
    /// When the last bundle ended.
    end: u64,
    /// Events that were lost, as far as they were counted.
    lost: u64,
    /// Some were lost since the last event that was written.
    is_lost: bool,
    bundle: Vec<u8>,
    event: Vec<u8>,
}

impl<'f, R: ReadAt> Cpu<'f, R> {
    fn all(file: &'f TraceFile<R>, window: &Window) -> Result<Vec<Self>, PerfettoError> {
        let buffer = file.shown_buffer();
        let mut cpus = Vec::new();
        for (index, extent) in file.cpus().iter().enumerate() {
            let Some(mut records) = CpuRecords::new(file, buffer, index).filter(|_| window.has_cpu(extent.cpu)) else {
                continue;
            };
            if 0 < window.from {
                records.seek(window.from)?;
            }
            cpus.push(Cpu {
                number: extent.cpu,
                records,
                end: 0,
                lost: 0,
                is_lost: false,
                bundle: Vec::new(),
                event: Vec::new(),
            });
        }
        Ok(cpus)
    }

    /// When the next record is that is in the window.
    fn next_ts(&mut self, window: &Window) -> Result<Option<u64>, PerfettoError> {
        // Where time goes back, records of before the window may follow.
        while let Some(ts) = self.records.peek_ts()? {
            if window.from <= ts {
                return Ok(Some(ts).filter(|ts| window.has_time(*ts)));
            }
            self.records.advance();
        }
        Ok(None)
    }

    /// Writes the next records until `until`, up to a gap; false when there are none.
    fn write_bundle<W: Write>(
        &mut self,
        window: &Window,
        until: u64,
        events: &mut Events<'_, R>,
        packets: &mut Packets<'_, W>,
        written: &mut Written,
    ) -> Result<bool, PerfettoError> {
        self.bundle.clear();
        let (mut count, mut is_lost, mut last) = (0_u64, false, self.end);
        while self.next_ts(window)?.is_some_and(|ts| ts <= until) && self.bundle.len() < BUNDLE {
            let Some(record) = self.records.peek()? else {
                break;
            };
            let is_wanted = events.has(record.id, record.data);
            // What is lost is said before the first event of a bundle.
            if is_wanted && 0 < count && (self.is_lost || record.missed.is_some()) {
                break;
            }
            if let Some(missed) = record.missed {
                self.is_lost = true;
                if let Missed::Count(lost) = missed {
                    self.lost = self.lost.saturating_add(lost);
                }
            }
            if !is_wanted {
                self.records.advance();
                continue;
            }
            is_lost |= std::mem::take(&mut self.is_lost);
            self.event.clear();
            if events.write(record.id, record.ts, record.data, &mut self.event) {
                self.bundle.bytes(EVENT, &self.event);
                written.add(record.ts);
            }
            last = record.ts;
            count += 1;
            self.records.advance();
        }
        if count == 0 {
            return Ok(false);
        }
        let mut bundle = Vec::with_capacity(self.bundle.len() + 32);
        bundle.number(CPU, u64::from(self.number));
        bundle.append(&mut self.bundle);
        if is_lost {
            bundle.number(LOST_EVENTS, 1);
        }
        bundle.number(PREVIOUS_BUNDLE_END, self.end);
        packets.bundle(&bundle)?;
        self.end = last;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
