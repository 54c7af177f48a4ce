//! `corelane info`: what a file says about itself, and what its main buffer holds.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tracecore::scan::CpuScan;
use tracecore::tracedat::{Buffer, Endian, TraceFile};

use crate::diagnostics::DiagnosticInfo;
use crate::input::{self, Input};
use crate::scan::{scan_all, ScanOptions};
use crate::Failure;

#[derive(Args)]
pub struct InfoArgs {
    /// The trace.dat file; `-` for standard input
    file: PathBuf,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
}

/// The keys of `info --json`.
#[derive(Serialize)]
struct Info {
    version: u32,
    endian: &'static str,
    long_size: u8,
    page_size: u32,
    compression: String,
    compression_version: String,
    clock: Option<String>,
    /// Whether times are nanoseconds; else raw ticks of the clock.
    clock_is_ns: bool,
    uname: Option<String>,
    recorder: Option<String>,
    cpus: u32,
    first_ns: Option<u64>,
    last_ns: Option<u64>,
    records: u64,
    lost_events: u64,
    lost_gaps: u64,
    events: BTreeMap<String, u64>,
    records_per_cpu: Vec<u64>,
    lost_events_by_cpu: BTreeMap<u32, u64>,
    buffers: Vec<BufferInfo>,
    options: Vec<OptionEntry>,
    diagnostics: Vec<DiagnosticInfo>,
}

#[derive(Serialize)]
struct BufferInfo {
    /// Empty for the main buffer.
    name: String,
    clock: Option<String>,
    cpus: usize,
    /// Bytes in the file, all CPUs.
    bytes: u64,
}

#[derive(Serialize)]
struct OptionEntry {
    id: u16,
    name: Option<&'static str>,
    size: u32,
}

pub fn run(args: &InfoArgs, options: &ScanOptions) -> Result<String, Failure> {
    let file = input::open(&args.file)?;
    let scans = scan_all(&file, options)?;
    let info = Info::gather(&file, &scans);
    if args.json {
        let json = serde_json::to_string_pretty(&info).map_err(|error| Failure(error.to_string()))?;
        Ok(json + "\n")
    } else {
        Ok(info.to_string())
    }
}

impl Info {
    fn gather(file: &TraceFile<Input>, scans: &[CpuScan]) -> Info {
        let header = file.header();
        let mut events = BTreeMap::new();
        let mut records_per_cpu = vec![0; header.cpu_count as usize];
        for scan in scans {
            if let Some(records) = records_per_cpu.get_mut(scan.cpu as usize) {
                *records = scan.records;
            }
            for &(id, count) in &scan.events {
                let name = file
                    .event_name(id)
                    .map_or_else(|| format!("#{id}"), |(_, name)| name.to_owned());
                *events.entry(name).or_default() += count;
            }
        }
        let diagnostics = file
            .diagnostics()
            .iter()
            .chain(scans.iter().flat_map(|scan| &scan.diagnostics));
        Info {
            version: header.version,
            endian: match header.endian {
                Endian::Little => "little",
                Endian::Big => "big",
            },
            long_size: header.long_size,
            page_size: header.page_size,
            compression: header.compression.name.clone(),
            compression_version: header.compression.version.clone(),
            clock: header.clock.clone(),
            clock_is_ns: file.clock_is_ns(),
            uname: header.uname.clone(),
            recorder: header.recorder.clone(),
            cpus: header.cpu_count,
            first_ns: scans.iter().filter_map(|scan| scan.first_ns).min(),
            last_ns: scans.iter().filter_map(|scan| scan.last_ns).max(),
            records: scans.iter().map(|scan| scan.records).sum(),
            lost_events: scans.iter().map(|scan| scan.lost_events).sum(),
            lost_gaps: scans.iter().map(|scan| scan.lost_gaps).sum(),
            events,
            records_per_cpu,
            lost_events_by_cpu: scans
                .iter()
                .filter(|scan| scan.lost_gaps > 0)
                .map(|scan| (scan.cpu, scan.lost_events))
                .collect(),
            buffers: header.buffers.iter().map(BufferInfo::new).collect(),
            options: header
                .options
                .iter()
                .map(|option| OptionEntry {
                    id: option.id,
                    name: option.name(),
                    size: option.size,
                })
                .collect(),
            diagnostics: diagnostics.map(DiagnosticInfo::from).collect(),
        }
    }

