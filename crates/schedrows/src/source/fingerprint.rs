//! A number by which a file is known again.

use super::{ReadAt, ReadError};

/// Bytes of each end of the file that count.
const SPAN: u64 = 64 * 1024;

/// FNV-1a (64 bits) of the file's size (little endian), its first and its last 64 KiB: enough to tell whether a link
/// belongs to this file.
pub fn fingerprint(input: &dyn ReadAt) -> Result<u64, ReadError> {
    let size = input.len();
    let span = size.min(SPAN);
    let mut bytes = vec![0; span as usize];
    let mut hash = fnv1a(0xcbf2_9ce4_8422_2325, &size.to_le_bytes());
    for offset in [0, size - span] {
        input.read_at(offset, &mut bytes)?;
        hash = fnv1a(hash, &bytes);
    }
    Ok(hash)
}

fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
