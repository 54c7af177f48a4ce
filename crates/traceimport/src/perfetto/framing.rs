//! The packets of a `Trace` in bytes that come in pieces.

use memchr::memmem;

use super::proto::{field_of, take_varint, DELIMITED, FIXED32, FIXED64, VARINT};

/// Packets up to this size are taken whole; Perfetto's are at most 512 KiB, but scxtop writes one for each CPU.
pub(super) const MAX_PACKET: u64 = 64 << 20;
/// The field of `Trace` that packets are.
const PACKET: u32 = 1;
/// What every packet with a synchronization marker ends with: tag, length, and a UUID.
const MARKER: &[u8] = b"\xa2\x02\x10\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79";
/// Bytes by which a packet is found behind damage: those of the next one must begin right behind it.
const MAX_HEAD: usize = 11;

/// What is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Packet(&'a [u8]),
    /// The beginning of a packet whose end is not in the file.
    Cut(&'a [u8]),
    /// Bytes that are no packets, at this place, or a packet that is too large.
    Damage {
        at: u64,
        what: &'static str,
    },
}

/// Finds packets.
#[derive(Debug, Default)]
pub(super) struct Framing {
    /// Bytes that came and were not used yet.
    pending: Vec<u8>,
    /// Bytes to be left out.
    skip: u64,
    /// Where the first unused byte is.
    at: u64,
    /// What comes is no packet: the next one is searched for.
    lost: bool,
}

/// The next field.
pub(super) enum Head {
    /// Its bytes are this long, of which the first ones are tag and length.
    Packet {
        head: usize,
        size: u64,
    },
    Other {
        size: u64,
    },
    /// More bytes are needed.
    Short,
    Damage,
}

