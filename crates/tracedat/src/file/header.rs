//! What a trace.dat file says about itself.

use traceevent::Endian;

use super::option_value::OptionValue;
use super::options;

/// The metadata of a file, independent of its version.
#[derive(Clone, Debug)]
pub struct Header {
    /// 6 or 7.
    pub version: u32,
    /// Byte order of the traced machine.
    pub endian: Endian,
    /// Bytes in a `long` of the traced machine's user space: 4 or 8.
    pub long_size: u8,
    /// Bytes in a page of the traced machine.
    pub page_size: u32,
    /// How sections and trace data are packed.
    pub compression: Compression,
    /// The trace clock, as in `tracing/trace_clock`; `None` when the file does not say.
    pub clock: Option<String>,
    /// All values of `clock` in the file, in order; the last one counts.
    pub(crate) named_clocks: Vec<String>,
    /// The traced system, as `uname` prints it.
    pub uname: Option<String>,
    /// The version of trace-cmd that wrote the file.
    pub recorder: Option<String>,
    /// Identifies this recording, so that host and guest find each other.
    pub trace_id: Option<u64>,
    /// CPUs of the traced system, with or without data.
    pub cpu_count: u32,
    /// Every option, known or not, in file order.
    pub options: Vec<OptionInfo>,
    /// The main buffer first, then instances.
    pub buffers: Vec<Buffer>,
    /// What latency tracers wrote instead of records.
    pub texts: Vec<LatencyText>,
}

/// The text that `tracing/trace` held after a latency tracer (`wakeup`, `irqsoff` ...) had run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyText {
    /// The instance's; empty for the main one.
    pub name: String,
    /// Its clock, when the file says.
    pub clock: Option<String>,
    /// Where it is in the file.
    pub offset: u64,
    /// Bytes in the file.
    pub size: u64,
    /// It is packed, as the header says.
    pub packed: bool,
}

/// Name and version of the library that packed the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compression {
    /// `none`, `zlib` or `zstd`.
    pub name: String,
    /// The library's version; empty for `none`.
    pub version: String,
}

/// An option as the file lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// See trace-cmd.dat.v7(5).
    pub id: u16,
    /// Bytes of its data.
    pub size: u32,
    /// Where its data is in the file.
    pub offset: u64,
    /// What it says.
    pub value: OptionValue,
}

impl OptionInfo {
    /// The man page's name for it; `None` for an unknown one.
    pub fn name(&self) -> Option<&'static str> {
        options::name(self.id)
    }
}

/// A ring buffer: the main one, or an instance's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Empty for the main buffer.
    pub name: String,
    /// Its clock, when the file says.
    pub clock: Option<String>,
    /// Bytes of a sub-buffer, when the file says.
    pub page_size: Option<u32>,
    /// Its data is packed, as the header says.
    pub packed: bool,
    /// Where each CPU's data is.
    pub cpus: Vec<CpuExtent>,
}

/// Where one CPU's data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuExtent {
    /// The CPU's number.
    pub cpu: u32,
    /// In the file.
    pub offset: u64,
    /// Bytes in the file: packed ones, where the file is packed.
    pub size: u64,
    /// Bytes that should follow, but are beyond the end of the file.
    pub missing: u64,
}
