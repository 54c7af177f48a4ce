//! What `corelane info` prints about the parts of a file: its format, buffers, options, sections, guests.

use schedrows::CpuScan;
use serde::Serialize;
use tracedat::file::{Buffer, Endian, LatencyText, OptionInfo, OptionValue, SectionInfo, TraceFile};

use crate::input::Input;

/// The format, and its properties in this file.
#[derive(Serialize)]
#[serde(untagged)]
pub enum FormatInfo {
    /// trace.dat.
    TraceDat {
        format: &'static str,
        version: u32,
        endian: &'static str,
        long_size: u8,
        /// The size of the kernel's long, if header_page gives it.
        kernel_long_size: usize,
        page_size: u32,
        compression: String,
        compression_version: String,
    },
    /// Any other format.
    Other { format: &'static str, version: u32 },
}

impl FormatInfo {
    pub fn of(file: &TraceFile<Input>) -> Self {
        let header = file.header();
        FormatInfo::TraceDat {
            format: tracedat::scan::FORMAT,
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
        }
    }
}

/// The recorder of a trace.dat file.
#[derive(Serialize)]
pub struct Recording {
    pub recorder: Option<String>,
    /// In hexadecimal, because it takes all 64 bits.
    pub trace_id: Option<String>,
}

impl Recording {
    pub fn of(file: &TraceFile<Input>) -> Self {
        let header = file.header();
        Recording {
            recorder: header.recorder.clone(),
            trace_id: header.trace_id.map(|id| format!("{id:x}")),
        }
    }
}

/// The contents of a trace.dat file besides records.
#[derive(Serialize)]
pub struct Contents {
    /// The number of kernel symbols; those of printk formats and saved command lines follow.
    pub symbols: usize,
    pub printk_formats: usize,
    pub saved_command_lines: usize,
    pub buffers: Vec<BufferInfo>,
    pub latency_texts: Vec<TextInfo>,
    pub guests: Vec<GuestInfo>,
    pub options: Vec<OptionEntry>,
    pub sections: Vec<SectionEntry>,
}

impl Contents {
    /// Everything except the buffers, which need scans.
    pub fn of(file: &TraceFile<Input>) -> Self {
        let header = file.header();
        let tables = file.table_counts();
        Contents {
            symbols: tables.symbols,
            printk_formats: tables.printk_formats,
            saved_command_lines: tables.comms,
            buffers: Vec::new(),
            latency_texts: header.texts.iter().map(TextInfo::new).collect(),
            guests: GuestInfo::all(&header.options),
            options: header.options.iter().map(OptionEntry::new).collect(),
            sections: file.sections().iter().map(SectionEntry::new).collect(),
        }
    }
}

#[derive(Serialize)]
pub struct BufferInfo {
    /// The buffer's name; empty for the main buffer.
    pub name: String,
    /// Whether it is the buffer whose records are counted above.
    pub shown: bool,
    pub clock: Option<String>,
    /// The size of its sub-buffers, if the file gives it.
    pub page_size: Option<u32>,
    pub packed: bool,
    pub cpus: usize,
    /// The bytes of all CPUs in the file.
    pub bytes: u64,
    pub records: u64,
    pub first_ns: Option<u64>,
    pub last_ns: Option<u64>,
    pub per_cpu: Vec<BufferCpu>,
}

#[derive(Serialize)]
pub struct BufferCpu {
    cpu: u32,
    offset: u64,
    bytes: u64,
    records: u64,
    lost_events: u64,
}

impl BufferInfo {
    /// `scans` are of this buffer's CPUs, in their order.
    pub fn new(buffer: &Buffer, shown: bool, scans: &[CpuScan]) -> Self {
        let per_cpu = buffer.cpus.iter().zip(scans).map(|(extent, scan)| BufferCpu {
            cpu: extent.cpu,
            offset: extent.offset,
            bytes: extent.size,
            records: scan.records,
            lost_events: scan.lost_events,
        });
        BufferInfo {
            name: buffer.name.clone(),
            shown,
            clock: buffer.clock.clone(),
            page_size: buffer.page_size,
            packed: buffer.packed,
            cpus: buffer.cpus.len(),
            bytes: buffer.cpus.iter().map(|extent| extent.size).sum(),
            records: scans.iter().map(|scan| scan.records).sum(),
            first_ns: scans.iter().filter_map(|scan| scan.first_ns).min(),
            last_ns: scans.iter().filter_map(|scan| scan.last_ns).max(),
            per_cpu: per_cpu.collect(),
        }
    }
}

#[derive(Serialize)]
pub struct TextInfo {
    pub name: String,
    pub clock: Option<String>,
    /// The section's bytes in the file.
    pub bytes: u64,
}

impl TextInfo {
    pub fn new(text: &LatencyText) -> Self {
        TextInfo {
            name: text.name.clone(),
            clock: text.clock.clone(),
            bytes: text.size,
        }
    }
}

#[derive(Serialize)]
pub struct GuestInfo {
    pub name: String,
    /// The guest's trace id in hexadecimal.
    pub trace_id: String,
    pub cpus: Vec<GuestCpu>,
}

#[derive(Serialize)]
pub struct GuestCpu {
    /// The guest's CPU.
    cpu: u32,
    /// The host's task that runs this CPU.
    pid: i32,
}

impl GuestInfo {
    pub fn all(options: &[OptionInfo]) -> Vec<Self> {
        let guests = options.iter().filter_map(|option| match &option.value {
            OptionValue::Guest(guest) => Some(guest),
            _ => None,
        });
        guests
            .map(|guest| GuestInfo {
                name: guest.name.clone(),
                trace_id: format!("{:x}", guest.trace_id),
                cpus: guest.cpus.iter().map(|&(cpu, pid)| GuestCpu { cpu, pid }).collect(),
            })
            .collect()
    }
}

#[derive(Serialize)]
pub struct OptionEntry {
    pub id: u16,
    pub name: Option<&'static str>,
    pub size: u32,
    /// The decoded value.
    pub value: String,
}

impl OptionEntry {
    pub fn new(option: &OptionInfo) -> Self {
        OptionEntry {
            id: option.id,
            name: option.name(),
            size: option.size,
            value: option.value.to_string(),
        }
    }

    /// The value on one line. CPUSTAT has a line for each number, PROCMAPS one for each library of each process.
    pub fn line(&self) -> String {
        let mut lines = self.value.lines();
        let first = lines.next().unwrap_or_default().to_owned();
        match (self.name, lines.clone().count()) {
            (_, 0) => first,
            (Some("CPUSTAT"), _) => lines.fold(first, |all, line| all + ", " + line),
            (_, more) => format!("{first} ... ({more} lines more)"),
        }
    }
}

#[derive(Serialize)]
pub struct SectionEntry {
    pub id: u16,
    pub name: Option<&'static str>,
    pub description: String,
    pub offset: u64,
    pub size: u64,
    pub packed: bool,
}

impl SectionEntry {
    pub fn new(section: &SectionInfo) -> Self {
        SectionEntry {
            id: section.id,
            name: section.name(),
            description: section.description.clone(),
            offset: section.offset,
            size: section.size,
            packed: section.packed,
        }
    }
}