impl Framing {
    /// For bytes from this place on.
    pub fn at(at: u64) -> Framing {
        Framing {
            at,
            ..Framing::default()
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(Piece<'_>)) {
        let mut bytes = bytes;
        // Only the packet that is not whole is copied.
        while !self.pending.is_empty() && !bytes.is_empty() {
            let (first, rest) = bytes.split_at(self.missing().min(bytes.len()));
            bytes = rest;
            self.pending.extend_from_slice(first);
            let mut pending = std::mem::take(&mut self.pending);
            let used = self.walk(&pending, take);
            pending.drain(..used.min(pending.len()));
            self.pending = pending;
        }
        if self.pending.is_empty() {
            let used = self.walk(bytes, take);
            self.pending.extend_from_slice(bytes.get(used..).unwrap_or_default());
        }
    }

    /// How many more bytes are needed for the pending ones to be of use; at least one.
    fn missing(&self) -> usize {
        match head(&self.pending) {
            Head::Packet { head, size } if !self.lost && size <= MAX_PACKET => {
                (head + size as usize).saturating_sub(self.pending.len()).max(1)
            }
            Head::Short if !self.lost => MAX_HEAD,
            _ => usize::MAX,
        }
    }

    /// No more bytes come.
    pub fn finish(&mut self, take: &mut dyn FnMut(Piece<'_>)) {
        let pending = std::mem::take(&mut self.pending);
        let cut = 0 < self.skip || self.lost || !pending.is_empty();
        match head(&pending) {
            Head::Packet { head, .. } if !self.lost => take(Piece::Cut(pending.get(head..).unwrap_or_default())),
            _ if cut && !self.lost => take(Piece::Cut(&[])),
            _ => {}
        }
    }

    /// How many of the bytes were used.
    fn walk(&mut self, bytes: &[u8], take: &mut dyn FnMut(Piece<'_>)) -> usize {
        let mut used = 0;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            let step = match 0 < self.skip {
                true => self.skip_some(rest),
                false if self.lost => self.search(rest),
                false => self.one(rest, take),
            };
            let Some(step) = step else { return used };
            used += step;
            self.at += step as u64;
        }
    }

    fn skip_some(&mut self, rest: &[u8]) -> Option<usize> {
        let step = usize::try_from(self.skip).unwrap_or(usize::MAX).min(rest.len());
        self.skip -= step as u64;
        (0 < step).then_some(step)
    }

    /// Takes a field, if it is all there.
    fn one(&mut self, rest: &[u8], take: &mut dyn FnMut(Piece<'_>)) -> Option<usize> {
        match head(rest) {
            Head::Short => None,
            Head::Packet { head, size } if size <= MAX_PACKET => {
                let end = head.checked_add(usize::try_from(size).ok()?)?;
                take(Piece::Packet(rest.get(head..end)?));
                Some(end)
            }
            Head::Packet { head, size } => {
                let what = "a packet of more than 64 MiB is left out";
                take(Piece::Damage { at: self.at, what });
                self.skip = size;
                Some(head)
            }
            Head::Other { size } => {
                self.skip = size;
                self.skip_some(rest)
            }
            Head::Damage => {
                let what = "bytes that are no packet are left out";
                take(Piece::Damage { at: self.at, what });
                self.lost = true;
                Some(1.min(rest.len())).filter(|&step| 0 < step)
            }
        }
    }

    /// Looks for what can only be a packet: one behind a marker, or one with another right behind it.
    fn search(&mut self, rest: &[u8]) -> Option<usize> {
        let marker = memmem::find(rest, MARKER).map(|at| at + MARKER.len());
        let before = rest.get(..marker.unwrap_or(rest.len())).unwrap_or_default();
        let pair = memchr::memchr_iter(0x0a, before).find(|&at| {
            let found = rest.get(at..).unwrap_or_default();
            matches!(head(found), Head::Packet { head: first, size } if 1 < size && size <= 1 << 20 && follows(found, first, size))
        });
        if let Some(at) = pair.or(marker) {
            self.lost = false;
            return Some(at).filter(|&at| 0 < at || pair.is_some());
        }
        // What may be the first bytes of a marker stays.
        let step = rest.len().saturating_sub(1 << 20);
        (0 < step).then_some(step)
    }
}

/// Whether a packet's fields, and another packet behind it, are as they should be.
fn follows(found: &[u8], first: usize, size: u64) -> bool {
    let end = usize::try_from(size).ok().and_then(|size| first.checked_add(size));
    let Some((packet, behind)) = end.and_then(|end| Some((found.get(first..end)?, found.get(end..end + 2)?))) else {
        return false;
    };
    let mut fields = super::proto::Fields::new(packet);
    let known = fields.by_ref().take(64).all(|(field, _)| field < 1000);
    known && !fields.broken() && matches!(head(behind), Head::Packet { .. } | Head::Short)
}

/// What the bytes begin with.
pub(super) fn head(bytes: &[u8]) -> Head {
    let mut rest = bytes;
    let size = |rest: &[u8]| bytes.len() - rest.len();
    let Some(tag) = take_varint(&mut rest) else {
        return short(bytes.len());
    };
    let Some(field) = field_of(tag) else {
        return Head::Damage;
    };
    match tag & 7 {
        DELIMITED => match take_varint(&mut rest) {
            Some(len) if field == PACKET => Head::Packet {
                head: size(rest),
                size: len,
            },
            // Other fields of a trace are small, if there are any.
            Some(len) if len <= MAX_PACKET => Head::Other {
                size: size(rest) as u64 + len,
            },
            Some(_) => Head::Damage,
            None => short(rest.len()),
        },
        VARINT => match take_varint(&mut rest) {
            Some(_) => Head::Other {
                size: size(rest) as u64,
            },
            None => short(rest.len()),
        },
        FIXED64 => Head::Other {
            size: size(rest) as u64 + 8,
        },
        FIXED32 => Head::Other {
            size: size(rest) as u64 + 4,
        },
        _ => Head::Damage,
    }
}

/// A number that does not end: in the bytes that are there, or at all.
fn short(left: usize) -> Head {
    match left < MAX_HEAD - 1 {
        true => Head::Short,
        false => Head::Damage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packets(bytes: &[u8], step: usize) -> (Vec<Vec<u8>>, Vec<u64>, Option<Vec<u8>>) {
        let (mut packets, mut damage, mut cut) = (Vec::new(), Vec::new(), None);
        let mut take = |piece: Piece<'_>| match piece {
            Piece::Packet(packet) => packets.push(packet.to_vec()),
            Piece::Damage { at, .. } => damage.push(at),
            Piece::Cut(part) => cut = Some(part.to_vec()),
        };
        let mut framing = Framing::default();
        bytes.chunks(step).for_each(|part| framing.push(part, &mut take));
        framing.finish(&mut take);
        (packets, damage, cut)
    }

    fn packet(body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x0a, body.len() as u8 | 0x80, (body.len() >> 7) as u8];
        bytes.extend(body);
        bytes
    }

    #[test]
    fn packets_come_whole_however_the_bytes_come() {
        let bodies: Vec<Vec<u8>> = (0..40_u8).map(|n| [0x42, n, n].repeat(usize::from(n))).collect();
        let mut bytes: Vec<u8> = bodies.iter().flat_map(|body| packet(body)).collect();
        // A field of a trace that is not known.
        bytes.splice(3..3, [0x12, 2, 7, 7, 0x18, 5]);
        for step in [1, 7, 100, 10_000] {
            assert_eq!(packets(&bytes, step), (bodies.clone(), vec![], None), "{step}");
        }
        let (found, _, cut) = packets(&bytes[..bytes.len() - 2], 64);
        assert_eq!((found.len(), cut.map(|part| part.len())), (39, Some(115)));
    }

    #[test]
    fn packets_behind_damage_are_found() {
        let body = [0x40, 0x05];
        let mut bytes = packet(&body);
        bytes.extend([0x03, 0xff, 0xff, 0x0a, 0x05]);
        let damaged = bytes.len();
        bytes.extend([packet(&body), packet(&body), packet(&body)].concat());
        let (found, damage, _) = packets(&bytes, 5);
        assert_eq!((found.len(), damage), (4, vec![5]), "{damaged}");
        let mut marked = [0x0b; 300].to_vec();
        marked.extend(MARKER);
        marked.extend(packet(&body));
        let (found, damage, cut) = packets(&marked, 1000);
        assert_eq!((found, damage, cut), (vec![body.to_vec()], vec![0], None));
    }

    #[test]
    fn a_length_beyond_the_file_is_no_memory() {
        let bytes = [&[0x0a, 0xff, 0xff, 0xff, 0x7f][..], &[1; 50]].concat();
        let (found, damage, cut) = packets(&bytes, 10);
        assert_eq!((found.len(), damage.len(), cut.is_some()), (0, 1, true));
        let (found, damage, _) = packets(&[0xff; 64], 64);
        assert_eq!((found.len(), damage.len()), (0, 1));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_end_and_pieces_do_not_matter(
            bytes in prop::collection::vec(prop_oneof![Just(0x0a_u8), 0_u8..30, any::<u8>()], 0..400), step in 1_usize..50,
        ) {
            let (whole, _, _) = packets(&bytes, bytes.len().max(1));
            let total: usize = whole.iter().map(Vec::len).sum();
            prop_assert!(total <= bytes.len());
            packets(&bytes, step);
        }
    }
}
