//! gzip, zlib, deflate and zstd, unpacked as they come.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

use crate::peel::{Broken, Decode, Take};
use crate::zstd::ZstdStream;

/// Bytes given to a decoder at a time: a thousand times as many may come out.
pub const STEP: usize = 16 << 10;

/// What a decoder writes to.
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

/// A packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zlib,
    Deflate,
    Zstd,
    /// Not packed, as members of archives may be.
    Stored,
}

enum Decoder {
    Gzip(Box<MultiGzDecoder<Out>>),
    Inflate(Box<Inflate>),
    Zstd(Box<ZstdStream>),
    Stored,
}

/// What an archive says about a member when it is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub crc: u32,
    pub size: u64,
}

/// Unpacks bytes.
pub(crate) struct Packed {
    decoder: Decoder,
    /// Bytes in front of the packed ones.
    skip: usize,
    /// What came out so far, if the end is compared with what the archive says.
    sum: Option<(Sum, flate2::Crc)>,
}

impl Packed {
    pub fn new(packing: Packing) -> Packed {
        Packed {
            decoder: match packing {
                Packing::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(Out::default()))),
                Packing::Zlib => Decoder::Inflate(Box::new(Inflate::new(true))),
                Packing::Deflate => Decoder::Inflate(Box::new(Inflate::new(false))),
                Packing::Zstd => Decoder::Zstd(Box::default()),
                Packing::Stored => Decoder::Stored,
            },
            skip: 0,
            sum: None,
        }
    }

    /// Leaves out bytes in front.
    pub fn behind(self, skip: usize) -> Packed {
        Packed { skip, ..self }
    }

    /// Compares what comes out with what is said of it.
    pub fn with_sum(self, sum: Option<Sum>) -> Packed {
        Packed {
            sum: sum.map(|sum| (sum, flate2::Crc::new())),
            ..self
        }
    }
}

/// A deflate stream, with zlib's header and check sum or without.
struct Inflate {
    state: Decompress,
    out: Vec<u8>,
    ended: bool,
}

impl Inflate {
    fn new(has_header: bool) -> Inflate {
        Inflate {
            state: Decompress::new(has_header),
            out: vec![0; STEP],
            ended: false,
        }
    }

    fn push(&mut self, mut bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        while !self.ended {
            let before = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(bytes, &mut self.out, FlushDecompress::None);
            let read = (self.state.total_in() - before.0) as usize;
            let written = (self.state.total_out() - before.1) as usize;
            take(self.out.get(..written).unwrap_or_default());
            bytes = bytes.get(read..).unwrap_or_default();
            self.ended = matches!(status.map_err(|_| Broken::Damaged)?, Status::StreamEnd);
            if read == 0 && written == 0 || bytes.is_empty() && written < self.out.len() {
                break;
            }
        }
        Ok(())
    }
}

impl Decode for Packed {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let sum = &mut self.sum;
        let mut take = |bytes: &[u8]| {
            if let Some((_, crc)) = sum {
                crc.update(bytes);
            }
            take(bytes);
        };
        for part in bytes.get(skipped..).unwrap_or_default().chunks(STEP) {
            match &mut self.decoder {
                Decoder::Gzip(decoder) => {
                    let result = decoder.write_all(part).and_then(|()| decoder.flush());
                    let out = decoder.get_mut();
                    take(&out.0);
                    out.0.clear();
                    result.map_err(|_| Broken::Damaged)?;
                }
                Decoder::Inflate(inflate) => inflate.push(part, &mut take)?,
                Decoder::Zstd(decoder) => decoder.push(part, &mut take).map_err(|_| Broken::Damaged)?,
                Decoder::Stored => take(part),
            }
        }
        Ok(())
    }

    fn finish(&mut self, take: Take<'_>) -> Result<(), Broken> {
        let sum = &mut self.sum;
        let whole = match &mut self.decoder {
            Decoder::Gzip(decoder) => {
                let whole = decoder.try_finish().is_ok();
                let out = &decoder.get_ref().0;
                if let Some((_, crc)) = sum {
                    crc.update(out);
                }
                take(out);
                whole
            }
            Decoder::Inflate(inflate) => inflate.ended,
            Decoder::Zstd(decoder) => decoder.is_whole(),
            Decoder::Stored => true,
        };
        let is_short = |(sum, crc): &(Sum, flate2::Crc)| crc.amount() < sum.size as u32;
        match &self.sum {
            _ if !whole => Err(Broken::Short),
            Some(sum) if is_short(sum) => Err(Broken::Short),
            Some((sum, crc)) if crc.sum() != sum.crc => Err(Broken::Sum),
            _ => Ok(()),
        }
    }
}
