//! Writes a recorded trace many times over, in time and in CPUs: real mixes of events at any size.
//!
//! Pages stay as the kernel wrote them, byte for byte, but for the time stamps, the pids and the numbers of CPUs in
//! them. Each copy in CPUs is a machine of its own, with tasks of its own, beside the others. Each copy in time begins
//! when the one before has ended, and its tasks are the same; where it begins, the recording's first states contradict the last
//! ones, as they do after lost events. Times within payloads, such as a timer's, stay what they were.

mod pages;
mod patch;

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use self::pages::{Item, Walk};
use self::patch::{Patches, Shift};
use crate::bytes::Bytes;
use crate::container::{self, push_cpu_count, push_option, Contents, CpuPages};
use crate::layout::Layout;
use crate::recorded::{CpuPlace, Recorded, RecordedError};

/// Time between two copies in ns.
const GAP_NS: u64 = 1_000;
/// The pids of two copies lie a multiple of this apart, so that a reader of numbers recognises them.
const PID_STEP: u64 = 10_000;
/// Pages that trace-cmd compresses together.
const CHUNK_PAGES: usize = 10;

/// The options of a recording that are true of its copies: date, clock, name and release of the kernel, offset, version
/// of trace-cmd, tsc2nsec (`trace-cmd.dat.v7(5)`). The others tell of single CPUs or of other machines.
const KEPT_OPTIONS: [u16; 6] = [1, 4, 5, 7, 9, 14];

/// What to write.
#[derive(Clone, Debug)]
pub struct Replicas {
    /// Copies in CPUs.
    pub machines: u32,
    /// Copies in time, or as many as it takes to have so many events.
    pub times: Times,
    /// File version, 6 or 7.
    pub version: String,
    /// `none`, `zlib` or `zstd`; version 6 is never compressed.
    pub compression: String,
    /// The only kernel symbols to keep: a recording has a megabyte of them, of which most traces print a few. All, if `None`.
    pub symbols: Option<Vec<String>>,
}

/// How often the recording is repeated.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// That often.
    Copies(u64),
    /// Until there are at least so many events.
    Events(u64),
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replicated {
    /// Records of all CPUs.
    pub records: u64,
    /// CPUs.
    pub cpus: u32,
    /// Copies in time.
    pub copies: u64,
    /// From one copy in time to the next, in ns.
    pub period_ns: u64,
    /// From the pids of one copy in CPUs to those of the next.
    pub pid_step: u64,
}

/// What the pages of a recording hold.
#[derive(Default)]
struct Census {
    records: u64,
    first_ns: Option<u64>,
    last_ns: u64,
    max_pid: u64,
    /// Bytes of the pages of each CPU, unpacked.
    lens: Vec<u64>,
}

impl Replicas {
    /// Replicates the trace in the file `recorded`; nothing larger than the pages of one of its CPUs is held in memory.
    pub fn write(&self, recorded: &Path, output: &Path) -> Result<Replicated, RecordedError> {
        let failed = |error: io::Error| RecordedError {
            at: 0,
            message: error.to_string(),
        };
        let file = File::open(recorded).map_err(failed)?;
        let recorded = Recorded::read(BufReader::new(file))?;
        let mut out = BufWriter::new(File::create(output).map_err(failed)?);
        let written = self.write_to(recorded, &mut out);
        if written.is_err() {
            // What there is of it is no trace.
            let _ = fs::remove_file(output);
        }
        written
    }

    fn write_to<R: Read + Seek, W: Write + Seek>(
        &self,
        mut recorded: Recorded<R>,
        out: &mut W,
    ) -> Result<Replicated, RecordedError> {
        let patches = Patches::new(&recorded)?;
        let census = Census::take(&mut recorded, &patches)?;
        let no_room = |what: &str| RecordedError {
            at: 0,
            message: format!("{} copies in CPUs: {what}", self.machines),
        };
        let first_ns = census.first_ns.ok_or_else(|| RecordedError {
            at: 0,
            message: "no record in the main buffer".into(),
        })?;
        let cpus = recorded.cpus.iter().map(|of| of.cpu + 1).max().unwrap_or(0);
        let all_cpus = cpus
            .checked_mul(self.machines)
            .ok_or_else(|| no_room("too many CPUs"))?;
        let pid_step = (census.max_pid + 1).next_multiple_of(PID_STEP);
        if pid_step * u64::from(self.machines) > i32::MAX as u64 {
            return Err(no_room("pids have 31 bits"));
        }
        let records = census.records * u64::from(self.machines);
        let copies = match self.times {
            Times::Copies(copies) => copies,
            Times::Events(events) => events.div_ceil(records),
        };
        let written = Replicated {
            records: records * copies,
            cpus: all_cpus,
            copies,
            period_ns: census.last_ns - first_ns + GAP_NS,
            pid_step,
        };
        let layout = Layout {
            version: self.version.clone(),
            compression: self.compression.clone(),
            ..recorded.layout.clone()
        };
        let contents = self.contents(&mut recorded, &layout, written);
        let places = recorded.cpus.clone();
        let recorded = RefCell::new(recorded);
        let pages = (0..self.machines).flat_map(|machine| {
            let shift = Shift {
                cpus,
                cpu: machine * cpus,
                pid: u64::from(machine) * pid_step,
            };
            let (recorded, patches) = (&recorded, &patches);
            places.iter().zip(&census.lens).map(move |(place, len)| CpuPages {
                cpu: place.cpu + shift.cpu,
                len: len * copies,
                pages: Box::new(CpuCopies {
                    recorded,
                    patches,
                    place: *place,
                    shift,
                    period_ns: written.period_ns,
                    left: copies,
                    pages: Vec::new(),
                    stamps: Vec::new(),
                    at: 0,
                }),
            })
        });
        container::write(out, &contents, pages.collect())
            .and_then(|()| out.flush())
            .map_err(|error| RecordedError {
                at: 0,
                message: error.to_string(),
            })?;
        Ok(written)
    }