    fn time(&self, time: Option<u64>) -> String {
        match time {
            None => "none".to_owned(),
            Some(ns) if self.clock_is_ns => format!("{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000),
            Some(ticks) => format!("{ticks} ticks"),
        }
    }

    fn write_events(&self, f: &mut impl Write) -> fmt::Result {
        let mut events: Vec<(&String, &u64)> = self.events.iter().collect();
        events.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        let width = events.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        writeln!(f, "events")?;
        for (name, count) in events {
            writeln!(f, "  {name:width$}  {count:>12}")?;
        }
        Ok(())
    }

    fn write_cpus(&self, f: &mut impl Write) -> fmt::Result {
        writeln!(f, "CPU       records  lost events")?;
        for (cpu, records) in self.records_per_cpu.iter().enumerate() {
            let lost = u32::try_from(cpu)
                .ok()
                .and_then(|cpu| self.lost_events_by_cpu.get(&cpu));
            match lost {
                None => writeln!(f, "{cpu:>3}  {records:>12}")?,
                Some(0) => writeln!(f, "{cpu:>3}  {records:>12}  some, not counted")?,
                Some(lost) => writeln!(f, "{cpu:>3}  {records:>12}  {lost:>11}")?,
            }
        }
        Ok(())
    }
}

impl BufferInfo {
    fn new(buffer: &Buffer) -> Self {
        BufferInfo {
            name: buffer.name.clone(),
            clock: buffer.clock.clone(),
            cpus: buffer.cpus.len(),
            bytes: buffer.cpus.iter().map(|extent| extent.size).sum(),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown = || "not stated".to_owned();
        let packed = format!("{} {}", self.compression, self.compression_version);
        writeln!(
            f,
            "format       trace.dat version {}, {} endian",
            self.version, self.endian
        )?;
        writeln!(f, "long size    {} bytes", self.long_size)?;
        writeln!(f, "page size    {} bytes", self.page_size)?;
        writeln!(f, "compression  {}", packed.trim())?;
        writeln!(f, "recorder     {}", self.recorder.clone().unwrap_or_else(unknown))?;
        writeln!(f, "kernel       {}", self.uname.clone().unwrap_or_else(unknown))?;
        writeln!(f, "clock        {}", self.clock.clone().unwrap_or_else(unknown))?;
        writeln!(f, "CPUs         {}", self.cpus)?;
        writeln!(f, "first event  {}", self.time(self.first_ns))?;
        writeln!(f, "last event   {}", self.time(self.last_ns))?;
        writeln!(f, "records      {}", self.records)?;
        writeln!(f, "lost events  {} in {} gaps", self.lost_events, self.lost_gaps)?;
        writeln!(f, "\nbuffers")?;
        for buffer in &self.buffers {
            let name = if buffer.name.is_empty() { "(main)" } else { &buffer.name };
            writeln!(f, "  {name:16}  {} CPUs, {} bytes", buffer.cpus, buffer.bytes)?;
        }
        writeln!(f, "\noptions")?;
        for option in &self.options {
            match option.name {
                Some(name) => writeln!(f, "  {name:16}  {} bytes", option.size)?,
                None => writeln!(f, "  option {:<9}  {} bytes", option.id, option.size)?,
            }
        }
        writeln!(f)?;
        self.write_cpus(f)?;
        writeln!(f)?;
        self.write_events(f)?;
        if !self.diagnostics.is_empty() {
            writeln!(f, "\ndiagnostics")?;
            for diagnostic in &self.diagnostics {
                writeln!(f, "  {diagnostic}")?;
            }
        }
        Ok(())
    }
}
