//! Where in a sample its time, its CPU and its raw record are.

use std::collections::BTreeMap;

use traceevent::Endian;

/// `enum perf_event_sample_format`.
mod bit {
    pub const IP: u64 = 1 << 0;
    pub const TID: u64 = 1 << 1;
    pub const TIME: u64 = 1 << 2;
    pub const ADDR: u64 = 1 << 3;
    pub const READ: u64 = 1 << 4;
    pub const CALLCHAIN: u64 = 1 << 5;
    pub const ID: u64 = 1 << 6;
    pub const CPU: u64 = 1 << 7;
    pub const PERIOD: u64 = 1 << 8;
    pub const STREAM: u64 = 1 << 9;
    pub const RAW: u64 = 1 << 10;
    pub const IDENTIFIER: u64 = 1 << 16;
}

/// `perf_event_attr::type` of tracepoints.
const TRACEPOINT: u32 = 2;
/// `sample_id_all` among the flags of an attribute.
const SAMPLE_ID_ALL: u64 = 1 << 18;
/// `enable_on_exec`, likewise: perf sets it for a program that it starts, unless all CPUs are recorded.
const ENABLE_ON_EXEC: u64 = 1 << 12;
/// `context_switch`, likewise: switches are recorded as records of their own.
const CONTEXT_SWITCH: u64 = 1 << 26;

/// What an event was opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attr {
    kind: u32,
    /// The id of a tracepoint.
    pub config: u64,
    sample_type: u64,
    read_format: u64,
    has_ids: bool,
    has_switches: bool,
    begins_with_exec: bool,
    /// Samples name one of these.
    pub ids: Vec<u64>,
}

impl Attr {
    /// Of a `perf_event_attr` of any size; what is behind the fields that are known here is of no interest.
    pub fn read(bytes: &[u8], endian: Endian) -> Option<Attr> {
        Some(Attr {
            kind: endian.u32(bytes, 0)?,
            config: endian.u64(bytes, 8)?,
            sample_type: endian.u64(bytes, 24)?,
            read_format: endian.u64(bytes, 32)?,
            has_ids: endian.u64(bytes, 40)? & SAMPLE_ID_ALL != 0,
            has_switches: endian.u64(bytes, 40)? & CONTEXT_SWITCH != 0,
            begins_with_exec: endian.u64(bytes, 40)? & ENABLE_ON_EXEC != 0,
            ids: Vec::new(),
        })
    }

    pub fn is_tracepoint(&self) -> bool {
        self.kind == TRACEPOINT
    }

    /// Whether its samples say when and where they were, and hold their records.
    pub fn is_complete(&self) -> bool {
        let needed = bit::TIME | bit::CPU | bit::RAW;
        self.sample_type & needed == needed
    }

    /// Whether switches are recorded, with what says where and when they were, and of which task.
    pub fn has_switches(&self) -> bool {
        let needed = bit::TIME | bit::CPU | bit::TID;
        self.has_switches && self.has_ids && self.sample_type & needed == needed
    }

    /// Whether it is of one program, from its start on.
    pub fn begins_with_exec(&self) -> bool {
        self.begins_with_exec
    }

    /// Whether parts of its samples that are of different sizes stand in front of the record.
    fn is_varied(&self) -> bool {
        self.sample_type & (bit::READ | bit::CALLCHAIN) != 0
    }
}

/// A sample of a tracepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample<'a> {
    pub cpu: u32,
    pub ts: u64,
    /// An ftrace record from `common_type` on.
    pub raw: &'a [u8],
}

/// Where the parts of a sample are, which are at the same places in all samples of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Places {
    time: usize,
    cpu: usize,
    /// What is behind the parts of a fixed size.
    rest: usize,
}

impl Places {
    fn of(attr: &Attr) -> Places {
        let mut at = 0;
        let mut word = |bit: u64| {
            let here = at;
            at += if attr.sample_type & bit != 0 { 8 } else { 0 };
            here
        };
        word(bit::IDENTIFIER);
        word(bit::IP);
        word(bit::TID);
        let time = word(bit::TIME);
        word(bit::ADDR);
        word(bit::ID);
        word(bit::STREAM);
        let cpu = word(bit::CPU);
        word(bit::PERIOD);
        Places { time, cpu, rest: at }
    }
}

/// All attributes of a file.
#[derive(Clone, Debug)]
pub(super) struct Attrs {
    all: Vec<Attr>,
    by_id: BTreeMap<u64, usize>,
    /// Where samples have the id, from the first attribute: all have it at the same place.
    id_at: Option<usize>,
    /// If all are complete tracepoints that are sampled alike, with the record right behind what has a fixed size: then a
    /// sample's attribute need not be known.
    alike: Option<Places>,
    /// The attribute whose records are not samples: perf records switches with one event of several.
    of_others: usize,
    endian: Endian,
}

