//! `corelane info`: what a file says about itself, and what its buffers hold.

mod parts;
mod text;

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;
use tracecore::query::{Damage, DiagnosticAnswer};
use tracecore::scan::CpuScan;
use tracecore::tracedat::{Endian, TraceFile};

use crate::damage;
use crate::input::{FileArgs, Input};
use crate::load::{build, Loader};
use crate::scan::scan_all;
use crate::text::Times;
use crate::Failure;
use parts::{BufferInfo, GuestInfo, OptionEntry, SectionEntry, TextInfo};

#[derive(Args)]
pub struct InfoArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
}

/// The keys of `info --json`. Records, events and times are those of the buffer that is shown.
#[derive(Serialize)]
struct Info {
    version: u32,
    endian: &'static str,
    long_size: u8,
    /// Of the kernel, where header_page says.
    kernel_long_size: usize,
    page_size: u32,
    compression: String,
    compression_version: String,
    clock: Option<String>,
    /// Whether times are nanoseconds; else raw ticks of the clock.
    clock_is_ns: bool,
    uname: Option<String>,
    recorder: Option<String>,
    /// In hexadecimal: it takes all 64 bits.
    trace_id: Option<String>,
    cpus: u32,
    /// Which buffer is shown; empty for the main one.
    buffer: String,
    first_ns: Option<u64>,
    last_ns: Option<u64>,
    records: u64,
    lost_events: u64,
    lost_gaps: u64,
    events: BTreeMap<String, u64>,
    records_per_cpu: Vec<u64>,
    lost_events_by_cpu: BTreeMap<u32, u64>,
    /// Kernel symbols, printk formats and saved command lines.
    symbols: usize,
    printk_formats: usize,
    saved_command_lines: usize,
    buffers: Vec<BufferInfo>,
    latency_texts: Vec<TextInfo>,
    guests: Vec<GuestInfo>,
    options: Vec<OptionEntry>,
    sections: Vec<SectionEntry>,
    /// How much is missing, where that is so much that every number has to be read with care.
    damage: Option<Damage>,
    /// The same in words.
    #[serde(skip)]
    damage_text: Option<String>,
    diagnostics: Vec<DiagnosticAnswer>,
    /// What the diagnostics' times count from.
    #[serde(skip)]
    origin_ns: u64,
}

pub fn run(args: &InfoArgs, loader: &Loader) -> Result<String, Failure> {
    let mut file = args.file.open()?;
    let shown = file.shown_buffer();
    let scans = scan_all(&file, &loader.options)?;
    let mut info = Info::gather(&file, &scans);
    // Showing another buffer drops what was said about the choice of this one.
    let mut diagnostics = file.diagnostics().to_vec();
    diagnostics.extend(file.lookup_diagnostics());
    for index in 0..file.buffers().len() {
        let scanned = if index == shown {
            None
        } else {
            file.show_buffer(index);
            Some(scan_all(&file, &loader.options)?)
        };
        let scans = scanned.as_deref().unwrap_or(&scans);
        info.buffers.extend(
            file.buffers()
                .get(index)
                .map(|buffer| BufferInfo::new(buffer, index == shown, scans)),
        );
    }
    file.show_buffer(shown);
    let trace = build(&file, scans, diagnostics);
    let damage = Damage::of(&trace);
    let times = Times::since(file.clock_is_ns(), trace.origin_ns);
    info.damage_text = damage.as_ref().map(|damage| damage::in_words(damage, times));
    info.damage = damage;
    info.origin_ns = trace.origin_ns;
    info.diagnostics = trace.diagnostics.iter().map(DiagnosticAnswer::new).collect();
    if args.json {
        times.json(&info)
    } else {
        Ok(info.to_string())
    }
}

impl Info {
    /// Everything but the buffers and the diagnostics.
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
        let tables = file.table_counts();
        let shown = file.buffers().get(file.shown_buffer());
        Info {
            version: header.version,
            endian: match header.endian {
                Endian::Little => "little",
                Endian::Big => "big",
            },
            long_size: header.long_size,
            kernel_long_size: file.kernel_long_size(),
            page_size: header.page_size,
            compression: header.compression.name.clone(),
            compression_version: header.compression.version.clone(),
            clock: file.clock().map(str::to_owned),
            clock_is_ns: file.clock_is_ns(),
            uname: header.uname.clone(),
            recorder: header.recorder.clone(),
            trace_id: header.trace_id.map(|id| format!("{id:x}")),
            cpus: header.cpu_count,
            buffer: shown.map(|buffer| buffer.name.clone()).unwrap_or_default(),
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
            symbols: tables.symbols,
            printk_formats: tables.printk_formats,
            saved_command_lines: tables.comms,
            buffers: Vec::new(),
            latency_texts: header.texts.iter().map(TextInfo::new).collect(),
            guests: GuestInfo::all(&header.options),
            options: header.options.iter().map(OptionEntry::new).collect(),
            sections: file.sections().iter().map(SectionEntry::new).collect(),
            damage: None,
            damage_text: None,
            diagnostics: Vec::new(),
            origin_ns: 0,
        }
    }
}
