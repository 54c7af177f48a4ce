//! Gathers what a file says before it is scanned: its packets are looked at, but bundles only as far as it takes to see
//! which CPU's they are.

use schedrows::{ReadAt, ReadError};

use super::bundle::BundleHead;
use super::facts::Facts;
use super::framing::{head, Framing, Head, Piece, MAX_PACKET};
use super::packet::{Content, Opener, Packet};
use crate::unwrap::{Unwrap, Wrapping};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// The first bytes of a packet, by which most are known.
const PEEK: u64 = 4 << 10;
/// Of packed files no more than this is unpacked: they are unpacked again when they are scanned.
const ENOUGH: u64 = 64 << 20;

/// What was found, and whether some packets are packed.
pub(super) struct Skimmed {
    pub facts: Facts,
    pub packed: bool,
}

/// Looks at all packets, but of packed ones only at the first [`ENOUGH`] bytes.
pub(super) fn skim(input: &dyn ReadAt, wrapping: Wrapping) -> Result<Skimmed, ReadError> {
    let mut skim = Skim {
        facts: Facts::default(),
        opener: Opener::default(),
        unpacked: 0,
    };
    let from = match wrapping {
        Wrapping::None => skim.walk(input)?,
        Wrapping::Gzip | Wrapping::Zstd => Some(0),
    };
    if let Some(from) = from {
        skim.push_all(input, wrapping, from)?;
    }
    Ok(Skimmed {
        packed: skim.opener.packed,
        facts: skim.facts,
    })
}

struct Skim {
    facts: Facts,
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
        if let Some(Content::CutBundle(body)) = packet.content {
            let known = BundleHead::cpu_at_start(body).is_some_and(|cpu| self.facts.knows(cpu));
            if known || MAX_PACKET < size {
                self.facts.packet(&packet, start, end);
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
            facts,
            opener,
            unpacked,
        } = self;
        opener.open(bytes, &mut |packet| facts.packet(packet, start, end));
        *unpacked += opener.unpacked();
    }

    /// Takes the bytes as a scan does.
    fn push_all(&mut self, input: &dyn ReadAt, wrapping: Wrapping, from: u64) -> Result<(), ReadError> {
        let (mut unwrap, mut framing) = (Unwrap::new(wrapping), Framing::at(from));
        let mut at = from;
        while at < input.len() && self.unpacked < ENOUGH {
            let mut part = vec![0; (input.len() - at).min(WINDOW as u64) as usize];
            input.read_at(at, &mut part)?;
            at += part.len() as u64;
            let mut came = 0;
            let result = unwrap.push(&part, &mut |bytes| {
                came += bytes.len() as u64;
                framing.push(bytes, &mut |piece| self.piece(piece, at));
            });
            if wrapping != Wrapping::None {
                self.unpacked += came;
            }
            if result.is_err() {
                return Ok(());
            }
        }
        unwrap.finish(&mut |bytes| framing.push(bytes, &mut |piece| self.piece(piece, at)));
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
