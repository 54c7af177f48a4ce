//! The ways in which two files with the same story may differ.

/// Byte order of the traced machine, and of every number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// A number of up to 8 bytes.
    pub(crate) fn number(self, bytes: &[u8]) -> u64 {
        let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        match self {
            Endian::Little => bytes.iter().rev().fold(0, push),
            Endian::Big => bytes.iter().fold(0, push),
        }
    }

    /// Writes the lowest bytes of a number.
    pub(crate) fn put(self, bytes: &mut [u8], value: u64) {
        let size = bytes.len();
        match self {
            Endian::Little => bytes.copy_from_slice(&value.to_le_bytes()[..size]),
            Endian::Big => bytes.copy_from_slice(&value.to_be_bytes()[8 - size..]),
        }
    }
}

/// How the kernel stores names in its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strings {
    /// `char comm[16]`.
    Fixed,
    /// `__data_loc char[] comm`: length and offset from the record's start.
    DataLoc,
    /// `__rel_loc char[] comm`: length and offset from the end of this field.
    RelLoc,
}

/// Which fields every event begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// Type, flags, preempt count, pid: 8 bytes.
    Plain,
    /// One more byte, `common_preempt_lazy_count`, as PREEMPT_RT kernels have it.
    Lazy,
}

/// The shape of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// File version, as the header says it. Everything but 6 is laid out like 7.
    pub version: String,
    /// Byte order.
    pub endian: Endian,
    /// Bytes in a `long` of the traced kernel: 4 or 8.
    pub long_size: u8,
    /// Bytes in a `long` of the traced machine's user space, which is what the header says.
    pub user_long_size: u8,
    /// Bytes in a page, as the file's header says.
    pub page_size: u32,
    /// Bytes in a sub-buffer of the ring buffer, as header_page says; 0 for the page's.
    pub subbuf_size: u32,
    /// All records are in an instance of that name; the main buffer is empty.
    pub instance: Option<String>,
    /// The text of a latency tracer that the file holds instead of records.
    pub latency_text: Option<String>,
    /// Further options: numbers and data.
    pub options: Vec<(u16, Vec<u8>)>,
    /// The texts of `/proc/kallsyms` and of `printk_formats`.
    pub kallsyms: String,
    /// See `kallsyms`.
    pub printk_formats: String,
    /// `none`, `zlib`, `zstd`; with any other name sections are marked compressed, but hold plain data.
    pub compression: String,
    /// The trace clock's name.
    pub clock: String,
    /// How names are stored.
    pub strings: Strings,
    /// Which fields every event begins with.
    pub common: Common,
    /// Are the formats of the sched events in the file?
    pub sched_formats: bool,
    /// The OFFSET option: ns to add to each time stamp on reading.
    pub offset_ns: Option<i64>,
    /// What `uname -m` prints, which is left out of the UNAME option by default.
    pub machine: String,
}

impl Default for Layout {
    /// As `trace-cmd record` 3.1.6 writes on x86-64, but uncompressed.
    fn default() -> Self {
        Layout {
            version: "7".into(),
            endian: Endian::Little,
            long_size: 8,
            user_long_size: 8,
            page_size: 4096,
            subbuf_size: 0,
            instance: None,
            latency_text: None,
            options: Vec::new(),
            kallsyms: String::new(),
            printk_formats: String::new(),
            compression: "none".into(),
            clock: "local".into(),
            strings: Strings::Fixed,
            common: Common::Plain,
            sched_formats: true,
            offset_ns: None,
            machine: String::new(),
        }
    }
}

impl Layout {
    /// What `tracing/trace_clock` holds: all clocks, the chosen one in brackets.
    pub(crate) fn clock_text(&self) -> String {
        format!("[{}] counter", self.clock)
    }

    /// Bytes in a sub-buffer.
    pub(crate) fn subbuf(&self) -> u32 {
        match self.subbuf_size {
            0 => self.page_size,
            size => size,
        }
    }
}
