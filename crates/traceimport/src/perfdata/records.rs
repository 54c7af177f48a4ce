//! The data of a perf.data file as records, whatever pieces it comes in.

use containers::ZstdStream;
use traceevent::Endian;

/// Types of records, `tools/lib/perf/include/perf/event.h` and `include/uapi/linux/perf_event.h`.
pub(super) mod kind {
    pub const LOST: u32 = 2;
    pub const COMM: u32 = 3;
    pub const EXIT: u32 = 4;
    pub const FORK: u32 = 7;
    pub const SAMPLE: u32 = 9;
    pub const LOST_SAMPLES: u32 = 13;
    pub const SWITCH: u32 = 14;
    pub const SWITCH_CPU_WIDE: u32 = 15;
    pub const HEADER_ATTR: u32 = 64;
    pub const TRACING_DATA: u32 = 66;
    pub const FINISHED_ROUND: u32 = 68;
    pub const AUXTRACE: u32 = 71;
    pub const HEADER_FEATURE: u32 = 80;
    pub const COMPRESSED: u32 = 81;
    pub const COMPRESSED2: u32 = 83;
    /// Snapshots of counters, of `perf sched stats`.
    pub const SCHEDSTAT_CPU: u32 = 85;
    pub const SCHEDSTAT_DOMAIN: u32 = 86;
}

/// Bytes of a record's header: type, misc, size.
pub(super) const HEADER: usize = 8;

/// A record, or what follows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub kind: u32,
    /// Flags, whose meaning depends on the kind.
    pub misc: u16,
    /// What is behind the header; of `TRACING_DATA`, the data that follows the record.
    pub body: &'a [u8],
}

/// Why no more records can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A record of a size that holds not even its header.
    Size,
    /// The compressed records cannot be unpacked.
    Packed,
}

/// Cuts a stream of bytes into records.
pub(super) struct Cutter {
    endian: Endian,
    /// Bytes that are no whole record yet.
    pending: Vec<u8>,
    /// Bytes that follow a record and are none.
    skip: u64,
    stopped: Option<Stop>,
}

impl Cutter {
    pub fn new(endian: Endian) -> Self {
        Cutter {
            endian,
            pending: Vec::new(),
            skip: 0,
            stopped: None,
        }
    }

    /// Takes the next bytes; `take` gets each whole record, and returns false when it wants no more.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(Record<'_>) -> bool) {
        if self.stopped.is_some() {
            return;
        }
        let skipped = self.skip.min(bytes.len() as u64);
        self.skip -= skipped;
        let bytes = bytes.get(skipped as usize..).unwrap_or_default();
        if self.pending.is_empty() {
            let read = self.cut(bytes, take);
            self.pending.extend_from_slice(bytes.get(read..).unwrap_or_default());
            return;
        }
        // Only the record that is not whole is copied, if that is enough.
        let (first, rest) = bytes.split_at(self.missing().min(bytes.len()));
        self.cut_pending(first, take);
        if self.pending.is_empty() {
            return self.push(rest, take);
        }
        self.cut_pending(rest, take);
    }

    fn cut_pending(&mut self, bytes: &[u8], take: &mut dyn FnMut(Record<'_>) -> bool) {
        let mut all = std::mem::take(&mut self.pending);
        all.extend_from_slice(bytes);
        let read = self.cut(&all, take);
        all.drain(..read.min(all.len()));
        self.pending = all;
    }

    /// How many bytes the pending record lacks, or its header.
    fn missing(&self) -> usize {
        let size = self.endian.u16(&self.pending, 6).map_or(HEADER, usize::from);
        size.saturating_sub(self.pending.len())
    }

    /// Bytes at the end that are no whole record.
    pub fn left(&self) -> usize {
        self.pending.len()
    }

    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Returns how many bytes were read.
    fn cut(&mut self, bytes: &[u8], take: &mut dyn FnMut(Record<'_>) -> bool) -> usize {
        let mut at = 0_usize;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let (Some(kind), Some(size)) = (self.endian.u32(rest, 0), self.endian.u16(rest, 6)) else {
                return at;
            };
            let size = usize::from(size);
            if size < HEADER {
                self.stopped = Some(Stop::Size);
                return bytes.len();
            }
            let Some(body) = rest.get(HEADER..size) else {
                return at;
            };
            let misc = self.endian.u16(rest, 4).unwrap_or(0);
            let mut record = Record { kind, misc, body };
            let mut all = size;
            match kind {
                // A size of 32 bits, and as many bytes behind the record, filled up to whole 64 bits.
                kind::TRACING_DATA => {
                    let len = self.endian.u32(body, 0).unwrap_or(0) as usize;
                    let Some(data) = rest.get(size..size.saturating_add(len)) else {
                        return at;
                    };
                    record.body = data;
                    all = size.saturating_add(len.next_multiple_of(8));
                }
                kind::AUXTRACE => {
                    self.skip = self.endian.u64(body, 0).unwrap_or(0);
                }
                _ => {}
            }
            if !take(record) {
                return at;
            }
            at = at.saturating_add(all);
            if 0 < self.skip {
                let there = (bytes.len().saturating_sub(at) as u64).min(self.skip);
                self.skip -= there;
                at = at.saturating_add(there as usize);
            }
            if bytes.len() < at {
                // The filling of tracing data comes with the next bytes.
                self.skip = (at - bytes.len()) as u64;
                return bytes.len();
            }
        }
    }
}

/// Records, those in compressed records among them.
pub(super) struct Unpacker {
    outer: Cutter,
    inner: Cutter,
    zstd: Option<ZstdStream>,
    packed: bool,
    endian: Endian,
}

impl Unpacker {
    pub fn new(endian: Endian) -> Self {
        Unpacker {
            outer: Cutter::new(endian),
            inner: Cutter::new(endian),
            zstd: None,
            packed: false,
            endian,
        }
    }

    /// Takes the next bytes; `take` gets each whole record.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(Record<'_>)) {
        let Unpacker {
            outer,
            inner,
            zstd,
            packed,
            endian,
        } = self;
        outer.push(bytes, &mut |record| {
            let data = match record.kind {
                kind::COMPRESSED => record.body,
                kind::COMPRESSED2 => {
                    let size = endian.u64(record.body, 0).unwrap_or(0);
                    let data = record.body.get(8..).unwrap_or_default();
                    data.get(..size as usize).unwrap_or(data)
                }
                _ => {
                    take(record);
                    return true;
                }
            };
            *packed = true;
            let stream = zstd.get_or_insert_with(ZstdStream::new);
            let unpacked = stream.push(data, &mut |bytes| {
                inner.push(bytes, &mut |record| {
                    take(record);
                    true
                });
            });
            if unpacked.is_err() {
                inner.stopped = Some(Stop::Packed);
            }
            true
        });
    }

    /// No more bytes come: why records may be missing at the end, and how many bytes are left.
    pub fn end(&self) -> (Option<Stop>, usize) {
        let stopped = self.outer.stopped().or(self.inner.stopped());
        (stopped, self.outer.left() + self.inner.left())
    }
}
