//! Packets with packed packets in them.

use std::io::Read;

use containers::{ZstdStream, STEP};

use super::framing::MAX_PACKET;

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
            let mut decoder = ZstdStream::new();
            for part in packed.chunks(STEP) {
                let result = decoder.push(part, &mut |bytes| out.extend_from_slice(bytes));
                if result.is_err() || MAX_PACKET < out.len() as u64 {
                    return false;
                }
            }
            decoder.is_whole() && out.len() as u64 <= MAX_PACKET
        }
    }
}
