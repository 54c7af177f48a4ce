//! A trace.dat of rows that came from elsewhere: another format, or a simulation.
//!
//! The events are the scheduler's, as kernel 6.12 on a machine of 64 bits writes them, so that `trace-cmd report` and
//! KernelShark read them as they read a recording. What rows do not hold (the old priority of a task that was never seen
//! before, nodes, the group of a NUMA move) is 0, or what is usual. A state without a letter of that kernel is written as D:
//! its format has no word for "unknown", and R would make the task wait.

mod bounded;
mod chunks;
mod container;
pub(crate) mod formats;
mod records;
mod writer;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Seek, Write};

use schedrows::{CpuScan, Event, Named, Row, RowKind};
use traceevent::{Endian, Missed, PageLayout, PageWriter};

use self::container::bytes;
use self::formats::{event, Value, HEADER_EVENT, HEADER_PAGE, PRINT, SCHED_EXT};
use self::records::Records;
use crate::file::{options as option, Codec};

pub use self::bounded::Bounded;
pub(crate) use self::chunks::Chunks;
pub(crate) use self::container::{Contents, SECTIONS};
pub(crate) use self::writer::Writer;

/// Bytes of a page.
const PAGE_SIZE: u32 = 4096;

/// Which records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From this time on, as [`crate::records::RecordRef::ts`] has it.
    pub from: u64,
    /// Before this time; to the end when there is none.
    pub to: Option<u64>,
    /// Of these CPUs, in every buffer; of all when there are none.
    pub cpus: Option<Vec<u32>>,
    /// Only [those of these tasks](crate::of_tasks::OfTasks); of all when it is empty. [`write`] looks at no tasks.
    pub pids: Vec<i32>,
}

impl Window {
    /// Whether records of the CPU are in it.
    pub fn has_cpu(&self, cpu: u32) -> bool {
        self.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu))
    }

    /// Whether records of the time are in it.
    pub fn has_time(&self, ts: u64) -> bool {
        self.from <= ts && self.to.is_none_or(|to| ts < to)
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Records in all buffers.
    pub records: u64,
    /// The time of the first and of the last of them.
    pub times: Option<(u64, u64)>,
    /// Bytes of the new file.
    pub bytes: u64,
}

impl Written {
    /// Counts a record of that time.
    pub fn add(&mut self, ts: u64) {
        self.records += 1;
        let (first, last) = self.times.unwrap_or((ts, ts));
        self.times = Some((first.min(ts), last.max(ts)));
    }
}

/// Which trace.dat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileVersion {
    /// Version 6, which is not packed, and which old trace-cmds read.
    V6,
    /// Version 7, packed with zstd.
    V7,
}

impl FileVersion {
    /// 6 or 7.
    pub fn number(self) -> u32 {
        match self {
            FileVersion::V6 => 6,
            FileVersion::V7 => 7,
        }
    }
}

/// What a file is made of.
#[derive(Clone, Debug)]
pub struct Recording<'r> {
    /// The rows of each CPU, with their names.
    pub scans: &'r [CpuScan],
    /// Those that are written.
    pub window: Window,
    /// CPUs of the machine: `0..cpu_count`, and those that have rows.
    pub cpu_count: u32,
    /// The kernel's word for the clock; `None` for its usual one.
    pub clock: Option<&'r str>,
    /// The machine, as `uname` prints it.
    pub uname: Option<&'r str>,
    /// Names of tasks that are known beside the events.
    pub comms: &'r [(i32, String)],
    /// What the file is, as if a program had written it into `trace_marker`.
    pub marker: Option<Marker<'r>>,
}

/// The first event of a file, and the last one: without it, what is open at the end would end at the last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker<'r> {
    /// What the first one says.
    pub text: &'r str,
    /// When they are, as rows have their times; rows that are earlier or later move them.
    pub span: (u64, u64),
}

/// What the last one says.
const END: &str = "end";

