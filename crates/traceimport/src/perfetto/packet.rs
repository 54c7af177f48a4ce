//! The fields of a `TracePacket` that are read.

use super::proto::{Fields, Value};
use super::unpack::{unpack, Packing};

/// What a packet holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    Bundle(&'a [u8]),
    /// A bundle whose end is not there.
    CutBundle(&'a [u8]),
    ProcessTree(&'a [u8]),
    TrackEvent(&'a [u8]),
    Config(&'a [u8]),
    FtraceStats(&'a [u8]),
    SystemInfo(&'a [u8]),
    Track(&'a [u8]),
    CpuInfo(&'a [u8]),
    /// Events of kernels that are not Linux.
    OtherKernel,
}

/// The machine of packets that name none: the one where the tracing service runs that wrote the file.
pub(super) const HOST: u32 = 0;

/// A packet's own time, and what it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet<'a> {
    pub timestamp: Option<u64>,
    pub content: Option<Content<'a>>,
    /// Which machine wrote it: [`HOST`], or the id of another one whose tracing service sends its packets.
    pub machine: u32,
    packed: Option<(Packing, &'a [u8])>,
    /// Its bytes are not all fields, or not all there.
    broken: bool,
}

impl<'a> Packet<'a> {
    pub fn new(bytes: &'a [u8]) -> Packet<'a> {
        let mut packet = Packet::default();
        let mut fields = Fields::new(bytes);
        while let Some((field, value)) = fields.quick() {
            match (field, value) {
                (8, Value::Varint(time)) => packet.timestamp = Some(time),
                (98, Value::Varint(machine)) => packet.machine = machine as u32,
                (1, Value::Cut(bytes)) => packet.content = Some(Content::CutBundle(bytes)),
                (50, Value::Bytes(bytes) | Value::Cut(bytes)) => packet.packed = Some((Packing::Zlib, bytes)),
                (133, Value::Bytes(bytes) | Value::Cut(bytes)) => packet.packed = Some((Packing::Zstd, bytes)),
                (field, Value::Bytes(bytes)) => packet.content = content(field, bytes).or(packet.content),
                _ => {}
            }
        }
        packet.broken = fields.broken();
        packet
    }

    /// Nothing is packed in it, and it is whole.
    pub fn is_plain(&self) -> bool {
        self.packed.is_none() && !self.broken
    }
}

fn content(field: u32, bytes: &[u8]) -> Option<Content<'_>> {
    Some(match field {
        1 => Content::Bundle(bytes),
        2 => Content::ProcessTree(bytes),
        11 => Content::TrackEvent(bytes),
        33 => Content::Config(bytes),
        34 => Content::FtraceStats(bytes),
        45 => Content::SystemInfo(bytes),
        60 => Content::Track(bytes),
        67 => Content::CpuInfo(bytes),
        117 => Content::OtherKernel,
        _ => return None,
    })
}

/// What was wrong with packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// Packets whose bytes are not fields.
    pub packets: u64,
    /// Packets that could not be unpacked to their end.
    pub packed: u64,
}

/// Opens packets, also those in packets.
#[derive(Default)]
pub(super) struct Opener {
    unpacked: Vec<u8>,
    pub damage: Damage,
    /// There were packets in packets.
    pub packed: bool,
}

impl Opener {
    /// Gives the packet to `take`, or those in it; false says that something is missing.
    pub fn open(&mut self, bytes: &[u8], take: &mut dyn FnMut(&Packet<'_>)) -> bool {
        let packet = Packet::new(bytes);
        let mut whole = !packet.broken;
        if packet.broken {
            self.damage.packets += 1;
        }
        let Some((packing, packed)) = packet.packed else {
            self.unpacked.clear();
            take(&packet);
            return whole;
        };
        self.packed = true;
        let mut unpacked = std::mem::take(&mut self.unpacked);
        if !unpack(packing, packed, &mut unpacked) {
            self.damage.packed += 1;
            whole = false;
        }
        // A trace within: what is packed there again is nobody's.
        for (field, value) in Fields::new(&unpacked) {
            if let (1, Value::Bytes(bytes) | Value::Cut(bytes)) = (field, value) {
                let packet = Packet::new(bytes);
                if packet.broken {
                    self.damage.packets += 1;
                    whole = false;
                }
                take(&packet);
            }
        }
        self.unpacked = unpacked;
        whole
    }

    /// How many bytes the last packet had inside.
    pub fn unpacked(&self) -> u64 {
        self.unpacked.len() as u64
    }
}
