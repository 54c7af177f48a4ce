//! Packed bytes: files inside gzip or zstd, which come in pieces, and packets with packed packets in them, which are whole.

use std::io::{self, Read, Write};

use super::framing::MAX_PACKET;

/// What a file's packets are packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    None,
    Gzip,
    Zstd,
}

impl Wrapping {
    /// By the first bytes.
    pub fn of(head: &[u8]) -> Wrapping {
        match head {
            [0x1f, 0x8b, ..] => Wrapping::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Wrapping::Zstd,
            _ => Wrapping::None,
        }
    }
}

/// Takes what comes out.
pub(super) type Take<'a> = &'a mut dyn FnMut(&[u8]);

/// Bytes on their way from one place to the other: what a decoder writes to.
#[derive(Default)]
struct Out(Vec<u8>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Unpacks a file as it comes.
pub(super) enum Unwrap {
    Plain,
    Gzip(Box<flate2::write::MultiGzDecoder<Out>>),
    Zstd(Box<zstd_stream::Decoder>),
    /// What comes after damage is left out.
    Broken,
}

/// Bytes given to a decoder at a time: a thousand times as many may come out.
const STEP: usize = 16 << 10;

impl Unwrap {
    pub fn new(wrapping: Wrapping) -> Unwrap {
        match wrapping {
            Wrapping::None => Unwrap::Plain,
            Wrapping::Gzip => Unwrap::Gzip(Box::new(flate2::write::MultiGzDecoder::new(Out::default()))),
            Wrapping::Zstd => match zstd_stream::Decoder::new() {
                Ok(decoder) => Unwrap::Zstd(Box::new(decoder)),
                Err(_) => Unwrap::Broken,
            },
        }
    }

    /// Takes the next bytes; the error says that they are damaged, and that all further ones are left out.
    pub fn push(&mut self, bytes: &[u8], take: Take<'_>) -> io::Result<()> {
        if let Unwrap::Plain = self {
            take(bytes);
            return Ok(());
        }
        for part in bytes.chunks(STEP) {
            let result = match self {
                Unwrap::Gzip(decoder) => {
                    let result = decoder.write_all(part).and_then(|()| decoder.flush());
                    let out = decoder.get_mut();
                    take(&out.0);
                    out.0.clear();
                    result
                }
                Unwrap::Zstd(decoder) => decoder.push(part, take),
                Unwrap::Plain | Unwrap::Broken => return Ok(()),
            };
            if let Err(error) = result {
                *self = Unwrap::Broken;
                return Err(error);
            }
        }
        Ok(())
    }

    /// No more bytes come: whether they were all that there are.
    pub fn finish(self, take: Take<'_>) -> bool {
        match self {
            Unwrap::Plain => true,
            Unwrap::Gzip(mut decoder) => {
                let whole = decoder.try_finish().is_ok();
                take(&decoder.get_ref().0);
                whole
            }
            Unwrap::Zstd(mut decoder) => decoder.end(take),
            Unwrap::Broken => false,
        }
    }
}

/// What a packet's packed packets are packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Zlib,
    Zstd,
}

/// Unpacks a packet's packed packets into `out`, of which no more than [`MAX_PACKET`] bytes come. What comes before damage
/// stays; returns whether all came.
pub(super) fn unpack(packing: Packing, packed: &[u8], out: &mut Vec<u8>) -> bool {
    out.clear();
    match packing {
        Packing::Zlib => {
            let mut reader = flate2::read::ZlibDecoder::new(packed).take(MAX_PACKET + 1);
            let whole = reader.read_to_end(out).is_ok();
            whole && out.len() as u64 <= MAX_PACKET
        }
        Packing::Zstd => {
            let Ok(mut decoder) = zstd_stream::Decoder::new() else {
                return false;
            };
            for part in packed.chunks(STEP) {
                let result = decoder.push(part, &mut |bytes| out.extend_from_slice(bytes));
                if result.is_err() || MAX_PACKET < out.len() as u64 {
                    return false;
                }
            }
            let whole = decoder.end(&mut |bytes| out.extend_from_slice(bytes));
            whole && out.len() as u64 <= MAX_PACKET
        }
    }
}

/// libzstd.
#[cfg(not(target_family = "wasm"))]
mod zstd_stream {
    use std::io;

    use zstd::stream::raw::{Decoder as Raw, InBuffer, Operation, OutBuffer};

    /// Bytes that come out at a time.
    const OUT: usize = 128 << 10;

    pub(super) struct Decoder {
        raw: Raw<'static>,
        out: Vec<u8>,
        at_end: bool,
    }

    impl Decoder {
        pub fn new() -> io::Result<Decoder> {
            Ok(Decoder {
                raw: Raw::new()?,
                out: vec![0; OUT],
                at_end: true,
            })
        }

        pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
            let mut input = InBuffer::around(bytes);
            loop {
                let mut output = OutBuffer::around(self.out.as_mut_slice());
                let before = input.pos();
                self.at_end = self.raw.run(&mut input, &mut output)? == 0;
                let came = output.pos();
                take(self.out.get(..came).unwrap_or_default());
                if input.pos() == bytes.len() && came < OUT {
                    return Ok(());
                }
                if input.pos() == before && came == 0 {
                    return Err(io::Error::other("no progress"));
                }
            }
        }

        /// No more bytes come: whether they ended with a frame's end.
        pub fn end(&mut self, _take: &mut dyn FnMut(&[u8])) -> bool {
            self.at_end
        }
    }
}

/// ruzstd.
#[cfg(target_family = "wasm")]
mod zstd_stream {
    use std::io;

    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

    /// A block and its head are no longer than this, packed.
    const BLOCK: usize = (128 << 10) + 64;
    /// What is left of the bytes is moved seldom.
    const ENOUGH: usize = 8 * BLOCK;

    pub(super) struct Decoder {
        decoder: FrameDecoder,
        /// Bytes of a block that are not all there.
        pending: Vec<u8>,
        in_frame: bool,
    }

    impl Decoder {
        pub fn new() -> io::Result<Decoder> {
            Ok(Decoder {
                decoder: FrameDecoder::new(),
                pending: Vec::new(),
                in_frame: false,
            })
        }

        pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
            self.pending.extend_from_slice(bytes);
            match self.pending.len() < ENOUGH {
                true => Ok(()),
                false => self.decode(BLOCK, take),
            }
        }

        /// Decodes blocks while at least `least` bytes are there, so that none is cut.
        fn decode(&mut self, least: usize, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
            let pending = std::mem::take(&mut self.pending);
            let mut rest = pending.as_slice();
            while least <= rest.len() && !rest.is_empty() {
                if !self.in_frame {
                    self.decoder.reset(&mut rest).map_err(io::Error::other)?;
                    self.in_frame = true;
                }
                let strategy = BlockDecodingStrategy::UptoBlocks(1);
                self.in_frame = !self.decoder.decode_blocks(&mut rest, strategy).map_err(io::Error::other)?;
                if let Some(out) = self.decoder.collect() {
                    take(&out);
                }
            }
            self.pending = rest.to_vec();
            Ok(())
        }

        /// No more bytes come: whether they ended with a frame's end.
        pub fn end(&mut self, take: &mut dyn FnMut(&[u8])) -> bool {
            self.decode(1, take).is_ok() && !self.in_frame && self.pending.is_empty()
        }
    }
}
