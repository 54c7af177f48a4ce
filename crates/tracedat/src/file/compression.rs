//! Unpacking of sections and chunks.

use std::io::{self, Read, Write};

use thiserror::Error;
use traceevent::load;

use super::zstd::{self, Zstd};

/// zstd's own tools refuse more than 128 MiB; trace-cmd writes at most 8 MiB. Reserved before a byte is unpacked.
const MAX_ZSTD_WINDOW: u64 = 16 << 20;

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

    /// The packed form of these bytes, which [`Unpacker`] unpacks.
    pub fn pack(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Codec::None => Ok(bytes.to_vec()),
            Codec::Zlib => {
                let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                packer.write_all(bytes)?;
                packer.finish()
            }
            Codec::Zstd => zstd::pack(bytes),
        }
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
    /// Made when first needed: libzstd asks what processor this is, which takes long in a virtual machine.
    zstd: Option<Zstd>,
}

impl Unpacker {
    /// For one codec.
    pub fn new(codec: Codec) -> Self {
        Unpacker { codec, zstd: None }
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
        let mut result = self.read(packed, limit, out, whole);
        if matches!(result, Err(UnpackError::Damaged(_))) {
            // How much comes out before the damage depends on how much is asked for at a time: it is always the same.
            out.clear();
            result = self.read(packed, limit, out, piece_by_piece);
        }
        result?;
        if out.len() == expected {
            return Ok(());
        }
        let found = out.len();
        out.truncate(expected);
        Err(UnpackError::Size { found, expected })
    }

    fn read(&mut self, packed: &[u8], limit: u64, out: &mut Vec<u8>, read_all: ReadAll) -> Result<(), UnpackError> {
        let result = match self.codec {
            Codec::None => read_all(&mut packed.take(limit), out),
            Codec::Zlib => read_all(&mut flate2::read::ZlibDecoder::new(packed).take(limit), out),
            Codec::Zstd => {
                check_zstd_window(packed)?;
                self.zstd.get_or_insert_default().unpack(packed, limit, out, read_all)
            }
        };
        result.map_err(|error| UnpackError::Damaged(error.to_string()))
    }
}

/// Reads all that comes.
pub(super) type ReadAll = fn(&mut dyn Read, &mut Vec<u8>) -> io::Result<()>;

/// At once: the fastest.
fn whole(reader: &mut dyn Read, out: &mut Vec<u8>) -> io::Result<()> {
    reader.read_to_end(out).map(drop)
}

/// In small pieces of one size: all those before the damage come.
fn piece_by_piece(reader: &mut dyn Read, out: &mut Vec<u8>) -> io::Result<()> {
    let mut piece = [0; 256];
    loop {
        match reader.read(&mut piece)? {
            0 => return Ok(()),
            len => out.extend_from_slice(piece.get(..len).unwrap_or_default()),
        }
    }
}

/// Refuses a frame whose header asks for more memory than trace-cmd ever does (RFC 8878, 3.1.1.1).
fn check_zstd_window(frame: &[u8]) -> Result<(), UnpackError> {
    let short = || UnpackError::Damaged("the zstd frame header is cut short".to_owned());
    let [descriptor] = load(frame, 4).ok_or_else(short)?;
    let single_segment = descriptor & 0x20 != 0;
    let window = if single_segment {
        let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3)).copied().unwrap_or(0);
        let at = 5 + dictionary;
        match descriptor >> 6 {
            0 => u64::from(u8::from_le_bytes(load(frame, at).ok_or_else(short)?)),
            1 => u64::from(u16::from_le_bytes(load(frame, at).ok_or_else(short)?)) + 256,
            2 => u64::from(u32::from_le_bytes(load(frame, at).ok_or_else(short)?)),
            _ => u64::from_le_bytes(load(frame, at).ok_or_else(short)?),
        }
    } else {
        let [window] = load(frame, 5).ok_or_else(short)?;
        let base = 1u64 << (10 + (window >> 3));
        base + base / 8 * u64::from(window & 7)
    };
    if window > MAX_ZSTD_WINDOW {
        return Err(UnpackError::Damaged(format!(
            "the zstd frame asks for a window of {window} bytes"
        )));
    }
    Ok(())
}
