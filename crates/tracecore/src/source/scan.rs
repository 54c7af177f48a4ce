//! Scans on their way from one worker's module to another's. Nearly all of one is rows, which are copied once on either side.

use std::ops::Range;

use js_sys::Uint8Array;
use schedrows::wire::{ScanPieces, WireError, FIXED};
use schedrows::CpuScan;

/// The scan's bytes in a buffer of their own, which a worker can hand over.
pub fn to_array(scan: CpuScan) -> Uint8Array {
    let pieces = scan.into_pieces();
    let array = Uint8Array::new_with_length(pieces.size() as u32);
    let mut at = 0;
    for piece in pieces.chunks.into_iter().chain([pieces.rest]) {
        let end = at + piece.len() as u32;
        array.subarray(at, end).copy_from(&piece);
        at = end;
    }
    array
}

/// The scan of such bytes.
pub fn of_array(array: &Uint8Array) -> Result<CpuScan, WireError> {
    let len = array.length();
    let part = |range: Range<u32>| array.subarray(range.start, range.end).to_vec();
    let rest_len = ScanPieces::rest_len(&part(len.saturating_sub(FIXED as u32)..len))?;
    let packed = u32::try_from(rest_len).ok().and_then(|rest| len.checked_sub(rest));
    let packed = packed.ok_or(WireError::Short)?;
    CpuScan::from_pieces(&part(packed..len), packed as usize, |chunk| {
        part(chunk.start as u32..chunk.end as u32)
    })
}