impl Attrs {
    pub fn new(all: Vec<Attr>, endian: Endian) -> Self {
        let numbered = all.iter().enumerate();
        let by_id = numbered.flat_map(|(index, attr)| attr.ids.iter().map(move |&id| (id, index)));
        let mut found = BTreeMap::new();
        for (id, index) in by_id {
            found.insert(id, index);
        }
        let first = all.first().map_or(0, |attr| attr.sample_type);
        let before = [bit::IP, bit::TID, bit::TIME, bit::ADDR];
        let id_at = match first {
            first if first & bit::IDENTIFIER != 0 => Some(0),
            first if first & bit::ID != 0 => Some(8 * before.iter().filter(|&&bit| first & bit != 0).count()),
            _ => None,
        };
        let is_alike =
            |attr: &Attr| attr.is_tracepoint() && attr.is_complete() && attr.sample_type == first && !attr.is_varied();
        let of_others = match all.iter().any(Attr::is_tracepoint) {
            true => 0,
            false => all.iter().position(Attr::has_switches).unwrap_or(0),
        };
        let alike = all.iter().all(is_alike).then(|| all.first().map(Places::of)).flatten();
        Attrs {
            all,
            by_id: found,
            id_at,
            alike,
            of_others,
            endian,
        }
    }

    pub fn all(&self) -> &[Attr] {
        &self.all
    }

    /// The attribute of a sample.
    fn of(&self, body: &[u8]) -> Option<&Attr> {
        let id = self.id_at.and_then(|at| self.endian.u64(body, at));
        let index = id.and_then(|id| self.by_id.get(&id).copied());
        // Without ids there is one event, or all are sampled alike.
        self.all.get(index.unwrap_or(0))
    }

    /// Reads a sample; `Ok(None)` for one that holds no record, an error for one that is shorter than it says.
    #[allow(clippy::result_unit_err, reason = "there is one reason")]
    #[inline]
    pub fn sample<'a>(&self, body: &'a [u8]) -> Result<Option<Sample<'a>>, ()> {
        match self.alike {
            Some(places) => self.read(places, places.rest, body).map(Some).ok_or(()),
            None => self.one_of_many(body),
        }
    }

    #[allow(clippy::result_unit_err, reason = "there is one reason")]
    fn one_of_many<'a>(&self, body: &'a [u8]) -> Result<Option<Sample<'a>>, ()> {
        let Some(attr) = self.of(body) else { return Ok(None) };
        if !attr.is_tracepoint() || !attr.is_complete() {
            return Ok(None);
        }
        let places = Places::of(attr);
        let raw = self.raw_at(attr, places.rest, body).ok_or(())?;
        self.read(places, raw, body).map(Some).ok_or(())
    }

    #[inline]
    fn read<'a>(&self, places: Places, raw: usize, body: &'a [u8]) -> Option<Sample<'a>> {
        let size = self.endian.u32(body, raw)? as usize;
        Some(Sample {
            cpu: self.endian.u32(body, places.cpu)?,
            ts: self.endian.u64(body, places.time)?,
            raw: traceevent::slice(body, raw.checked_add(4)?, size)?,
        })
    }

    /// Where the size of the record is: behind counters' values and a chain of calls, if there are some.
    fn raw_at(&self, attr: &Attr, rest: usize, body: &[u8]) -> Option<usize> {
        let mut at = rest;
        if attr.sample_type & bit::READ != 0 {
            at = at.checked_add(self.read_size(attr, body, at)?)?;
        }
        if attr.sample_type & bit::CALLCHAIN != 0 {
            let entries = usize::try_from(self.endian.u64(body, at)?).ok()?;
            at = at.checked_add(8)?.checked_add(entries.checked_mul(8)?)?;
        }
        Some(at)
    }

    /// Bytes of the counters' values in a sample.
    fn read_size(&self, attr: &Attr, body: &[u8], at: usize) -> Option<usize> {
        let has = |bit: u64| usize::from(attr.read_format & bit != 0);
        let (enabled, running, id, group, lost) = (has(1), has(2), has(4), has(8), has(16));
        let one = 1 + id + lost;
        let words = match group {
            0 => one + enabled + running,
            _ => {
                let count = usize::try_from(self.endian.u64(body, at)?).ok()?;
                count.checked_mul(one)?.checked_add(1 + enabled + running)?
            }
        };
        words.checked_mul(8)
    }

    /// What a record that is no sample ends with.
    pub fn trailer(&self, body: &[u8]) -> Trailer {
        let Some(attr) = self.all.get(self.of_others).filter(|attr| attr.has_ids) else {
            return Trailer::default();
        };
        let has = |bit: u64| usize::from(attr.sample_type & bit != 0);
        // In this order: TID, TIME, ID, STREAM, CPU, IDENTIFIER.
        let behind_cpu = has(bit::IDENTIFIER);
        let behind_time = has(bit::ID) + has(bit::STREAM) + has(bit::CPU) + behind_cpu;
        let behind_tid = has(bit::TIME) + behind_time;
        let word = |wanted: usize, behind: usize| match wanted {
            0 => None,
            _ => body.len().checked_sub(8 * (behind + 1)),
        };
        let tid = word(has(bit::TID), behind_tid).and_then(|at| self.endian.u32(body, at + 4));
        Trailer {
            cpu: word(has(bit::CPU), behind_cpu).and_then(|at| self.endian.u32(body, at)),
            time: word(has(bit::TIME), behind_time).and_then(|at| self.endian.u64(body, at)),
            tid: tid.map(|tid| tid as i32),
        }
    }
}

/// Where and when a record was written that is no sample, and by which task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trailer {
    pub cpu: Option<u32>,
    pub time: Option<u64>,
    pub tid: Option<i32>,
}
