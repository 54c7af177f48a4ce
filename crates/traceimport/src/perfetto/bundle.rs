//! A bundle of ftrace events of one CPU, as a place in its packet: what is said about all of it, and its three streams.

use super::proto::{Column, Fields, InOrder, Value};

/// What a bundle says about its CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BundleHead {
    pub cpu: u64,
    /// Events were lost before the first one here.
    pub lost: bool,
    /// Which clock: 0 is that of the time since boot.
    pub clock: u64,
    /// When the CPU's bundle before this one ended; 0 where there was none.
    pub previous_end: u64,
    /// Its bytes end early, or are not all fields.
    pub broken: bool,
}

/// A bundle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle<'a> {
    pub head: BundleHead,
    /// All of it; its events are fields of it.
    pub body: &'a [u8],
    /// Its compact switches and wakings.
    pub compact: Option<&'a [u8]>,
}

/// Numbers of a bundle's fields.
pub(super) const EVENT: u32 = 2;
const CPU: u32 = 1;
const LOST: u32 = 3;
const COMPACT: u32 = 4;
const CLOCK: u32 = 5;
const PREVIOUS_END: u32 = 10;
const DESCRIPTOR: u32 = 11;

impl BundleHead {
    /// The bundle's CPU, if that is its first field, as Perfetto and scxtop write it.
    #[inline]
    pub fn cpu_at_start(body: &[u8]) -> Option<u64> {
        match Fields::new(body).next() {
            Some((CPU, Value::Varint(cpu))) => Some(cpu),
            _ => None,
        }
    }

    /// Takes a field that is a number.
    pub fn set(&mut self, field: u32, number: u64) {
        match field {
            CPU => self.cpu = number,
            LOST => self.lost = number != 0,
            CLOCK => self.clock = number,
            PREVIOUS_END => self.previous_end = number,
            _ => {}
        }
    }
}

impl<'a> Bundle<'a> {
    /// Fields come in any order, so all are looked at, but not into; `describe` gets each description of an event.
    pub fn new(body: &'a [u8], describe: &mut dyn FnMut(&'a [u8])) -> Bundle<'a> {
        let mut bundle = Bundle {
            head: BundleHead::default(),
            body,
            compact: None,
        };
        let mut fields = Fields::new(body);
        while let Some((field, value)) = fields.quick() {
            match value {
                Value::Varint(number) => bundle.head.set(field, number),
                Value::Bytes(bytes) | Value::Cut(bytes) if field == COMPACT => bundle.compact = Some(bytes),
                Value::Bytes(bytes) if field == DESCRIPTOR => describe(bytes),
                _ => {}
            }
        }
        bundle.head.broken = fields.broken();
        bundle
    }

    /// The time of its first event of each stream, whichever is earlier.
    pub fn first_ns(&self) -> Option<u64> {
        let event = self.events().next().map(|event| event.ts);
        let compact = self.compact.unwrap_or_default();
        let switch = Column::new(compact, super::compact::SWITCH_TIME).next();
        let waking = Column::new(compact, super::compact::WAKING_TIME).next();
        [event, switch, waking].into_iter().flatten().min()
    }

    /// How many events it has.
    pub fn count(&self) -> u64 {
        let compact = self.compact.unwrap_or_default();
        let of = |time| Column::new(compact, time).count() as u64;
        self.events().count() as u64 + of(super::compact::SWITCH_TIME) + of(super::compact::WAKING_TIME)
    }

    /// Its events that are not compact.
    pub fn events(&self) -> Events<'a> {
        Events {
            fields: Fields::new(self.body),
            broken: 0,
        }
    }
}

/// An `FtraceEvent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RawEvent<'a> {
    pub ts: u64,
    /// Which task was on the CPU.
    pub pid: i32,
    /// `common_flags`, which Perfetto itself does not write.
    pub flags: Option<u8>,
    /// Which event; 0 for none.
    pub kind: u32,
    /// Its fields.
    pub body: &'a [u8],
}

/// Numbers of an event's own fields.
const TIMESTAMP: u32 = 1;
const PID: u32 = 2;
const COMMON_FLAGS: u32 = 5;

impl<'a> RawEvent<'a> {
    /// `None` where its bytes are damaged.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        RawEvent::in_order(bytes).or_else(|| RawEvent::in_any_order(bytes))
    }

    #[inline(always)]
    fn in_order(bytes: &'a [u8]) -> Option<Self> {
        let mut fields = InOrder::new(bytes);
        let (ts, pid) = (fields.number(TIMESTAMP as u8), fields.number(PID as u8) as i32);
        let (kind, body) = fields.message()?;
        let flags = fields.optional(COMMON_FLAGS as u8).map(|flags| flags as u8);
        fields.is_all().then_some(RawEvent {
            ts,
            pid,
            flags,
            kind,
            body,
        })
    }

    #[inline(never)]
    fn in_any_order(bytes: &'a [u8]) -> Option<Self> {
        let mut event = RawEvent::default();
        let mut fields = Fields::new(bytes);
        while let Some((field, value)) = fields.quick() {
            match (field, value) {
                (TIMESTAMP, Value::Varint(number)) => event.ts = number,
                (PID, Value::Varint(number)) => event.pid = number as i32,
                (COMMON_FLAGS, Value::Varint(number)) => event.flags = Some(number as u8),
                (kind, Value::Bytes(body)) => (event.kind, event.body) = (kind, body),
                _ => {}
            }
        }
        (!fields.broken()).then_some(event)
    }
}

/// The events of a bundle that are not compact.
pub(super) struct Events<'a> {
    fields: Fields<'a>,
    /// Events that could not be read.
    pub broken: u64,
}

impl<'a> Iterator for Events<'a> {
    type Item = RawEvent<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawEvent<'a>> {
        while let Some((field, value)) = self.fields.quick() {
            if let (EVENT, Value::Bytes(bytes)) = (field, value) {
                match RawEvent::new(bytes) {
                    Some(event) => return Some(event),
                    None => self.broken += 1,
                }
            }
        }
        None
    }
}
