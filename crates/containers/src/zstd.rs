//! A zstd stream that comes in pieces, which may go on from one piece to the next without ever ending.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

use zrip::frame::header::parse_frame_header;
use zrip::frame::MAX_BLOCK_SIZE;
use zrip::FrameDecoder;

/// The longest header of a frame.
const FRAME_HEADER: usize = 18;
/// The kind of a block that is one byte many times (RFC 8878, 3.1.1.2.2).
const REPEATED: u32 = 1;
/// Bytes of the checksum that a frame may end with.
const CHECKSUM: usize = 4;

/// Unpacks a stream a block at a time, so that what is held is bounded by the frame's window.
pub struct ZstdStream {
    /// Boxed: trace.dat's chunks are read by the same type, which a module then has once.
    decoder: FrameDecoder<Box<dyn Read>>,
    /// What the decoder reads next: a whole block, behind the frame's header if it is the first.
    fed: Fed,
    /// Bytes that are no whole block yet.
    pending: Vec<u8>,
    next: Next,
    buffer: Vec<u8>,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A frame.
    Header,
    /// A block of a frame, which may end with a checksum.
    Block { is_summed: bool },
    /// A frame's checksum, which is not looked at.
    Checksum,
    /// Nothing that can be unpacked, whatever comes.
    Damage,
}

/// The stream is damaged: nothing behind can be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// Bytes that are put in while a decoder has the other end.
#[derive(Clone, Default)]
struct Fed(Rc<RefCell<VecDeque<u8>>>);

impl Fed {
    fn put(&self, bytes: &[u8]) {
        self.0.borrow_mut().extend(bytes);
    }
}

impl Read for Fed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(into)
    }
}

impl Default for ZstdStream {
    fn default() -> Self {
        ZstdStream::new()
    }
}

impl ZstdStream {
    /// A stream of which nothing has come yet.
    pub fn new() -> Self {
        let fed = Fed::default();
        ZstdStream {
            decoder: FrameDecoder::new(Box::new(fed.clone())),
            fed,
            pending: Vec::new(),
            next: Next::Header,
            buffer: vec![0; MAX_BLOCK_SIZE],
        }
    }

    /// Takes the next bytes; hands what they give to `take`.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Damaged> {
        if self.next != Next::Damage {
            self.pending.extend_from_slice(bytes);
        }
        let mut at = 0;
        let done = loop {
            match self.step(at, take) {
                Ok(Some(read)) => at += read,
                Ok(None) => break Ok(()),
                Err(damaged) => {
                    self.next = Next::Damage;
                    break Err(damaged);
                }
            }
        };
        self.pending.drain(..at.min(self.pending.len()));
        done
    }

    /// Whether it ended with a frame's end.
    pub fn is_whole(&self) -> bool {
        self.next == Next::Header && self.pending.is_empty()
    }

    /// Reads what comes next, at `at` in the pending bytes; returns how many it took, `None` if it is not all there.
    fn step(&mut self, at: usize, take: &mut dyn FnMut(&[u8])) -> Result<Option<usize>, Damaged> {
        let rest = self.pending.get(at..).unwrap_or_default();
        match self.next {
            Next::Damage => Err(Damaged),
            _ if rest.is_empty() => Ok(None),
            Next::Checksum => Ok((CHECKSUM <= rest.len()).then(|| {
                self.next = Next::Header;
                CHECKSUM
            })),
            Next::Header => match parse_frame_header(rest) {
                Ok(header) => {
                    self.next = Next::Block {
                        is_summed: header.content_checksum,
                    };
                    self.fed.put(rest.get(..header.header_size).unwrap_or_default());
                    Ok(Some(header.header_size))
                }
                Err(_) if rest.len() < FRAME_HEADER => Ok(None),
                Err(_) => Err(Damaged),
            },
            Next::Block { is_summed } => self.block(at, is_summed, take),
        }
    }

    // In line, the module of other formats is a little smaller.
    #[inline]
    fn block(&mut self, at: usize, is_summed: bool, take: &mut dyn FnMut(&[u8])) -> Result<Option<usize>, Damaged> {
        let rest = self.pending.get(at..).unwrap_or_default();
        let Some(header) = rest.first_chunk::<3>() else {
            return Ok(None);
        };
        let [low, mid, high] = header.map(u32::from);
        let header = low | mid << 8 | high << 16;
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        let block = 3 + if kind == REPEATED { 1 } else { size };
        let Some(bytes) = rest.get(..block) else {
            return Ok(None);
        };
        // From an empty block a decoder would go on to the next one, which has not come.
        if 0 < size {
            self.fed.put(bytes);
            let unpacked = self.decoder.read(&mut self.buffer).map_err(|_| Damaged)?;
            take(self.buffer.get(..unpacked).unwrap_or_default());
        }
        if is_last {
            self.next = if is_summed { Next::Checksum } else { Next::Header };
            self.fed.0.borrow_mut().clear();
            self.decoder.reset(Box::new(self.fed.clone()));
        }
        Ok(Some(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
        let (mut stream, mut out) = (ZstdStream::new(), Vec::new());
        let mut take = |bytes: &[u8]| out.extend_from_slice(bytes);
        let mut good = true;
        for piece in pieces {
            good &= stream.push(piece, &mut take).is_ok();
        }
        (out, good)
    }

    fn text() -> Vec<u8> {
        (0..90_000_u32).flat_map(|n| (n / 3).to_le_bytes()).collect()
    }

    #[test]
    fn frames_come_back_whole_from_pieces_of_any_size() {
        let packed = [
            zstd::bulk::compress(&text(), 3).unwrap(),
            zstd::bulk::compress(b"end", 3).unwrap(),
        ]
        .concat();
        let expected = [text(), b"end".to_vec()].concat();
        let mut summed = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        summed.include_checksum(true).unwrap();
        std::io::Write::write_all(&mut summed, &text()).unwrap();
        let (packed, expected) = ([summed.finish().unwrap(), packed].concat(), [text(), expected].concat());
        for size in [1, 7, 1000, packed.len()] {
            let pieces: Vec<&[u8]> = packed.chunks(size).collect();
            assert!(unpack(&pieces) == (expected.clone(), true), "{size}");
        }
    }

    #[test]
    fn a_stream_that_never_ends_gives_all_that_was_flushed() {
        use std::io::Write;
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        for part in text().chunks(40_000) {
            encoder.write_all(part).unwrap();
            encoder.flush().unwrap();
        }
        let packed = encoder.get_ref().clone();
        assert!(unpack(&[&packed]) == (text(), true));
    }

    #[test]
    fn damage_ends_the_stream_and_harms_nothing() {
        let packed = zstd::bulk::compress(&text(), 3).unwrap();
        for at in 0..packed.len().min(400) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            let _ = unpack(&[&damaged]);
            let (out, _) = unpack(&[&packed[..at]]);
            assert!(text().starts_with(&out));
        }
    }

    #[test]
    fn what_comes_behind_damage_is_not_kept() {
        let mut packed = zstd::bulk::compress(&text(), 3).unwrap();
        // A block of the kind that there is not.
        let header = parse_frame_header(&packed).unwrap().header_size;
        packed[header] |= 6;
        let mut stream = ZstdStream::new();
        assert_eq!(stream.push(&packed, &mut |_| ()), Err(Damaged));
        let held = |stream: &ZstdStream| stream.pending.len() + stream.fed.0.borrow().len();
        let before = held(&stream);
        for _ in 0..9 {
            assert_eq!(stream.push(&packed, &mut |_| ()), Err(Damaged));
        }
        assert_eq!(held(&stream), before);
        assert!(!stream.is_whole());
    }
}
