//! `corelane info`: what a file says about itself, and what its buffers contain.

mod parts;
mod text;

use std::collections::BTreeMap;

use clap::Args;
use formats::AnySource;
use schedquery::query::{Damage, DiagnosticAnswer};
use schedrows::{CpuScan, Source, Want};
use serde::Serialize;
use tracedat::file::TraceFile;

use crate::damage;
use crate::input::{FileArgs, Input};
use crate::load::{build, Loader};
use crate::scan::scan_all;
use crate::text::Times;
use crate::Failure;
use parts::{BufferInfo, Contents, FormatInfo, Recording};

#[derive(Args)]
pub struct InfoArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
}

/// The keys of `info --json`. Records, events and times are those of the buffer that is shown. Keys that only a
/// trace.dat file has are left out for other formats.
#[derive(Serialize)]
struct Info {
    #[serde(flatten)]
    format: FormatInfo,
    /// The program that wrote the file, where it leaves out what others write.
    writer: Option<String>,
    clock: Option<String>,
    /// Whether times are nanoseconds; else raw ticks of the clock.
    clock_is_ns: bool,
    uname: Option<String>,
    #[serde(flatten)]
    recording: Option<Recording>,
    cpus: u32,
    /// The buffer that is shown; empty for the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer: Option<String>,
    first_ns: Option<u64>,
    last_ns: Option<u64>,
    records: u64,
    lost_events: u64,
    lost_gaps: u64,
    /// Broken chains of switches: what the CPU did in between is unknown.
    chain_breaks: u64,
    /// What the file has no way to say.
    cannot_tell: Vec<&'static str>,
    events: BTreeMap<String, u64>,
    records_per_cpu: Vec<u64>,
    lost_events_by_cpu: BTreeMap<u32, u64>,
    #[serde(flatten)]
    contents: Option<Contents>,
    /// What is missing, if it is so much that every number has to be read with care.
    damage: Option<Damage>,
    /// The damage in words.
    #[serde(skip)]
    damage_text: Option<String>,
    diagnostics: Vec<DiagnosticAnswer>,
    /// The time from which the diagnostics' times count.
    #[serde(skip)]
    origin_ns: u64,
}

pub fn run(args: &InfoArgs, loader: &Loader) -> Result<String, Failure> {
    let mut file = args.file.open()?;
    let scans = scan_all(&file, Want::default(), &loader.options)?;
    let mut info = Info::gather(&file, &scans);
    let mut facts = file.facts();
    if let AnySource::TraceDat(file) = &mut file {
        facts.diagnostics.extend(file.lookup_diagnostics());
        info.add_trace_dat(file, &scans, loader)?;
    }
    let trace = build(&file, scans, facts, loader.options.thread_count());
    let damage = Damage::of(&trace);
    let times = Times::since(info.clock_is_ns, trace.origin_ns);
    info.damage_text = damage.as_ref().map(|damage| damage::in_words(damage, times));
    info.damage = damage;
    info.origin_ns = trace.origin_ns;
    info.chain_breaks = trace.chain_breaks;
    info.diagnostics = trace.diagnostics.iter().map(DiagnosticAnswer::new).collect();
    if args.json {
        times.json(&info)
    } else {
        Ok(info.to_string())
    }
}

impl Info {
    /// What a file of any format says and contains, without what the model finds.
    fn gather(file: &impl Source, scans: &[CpuScan]) -> Info {
        let about = file.info();
        let mut events = BTreeMap::new();
        let mut records_per_cpu = vec![0; about.cpu_count as usize];
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
        Info {
            format: FormatInfo::Other {
                format: about.format,
                version: about.version,
            },
            writer: about.writer,
            clock: about.clock,
            clock_is_ns: about.clock_is_ns,
            uname: about.uname,
            recording: None,
            cpus: about.cpu_count,
            buffer: about.buffer,
            first_ns: scans.iter().filter_map(|scan| scan.first_ns).min(),
            last_ns: scans.iter().filter_map(|scan| scan.last_ns).max(),
            records: scans.iter().map(|scan| scan.records).sum(),
            lost_events: scans.iter().map(|scan| scan.lost_events).sum(),
            lost_gaps: scans.iter().map(|scan| scan.lost_gaps).sum(),
            chain_breaks: 0,
            cannot_tell: about.cannot_tell.names().collect(),
            events,
            records_per_cpu,
            lost_events_by_cpu: scans
                .iter()
                .filter(|scan| scan.lost_gaps > 0)
                .map(|scan| (scan.cpu, scan.lost_events))
                .collect(),
            contents: None,
            damage: None,
            damage_text: None,
            diagnostics: Vec::new(),
            origin_ns: 0,
        }
    }

    /// Adds what only a trace.dat file has; `scans` are those of the buffer that is shown.
    fn add_trace_dat(
        &mut self,
        file: &mut TraceFile<Input>,
        scans: &[CpuScan],
        loader: &Loader,
    ) -> Result<(), Failure> {
        let shown = file.shown_buffer();
        self.format = FormatInfo::of(file);
        self.recording = Some(Recording::of(file));
        self.buffer = Some(
            file.buffers()
                .get(shown)
                .map(|buffer| buffer.name.clone())
                .unwrap_or_default(),
        );
        let mut contents = Contents::of(file);
        // Showing another buffer drops the diagnostics about the choice of this one.
        for index in 0..file.buffers().len() {
            let scanned = if index == shown {
                None
            } else {
                file.show_buffer(index);
                Some(scan_all(file, Want::default(), &loader.options)?)
            };
            let scans = scanned.as_deref().unwrap_or(scans);
            let buffer = file.buffers().get(index);
            contents
                .buffers
                .extend(buffer.map(|buffer| BufferInfo::new(buffer, index == shown, scans)));
        }
        file.show_buffer(shown);
        self.contents = Some(contents);
        Ok(())
    }
}
