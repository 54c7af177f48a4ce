//! A zstd stream that comes in pieces, which may go on from one piece to the next without ever ending.

use ruzstd::decoding::FrameDecoder;

/// A block gives no more than this.
const BLOCK: usize = 128 << 10;
/// The longest header of a frame.
const FRAME_HEADER: usize = 18;
/// A last block without content: what a frame that never ended lacks, and room for a checksum.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Unpacks a stream a block at a time, so that what is held is bounded by the frame's window.
pub(crate) struct ZstdStream {
    decoder: FrameDecoder,
    /// Bytes that are no whole block yet.
    pending: Vec<u8>,
    /// Within a frame.
    open: bool,
    buffer: Vec<u8>,
}

/// The stream is damaged: nothing behind can be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged;

impl ZstdStream {
    pub fn new() -> Self {
        ZstdStream {
            decoder: FrameDecoder::new(),
            pending: Vec::new(),
            open: false,
            buffer: vec![0; BLOCK],
        }
    }

    /// Takes the next bytes; hands what they give to `take`. What is within the window of the frame may come later.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Damaged> {
        self.pending.extend_from_slice(bytes);
        let mut at = 0;
        let done = loop {
            match self.step(at, take) {
                Ok(Some(read)) => at += read,
                Ok(None) => break Ok(()),
                Err(damaged) => break Err(damaged),
            }
        };
        self.pending.drain(..at.min(self.pending.len()));
        done
    }

    /// No more bytes come: hands over what is left.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Damaged> {
        if !self.open {
            return Ok(());
        }
        // What is left of a block is lost.
        self.pending.clear();
        self.push(&END, take)
    }

    /// Whether it ended with a frame's end.
    pub fn is_whole(&self) -> bool {
        !self.open && self.pending.is_empty()
    }

    /// Reads the header of a frame or a block that is at `at` in the pending bytes; returns how many it took, `None` if
    /// it is not all there.
    fn step(&mut self, at: usize, take: &mut dyn FnMut(&[u8])) -> Result<Option<usize>, Damaged> {
        let rest = self.pending.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        if !self.open {
            let mut left = rest;
            return match self.decoder.init(&mut left) {
                Ok(()) => {
                    self.open = true;
                    Ok(Some(rest.len() - left.len()))
                }
                Err(_) if rest.len() < FRAME_HEADER => Ok(None),
                Err(_) => Err(Damaged),
            };
        }
        let Some(header) = rest.first_chunk::<3>() else {
            return Ok(None);
        };
        let [low, mid, high] = header.map(u32::from);
        let header = low | mid << 8 | high << 16;
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        let block = 3 + if kind == 1 { 1 } else { size };
        if rest.len() < block {
            return Ok(None);
        }
        // The checksum of a frame comes behind its last block.
        let end = if is_last { (block + 4).min(rest.len()) } else { block };
        let block = rest.get(..end).unwrap_or_default();
        let (read, mut unpacked) = self
            .decoder
            .decode_from_to(block, &mut self.buffer)
            .map_err(|_| Damaged)?;
        while 0 < unpacked {
            take(self.buffer.get(..unpacked).unwrap_or_default());
            unpacked = std::io::Read::read(&mut self.decoder, &mut self.buffer).map_err(|_| Damaged)?;
        }
        if is_last {
            self.open = false;
            self.decoder = FrameDecoder::new();
        }
        match read {
            0 => Err(Damaged),
            _ => Ok(Some(read)),
        }
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
        good &= stream.finish(&mut take).is_ok();
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
}