/// Writes a file; `out` is empty, and the output's position at its start. Nothing is written of a recording without a row
/// in its window: the result says so.
pub fn write(recording: &Recording<'_>, version: FileVersion, out: &mut (impl Write + Seek)) -> io::Result<Written> {
    let known = Known::of(recording);
    if known.first.is_none() {
        return Ok(Written::default());
    }
    let layout = PageLayout::standard(8, PAGE_SIZE, Endian::Little)
        .ok_or_else(|| io::Error::other("a page of 4096 bytes is refused"))?;
    let mut written = Written::default();
    let contents = contents(recording, &known)?;
    let mut out = Writer::new(out, Endian::Little);
    contents.write(
        version,
        &mut |cpu, codec, out| {
            let mut pages = Pages::new(layout, codec, out)?;
            for scan in recording.scans.iter().filter(|scan| scan.cpu == cpu) {
                let mut sink = Sink {
                    pages: &mut pages,
                    written: &mut written,
                    out,
                };
                write_rows(scan, recording, &known, &mut sink)?;
            }
            pages.finish(out)
        },
        &mut out,
    )?;
    written.bytes = out.at()?;
    Ok(written)
}

/// What one look at all rows of the window tells.
#[derive(Default)]
struct Known<'r> {
    /// Time and CPU of the first.
    first: Option<(u64, u32)>,
    /// The time of the last.
    last: u64,
    /// CPUs with rows, ascending.
    cpus: Vec<u32>,
    /// The last name of each task, and when it had it.
    comms: BTreeMap<i32, (u64, &'r str)>,
    /// The first name that idle told of each task, and when: see [`Known::settle`].
    by_idle: BTreeMap<i32, (u64, &'r str)>,
    /// When a task first wrote an event.
    by_task: Option<u64>,
    /// The first priority of each task, and when it had it.
    prios: HashMap<i32, (u64, u8)>,
    /// There are events of sched_ext.
    has_sched_ext: bool,
}

impl<'r> Known<'r> {
    fn of(recording: &Recording<'r>) -> Self {
        let mut known = Known::default();
        for (pid, comm) in recording.comms {
            known.comms.insert(*pid, (0, comm));
        }
        for scan in recording.scans.iter().filter(|scan| recording.window.has_cpu(scan.cpu)) {
            for row in scan.rows.iter().filter(|row| recording.window.has_time(row.ts)) {
                if row.kind != RowKind::Lost {
                    known.see(&row, scan);
                }
            }
            let told = scan.sched_ext.iter();
            for event in told.filter(|event| recording.window.has_time(event.ts)) {
                known.is_at(event.ts, scan.cpu);
                known.has_sched_ext = true;
            }
        }
        known.cpus.sort_unstable();
        known.settle();
        known
    }

    /// Saves the names that events told before the first event by a task. libtraceevent looks for the saved names when it
    /// prints that one; a name that its plugins met before stands beside the saved one then, and either may be found.
    fn settle(&mut self) {
        let before = self.by_task.unwrap_or(u64::MAX);
        let early = std::mem::take(&mut self.by_idle);
        let early = early.into_iter().filter(|&(_, (at, _))| at <= before);
        self.comms.extend(early);
    }

    /// There is a record.
    fn is_at(&mut self, ts: u64, cpu: u32) {
        let at = (ts, cpu);
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = self.last.max(ts);
        if self.cpus.last() != Some(&cpu) && !self.cpus.contains(&cpu) {
            self.cpus.push(cpu);
        }
    }

    fn see(&mut self, row: &Row, scan: &'r CpuScan) {
        self.is_at(row.ts, scan.cpu);
        let by_idle = records::writer(row) == 0;
        if !by_idle {
            self.by_task = Some(self.by_task.map_or(row.ts, |first| first.min(row.ts)));
        }
        let mut name = |task: Named| {
            let Some(comm) = scan.comms.names.get(task.comm as usize).filter(|comm| !comm.is_empty()) else {
                return;
            };
            let last = self.comms.entry(task.pid).or_insert((0, comm));
            if last.0 <= row.ts {
                *last = (row.ts, comm);
            }
            if by_idle {
                let first = self.by_idle.entry(task.pid).or_insert((row.ts, comm));
                if row.ts < first.0 {
                    *first = (row.ts, comm);
                }
            }
        };
        let mut prio = |pid: i32| {
            let first = self.prios.entry(pid).or_insert((row.ts, row.prio));
            if row.ts < first.0 {
                *first = (row.ts, row.prio);
            }
        };
        match row.event() {
            Event::Switch(switch) => {
                switch.prev.into_iter().for_each(&mut name);
                name(switch.next);
                prio(switch.next.pid);
            }
            Event::Wakeup(wakeup) => {
                name(wakeup.wakee);
                prio(wakeup.wakee.pid);
            }
            Event::Migrate { task, .. } => {
                name(task);
                prio(task.pid);
            }
            Event::Exit(task) | Event::Rename(task) => name(task),
            Event::Fork { parent, child } => {
                name(parent);
                name(child);
            }
            Event::Exec { .. } | Event::Numa { .. } | Event::Lost => {}
        }
    }

    fn prios(&self) -> HashMap<i32, u8> {
        self.prios.iter().map(|(&pid, &(_, prio))| (pid, prio)).collect()
    }

    /// The text of the saved command lines. Idle has one name for each CPU, and is not among them.
    fn comms_text(&self) -> String {
        let names = self
            .comms
            .iter()
            .filter(|(&pid, (_, comm))| 0 < pid && !comm.contains('\n'));
        names.map(|(pid, (_, comm))| format!("{pid} {comm}\n")).collect()
    }
}

fn contents(recording: &Recording<'_>, known: &Known<'_>) -> io::Result<Contents> {
    let endian = Endian::Little;
    let highest = known.cpus.last().map_or(0, |cpu| cpu.saturating_add(1));
    let cpu_count = recording.cpu_count.max(highest);
    let clock = recording.clock.unwrap_or("local");
    let mut by_system: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for kind in RowKind::ALL {
        if let (Some((system, _)), Some(event)) = (kind.event_name(), event(kind)) {
            by_system.entry(system).or_default().push(event.text());
        }
    }
    if known.has_sched_ext {
        by_system.insert("sched_ext", SCHED_EXT.iter().map(|event| event.text()).collect());
    }
    let sections = [
        bytes(endian, |out| {
            for (name, text) in [("header_page", HEADER_PAGE), ("header_event", HEADER_EVENT)] {
                out.c_str(name)?;
                out.u64(text.len() as u64)?;
                out.bytes(text.as_bytes())?;
            }
            Ok(())
        })?,
        bytes(endian, |out| write_formats(&[PRINT.text()], out))?,
        bytes(endian, |out| {
            out.u32(by_system.len() as u32)?;
            for (system, formats) in &by_system {
                out.c_str(system)?;
                write_formats(formats, out)?;
            }
            Ok(())
        })?,
        // Neither symbols nor formats of trace_printk are known.
        bytes(endian, |out| out.u32(0))?,
        bytes(endian, |out| out.u32(0))?,
        bytes(endian, |out| {
            let text = known.comms_text();
            out.u64(text.len() as u64)?;
            out.bytes(text.as_bytes())
        })?,
    ];
    let mut options = vec![(option::TRACECLOCK, format!("[{clock}]\n\0").into_bytes())];
    if let Some(uname) = recording.uname {
        options.push((option::UNAME, format!("{uname}\0").into_bytes()));
    }
    let version = concat!("corelane ", env!("CARGO_PKG_VERSION"), "\0");
    options.push((option::VERSION, version.as_bytes().to_vec()));
    options.push((option::CPUCOUNT, cpu_count.to_le_bytes().to_vec()));
    Ok(Contents {
        endian,
        long_size: 8,
        page_size: PAGE_SIZE,
        data_page_size: PAGE_SIZE,
        sections,
        options,
        clock: clock.to_owned(),
        cpu_count,
        cpus: known.cpus.clone(),
    })
}

/// How many there are, and each with its size.
fn write_formats<W: Write + Seek>(texts: &[String], out: &mut Writer<'_, W>) -> io::Result<()> {
    out.u32(texts.len() as u32)?;
    for text in texts {
        out.u64(text.len() as u64)?;
        out.bytes(text.as_bytes())?;
    }
    Ok(())
}

fn write_rows<W: Write + Seek>(
    scan: &CpuScan,
    recording: &Recording<'_>,
    known: &Known<'_>,
    sink: &mut Sink<'_, '_, W>,
) -> io::Result<()> {
    let mut records = Records::new(&scan.comms, known.prios());
    let mut told = scan.sched_ext.iter().peekable();
    let mut record = Vec::new();
    let marker = recording
        .marker
        .filter(|_| known.first.is_some_and(|first| first.1 == scan.cpu));
    let mut beginning = marker;
    let mut current = 0;
    let mut missed = None;
    for row in scan.rows.iter() {
        while let Some(event) = told.next_if(|event| event.ts < row.ts) {
            if recording.window.has_time(event.ts) {
                records::write_sched_ext(event, &mut record);
                sink.push(event.ts, missed.take(), &record)?;
            }
        }
        if row.kind == RowKind::Lost {
            missed = Some(match u64::try_from(row.arg) {
                Ok(count) => Missed::Count(count),
                Err(_) => Missed::Unknown,
            });
            continue;
        }
        let mut missed = missed.take();
        if row.kind == RowKind::Switch && row.pid == Row::UNKNOWN_PID {
            // No record can say that; but what a CPU did before a gap is unknown.
            missed = missed.or(Some(Missed::Unknown));
        }
        if !recording.window.has_time(row.ts) {
            continue;
        }
        if let Some(marker) = beginning.take() {
            let values = [Value::Number(0), Value::Text(marker.text)];
            let ts = marker.span.0.min(row.ts);
            PRINT.record(0, records::writer(&row), &values, &mut records.record);
            sink.push(ts, None, &records.record)?;
        }
        if records.write(&row) {
            sink.push(row.ts, missed, &records.record)?;
        }
        if row.kind == RowKind::Switch {
            current = row.arg;
        }
    }
    for event in told.filter(|event| recording.window.has_time(event.ts)) {
        records::write_sched_ext(event, &mut record);
        sink.push(event.ts, missed.take(), &record)?;
    }
    if let Some(marker) = marker {
        let values = [Value::Number(0), Value::Text(END)];
        let ts = marker.span.1.max(known.last);
        PRINT.record(0, current, &values, &mut records.record);
        sink.push(ts, None, &records.record)?;
    }
    Ok(())
}

/// Where the records of a CPU go, and are counted.
struct Sink<'s, 'w, W> {
    pages: &'s mut Pages,
    written: &'s mut Written,
    out: &'s mut Writer<'w, W>,
}

impl<W: Write + Seek> Sink<'_, '_, W> {
    fn push(&mut self, ts: u64, missed: Option<Missed>, record: &[u8]) -> io::Result<()> {
        self.pages.push(ts, missed, record, self.out)?;
        self.written.add(ts);
        Ok(())
    }
}

/// The pages of a CPU, on their way into its chunks.
struct Pages {
    page: PageWriter,
    chunks: Chunks,
    start: u64,
}

impl Pages {
    fn new<W: Write + Seek>(layout: PageLayout, codec: Codec, out: &mut Writer<'_, W>) -> io::Result<Pages> {
        let start = out.at()?;
        Ok(Pages {
            page: PageWriter::new(layout, PAGE_SIZE as usize),
            chunks: Chunks::new(codec, start, PAGE_SIZE as usize),
            start,
        })
    }

    fn push<W: Write + Seek>(
        &mut self,
        ts: u64,
        missed: Option<Missed>,
        record: &[u8],
        out: &mut Writer<'_, W>,
    ) -> io::Result<()> {
        while !self.page.push(ts, missed, record) {
            if !self.page.finish(&mut self.chunks.pages) {
                // No record is longer than a page.
                break;
            }
            self.chunks.write_full(out)?;
        }
        Ok(())
    }

    /// Gives the bytes that were written.
    fn finish<W: Write + Seek>(mut self, out: &mut Writer<'_, W>) -> io::Result<u64> {
        self.page.finish(&mut self.chunks.pages);
        self.chunks.finish(out)?;
        Ok(out.at()?.saturating_sub(self.start))
    }
}

#[cfg(test)]
mod tests;
