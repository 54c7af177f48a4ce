//! The literals of a block (RFC 8878, 3.1.1.3.1).

use traceevent::{Endian, Reader};

use super::bits::BackwardBits;
use super::huffman::HuffmanTable;
use super::{ZstdError, MAX_BLOCK};

/// Reads the literals into `out`, replacing what it holds; gives the bytes that they take in the block.
pub(super) fn read(block: &[u8], huffman: &mut HuffmanTable, out: &mut Vec<u8>) -> Result<usize, ZstdError> {
    let mut reader = Reader::new(block, Endian::Little);
    let first = reader.u8()?;
    let format = first >> 2 & 3;
    if first & 3 < 2 {
        // Plain, or one byte again and again.
        let (extra, shift) = match format {
            0 | 2 => (0, 3),
            1 => (1, 4),
            _ => (2, 4),
        };
        let len = (header(first, reader.bytes(extra)?) >> shift) as usize;
        out.clear();
        if first & 3 == 0 {
            out.extend_from_slice(reader.bytes(len)?);
        } else {
            check_len(len)?;
            out.resize(len, reader.u8()?);
        }
        return Ok(reader.at());
    }
    let (extra, width) = match format {
        0 | 1 => (2, 10),
        2 => (3, 14),
        _ => (4, 18),
    };
    let header = header(first, reader.bytes(extra)?) >> 4;
    let len = (header & ((1 << width) - 1)) as usize;
    let packed_len = (header >> width) as usize;
    check_len(len)?;
    let start = reader.at();
    let end = start + reader.bytes(packed_len)?.len();
    // The streams lie at the end of the block's bytes; the tree, if there is a new one, before them.
    let mut at = start;
    if first & 3 == 2 {
        at += huffman.read(block.get(start..end).unwrap_or_default())?;
    }
    out.clear();
    out.resize(len, 0);
    if format == 0 {
        huffman.decode(BackwardBits::new(block, at, end.saturating_sub(at))?, out)?;
    } else {
        huffman.decode_four(four_streams(block, at, end)?, out)?;
    }
    Ok(end)
}

/// Sizes of the first three streams, 16 bits each, then the streams.
fn four_streams(block: &[u8], at: usize, end: usize) -> Result<[BackwardBits<'_>; 4], ZstdError> {
    let endian = Endian::Little;
    let size = |index: usize| endian.u16(block, at + 2 * index).map_or(0, usize::from);
    let (first, second, third) = (size(0), size(1), size(2));
    let start = at + 6;
    let fourth = end
        .checked_sub(start + first + second + third)
        .ok_or(ZstdError::Damaged(
            "streams of literals that are longer than their block",
        ))?;
    Ok([
        BackwardBits::new(block, start, first)?,
        BackwardBits::new(block, start + first, second)?,
        BackwardBits::new(block, start + first + second, third)?,
        BackwardBits::new(block, start + first + second + third, fourth)?,
    ])
}

fn header(first: u8, more: &[u8]) -> u64 {
    let more = more.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    more << 8 | u64::from(first)
}

fn check_len(len: usize) -> Result<(), ZstdError> {
    if len <= MAX_BLOCK {
        Ok(())
    } else {
        Err(ZstdError::Damaged("more literals than a block holds"))
    }
}