    /// Everything but the pages: command lines of all copies, and the recording's other sections.
    fn contents<'a, R: Read + Seek>(
        &self,
        recorded: &mut Recorded<R>,
        layout: &'a Layout,
        written: Replicated,
    ) -> Contents<'a> {
        let empty = container::Metadata::empty(layout.endian);
        let comms = recorded.comms();
        let of_machine = |machine: u32| {
            let shift = (u64::from(machine) * written.pid_step) as i32;
            let real = comms.iter().filter(|(pid, _)| *pid > 0);
            real.map(move |(pid, comm)| (pid + shift, comm.clone()))
        };
        let all: Vec<_> = (0..self.machines).flat_map(of_machine).collect();
        let mut metadata = std::mem::replace(&mut recorded.metadata, empty);
        metadata.command_lines = container::command_lines(layout, &all);
        if let Some(names) = &self.symbols {
            let kept = with_symbols(metadata.kallsyms.data.get(4..).unwrap_or(&[]), names);
            metadata.kallsyms = container::text(layout, &kept);
        }
        let mut options = Bytes::new(layout.endian);
        for (id, data) in recorded.options.iter().filter(|(id, _)| KEPT_OPTIONS.contains(id)) {
            let mut bytes = Bytes::new(layout.endian);
            bytes.raw(data);
            push_option(&mut options, *id, &bytes);
        }
        push_cpu_count(&mut options, written.cpus);
        Contents {
            layout,
            cpus: written.cpus,
            metadata,
            options,
            chunk_pages: CHUNK_PAGES,
        }
    }
}

/// The lines of `/proc/kallsyms` (`ffffffff81000000 T name`) with these names, and the one behind each, where it ends.
fn with_symbols(kallsyms: &[u8], names: &[String]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut was_named = false;
    for line in kallsyms.split_inclusive(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let name = text.split_whitespace().nth(2);
        let is_named = name.is_some_and(|name| names.iter().any(|kept| kept == name));
        if is_named || was_named {
            kept.extend_from_slice(line);
        }
        was_named = is_named;
    }
    kept
}

impl Census {
    fn take<R: Read + Seek>(recorded: &mut Recorded<R>, patches: &Patches) -> Result<Self, RecordedError> {
        let mut census = Census::default();
        for place in recorded.cpus.clone() {
            let pages = recorded.pages(place)?;
            census.lens.push(pages.len() as u64);
            for page in pages.chunks(recorded.layout.subbuf() as usize) {
                let mut walk = Walk::new(&recorded.layout, page);
                while let Some(item) = walk.next(page) {
                    let Item::Record { at_ns, payload } = item else {
                        continue;
                    };
                    census.records += 1;
                    census.first_ns = Some(census.first_ns.map_or(at_ns, |first| first.min(at_ns)));
                    census.last_ns = census.last_ns.max(at_ns);
                    census.max_pid = census.max_pid.max(patches.max_pid(&page[payload]));
                }
            }
        }
        Ok(census)
    }
}

/// The pages of a CPU of a copy in CPUs, for all copies in time one after the other.
struct CpuCopies<'a, R> {
    recorded: &'a RefCell<Recorded<R>>,
    patches: &'a Patches,
    place: CpuPlace,
    shift: Shift,
    period_ns: u64,
    /// Copies in time that are not begun.
    left: u64,
    /// The copy in time that is under way.
    pages: Vec<u8>,
    /// Where full time stamps lie in the pages.
    stamps: Vec<usize>,
    /// Bytes of `pages` that were given out.
    at: usize,
}

impl<R: Read + Seek> CpuCopies<'_, R> {
    fn begin(&mut self) -> io::Result<()> {
        let mut recorded = self.recorded.borrow_mut();
        self.pages = recorded.pages(self.place).map_err(io::Error::other)?;
        let size = recorded.layout.subbuf() as usize;
        for (index, page) in self.pages.chunks_mut(size).enumerate() {
            let mut walk = Walk::new(&recorded.layout, page);
            while let Some(item) = walk.next(page) {
                match item {
                    Item::Record { payload, .. } => self.patches.apply(&mut page[payload], &self.shift),
                    Item::Stamp { at } => self.stamps.push(index * size + at),
                }
            }
        }
        Ok(())
    }

    /// Moves all times of the pages to the next copy.
    fn advance(&mut self) {
        let recorded = self.recorded.borrow();
        for page in self.pages.chunks_mut(recorded.layout.subbuf() as usize) {
            pages::shift_page(&recorded.layout, page, self.period_ns);
        }
        for at in &self.stamps {
            pages::shift_stamp(&recorded.layout, &mut self.pages[*at..], self.period_ns);
        }
    }
}

impl<R: Read + Seek> Read for CpuCopies<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.pages.len() && self.left > 0 {
            if self.pages.is_empty() {
                self.begin()?;
            } else {
                self.advance();
            }
            self.left -= 1;
            self.at = 0;
        }
        let len = out.len().min(self.pages.len() - self.at);
        out[..len].copy_from_slice(&self.pages[self.at..self.at + len]);
        self.at += len;
        if self.at == self.pages.len() && self.left == 0 {
            // There are as many readers as CPUs.
            *self = CpuCopies {
                pages: Vec::new(),
                stamps: Vec::new(),
                at: 0,
                ..*self
            };
        }
        Ok(len)
    }
}
