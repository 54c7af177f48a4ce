//! Gathers what a file says before it is scanned: its packets are looked at, but bundles only as far as it takes to see
//! which CPU's they are.

use std::collections::BTreeMap;

use containers::Place;
use schedrows::{ReadAt, ReadError};

use super::bundle::BundleHead;
use super::facts::Facts;
use super::framing::{head, Framing, Head, Piece, MAX_PACKET};
use super::packet::{Content, Opener, Packet, HOST};
use super::proto::take_varint;

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// The first bytes of a packet, by which most are known.
const PEEK: u64 = 4 << 10;
/// Of packed files no more than this is unpacked: they are unpacked again when they are scanned.
const ENOUGH: u64 = 64 << 20;

/// More machines than any trace is of; what further ones say is left out.
const MOST_MACHINES: usize = 64;

/// What was found, and whether some packets are packed.
pub(super) struct Skimmed {
    /// Of each machine, by its id.
    pub machines: BTreeMap<u32, Facts>,
    pub packed: bool,
}

/// Looks at all packets, but of packed ones only at the first [`ENOUGH`] bytes.
pub(super) fn skim(input: &dyn ReadAt, place: &Place) -> Result<Skimmed, ReadError> {
    let mut skim = Skim {
        machines: BTreeMap::from([(HOST, Facts::default())]),
        opener: Opener::default(),
        unpacked: 0,
    };
    let from = match place.is_plain() {
        true => skim.walk(input)?,
        false => Some(0),
    };
    if let Some(from) = from {
        skim.push_all(input, place, from)?;
    }
    Ok(Skimmed {
        packed: skim.opener.packed,
        machines: skim.machines,
    })
}

struct Skim {
    machines: BTreeMap<u32, Facts>,
    opener: Opener,
    /// Bytes that were unpacked.
    unpacked: u64,
}

impl Skim {
    /// Goes from packet to packet. Where something else is, the rest is to be read from there on.
    fn walk(&mut self, input: &dyn ReadAt) -> Result<Option<u64>, ReadError> {
        let mut window = Window::new(input);
        let mut at = 0;
        while at < input.len() && self.unpacked < ENOUGH {
            match head(window.at(at, 20)?) {
                Head::Packet { head, size } => {
                    let (from, end) = (at + head as u64, at.saturating_add(head as u64).saturating_add(size));
                    self.one(&mut window, at, from, size)?;
                    at = end;
                }
                Head::Other { size } => at = at.saturating_add(size.max(1)),
                Head::Short => return Ok(None),
                Head::Damage => return Ok(Some(at)),
            }
        }
        Ok(None)
    }

    fn one(&mut self, window: &mut Window<'_>, start: u64, from: u64, size: u64) -> Result<(), ReadError> {
        let end = from.saturating_add(size);
        let peek = window.at(from, size.min(PEEK))?;
        if size <= PEEK {
            self.packet(peek, start, end);
            return Ok(());
        }
        let packet = Packet::new(peek);
        let cut = match packet.content {
            Some(Content::CutBundle(body)) => BundleHead::cpu_at_start(body).zip(end_of_bundle(peek)),
            _ => None,
        };
        let is_there = end <= window.input.len();
        if let Some((cpu, bundle_end)) = cut.filter(|&(_, end)| is_there && end <= size && size - end <= PEEK) {
            // The machine's id follows the bundle, right before the next packet.
            let behind = Packet::new(window.at(from + bundle_end, size - bundle_end)?);
            let facts = self.machines.get_mut(&behind.machine);
            if let Some(facts) = facts.filter(|facts| facts.knows(cpu) || MAX_PACKET < size) {
                facts.more(cpu, start, end);
                return Ok(());
            }
        }
        if size <= MAX_PACKET {
            let whole = window.load(from, size)?;
            self.packet(&whole, start, end);
        }
        Ok(())
    }

    fn packet(&mut self, bytes: &[u8], start: u64, end: u64) {
        let Skim {
            machines,
            opener,
            unpacked,
        } = self;
        opener.open(bytes, &mut |packet| {
            if machines.len() < MOST_MACHINES || machines.contains_key(&packet.machine) {
                machines.entry(packet.machine).or_default().packet(packet, start, end);
            }
        });
        *unpacked += opener.unpacked();
    }

    /// Takes the bytes as a scan does, those of a plain file from this place on.
    fn push_all(&mut self, input: &dyn ReadAt, place: &Place, from: u64) -> Result<(), ReadError> {
        let (mut peel, mut framing) = (place.peel().unbounded(), Framing::at(from));
        let end = place.stream.offset + place.stream.size;
        let mut at = place.stream.offset + from;
        while at < end && self.unpacked < ENOUGH && !peel.is_done() {
            let mut part = vec![0; (end - at).min(WINDOW as u64) as usize];
            input.read_at(at, &mut part)?;
            at += part.len() as u64;
            let mut came = 0;
            peel.push(&part, &mut |bytes| {
                came += bytes.len() as u64;
                framing.push(bytes, &mut |piece| self.piece(piece, at));
            });
            if !place.is_plain() {
                self.unpacked += came;
            }
        }
        peel.finish(&mut |bytes| framing.push(bytes, &mut |piece| self.piece(piece, at)));
        framing.finish(&mut |piece| self.piece(piece, at));
        Ok(())
    }

    fn piece(&mut self, piece: Piece<'_>, at: u64) {
        match piece {
            Piece::Packet(bytes) | Piece::Cut(bytes) => self.packet(bytes, 0, at),
            Piece::Damage { .. } => {}
        }
    }
}

/// Where a bundle ends that is the first field of a packet, of which these are the first bytes.
fn end_of_bundle(packet: &[u8]) -> Option<u64> {
    let mut rest = packet.strip_prefix(&[0x0a])?;
    let len = take_varint(&mut rest)?;
    len.checked_add((packet.len() - rest.len()) as u64)
}

/// Reads somewhat more than is asked for, and keeps it.
struct Window<'a> {
    input: &'a dyn ReadAt,
    start: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    fn new(input: &'a dyn ReadAt) -> Self {
        Window {
            input,
            start: 0,
            bytes: Vec::new(),
        }
    }

    /// As many bytes as there are, at most `size` (and no more than a window).
    fn at(&mut self, from: u64, size: u64) -> Result<&[u8], ReadError> {
        let size = size.min(self.input.len().saturating_sub(from));
        let end = self.start + self.bytes.len() as u64;
        if from < self.start || end < from.saturating_add(size) {
            self.bytes = self.load(from, (WINDOW as u64).max(size))?;
            self.start = from;
        }
        let at = (from - self.start) as usize;
        Ok(self.bytes.get(at..at + size as usize).unwrap_or_default())
    }

    fn load(&self, from: u64, size: u64) -> Result<Vec<u8>, ReadError> {
        let size = size.min(self.input.len().saturating_sub(from));
        let mut bytes = vec![0; size as usize];
        self.input.read_at(from, &mut bytes)?;
        Ok(bytes)
    }
}
