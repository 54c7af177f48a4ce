//! Unpacking of sections and chunks.

use std::io::Read;

use thiserror::Error;

use super::zstd;

/// No page of records shrinks more than this; what claims to is damage, and would be a way to fill the memory.
const MAX_GROWTH: usize = 4096;

/// How a file's sections and trace data are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Not at all (`none`; always so in version 6).
    None,
    /// `zlib`.
    Zlib,
    /// `zstd`.
    Zstd,
}

impl Codec {
    /// By the name in the file's header.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "none" | "" => Codec::None,
            "zlib" => Codec::Zlib,
            "zstd" => Codec::Zstd,
            _ => return None,
        })
    }
}

/// Packed bytes that do not unpack to what they should.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnpackError {
    /// The codec says so.
    #[error("{0}")]
    Damaged(String),
    /// More or less came out.
    #[error("{found} bytes unpacked, {expected} expected")]
    Size {
        /// What came out.
        found: usize,
        /// What the header says.
        expected: usize,
    },
}

/// Unpacks one block after another, keeping the codec's tables.
pub struct Unpacker {
    codec: Codec,
    zstd: zstd::Decoder,
}

impl Unpacker {
    /// For one codec.
    pub fn new(codec: Codec) -> Self {
        Unpacker {
            codec,
            zstd: zstd::Decoder::new(),
        }
    }

    /// Unpacks into `out` (which is emptied first). On damage `out` keeps what came out before it.
    pub fn unpack(&mut self, packed: &[u8], expected: usize, out: &mut Vec<u8>) -> Result<(), UnpackError> {
        out.clear();
        if expected > MAX_GROWTH.saturating_mul(packed.len()).saturating_add(1 << 20) {
            return Err(UnpackError::Damaged(format!(
                "{} bytes cannot be the packed form of {expected}",
                packed.len()
            )));
        }
        // One byte more than expected, to see that there is more.
        let limit = expected as u64 + 1;
        match self.codec {
            Codec::None => out.extend_from_slice(packed),
            Codec::Zlib => {
                let mut decoder = flate2::read::ZlibDecoder::new(packed).take(limit);
                decoder
                    .read_to_end(out)
                    .map_err(|error| UnpackError::Damaged(error.to_string()))?;
            }
            Codec::Zstd => self
                .zstd
                .decode(packed, expected, out)
                .map_err(|error| UnpackError::Damaged(error.to_string()))?,
        }
        if out.len() == expected {
            return Ok(());
        }
        let found = out.len();
        out.truncate(expected);
        Err(UnpackError::Size { found, expected })
    }
}
