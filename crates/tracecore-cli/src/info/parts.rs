//! The lists in `corelane info`: buffers, options, sections, guests.

use serde::Serialize;
use tracecore::scan::CpuScan;
use tracecore::tracedat::{Buffer, LatencyText, OptionInfo, OptionValue, SectionInfo};

#[derive(Serialize)]
pub struct BufferInfo {
    /// Empty for the main buffer.
    pub name: String,
    /// The one whose records are counted above.
    pub shown: bool,
    pub clock: Option<String>,
    /// Of its sub-buffers, where the file says.
    pub page_size: Option<u32>,
    pub packed: bool,
    pub cpus: usize,
    /// In the file, all CPUs.
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
    /// In the file.
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
    /// In hexadecimal.
    pub trace_id: String,
    pub cpus: Vec<GuestCpu>,
}

#[derive(Serialize)]
pub struct GuestCpu {
    /// Of the guest.
    cpu: u32,
    /// Of the host's task that is this CPU.
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
    /// Decoded.
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

    /// The value on one line. CPUSTAT is a line for each number, PROCMAPS one for each library of each process.
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
